//! Changes of a text as spans and what replaces them; the rest of the text stays as it is.

use std::borrow::Cow;
use std::ops::Range;

use oxc_ast::ast::Comment;
use oxc_span::Span;

/// One change: a span, empty for an insertion, and the text in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) span: Span,
    pub(super) text: Cow<'static, str>,
}

/// Changes in the order in which their texts follow each other where they meet: what opens
/// before its inner parts are walked, what closes after.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
}

impl Edits {
    pub(super) fn insert(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.replace(Span::new(at, at), text);
    }

    pub(super) fn replace(&mut self, span: Span, text: impl Into<Cow<'static, str>>) {
        let text = text.into();
        self.list.push(Edit { span, text });
    }

    /// Replaces tokens but keeps the comments between them.
    pub(super) fn replace_tokens(
        &mut self,
        span: Span,
        text: &'static str,
        comments: Comments<'_>,
    ) {
        let kept = comments.within(span);
        if kept.is_empty() {
            self.replace(span, text);
        } else {
            self.replace(span, kept + text);
        }
    }

    /// The same changes elsewhere.
    pub(super) fn moved(mut self, place: impl Fn(Span) -> Span) -> Edits {
        for edit in &mut self.list {
            edit.span = place(edit.span);
        }
        self
    }

    /// Those in a part of the source, as changes of that part.
    pub(super) fn within(mut self, part: &Range<usize>) -> Edits {
        let inside =
            |span: &Span| part.start <= span.start as usize && span.end as usize <= part.end;
        self.list.retain(|edit| inside(&edit.span));
        let start = part.start as u32;
        self.moved(|span| Span::new(span.start - start, span.end - start))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The text with all changes made.
    pub(super) fn apply(mut self, source: &str) -> String {
        // Stable: where several begin, they stay in the order in which they were made.
        self.list.sort_by_key(|edit| edit.span.start);
        let added: usize = self.list.iter().map(|edit| edit.text.len()).sum();
        let mut out = String::with_capacity(source.len() + added);
        let mut copied = 0;
        for edit in &self.list {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            debug_assert!(start >= copied, "changes do not overlap: {edit:?}");
            out.push_str(source.get(copied..start).unwrap_or_default());
            if joins(&out, &edit.text) {
                out.push(' ');
            }
            out.push_str(&edit.text);
            copied = end.max(copied);
        }
        out.push_str(source.get(copied..).unwrap_or_default());
        out
    }
}

/// Whether two pieces would make one word: `typeof` and `__varve` in `typeof(a).location`.
fn joins(before: &str, after: &str) -> bool {
    let word = |c: char| match c {
        '_' | '$' => true,
        _ if c.is_ascii() => c.is_ascii_alphanumeric(),
        _ => !c.is_whitespace() && c != '\u{feff}',
    };
    before.chars().next_back().is_some_and(word) && after.chars().next().is_some_and(word)
}

/// The comments of a source, in order.
#[derive(Clone, Copy)]
pub(super) struct Comments<'s> {
    pub(super) source: &'s str,
    pub(super) list: &'s [Comment],
}

impl Comments<'_> {
    /// The comments in a span, each whole. HTML-like ones, which need a line of their own, are
    /// left out.
    fn within(&self, span: Span) -> String {
        let mut kept = String::new();
        let first = self.list.partition_point(|c| c.span.start < span.start);
        for comment in &self.list[first..] {
            if comment.span.start >= span.end {
                break;
            }
            let text = comment.span.source_text(self.source);
            if text.starts_with("/*") {
                kept.push_str(text);
            } else if text.starts_with("//") {
                kept.push_str(text.trim_end_matches(['\r', '\n']));
                kept.push('\n');
            }
        }
        kept
    }
}

/// A string literal for a value, in the given quotes.
pub(super) fn quoted(value: &str, quote: char) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push(quote);
    for c in value.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            '\\' => out.push_str("\\\\"),
            // Never the end of an inline script.
            '<' => out.push_str("\\x3c"),
            _ if c == quote => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push(quote);
    out
}
