//! What a selector needs to find anything: the simple names in it.
//!
//! Scripts look for elements and do something about those that they find. Whether a page has what
//! they look for is told by its names alone: a page that has all names of a selector may match it,
//! one that lacks any does not. How elements stand in each other is left out, so at worst a page is
//! thought to have something that it has not.

use std::collections::BTreeSet;

/// Longest selector that is looked at.
const MAX_SELECTOR: usize = 2000;

/// Whether a page with these names may match the selector. One that needs no names matches all.
pub(crate) fn may_match(selector: &str, marks: &BTreeSet<String>) -> bool {
    alternatives(selector)
        .iter()
        .any(|needed| needed.iter().all(|mark| marks.contains(mark)))
}

/// Whether the selector says anything about a page: it has names, and not those of every page.
pub(crate) fn is_telling(selector: &str) -> bool {
    const EVERYWHERE: [&str; 12] = [
        "html", "head", "body", "script", "a", "meta", "link", "title", "style", "p", "div", "img",
    ];
    let is_everywhere = |mark: &String| EVERYWHERE.contains(&mark.as_str());
    !alternatives(selector)
        .iter()
        .any(|needed| needed.iter().all(is_everywhere))
}

/// The names that each alternative of a selector needs.
fn alternatives(selector: &str) -> Vec<Vec<String>> {
    if selector.len() > MAX_SELECTOR {
        return vec![Vec::new()];
    }
    let mut reader = Reader::default();
    let mut rest = selector.chars().peekable();
    while let Some(next) = rest.next() {
        reader.take(next, &mut rest);
    }
    reader.finish()
}

type Rest<'a> = std::iter::Peekable<std::str::Chars<'a>>;

#[derive(Default)]
struct Reader {
    done: Vec<Vec<String>>,
    needed: Vec<String>,
}

impl Reader {
    fn take(&mut self, next: char, rest: &mut Rest<'_>) {
        match next {
            ',' => self.done.push(std::mem::take(&mut self.needed)),
            '.' => self.need(".", &name(rest)),
            '#' => self.need("#", &name(rest)),
            '[' => {
                let written = until(rest, '[', ']');
                let ends = |c: char| matches!(c, '=' | '~' | '|' | '^' | '$' | '*');
                let name = written.split(ends).next().unwrap_or_default().trim();
                if !name.is_empty() {
                    let name = name.to_ascii_lowercase();
                    self.needed.push(format!("[{name}]"));
                }
            }
            '(' => drop(until(rest, '(', ')')),
            ':' => {
                while rest.next_if_eq(&':').is_some() {}
                name(rest);
            }
            c if is_name(c) => {
                let whole = format!("{c}{}", name(rest));
                self.need("", &whole.to_ascii_lowercase());
            }
            _ => {}
        }
    }

    fn need(&mut self, sign: &str, name: &str) {
        if !name.is_empty() {
            self.needed.push(format!("{sign}{name}"));
        }
    }

    fn finish(mut self) -> Vec<Vec<String>> {
        self.done.push(self.needed);
        self.done
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '\\') || !c.is_ascii()
}

/// A name, escapes resolved as far as they are plain.
fn name(rest: &mut Rest<'_>) -> String {
    let mut name = String::new();
    while let Some(next) = rest.next_if(|&c| is_name(c)) {
        match next {
            '\\' => name.extend(rest.next()),
            _ => name.push(next),
        }
    }
    name
}

/// What stands before the bracket that closes.
fn until(rest: &mut Rest<'_>, open: char, close: char) -> String {
    let (mut depth, mut inside) = (1, String::new());
    for next in rest.by_ref() {
        depth += i32::from(next == open) - i32::from(next == close);
        if depth == 0 {
            break;
        }
        inside.push(next);
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(selector: &str, marks: &[&str], expected: bool) {
        let marks = marks.iter().map(|mark| (*mark).to_owned()).collect();
        assert_eq!(may_match(selector, &marks), expected, "{selector}");
    }

    #[test]
    fn all_names_are_needed() {
        check(".tabs > a.open", &[".tabs", "a", ".open"], true);
        check(".tabs > a.open", &[".tabs", "a"], false);
        check("#map", &["#map"], true);
        check(
            "IMG[data-src^='a.b']:not(.done)",
            &["img", "[data-src]"],
            true,
        );
        check("IMG[data-src]", &["img"], false);
    }

    #[test]
    fn one_alternative_is_enough() {
        check(".a, .b", &[".b"], true);
        check(".a, .b", &[".c"], false);
    }

    #[test]
    fn escapes_and_pseudo_classes_are_read() {
        check(r".md\:flex", &[".md:flex"], true);
        check("li::before:nth-child(2n+1)", &["li"], true);
        check("*", &[], true);
    }

    #[test]
    fn what_every_page_has_tells_nothing() {
        for (selector, expected) in [
            ("body", false),
            ("*", false),
            (".x", true),
            ("a, .x", false),
        ] {
            assert_eq!(is_telling(selector), expected, "{selector}");
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_can_be_read(selector in ".{0,200}") {
            may_match(&selector, &BTreeSet::new());
            is_telling(&selector);
        }
    }
}
