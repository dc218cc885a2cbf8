//! Where the scripts of a document stand that are in it.

use super::scripts::{Inline, kind};
use super::walker::{Container, Follow, Tag, Visitor};
use std::ops::Range;

/// The texts of script elements that hold scripts, in order, as bytes of the document.
pub fn inline_scripts(document: &str) -> Vec<Range<usize>> {
    let mut finder = Finder::default();
    super::visit(document, &mut finder);
    finder.found
}

#[derive(Default)]
struct Finder {
    /// Where the text of the element begins that is open.
    open: Option<usize>,
    found: Vec<Range<usize>>,
}

impl<'t> Visitor<'t> for Finder {
    fn start(&mut self, tag: &Tag<'t>) -> Follow {
        let is_inline = tag.name == "script" && !tag.svg && !tag.attributes.has("src");
        if !is_inline || !matches!(kind(tag), Inline::Script(_)) {
            return Follow::No;
        }
        self.open = Some(tag.end());
        Follow::UntilEnd(Container::Script)
    }

    fn end(&mut self, _: Container, at: usize) {
        if let Some(start) = self.open.take().filter(|start| *start < at) {
            self.found.push(start..at);
        }
    }

    fn instruction(&mut self, _: Range<usize>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, expected: &[&str]) {
        let found = inline_scripts(document);
        let texts: Vec<&str> = found.into_iter().map(|it| &document[it]).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn scripts_in_the_document_are_found() {
        check(
            "<p>é</p><script>one()</script><SCRIPT type=module>\n two('<p>') </SCRIPT >",
            &["one()", "\n two('<p>') "],
        );
        check(
            "<script type='text/javascript'>if (a < b) { '<!--' }</script>",
            &["if (a < b) { '<!--' }"],
        );
    }

    #[test]
    fn what_is_no_script_is_left_alone() {
        check("<script src=a.js>never()</script>", &[]);
        check("<script type='application/json'>{}</script>", &[]);
        check("<script></script><style>a{}</style>", &[]);
        check("<script>never closed", &[]);
        check("<!-- <script>one()</script> -->", &[]);
        check("<textarea><script>one()</script></textarea>", &[]);
    }
}
