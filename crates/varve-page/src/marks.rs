//! Marks: what selectors can find in the tags of a page, as hashes.
//!
//! They are taken from the tags as they come, without the DOM that these will make; so a few
//! elements that no tag names are taken to be everywhere.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::html::{self, Container, Follow, Tag, Visitor};

/// Most marks of one page.
const MAX_MARKS: usize = 100_000;

/// Longest value of an attribute that is a mark.
const MAX_VALUE: usize = 64;

/// Elements that a page has without naming them, or by other names.
const IMPLIED: [&str; 9] = [
    "html", "head", "body", "tbody", "tr", "colgroup", "p", "br", "img",
];

/// Something that a selector asks for: its hash, for which case does not matter.
pub(crate) type Mark = u32;

/// An element of this name. `None` if any page may have one.
pub(crate) fn element(name: &str) -> Option<Mark> {
    let name = name.rsplit(':').next().unwrap_or(name);
    (!IMPLIED.contains(&name)).then(|| hash(b"<", name))
}

pub(crate) fn id(name: &str) -> Mark {
    hash(b"#", name)
}

pub(crate) fn class(name: &str) -> Mark {
    hash(b".", name)
}

/// An attribute of this name.
pub(crate) fn attribute(name: &str) -> Mark {
    hash(b"[", name)
}

/// An attribute with this value. `None` if it is too long to be told.
pub(crate) fn value(name: &str, value: &str) -> Option<Mark> {
    (value.len() <= MAX_VALUE).then(|| {
        let name = hash(b"=", name);
        hash(&name.to_le_bytes(), value)
    })
}

fn hash(kind: &[u8], name: &str) -> Mark {
    let bytes = kind.iter().copied();
    let name = name.bytes().map(|byte| byte.to_ascii_lowercase());
    bytes.chain(name).fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The marks of a page.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    all: HashSet<Mark, BuildHasherDefault<Itself>>,
    /// Whether there are more than fit.
    is_cut: bool,
}

impl Marks {
    /// The marks of an HTML document. `None` if they are too many.
    pub(crate) fn of(text: &str) -> Option<Marks> {
        let mut marks = Marks::default();
        html::visit(text, &mut marks);
        (!marks.is_cut).then_some(marks)
    }

    fn take(&mut self, tag: &Tag<'_>) {
        self.all.extend(element(&tag.name));
        for found in tag.attributes.iter() {
            self.all.insert(attribute(found.name));
            if found.name.eq_ignore_ascii_case("class") {
                let classes = found.value().text;
                self.all.extend(classes.split_ascii_whitespace().map(class));
            } else if found.raw().len() <= MAX_VALUE * 2 {
                let text = found.value().text;
                if found.name.eq_ignore_ascii_case("id") {
                    self.all.insert(id(&text));
                }
                self.all.extend(value(found.name, &text));
            }
        }
        self.is_cut |= self.all.len() > MAX_MARKS;
    }

    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.all.contains(&mark)
    }
}

impl<'t> Visitor<'t> for Marks {
    fn start(&mut self, tag: &Tag<'t>) -> Follow {
        self.take(tag);
        Follow::No
    }

    fn end(&mut self, _: Container, _: usize) {}

    fn instruction(&mut self, _: Range<usize>) {}
}

/// Hashes are hashes already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u32(&mut self, number: u32) {
        // Tables look at both ends.
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
