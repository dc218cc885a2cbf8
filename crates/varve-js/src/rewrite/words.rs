//! A first look: may a source, or a function in it, hold anything that is rewritten? Most do not
//! need to be parsed.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

/// Words that matter wherever they stand as words.
const ANYWHERE: [&str; 5] = ["location", "top", "eval", "import", "postMessage"];

/// Words that make a module, or name others in it.
const OF_MODULES: [&str; 3] = ["import", "export", "await"];

/// Globals that matter when a computed property of theirs is used: `window[name]`.
const INDEXED: [&str; 6] = [
    "window",
    "self",
    "globalThis",
    "document",
    "parent",
    "frames",
];

static ANYWHERE_FINDERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| finders(&ANYWHERE));
static MODULE_FINDERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| finders(&OF_MODULES));
static INDEXED_FINDERS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| finders(&INDEXED));

/// Whether a source may hold something to rewrite.
pub(super) fn may_matter(source: &str) -> bool {
    let source = source.as_bytes();
    // An escape may spell any name.
    let escaped = memmem::find(source, b"\\u").is_some();
    escaped
        || has_word(source, &ANYWHERE_FINDERS, |_| true)
        || has_word(source, &INDEXED_FINDERS, may_be_indexed)
}

/// Whether a source may be a module, by its words alone.
pub(super) fn may_be_module(source: &str) -> bool {
    has_word(source.as_bytes(), &MODULE_FINDERS, |_| true)
}

/// Whether a name in code matters, or a string, which may name a property. `rest` is what follows.
pub(crate) fn matters(word: &[u8], rest: &[u8]) -> bool {
    match word {
        b"location" | b"top" | b"eval" | b"import" | b"postMessage" => true,
        b"window" | b"self" | b"globalThis" | b"document" | b"parent" | b"frames" => {
            may_be_indexed(rest)
        }
        _ => false,
    }
}

fn finders(words: &[&'static str]) -> Vec<Finder<'static>> {
    words.iter().map(|word| Finder::new(*word)).collect()
}

/// Whether one of the words stands alone and what follows fits.
fn has_word(source: &[u8], finders: &[Finder<'_>], fits: fn(&[u8]) -> bool) -> bool {
    finders.iter().any(|finder| {
        let length = finder.needle().len();
        finder.find_iter(source).any(|at| {
            let before = at.checked_sub(1).map(|before| source[before]);
            let rest = &source[at + length..];
            !before.is_some_and(is_word)
                && !rest.first().copied().is_some_and(is_word)
                && fits(rest)
        })
    })
}

/// `[`, `?.[`, or something that a parser has to look at.
fn may_be_indexed(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    matches!(rest.first(), Some(b'[' | b'?' | b'/' | b')' | 0x80..))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

#[cfg(test)]
mod tests {
    use super::may_matter;

    #[test]
    fn most_sources_need_no_parser() {
        for (source, expected) in [
            ("", false),
            ("f(a.b)", false),
            (
                "stop(); desktop.topic = dislocation; evaluate(medieval)",
                false,
            ),
            ("window.x = self.y", false),
            ("location", true),
            ("$location", false),
            ("a.location.b", true),
            ("'top'", true),
            ("a.top", true),
            ("eval(x)", true),
            ("import('x')", true),
            ("'color: red !important'", false),
            ("window [x]", true),
            ("self?.[x]", true),
            ("self/**/[x]", true),
            ("(window)[x]", true),
            ("loc\\u0061tion", true),
        ] {
            assert_eq!(may_matter(source), expected, "{source}");
        }
    }
}
