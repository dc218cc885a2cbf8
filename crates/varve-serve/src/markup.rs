//! HTML of our own, in which every text is escaped.

use std::fmt::Write;

/// HTML that can be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(String);

impl Markup {
    /// HTML that we wrote ourselves.
    pub fn new(html: &'static str) -> Markup {
        Markup(html.to_owned())
    }

    /// Appends HTML that we wrote ourselves.
    pub fn html(mut self, html: &'static str) -> Markup {
        self.0.push_str(html);
        self
    }

    /// Appends a text, between elements or inside of a quoted attribute.
    pub fn text(mut self, text: impl std::fmt::Display) -> Markup {
        // Writing to memory does not fail.
        let _ = write!(Escaped(&mut self.0), "{text}");
        self
    }

    /// Appends other markup.
    pub fn markup(mut self, other: &Markup) -> Markup {
        self.0.push_str(&other.0);
        self
    }

    /// The HTML.
    pub fn into_string(self) -> String {
        self.0
    }
}

struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(' '),
                other if other.is_control() => {}
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}

/// A whole page.
pub(crate) fn page(title: &str, style: &'static str, body: &Markup) -> String {
    Markup::new("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">")
        .html("<meta name=\"viewport\" content=\"width=device-width\"><title>")
        .text(title)
        .html("</title>")
        .html(style)
        .markup(body)
        .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_never_markup() {
        let html = Markup::new("<a title=\"")
            .text("\"><script>'&\0\r\n")
            .html("\">");
        let expected = "<a title=\"&quot;&gt;&lt;script&gt;&#39;&amp; \">";
        assert_eq!(html.into_string(), expected);
    }
}
