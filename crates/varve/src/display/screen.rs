//! Lines that are redrawn in place.
//!
//! Nothing of the terminal's state is changed, and the cursor rests below the lines: whenever the
//! program ends, even at once, the terminal is as it was.

use super::text::Line;
use std::io::{self, Write};

/// To the start of the line, and nothing after it.
const CLEAR_BELOW: &str = "\r\x1b[J";

/// The lower end of a terminal.
pub(super) struct Screen<W> {
    out: W,
    /// Columns that each line took when it was drawn.
    drawn: Vec<usize>,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(out: W) -> Screen<W> {
        let drawn = Vec::new();
        Screen { out, drawn }
    }

    /// Replaces the lines. `lasting` is text that is written above them and stays.
    pub(super) fn draw(
        &mut self,
        lasting: &str,
        lines: &[Line],
        width: usize,
        color: bool,
    ) -> io::Result<()> {
        let mut text = self.back(width) + lasting;
        self.drawn.clear();
        for line in lines {
            text += &line.fit(width, color);
            text.push('\n');
            self.drawn
                .push(super::text::columns(&line.fit(width, false)));
        }
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Takes the lines away, and leaves the text.
    pub(super) fn clear(&mut self, lasting: &str) -> io::Result<()> {
        // Whatever the width is now, lines that were not wrapped are as many as there are.
        self.draw(lasting, &[], usize::MAX, false)
    }

    /// The way back to the first line, in a terminal that may have become narrower since.
    fn back(&self, width: usize) -> String {
        let rows: usize = (self.drawn.iter())
            .map(|columns| columns.div_ceil(width.max(1)).max(1))
            .sum();
        match rows {
            0 => String::new(),
            rows => format!("\x1b[{rows}A{CLEAR_BELOW}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::text::Style;
    use super::*;

    fn lines(texts: &[&str]) -> Vec<Line> {
        let line = |text: &&str| Line::default().and(Style::Plain, text);
        texts.iter().map(line).collect()
    }

    #[test]
    fn lines_replace_the_lines_before() {
        let mut screen = Screen::new(Vec::new());
        screen.draw("", &lines(&["one", "two"]), 80, false).unwrap();
        screen
            .draw("gone\n", &lines(&["three"]), 80, false)
            .unwrap();
        screen.clear("bye\n").unwrap();
        assert_eq!(
            String::from_utf8(screen.out).unwrap(),
            "one\ntwo\n\x1b[2A\r\x1b[Jgone\nthree\n\x1b[1A\r\x1b[Jbye\n"
        );
    }

    #[test]
    fn lines_that_a_narrower_terminal_wraps_are_found_again() {
        let mut screen = Screen::new(Vec::new());
        let wide = lines(&["0123456789", "01234", ""]);
        screen.draw("", &wide, 10, false).unwrap();
        screen.out.clear();
        screen.draw("", &[], 4, false).unwrap();
        assert_eq!(screen.out, b"\x1b[6A\r\x1b[J");
    }
}
