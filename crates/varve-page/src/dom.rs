//! The DOM of a page, as a browser without scripts would have it: which elements there are, which
//! selectors they match, what their attributes and texts say.
//!
//! Nothing here changes after it was parsed, and nobody is there to point or type: what takes
//! either (`:hover`, `:focus`) is never the case.

use html5ever::LocalName;
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector_list;

use self::element::{At, Steps};
use self::tree::{DOCUMENT, Id, Tree};
use crate::selector::{self, Selectors};

pub(crate) mod build;
pub(crate) mod element;
pub(crate) mod tree;

/// Most steps from element to element that one question may take: more than any page needs.
const MAX_STEPS: u64 = 20_000_000;

/// The DOM of a page.
///
/// ```
/// use varve_page::Dom;
///
/// let dom = Dom::parse("<ul id=list><li>One<li class=last data-n=2>Two <b>words</b></ul>");
/// assert_eq!(dom.matches("#list > li.last:nth-child(2)"), Some(true));
/// assert_eq!(dom.matches("li:hover"), Some(false));
/// assert_eq!(dom.matches("li:unheard-of"), None);
/// assert_eq!(dom.attributes("data-n"), ["2"]);
/// assert_eq!(dom.text_of("li + li").as_deref(), Some("Two words"));
/// ```
#[derive(Debug)]
pub struct Dom {
    pub(crate) tree: Tree,
    whole: bool,
}

impl Dom {
    /// Parses a document. Of documents beyond all measure the beginning is parsed.
    pub fn parse(text: &str) -> Dom {
        Dom::for_client(text, true)
    }

    /// Parses a document as a browser with or without scripts does.
    pub(crate) fn for_client(text: &str, scripting: bool) -> Dom {
        let (tree, whole) = build::tree(text, scripting);
        Dom { tree, whole }
    }

    /// Whether all of the document was parsed.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// How many nodes there are: elements, texts, comments.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Whether some element matches a selector, or one of a list of them. `None` if a browser
    /// would not understand it.
    pub fn matches(&self, selector: &str) -> Option<bool> {
        let selectors = selector::parse(selector, false)?;
        Some(self.select(&selectors).next().is_some())
    }

    /// All values of an attribute, in the order of the document.
    pub fn attributes(&self, name: &str) -> Vec<&str> {
        let name = LocalName::from(name.to_ascii_lowercase());
        let elements = self.tree.within(DOCUMENT);
        elements
            .filter_map(|id| self.tree.attribute(self.tree.element(id)?, &name))
            .collect()
    }

    /// The values of an attribute of the elements that match a selector, in the order of the
    /// document; none if the selector cannot be understood.
    pub fn select_attribute(&self, selector: &str, name: &str) -> Vec<&str> {
        let name = LocalName::from(name.to_ascii_lowercase());
        let Some(selectors) = selector::parse(selector, false) else {
            return Vec::new();
        };
        self.select(&selectors)
            .filter_map(|id| self.tree.attribute(self.tree.element(id)?, &name))
            .collect()
    }

    /// The text in the first element that matches a selector, as `textContent` gives it.
    pub fn text_of(&self, selector: &str) -> Option<String> {
        let selectors = selector::parse(selector, false)?;
        let found = self.select(&selectors).next()?;
        let texts = self.tree.within(found);
        Some(texts.filter_map(|id| self.tree.text(id)).collect())
    }

    /// The elements that match.
    fn select<'a>(&'a self, selectors: &'a Selectors) -> impl Iterator<Item = Id> + 'a {
        let steps = Steps::new(MAX_STEPS);
        let mut caches = SelectorCaches::default();
        self.tree.within(DOCUMENT).filter(move |&id| {
            let Some(at) = At::new(&self.tree, id, &steps) else {
                return false;
            };
            let mut context = self.context(MatchingMode::Normal, None, &mut caches);
            matches_selector_list(selectors, at, &mut context)
        })
    }

    pub(crate) fn context<'c>(
        &self,
        mode: MatchingMode,
        filter: Option<&'c BloomFilter>,
        caches: &'c mut SelectorCaches,
    ) -> MatchingContext<'c, selector::Grammar> {
        MatchingContext::new(
            mode,
            filter,
            caches,
            match self.tree.quirks {
                true => QuirksMode::Quirks,
                false => QuirksMode::NoQuirks,
            },
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        )
    }
}

#[cfg(test)]
mod tests;
