//! Pages in the garden's layout.
//!
//! A page's file begins with `<!-- page: TITLE | DESCRIPTION | SECTION -->`. What stands before
//! `<!-- body -->` goes into the head, the rest into `main`. Files that begin otherwise are served as
//! they are.

use crate::files;

/// A page before it has its layout.
pub(crate) struct Page<'a> {
    /// Its title.
    pub(crate) title: &'a str,
    /// What search engines show.
    pub(crate) description: &'a str,
    /// The entry of the navigation that it belongs to, or none.
    pub(crate) section: &'a str,
    /// More for the head.
    pub(crate) head: &'a str,
    /// The content of `main`.
    pub(crate) body: &'a str,
}

/// Puts a page's source into the layout; nothing if it is no page's source.
pub(crate) fn render(source: &str) -> Option<String> {
    let (first, rest) = source.split_once('\n')?;
    let properties = first.strip_prefix("<!-- page: ")?.strip_suffix(" -->")?;
    let mut properties = properties.split('|').map(str::trim);
    let (head, body) = rest.split_once("<!-- body -->\n").unwrap_or(("", rest));
    let page = Page {
        title: properties.next()?,
        description: properties.next().unwrap_or_default(),
        section: properties.next().unwrap_or_default(),
        head,
        body,
    };
    Some(page.wrap())
}

impl Page<'_> {
    /// The page in its layout.
    pub(crate) fn wrap(&self) -> String {
        let here = format!("data-section=\"{}\"", self.section);
        files::source("layout.html")
            .replace(&here, &format!("{here} aria-current=\"page\""))
            .replace("{{title}}", self.title)
            .replace("{{description}}", self.description)
            .replace("{{head}}", self.head)
            .replace("{{body}}", self.body)
    }
}

/// Text as HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn pages_get_the_layout_and_other_files_do_not() {
        let source = "<!-- page: Ferns | All of them | plants -->\n<style></style>\n<!-- body -->\n<h1>Ferns</h1>\n";
        let page = render(source).unwrap();
        assert!(page.contains("<title>Ferns"));
        assert!(page.contains("content=\"All of them\""));
        assert!(page.contains("data-section=\"plants\" aria-current=\"page\""));
        assert!(page.find("<style></style>").unwrap() < page.find("</head>").unwrap());
        assert!(page.find("<h1>Ferns</h1>").unwrap() > page.find("<main").unwrap());
        assert!(!page.contains("{{"));
        assert_eq!(render("<!doctype html>\n<title>Plain</title>"), None);
    }
}
