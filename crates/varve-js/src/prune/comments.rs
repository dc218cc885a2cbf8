//! The comments of a script, as far as they can be taken out.
//!
//! A comment never runs. But some are read: by who asks where the source of a script is, by lawyers,
//! by functions that have nothing but a comment in them and look at their own text. Those stay.

use super::{Cold, Manner, Stub};
use oxc_ast::ast::{Comment, Program};
use std::ops::Range;

/// Shorter comments are not worth it.
const MIN_COMMENT: usize = 32;
/// What comments say that somebody reads. The last of them is read by browsers, in pages.
const READ: [&str; 7] = [
    "@license",
    "@preserve",
    "@cc_on",
    "sourceMappingURL",
    "sourceURL",
    "<!--",
    "-->",
];

/// Comments that can be taken out, in order: none of those in other cold parts, or in functions that
/// have nothing else in them. Both are in order, too.
pub(super) fn comments(program: &Program<'_>, cold: &[Cold], empty: &[Range<usize>]) -> Vec<Cold> {
    let source = program.source_text;
    let mut found: Vec<(Range<usize>, &'static str)> = Vec::new();
    let mut cold = cold.iter().peekable();
    let mut empty = empty.iter().peekable();
    for comment in &program.comments {
        let span = comment.span.start as usize..comment.span.end as usize;
        while cold.next_if(|cold| cold.body.end <= span.start).is_some() {}
        while empty.next_if(|empty| empty.end <= span.start).is_some() {}
        let is_within = |place: &Range<usize>| place.start <= span.start && span.end <= place.end;
        let is_gone = cold.peek().is_some_and(|cold| is_within(&cold.body));
        let is_all = empty.peek().is_some_and(|empty| is_within(empty));
        if is_gone || is_all || is_read(&source[span.clone()]) {
            continue;
        }
        let (place, gap) = taken(source, comment);
        match found.last_mut() {
            // Lines that follow each other are taken out together.
            Some((last, "")) if last.end == place.start && gap.is_empty() => last.end = place.end,
            _ => found.push((place, gap)),
        }
    }
    let found = found.into_iter();
    let found = found.filter(|(place, _)| place.len() >= MIN_COMMENT);
    found
        .map(|(body, gap)| Cold {
            body,
            manner: Manner::default(),
            stub: Stub::Comment(gap),
        })
        .collect()
}

fn is_read(comment: &str) -> bool {
    let begins = ["/*!", "//!", "//#", "//@"].iter();
    let mut begins = begins.map(|mark| comment.starts_with(mark));
    let mut words = READ.iter().map(|word| comment.contains(word));
    begins.any(|begins| begins) || words.any(|has| has) || !comment.starts_with('/')
}

/// What goes with a comment, and what stays in its place.
fn taken(source: &str, comment: &Comment) -> (Range<usize>, &'static str) {
    let (start, end) = (comment.span.start as usize, comment.span.end as usize);
    let is_blank = |character: char| matches!(character, ' ' | '\t');
    let before = source[..start].trim_end_matches(is_blank);
    let after = &source[end..];
    let is_first = before.is_empty() || before.ends_with('\n');
    let break_length = match after.strip_prefix('\r').unwrap_or(after) {
        rest if rest.starts_with('\n') => after.len() - rest.len() + 1,
        _ => 0,
    };
    match (is_first, break_length) {
        (true, 1..) => (before.len()..end + break_length, ""),
        // The end of the line stays.
        (false, 1..) => (before.len()..end, ""),
        _ if comment.is_line() => (start..end, ""),
        // A comment with an end of a line in it ends statements as that does.
        _ if source[start..end].contains(['\n', '\r', '\u{2028}', '\u{2029}']) => {
            (start..end, "\n")
        }
        _ => (start..end, " "),
    }
}
