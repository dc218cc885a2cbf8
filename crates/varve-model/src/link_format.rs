//! `Link`: a link with its attributes, as TimeMaps (RFC 6690 link-format) and `Link` fields
//! (RFC 8288) write it.
//!
//! Both say `<target>; name="value"; ...`, with commas between links. Archives write it with all
//! kinds of slips: commas missing or too many, values without quotes, quotes that never end,
//! dates with their comma in the open. What can be understood is, the rest is counted
//! ([`Links::skipped`]). What the links mean is left to others.

use std::borrow::Cow;

/// More attributes of one link than this are not kept.
const ATTRIBUTES: usize = 32;
/// Attributes whose values hold commas, quoted or not.
const DATES: [&str; 3] = ["datetime", "from", "until"];

/// One link.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Link<'t> {
    /// What stands between the angle brackets, without spaces around it.
    pub target: &'t str,
    attributes: Vec<(&'t str, Cow<'t, str>)>,
}

impl Link<'_> {
    /// The first value of an attribute, whatever the case of its name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let named = |known: &str| known.eq_ignore_ascii_case(name);
        let found = self.attributes.iter().find(|(known, _)| named(known));
        found.map(|(_, value)| value.as_ref())
    }

    /// Whether the link has a relation, among others.
    pub fn is(&self, relation: &str) -> bool {
        let relations = self.get("rel").unwrap_or("").split_ascii_whitespace();
        relations
            .into_iter()
            .any(|known| known.eq_ignore_ascii_case(relation))
    }
}

/// A link as it is written: a target in brackets, and attributes that are ready.
///
/// ```
/// use varve_model::link_to;
/// let link = link_to("http://a.example/<x>", "rel=\"original\"");
/// assert_eq!(link, "<http://a.example/%3Cx%3E>; rel=\"original\"");
/// ```
pub fn link_to(target: &str, attributes: &str) -> String {
    format!("<{}>; {attributes}", in_brackets(target))
}

/// A URL as it can stand in brackets, and in a field: what would end them is written otherwise.
pub fn in_brackets(url: &str) -> Cow<'_, str> {
    let plain = |byte: u8| matches!(byte, b'!'..=b'~') && !matches!(byte, b'<' | b'>' | b'"');
    if url.bytes().all(plain) {
        return url.into();
    }
    let mut out = String::with_capacity(url.len() + 16);
    for byte in url.bytes() {
        match plain(byte) {
            true => out.push(char::from(byte)),
            false => out += &format!("%{byte:02X}"),
        }
    }
    out.into()
}

/// The links of a text, one after the other.
///
/// ```
/// use varve_model::Links;
/// let text = "<http://a.example/>; rel=\"original\", <http://m.example/1>; rel=memento";
/// let links: Vec<_> = Links::of(text).collect();
/// assert_eq!(links[0].target, "http://a.example/");
/// assert!(links[1].is("memento"));
/// ```
#[derive(Debug, Clone)]
pub struct Links<'t> {
    text: &'t str,
    at: usize,
    skipped: usize,
}

impl<'t> Links<'t> {
    /// Begins to read.
    pub fn of(text: &'t str) -> Links<'t> {
        Links {
            text,
            at: 0,
            skipped: 0,
        }
    }

    /// How many places so far were no part of any link.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes everything up to the first byte for which this holds, which must be ASCII.
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_spaces(&mut self) {
        self.until(|byte| !byte.is_ascii_whitespace());
    }

    /// Goes to the next opening bracket.
    fn find_start(&mut self) -> Option<()> {
        let between = self.until(|byte| byte == b'<');
        let nothing =
            |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '\u{feff}');
        self.skipped += usize::from(!between.chars().all(nothing));
        self.peek().map(|_| ())
    }

    /// What stands in brackets, if they are closed on the same line.
    fn target(&mut self) -> Option<&'t str> {
        self.at += 1;
        let target = self
            .until(|byte| matches!(byte, b'<' | b'>' | b'\n' | b'\r'))
            .trim();
        if self.peek() == Some(b'>') && !target.is_empty() {
            self.at += 1;
            return Some(target);
        }
        self.skipped += 1;
        None
    }

    /// Reads attributes up to the end of the link.
    fn attributes(&mut self) -> Vec<(&'t str, Cow<'t, str>)> {
        let mut found = Vec::new();
        loop {
            self.skip_spaces();
            match self.peek() {
                None | Some(b'<') => return found,
                Some(b',') => {
                    self.at += 1;
                    return found;
                }
                Some(b';') => self.at += 1,
                Some(b'=' | b'>' | b'"') => {
                    self.at += 1;
                    self.skipped += 1;
                }
                Some(_) => {
                    let attribute = self.attribute();
                    if found.len() < ATTRIBUTES {
                        found.push(attribute);
                    }
                }
            }
        }
    }

    fn attribute(&mut self) -> (&'t str, Cow<'t, str>) {
        let ends = |byte: u8| matches!(byte, b'=' | b';' | b',' | b'<' | b'>' | b'"');
        let name = self.until(|byte| ends(byte) || byte.is_ascii_whitespace());
        self.skip_spaces();
        if self.peek() != Some(b'=') {
            return (name, Cow::Borrowed(""));
        }
        self.at += 1;
        // A value stands on the line of its name.
        self.until(|byte| !matches!(byte, b' ' | b'\t'));
        let value = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            _ if DATES.iter().any(|date| date.eq_ignore_ascii_case(name)) => self.open_date(),
            _ => {
                let ends = |byte: u8| matches!(byte, b';' | b',' | b'<');
                Cow::Borrowed(self.until(|byte| ends(byte) || byte.is_ascii_whitespace()))
            }
        };
        (name, value)
    }

    /// A value in quotes, or up to the end of the line where they are not closed.
    fn quoted(&mut self, quote: u8) -> Cow<'t, str> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            self.until(|byte| byte == quote || matches!(byte, b'\\' | b'\n'));
            match self.peek() {
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    // Whatever it is, it is one of the value's letters.
                    let next = self.text[self.at..].chars().next();
                    self.at += next.map_or(0, char::len_utf8);
                }
                end => {
                    let value = &self.text[start..self.at];
                    let closed = end == Some(quote);
                    self.at += usize::from(closed);
                    self.skipped += usize::from(!closed);
                    return if escaped {
                        unescaped(value)
                    } else {
                        value.into()
                    };
                }
            }
        }
    }

    /// A date without quotes: its comma ends nothing.
    fn open_date(&mut self) -> Cow<'t, str> {
        let start = self.at;
        loop {
            self.until(|byte| matches!(byte, b';' | b',' | b'\n' | b'<'));
            let rest = self.text[self.at..].strip_prefix(',');
            // A weekday is before its comma; after the comma of a link comes a bracket, or nothing.
            let goes_on = rest
                .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
            if !goes_on {
                return self.text[start..self.at].trim().into();
            }
            self.at += 1;
        }
    }
}

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    fn next(&mut self) -> Option<Link<'t>> {
        loop {
            self.find_start()?;
            if let Some(target) = self.target() {
                let attributes = self.attributes();
                return Some(Link { target, attributes });
            }
        }
    }
}

fn unescaped(value: &str) -> Cow<'static, str> {
    let mut out = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            other => out.push(other),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests;
