//! The one table of attributes that hold URLs.
//!
//! Analysis and rewriting both read it. Elements whose attributes depend on each other (`img`,
//! `source`, `link`, `script`, `object`) are understood by modules of their own where it matters
//! how much a URL is needed; for rewriting the table is all there is, but for `link`, `meta`,
//! `base` and `param`.

use crate::Destination::{Document, Image, Manifest, Media, Other, Script};
use crate::Need::{Needed, Weak};
use crate::Role::{Embed, Frame, Link};
use crate::{Need, Role};

/// One attribute that holds a URL.
pub(crate) struct Rule {
    pub(crate) attribute: &'static str,
    pub(crate) role: Role,
    pub(super) need: Need,
    pub(super) context: &'static str,
    pub(crate) syntax: Syntax,
    pub(super) reader: Reader,
}

/// What the value of an attribute looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// One URL.
    Url,
    /// Candidates for an image.
    Srcset,
    /// URLs with blanks or commas between them.
    List,
}

/// Who says how much an attribute is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// This table.
    Table,
    /// The module of the element.
    Module,
}

const fn rule(attribute: &'static str, role: Role, need: Need, context: &'static str) -> Rule {
    Rule {
        attribute,
        role,
        need,
        context,
        syntax: Syntax::Url,
        reader: Reader::Table,
    }
}

/// An attribute whose element has a module of its own.
const fn special(attribute: &'static str, role: Role, syntax: Syntax) -> Rule {
    Rule {
        attribute,
        role,
        need: Weak,
        context: "",
        syntax,
        reader: Reader::Module,
    }
}

/// The URL-bearing attributes of an element, by its name in lower case.
pub(crate) fn rules(element: &str) -> &'static [Rule] {
    let first = element.as_bytes().first().map_or(0, |first| *first);
    let [from, to] = STARTS[usize::from(first)];
    let mut named = TABLE[from..to].iter();
    let found = named.find(|(name, _)| *name == element);
    found.map_or(&[], |(_, rules)| rules)
}

/// Where the elements whose names begin with a byte stand in the table. Every tag is looked up,
/// and most are not there.
static STARTS: [[usize; 2]; 256] = {
    let mut starts = [[0; 2]; 256];
    let mut at = 0;
    while at < TABLE.len() {
        let first = TABLE[at].0.as_bytes()[0] as usize;
        if starts[first][1] == 0 {
            starts[first][0] = at;
        }
        starts[first][1] = at + 1;
        at += 1;
    }
    starts
};

/// Sorted by element.
const TABLE: &[(&str, &[Rule])] = &[
    (
        "a",
        &[
            rule("href", Link, Needed, "a@href"),
            rule("xlink:href", Link, Needed, "a@xlink:href"),
        ],
    ),
    (
        "applet",
        &[
            special("code", Embed(Other), Syntax::Url),
            special("archive", Embed(Other), Syntax::List),
            special("codebase", Embed(Other), Syntax::Url),
        ],
    ),
    ("area", &[rule("href", Link, Needed, "area@href")]),
    ("audio", &[rule("src", Embed(Media), Needed, "audio@src")]),
    ("bgsound", &[rule("src", Embed(Media), Weak, "bgsound@src")]),
    ("blockquote", &[rule("cite", Link, Weak, "blockquote@cite")]),
    (
        "body",
        &[rule("background", Embed(Image), Needed, "body@background")],
    ),
    (
        "button",
        &[rule("formaction", Link, Weak, "button@formaction")],
    ),
    ("command", &[special("icon", Embed(Image), Syntax::Url)]),
    ("del", &[rule("cite", Link, Weak, "del@cite")]),
    ("embed", &[rule("src", Embed(Other), Needed, "embed@src")]),
    (
        "feimage",
        &[
            rule("href", Embed(Image), Needed, "feImage@href"),
            rule("xlink:href", Embed(Image), Needed, "feImage@xlink:href"),
        ],
    ),
    (
        "fencedframe",
        &[rule("src", Frame, Weak, "fencedframe@src")],
    ),
    ("form", &[rule("action", Link, Weak, "form@action")]),
    (
        "frame",
        &[
            rule("src", Frame, Needed, "frame@src"),
            rule("longdesc", Link, Weak, "frame@longdesc"),
        ],
    ),
    (
        "html",
        &[rule("manifest", Embed(Manifest), Weak, "html@manifest")],
    ),
    (
        "iframe",
        &[
            special("src", Frame, Syntax::Url),
            special("longdesc", Link, Syntax::Url),
        ],
    ),
    ("ilayer", &[special("src", Frame, Syntax::Url)]),
    (
        "image",
        &[
            rule("href", Embed(Image), Needed, "image@href"),
            special("src", Embed(Image), Syntax::Url),
            special("srcset", Embed(Image), Syntax::Srcset),
            rule("xlink:href", Embed(Image), Needed, "image@xlink:href"),
        ],
    ),
    (
        "img",
        &[
            special("src", Embed(Image), Syntax::Url),
            special("srcset", Embed(Image), Syntax::Srcset),
            special("lowsrc", Embed(Image), Syntax::Url),
            special("dynsrc", Embed(Media), Syntax::Url),
            special("longdesc", Link, Syntax::Url),
        ],
    ),
    (
        "input",
        &[
            rule("formaction", Link, Weak, "input@formaction"),
            special("src", Embed(Image), Syntax::Url),
        ],
    ),
    ("ins", &[rule("cite", Link, Weak, "ins@cite")]),
    ("layer", &[special("src", Frame, Syntax::Url)]),
    (
        "object",
        &[
            special("data", Embed(Other), Syntax::Url),
            special("archive", Embed(Other), Syntax::List),
            special("codebase", Embed(Other), Syntax::Url),
        ],
    ),
    ("portal", &[rule("src", Frame, Weak, "portal@src")]),
    ("q", &[rule("cite", Link, Weak, "q@cite")]),
    ("ref", &[special("href", Link, Syntax::Url)]),
    (
        "script",
        &[
            special("src", Embed(Script), Syntax::Url),
            special("href", Embed(Script), Syntax::Url),
            special("xlink:href", Embed(Script), Syntax::Url),
        ],
    ),
    (
        "source",
        &[
            special("src", Embed(Media), Syntax::Url),
            special("srcset", Embed(Image), Syntax::Srcset),
        ],
    ),
    (
        "table",
        &[rule("background", Embed(Image), Needed, "table@background")],
    ),
    (
        "tbody",
        &[rule("background", Embed(Image), Needed, "tbody@background")],
    ),
    (
        "td",
        &[rule("background", Embed(Image), Needed, "td@background")],
    ),
    (
        "tfoot",
        &[rule("background", Embed(Image), Needed, "tfoot@background")],
    ),
    (
        "th",
        &[rule("background", Embed(Image), Needed, "th@background")],
    ),
    (
        "thead",
        &[rule("background", Embed(Image), Needed, "thead@background")],
    ),
    (
        "tr",
        &[rule("background", Embed(Image), Needed, "tr@background")],
    ),
    ("track", &[special("src", Embed(Media), Syntax::Url)]),
    (
        "use",
        &[
            rule("href", Embed(Image), Needed, "use@href"),
            rule("xlink:href", Embed(Image), Needed, "use@xlink:href"),
        ],
    ),
    (
        "video",
        &[
            rule("src", Embed(Media), Needed, "video@src"),
            rule("poster", Embed(Image), Needed, "video@poster"),
        ],
    ),
];

/// Attributes that scripts commonly turn into the real ones later, on any element.
pub(super) fn lazy(attribute: &str) -> Option<&'static Rule> {
    LAZY.iter()
        .find(|rule| rule.attribute.eq_ignore_ascii_case(attribute))
}

const LAZY: &[Rule] = &[
    rule("data-src", Embed(Image), Weak, "@data-src"),
    rule("data-original", Embed(Image), Weak, "@data-original"),
    rule("data-lazy", Embed(Image), Weak, "@data-lazy"),
    rule("data-lazy-src", Embed(Image), Weak, "@data-lazy-src"),
    rule("data-lazyload", Embed(Image), Weak, "@data-lazyload"),
    rule("data-bg", Embed(Image), Weak, "@data-bg"),
    rule("data-background", Embed(Image), Weak, "@data-background"),
    rule(
        "data-background-image",
        Embed(Image),
        Weak,
        "@data-background-image",
    ),
    rule("data-image", Embed(Image), Weak, "@data-image"),
    rule("data-img", Embed(Image), Weak, "@data-img"),
    rule("data-full", Embed(Image), Weak, "@data-full"),
    rule("data-large", Embed(Image), Weak, "@data-large"),
    rule("data-thumb", Embed(Image), Weak, "@data-thumb"),
    rule("data-poster", Embed(Image), Weak, "@data-poster"),
    rule("data-hi-res-src", Embed(Image), Weak, "@data-hi-res-src"),
    rule("data-iframe-src", Embed(Document), Weak, "@data-iframe-src"),
    rule("data-href", Link, Weak, "@data-href"),
    rule("data-url", Link, Weak, "@data-url"),
];

#[cfg(test)]
mod tests {
    use super::{TABLE, rules};

    #[test]
    fn the_table_is_sorted() {
        assert!(TABLE.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn every_element_of_the_table_is_found() {
        for (name, all) in TABLE {
            let found = rules(name).iter().map(|rule| rule.attribute);
            assert!(found.eq(all.iter().map(|rule| rule.attribute)), "{name}");
        }
        for name in ["", "abbr", "div", "tr2", "zz", "\u{e4}"] {
            assert!(rules(name).is_empty(), "{name}");
        }
    }
}
