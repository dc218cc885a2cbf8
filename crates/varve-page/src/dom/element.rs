//! Elements as selectors see them.

use std::cell::Cell;

use html5ever::{LocalName, Namespace, local_name, ns};
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::matching::{ElementSelectorFlags, MatchingContext};

use super::tree::{self, Id, NONE, Tree};
use crate::selector::{Grammar, Name, PseudoClass, PseudoElement, Tag, hash};

/// Steps from element to element that are left.
///
/// A selector may have to look at all elements before and around one, and there may be many of
/// all: when the steps are used up, elements seem to stand alone.
#[derive(Debug)]
pub(crate) struct Steps(Cell<u64>);

impl Steps {
    pub(crate) fn new(steps: u64) -> Steps {
        Steps(Cell::new(steps))
    }

    fn take(&self) -> bool {
        self.take_many(1)
    }

    /// Takes some at once, if there are any left.
    pub(crate) fn take_many(&self, steps: u32) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(u64::from(steps)));
        left > 0
    }
}

/// An element in its tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'d> {
    tree: &'d Tree,
    element: &'d tree::Element,
    id: Id,
    steps: &'d Steps,
}

impl<'d> At<'d> {
    pub(crate) fn new(tree: &'d Tree, id: Id, steps: &'d Steps) -> Option<At<'d>> {
        let element = (id != NONE).then(|| tree.element(id)).flatten()?;
        Some(At {
            tree,
            element,
            id,
            steps,
        })
    }

    /// Another element of the tree, if there is one and a step to it is left.
    fn step(&self, id: Id) -> Option<At<'d>> {
        if !self.steps.take() {
            return None;
        }
        At::new(self.tree, id, self.steps)
    }

    /// The first element among a node and those that `next` leads to.
    fn walk(&self, mut id: Id, next: impl Fn(&tree::Node) -> Id) -> Option<At<'d>> {
        while id != NONE && self.tree.element(id).is_none() {
            if !self.steps.take() {
                return None;
            }
            id = next(self.tree.node(id));
        }
        self.step(id)
    }

    pub(crate) fn name(&self) -> &'d str {
        &self.element.name
    }

    pub(crate) fn is_svg(&self) -> bool {
        self.element.space == ns!(svg)
    }

    fn is_html(&self) -> bool {
        self.element.space == ns!(html)
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&'d str> {
        self.tree.attribute(self.element, &LocalName::from(name))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// The hashes of its name, its id and its classes.
    pub(crate) fn hashes(&self) -> (u32, Option<u32>, impl Iterator<Item = u32> + use<'d>) {
        let id = self.tree.attribute(self.element, &local_name!("id"));
        let classes = self.tree.classes(self.element).map(|(hash, _)| hash);
        (hash(self.name()), id.map(hash), classes)
    }

    /// The hashes of the names of its attributes.
    pub(crate) fn attribute_hashes(&self) -> impl Iterator<Item = u32> + use<'d> {
        let attributes = self.tree.attributes_of(self.element);
        attributes.map(|(name, _)| hash(name))
    }

    /// This and all elements around it.
    fn ancestors(self) -> impl Iterator<Item = At<'d>> {
        std::iter::successors(Some(self), |at| at.step(at.tree.parent_element(at.id)))
    }

    /// Whether the element is one that people fill in.
    fn is_control(&self) -> bool {
        matches!(self.name(), "input" | "textarea" | "select")
    }

    fn is_writable(&self) -> bool {
        let kind = self
            .attribute("type")
            .unwrap_or_default()
            .to_ascii_lowercase();
        let is_text = match self.name() {
            "textarea" => true,
            "input" => !matches!(
                kind.as_str(),
                "hidden"
                    | "range"
                    | "color"
                    | "checkbox"
                    | "radio"
                    | "file"
                    | "submit"
                    | "image"
                    | "reset"
                    | "button"
            ),
            _ => {
                let editable = self.attribute("contenteditable");
                return editable.is_some_and(|value| !value.eq_ignore_ascii_case("false"));
            }
        };
        is_text && !self.has("readonly") && !self.is_disabled()
    }

    fn is_disabled(&self) -> bool {
        let can_be = matches!(
            self.name(),
            "button" | "input" | "select" | "textarea" | "optgroup" | "option" | "fieldset"
        );
        let around = || {
            let mut outer = self.ancestors().skip(1);
            outer.any(|at| at.name() == "fieldset" && at.has("disabled"))
        };
        can_be && (self.has("disabled") || around())
    }

    fn is_checked(&self) -> bool {
        match self.name() {
            "input" => self.has("checked"),
            "option" => self.has("selected"),
            _ => false,
        }
    }

    fn shows_placeholder(&self) -> bool {
        let empty = || self.attribute("value").unwrap_or_default().is_empty();
        self.is_control() && self.has("placeholder") && empty()
    }

    fn lacks_value(&self) -> bool {
        let value = self.attribute("value").unwrap_or_default();
        self.is_control() && self.has("required") && value.is_empty()
    }

    fn is_of_language(&self, list: &[Box<str>]) -> bool {
        let lang = self.ancestors().find_map(|at| at.attribute("lang"));
        let lang = lang.unwrap_or_default().as_bytes();
        list.iter().any(|range| {
            let range = range.trim_start_matches("*-").as_bytes();
            let begins =
                lang.len() >= range.len() && lang[..range.len()].eq_ignore_ascii_case(range);
            begins && !range.is_empty() && matches!(lang.get(range.len()), None | Some(b'-'))
        })
    }

    fn is_rtl(&self) -> bool {
        let dir = self.ancestors().find_map(|at| at.attribute("dir"));
        dir.is_some_and(|dir| dir.eq_ignore_ascii_case("rtl"))
    }

    fn is(&self, class: &PseudoClass) -> bool {
        let is_form = || self.is_control() || matches!(self.name(), "button" | "fieldset" | "form");
        match class {
            PseudoClass::Link => matches!(self.name(), "a" | "area") && self.has("href"),
            PseudoClass::Checked => self.is_checked(),
            PseudoClass::Disabled => self.is_disabled(),
            PseudoClass::Enabled => {
                let can_be = matches!(self.name(), "button" | "optgroup" | "option" | "fieldset");
                (can_be || self.is_control()) && !self.is_disabled()
            }
            PseudoClass::Required => self.is_control() && self.has("required"),
            PseudoClass::Optional => self.is_control() && !self.has("required"),
            PseudoClass::ReadWrite => self.is_writable(),
            PseudoClass::ReadOnly => !self.is_writable(),
            PseudoClass::PlaceholderShown => self.shows_placeholder(),
            PseudoClass::Valid => is_form() && !self.lacks_value(),
            PseudoClass::Invalid => self.lacks_value(),
            PseudoClass::Defined => !(self.is_html() && self.name().contains('-')),
            PseudoClass::Open => matches!(self.name(), "details" | "dialog") && self.has("open"),
            PseudoClass::Lang(list) => self.is_of_language(list),
            PseudoClass::Dir { rtl } => self.is_rtl() == *rtl,
            PseudoClass::Never => false,
        }
    }
}

impl selectors::Element for At<'_> {
    type Impl = Grammar;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.element)
    }

    fn parent_element(&self) -> Option<Self> {
        self.step(self.tree.parent_element(self.id))
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.walk(self.tree.node(self.id).previous, |node| node.previous)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.walk(self.tree.node(self.id).next, |node| node.next)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.walk(self.tree.node(self.id).first, |node| node.next)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.is_html()
    }

    fn has_local_name(&self, name: &Tag) -> bool {
        self.element.name == name.name
    }

    fn has_namespace(&self, space: &Namespace) -> bool {
        self.element.space == *space
    }

    fn is_same_type(&self, other: &Self) -> bool {
        self.element.name == other.element.name && self.element.space == other.element.space
    }

    fn attr_matches(
        &self,
        space: &NamespaceConstraint<&Namespace>,
        name: &Tag,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        if matches!(space, NamespaceConstraint::Specific(space) if !space.is_empty()) {
            return false;
        }
        let value = self.tree.attribute(self.element, &name.name);
        value.is_some_and(|value| operation.eval_str(value))
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        _: &mut MatchingContext<'_, Grammar>,
    ) -> bool {
        self.is(class)
    }

    fn match_pseudo_element(
        &self,
        _: &PseudoElement,
        _: &mut MatchingContext<'_, Grammar>,
    ) -> bool {
        false
    }

    fn apply_selector_flags(&self, _: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.is(&PseudoClass::Link)
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        let value = self.tree.attribute(self.element, &local_name!("id"));
        value.is_some_and(|value| case.eq(value.as_bytes(), id.text().as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        let hash = precomputed_hash::PrecomputedHash::precomputed_hash(name);
        let mut classes = self.tree.classes(self.element);
        classes.any(|(found, class)| {
            found == hash && case.eq(class.as_bytes(), name.text().as_bytes())
        })
    }

    fn has_custom_state(&self, _: &Name) -> bool {
        false
    }

    fn imported_part(&self, _: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        let mut id = self.tree.node(self.id).first;
        while id != NONE && self.steps.take() {
            let text = self.tree.text(id);
            if self.tree.element(id).is_some() || text.is_some_and(|text| !text.is_empty()) {
                return false;
            }
            id = self.tree.node(id).next;
        }
        true
    }

    fn is_root(&self) -> bool {
        self.tree.node(self.id).parent == tree::DOCUMENT
    }

    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        let (name, id, classes) = self.hashes();
        for hash in [name].into_iter().chain(id).chain(classes) {
            filter.insert_hash(hash & BLOOM_HASH_MASK);
        }
        true
    }
}
