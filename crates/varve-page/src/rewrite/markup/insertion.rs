//! Where markup is put so that it comes first in the head and changes nothing else: a doctype
//! stays in front, or the page would be drawn in quirks mode.

use memchr::{memchr, memmem};

use crate::html::Attributes;

/// The place: after `<head>`, or else after `<html>`, or else after the doctype. What has no end
/// is not passed.
pub(super) fn point(text: &str) -> usize {
    let mut point = 0;
    let mut at = 0;
    loop {
        at = text.len() - text[at..].trim_start_matches(is_blank).len();
        let rest = &text[at..];
        let (end, counts) = if let Some(comment) = rest.strip_prefix("<!--") {
            (end_of_comment(comment).map(|end| at + 4 + end), false)
        } else if starts_with_word(rest, "<!doctype") {
            (after(text, at), true)
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            (after(text, at), false)
        } else if starts_with_word(rest, "<html") {
            (Attributes::end_of_tag(text, at + 5), true)
        } else if starts_with_word(rest, "<head") {
            return Attributes::end_of_tag(text, at + 5).unwrap_or(point);
        } else {
            return point;
        };
        let Some(end) = end else { return point };
        at = end;
        point = if counts { end } else { point };
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

/// After the next `>`.
fn after(text: &str, at: usize) -> Option<usize> {
    memchr(b'>', &text.as_bytes()[at..]).map(|end| at + end + 1)
}

/// The length of what follows `<!--`, end included.
fn end_of_comment(comment: &str) -> Option<usize> {
    for short in [">", "->"] {
        if comment.starts_with(short) {
            return Some(short.len());
        }
    }
    let bytes = comment.as_bytes();
    let end = |sign: &[u8]| memmem::find(bytes, sign).map(|at| at + sign.len());
    match (end(b"-->"), end(b"--!>")) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether a tag has this name, which stands with its `<`.
fn starts_with_word(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'/');
    bytes
        .get(..word.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        && bytes.get(word.len()).is_none_or(ends)
}

#[cfg(test)]
mod tests {
    use super::point;

    #[test]
    fn markup_comes_first_in_the_head() {
        // `|` stands where it goes.
        for marked in [
            "|",
            "|text",
            "|<p>text",
            "<!doctype html>|",
            "<!DOCTYPE html>| text",
            "<!doctype html>|<title>x</title>",
            "<!-- > --> <!doctype html>| <!-- x --><p>",
            "<!doctype html><html>|<body>",
            "<!doctype html>\n<html lang=en>\n<!-- x -->\n<head profile='a>b'>|\n<meta>",
            "<HTML><HEAD>|<title>",
            "<head/>|<p>",
            "<html class=a'b>|<p c='d'>",
            "|<header>",
            "|<htmlx><head>",
            "|<!-- no end <head>",
            "<!--><html>|<p>-->",
            "<!---><html>|<p>-->",
            "<!-- --!><html>|<p>",
            "<?xml version='1.0'?><!doctype html>|<p>",
            "<!--[if IE]><html class=ie><![endif]--><!--[if !IE]><!--><html>|<!--<![endif]--><p>",
            "|<html a=\"",
            "|<!doctype html",
            "<!doctype html>|<head a=",
        ] {
            let text = marked.replace('|', "");
            let expected = marked.find('|');
            assert_eq!(Some(point(&text)), expected, "{marked}");
        }
    }
}
