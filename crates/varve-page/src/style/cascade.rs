//! The cascade: of all declarations about an element, which count.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::order::UNLAYERED;
use super::sheet::{Block, Custom};
use super::value::{SLOTS, Slot, Value};

/// A rule that is about an element, with what it counts: whether it is a page's, its layer, its
/// specificity, its sheet and its place there.
pub(super) struct Matched<'s> {
    pub(super) count: (bool, u32, u32, u32, u32),
    pub(super) block: &'s Block,
}

impl Matched<'_> {
    /// What counts less than all rules of the page.
    pub(super) fn weakest(block: &Block) -> Matched<'_> {
        let count = (true, 0, 0, 0, 0);
        Matched { count, block }
    }
}

/// The custom properties of an element.
pub(super) type Customs = Rc<HashMap<Box<str>, Arc<str>>>;

/// The declarations that count.
pub(super) struct Winners<'s> {
    slots: [Option<&'s Value>; SLOTS],
}

impl<'s> Winners<'s> {
    pub(super) fn get(&self, slot: Slot) -> Option<&'s Value> {
        self.slots[slot as usize]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &'s Value> {
        self.slots.iter().flatten().copied()
    }
}

/// Lets declarations count in their order, those of a `style` attribute after the others.
/// Custom properties are noted if they matter.
pub(super) fn winners<'s>(
    matched: &mut [Matched<'s>],
    attribute: Option<&'s Block>,
    matters: &dyn Fn(&str) -> bool,
    customs: &mut Customs,
) -> Winners<'s> {
    let mut winners = Winners {
        slots: [None; SLOTS],
    };
    matched.sort_unstable_by_key(|matched| matched.count);
    let normal = matched.iter().map(|matched| matched.block);
    for block in normal.chain(attribute) {
        winners.apply(block, false, matters, customs);
    }
    let is_important = |block: &Block| {
        let mut declared = block.declarations.iter().map(|it| it.important);
        declared.any(|important| important) || block.custom.iter().any(|it| it.important)
    };
    if matched.iter().any(|matched| is_important(matched.block)) {
        // Among these the lower layer counts more.
        matched.sort_by_key(|matched| {
            let (of_page, layer, specificity, sheet, rule) = matched.count;
            (!of_page, UNLAYERED - layer, specificity, sheet, rule)
        });
        for matched in matched.iter() {
            winners.apply(matched.block, true, matters, customs);
        }
    }
    if let Some(block) = attribute.filter(|block| is_important(block)) {
        winners.apply(block, true, matters, customs);
    }
    winners
}

impl<'s> Winners<'s> {
    fn apply(
        &mut self,
        block: &'s Block,
        important: bool,
        matters: &dyn Fn(&str) -> bool,
        customs: &mut Customs,
    ) {
        for declaration in &block.declarations {
            if declaration.important == important {
                self.slots[declaration.slot as usize] = Some(&declaration.value);
            }
        }
        let relevant = |custom: &&Custom| custom.important == important && matters(&custom.name);
        for custom in block.custom.iter().filter(relevant) {
            let same = customs
                .get(&custom.name)
                .is_some_and(|known| *known == custom.value);
            if !same {
                Rc::make_mut(customs).insert(custom.name.clone(), custom.value.clone());
            }
        }
    }
}
