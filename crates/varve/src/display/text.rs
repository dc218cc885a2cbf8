//! Words for a terminal: harmless, and as wide as they should be.
//!
//! Titles and URLs are other people's text. On a terminal it could move the cursor, change colours
//! or turn the direction of writing.

use std::time::Duration;
use unicode_width::UnicodeWidthChar;

/// How a piece of a line looks where there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Faint,
    Strong,
    Good,
    Bad,
    Odd,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Style::Plain => "",
            Style::Faint => "\x1b[2m",
            Style::Strong => "\x1b[1m",
            Style::Good => "\x1b[32m",
            Style::Bad => "\x1b[31m",
            Style::Odd => "\x1b[33m",
        }
    }
}

/// A line made of pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Line(Vec<(Style, String)>);

impl Line {
    /// Adds a piece.
    pub(super) fn and(mut self, style: Style, text: impl AsRef<str>) -> Line {
        self.0.push((style, clean(text.as_ref())));
        self
    }

    /// The line, at most `width` columns wide.
    pub(super) fn fit(&self, width: usize, color: bool) -> String {
        let wide: usize = self.0.iter().map(|(_, text)| columns(text)).sum();
        let mut left = if wide > width {
            width.saturating_sub(1)
        } else {
            width
        };
        let mut line = String::new();
        for (style, text) in &self.0 {
            let piece = head(text, left);
            left -= columns(piece);
            let cut = piece.len() < text.len();
            match color && !piece.is_empty() && *style != Style::Plain {
                true => line.extend([style.code(), piece, "\x1b[0m"]),
                false => line.push_str(piece),
            }
            if cut {
                break;
            }
        }
        if wide > width && width > 0 {
            line.push('…');
        }
        line
    }
}

/// The text without what a terminal would obey instead of showing.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// Marks of direction, joiners and the like: they have no width, and change that of others.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// How many columns a clean text takes. Marks that combine count as nothing, all else on its own:
/// a terminal that knows how to join characters needs fewer.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

fn head(text: &str, width: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return &text[..at];
        }
    }
    text
}

/// `0:07`, `1:02:03`.
pub(super) fn clock(seconds: f64) -> String {
    let seconds = Duration::try_from_secs_f64(seconds).map_or(0, |time| time.as_secs());
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_never_wider_than_asked() {
        let line = Line::default()
            .and(Style::Good, "12 saved ")
            .and(Style::Bad, "植物園の日記 🌷🌷 ")
            .and(Style::Plain, "e\u{301}tude \u{202e}gnitirw");
        for width in 0..60 {
            let fitted = line.fit(width, false);
            assert!(columns(&fitted) <= width, "{width}: {fitted}");
        }
        assert_eq!(
            line.fit(60, false),
            "12 saved 植物園の日記 🌷🌷 e\u{301}tude gnitirw"
        );
    }

    #[test]
    fn what_does_not_fit_is_cut_with_a_mark() {
        let check = |text: &str, width: usize, expected: &str| {
            let line = Line::default().and(Style::Plain, text);
            assert_eq!(line.fit(width, false), expected);
        };
        check("garden", 6, "garden");
        check("garden", 5, "gard…");
        check("植物園", 6, "植物園");
        check("植物園", 5, "植物…");
        check("植物園", 4, "植…");
        check("garden", 1, "…");
        check("garden", 0, "");
    }

    #[test]
    fn colours_do_not_count() {
        let line = Line::default().and(Style::Bad, "failed");
        assert_eq!(line.fit(6, true), "\x1b[31mfailed\x1b[0m");
        assert_eq!(line.fit(4, true), "\x1b[31mfai\x1b[0m…");
    }

    #[test]
    fn other_peoples_text_gives_no_orders() {
        let check = |text: &str, expected: &str| assert_eq!(clean(text), expected);
        check("\x1b]0;mine\x07", " ]0;mine ");
        check("a\r\nb\tc", "a  b c");
        check("\u{9b}31m", " 31m");
        check("\u{202e}evil\u{2066}", "evil");
        check("❤\u{fe0f}", "❤");
    }

    #[test]
    fn times_are_told_like_a_clock() {
        let check = |seconds: f64, expected: &str| assert_eq!(clock(seconds), expected);
        check(7.9, "0:07");
        check(723.0, "12:03");
        check(3_723.0, "1:02:03");
        check(-1.0, "0:00");
        check(f64::NAN, "0:00");
    }
}
