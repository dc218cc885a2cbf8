//! Selectors, as Chromium reads them: what it does not know makes a rule invalid, so that is
//! refused here too.

use std::borrow::Borrow;
use std::fmt;

use cssparser::{Parser, ToCss, match_ignore_ascii_case};
use html5ever::{LocalName, Namespace};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{ParseRelative, SelectorImpl, SelectorList, SelectorParseErrorKind};

pub(crate) use self::pseudo::{PseudoClass, PseudoElement};

mod pseudo;

/// Longest text of selectors that is read.
const MAX_TEXT: usize = 64 << 10;

type Error = cssparser::ParseError<SelectorParseErrorKind>;

/// Selectors of ours.
pub(crate) type Selectors = SelectorList<Grammar>;

/// Reads a list of selectors. What begins with a combinator, or has `&` in it, is relative to the
/// rule around it, if there is one.
pub(crate) fn parse(text: &str, nested: bool) -> Option<Selectors> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let relative = match nested {
        true => ParseRelative::ForNesting,
        false => ParseRelative::No,
    };
    SelectorList::parse(&Grammar, &mut Parser::new(text), relative).ok()
}

/// The hash of a name, the same for all cases.
pub(crate) fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}

/// What selectors are made of.
#[derive(Clone, Debug)]
pub(crate) struct Grammar;

impl SelectorImpl for Grammar {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Tag;
    type NamespaceUrl = Namespace;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Namespace;
    type BorrowedLocalName = Tag;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoElement;
}

impl<'i> selectors::Parser<'i> for Grammar {
    type Impl = Grammar;
    type Error = SelectorParseErrorKind;

    fn parse_slotted(&self) -> bool {
        true
    }

    fn parse_part(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn parse_host(&self) -> bool {
        true
    }

    fn is_is_alias(&self, name: &str) -> bool {
        match_ignore_ascii_case! { name,
            "-webkit-any" | "matches" => true,
            _ => false,
        }
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, Error> {
        PseudoClass::named(name).ok_or_else(unknown)
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        parser: &mut Parser<'i>,
        _after_part: bool,
    ) -> Result<PseudoClass, Error> {
        PseudoClass::function(name, parser)
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<PseudoElement, Error> {
        PseudoElement::named(name).ok_or_else(unknown)
    }

    fn parse_functional_pseudo_element(
        &self,
        name: &str,
        parser: &mut Parser<'i>,
    ) -> Result<PseudoElement, Error> {
        while parser.next().is_ok() {}
        PseudoElement::function(name).ok_or_else(unknown)
    }
}

fn unknown() -> Error {
    Error::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

/// A name or value in a selector, with its hash.
#[derive(Clone, Debug, Default)]
pub(crate) struct Name {
    hash: u32,
    text: Box<str>,
}

impl Name {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name {
            hash: hash(text),
            text: text.into(),
        }
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.hash == other.hash && self.text == other.text
    }
}

impl Eq for Name {}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        self.hash
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.text, out)
    }
}

/// The name of an element or attribute in a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    hash: u32,
    pub(crate) name: LocalName,
}

impl From<&str> for Tag {
    fn from(name: &str) -> Tag {
        Tag {
            hash: hash(name),
            name: LocalName::from(name),
        }
    }
}

impl Borrow<LocalName> for Tag {
    fn borrow(&self) -> &LocalName {
        &self.name
    }
}

impl PrecomputedHash for Tag {
    fn precomputed_hash(&self) -> u32 {
        self.hash
    }
}

impl ToCss for Tag {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.name, out)
    }
}
