//! A source without the bodies of functions that hold nothing to rewrite: what is left is parsed
//! several times faster, and the same edits come out of it.
//!
//! Nothing in such a body can change what a name means outside of it: what a function declares ends
//! with it, and `eval` is a word that matters. What is lost is that nobody looks for mistakes there.

use std::ops::Range;

use oxc_span::Span;

/// A source with some of its functions empty.
pub(super) struct Outline {
    text: String,
    cuts: Vec<Cut>,
}

/// A place where something was taken out.
struct Cut {
    /// Where, in the outline.
    at: u32,
    /// How many bytes, with those of all earlier cuts.
    removed: u32,
}

impl Outline {
    /// The outline without the `quiet` ranges, which are in order and apart from each other. `None`
    /// if there is nothing to take out.
    pub(super) fn of(source: &str, quiet: &[Range<usize>]) -> Option<Outline> {
        let removed: usize = quiet.iter().map(Range::len).sum();
        let mut text = String::with_capacity(source.len().checked_sub(removed)?);
        let mut cuts = Vec::with_capacity(quiet.len());
        let mut done = 0;
        for range in quiet {
            text.push_str(source.get(done..range.start)?);
            done = range.end;
            cuts.push(Cut {
                at: u32::try_from(text.len()).ok()?,
                removed: u32::try_from(done - text.len()).ok()?,
            });
        }
        text.push_str(source.get(done..)?);
        (!cuts.is_empty()).then_some(Outline { text, cuts })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where a span of the outline stands in the source.
    pub(super) fn original(&self, span: Span) -> Span {
        Span::new(self.place(span.start), self.place(span.end))
    }

    /// A cut stands between two braces, where nothing begins or ends.
    fn place(&self, at: u32) -> u32 {
        let before = self.cuts.partition_point(|cut| cut.at < at);
        let last = before.checked_sub(1).and_then(|last| self.cuts.get(last));
        at + last.map_or(0, |cut| cut.removed)
    }
}

#[cfg(test)]
mod tests {
    use oxc_span::Span;

    use super::Outline;

    #[test]
    fn spans_of_the_outline_are_found_in_the_source() {
        let source = "f{abc}g{de}h";
        let outline = Outline::of(source, &[2..5, 8..10]);
        let outline = outline.as_ref();
        assert_eq!(outline.map(Outline::text), Some("f{}g{}h"));
        for (letter, at) in [('f', 0), ('g', 3), ('h', 6)] {
            let found = outline.map(|outline| outline.original(Span::new(at, at + 1)));
            let found = found.map(|span| span.source_text(source).to_owned());
            assert_eq!(found, Some(letter.to_string()));
        }
    }

    #[test]
    fn without_cuts_there_is_no_outline() {
        assert!(Outline::of("f{abc}", &[]).is_none());
    }
}
