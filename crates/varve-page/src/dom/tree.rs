//! The tree of a document: nodes in one list, texts in another, linked by their places.

use std::ops::Range;

use html5ever::{LocalName, Namespace, QualName};

use crate::selector::hash;

/// Where a node is in the list.
pub(crate) type Id = u32;

/// No node.
pub(crate) const NONE: Id = u32::MAX;

/// The document itself.
pub(crate) const DOCUMENT: Id = 0;

/// A part of all texts of a document.
type Piece = Range<u32>;

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) parent: Id,
    pub(crate) first: Id,
    last: Id,
    pub(crate) previous: Id,
    pub(crate) next: Id,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Document,
    /// What is inside a template; a child of its host if it is a shadow tree.
    Fragment,
    Element(Element),
    Text(Piece),
    /// A comment or the like.
    Other,
}

/// What an element is, besides its place.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) name: LocalName,
    pub(crate) space: Namespace,
    attributes: Range<u32>,
    classes: Range<u32>,
    /// The content, of a template.
    content: Id,
}

#[derive(Debug)]
struct Attribute {
    name: LocalName,
    value: Piece,
}

#[derive(Debug)]
struct Class {
    hash: u32,
    text: Piece,
}

/// Nodes, attributes and texts of a document.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    classes: Vec<Class>,
    texts: String,
    pub(crate) quirks: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            attributes: Vec::new(),
            classes: Vec::new(),
            texts: String::new(),
            quirks: false,
        };
        tree.add(Kind::Document);
        tree
    }
}

/// Making a tree.
impl Tree {
    fn add(&mut self, kind: Kind) -> Id {
        let id = self.nodes.len() as Id;
        self.nodes.push(Node {
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            kind,
        });
        id
    }

    pub(crate) fn add_element<'a>(
        &mut self,
        name: &QualName,
        attributes: impl Iterator<Item = (LocalName, &'a str)>,
    ) -> Id {
        let start = self.attributes.len() as u32;
        for (name, value) in attributes {
            let value = self.keep(value);
            self.attributes.push(Attribute { name, value });
        }
        let attributes = start..self.attributes.len() as u32;
        let classes = self.classes_of(attributes.clone());
        self.add(Kind::Element(Element {
            name: name.local.clone(),
            space: name.ns.clone(),
            attributes,
            classes,
            content: NONE,
        }))
    }

    /// Notes the classes among attributes.
    fn classes_of(&mut self, attributes: Range<u32>) -> Range<u32> {
        let start = self.classes.len() as u32;
        let class = html5ever::local_name!("class");
        let all = &self.attributes[attributes.start as usize..attributes.end as usize];
        if let Some(attribute) = all.iter().find(|attribute| attribute.name == class) {
            let value = self.piece(&attribute.value);
            let words = value.split_ascii_whitespace();
            let offset = |word: &str| word.as_ptr() as usize - self.texts.as_ptr() as usize;
            let found: Vec<Class> = words
                .map(|word| Class {
                    hash: hash(word),
                    text: offset(word) as u32..(offset(word) + word.len()) as u32,
                })
                .collect();
            self.classes.extend(found);
        }
        start..self.classes.len() as u32
    }

    /// Gives an element attributes that it does not have.
    pub(crate) fn add_missing<'a>(
        &mut self,
        id: Id,
        more: impl Iterator<Item = (LocalName, &'a str)>,
    ) {
        let Some(old) = self.element(id).map(|element| element.attributes.clone()) else {
            return;
        };
        let start = self.attributes.len() as u32;
        for at in old {
            let Attribute { name, value } = &self.attributes[at as usize];
            let copy = Attribute {
                name: name.clone(),
                value: value.clone(),
            };
            self.attributes.push(copy);
        }
        for (name, value) in more {
            let has = self.attributes[start as usize..]
                .iter()
                .any(|attribute| attribute.name == name);
            if !has {
                let value = self.keep(value);
                self.attributes.push(Attribute { name, value });
            }
        }
        let attributes = start..self.attributes.len() as u32;
        let classes = self.classes_of(attributes.clone());
        if let Kind::Element(element) = &mut self.nodes[id as usize].kind {
            (element.attributes, element.classes) = (attributes, classes);
        }
    }

    pub(crate) fn add_other(&mut self) -> Id {
        self.add(Kind::Other)
    }

    pub(crate) fn add_text(&mut self, text: &str) -> Id {
        let piece = self.keep(text);
        self.add(Kind::Text(piece))
    }

    /// The place for what is inside a template.
    pub(crate) fn content(&mut self, template: Id) -> Id {
        match self.element(template).map(|element| element.content) {
            Some(NONE) | None => {
                let content = self.add(Kind::Fragment);
                if let Kind::Element(element) = &mut self.nodes[template as usize].kind {
                    element.content = content;
                }
                content
            }
            Some(content) => content,
        }
    }

    fn keep(&mut self, text: &str) -> Piece {
        let start = self.texts.len() as u32;
        self.texts.push_str(text);
        start..self.texts.len() as u32
    }

    /// Makes a node the last child of another.
    pub(crate) fn append(&mut self, parent: Id, child: Id) {
        self.detach(child);
        let last = self.nodes[parent as usize].last;
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous) = (parent, last);
        match last {
            NONE => self.nodes[parent as usize].first = child,
            last => self.nodes[last as usize].next = child,
        }
        self.nodes[parent as usize].last = child;
    }

    /// Puts a node before another, which has a parent.
    pub(crate) fn insert_before(&mut self, sibling: Id, child: Id) {
        self.detach(child);
        let Node {
            parent, previous, ..
        } = self.nodes[sibling as usize];
        if parent == NONE {
            return;
        }
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous, node.next) = (parent, previous, sibling);
        self.nodes[sibling as usize].previous = child;
        match previous {
            NONE => self.nodes[parent as usize].first = child,
            previous => self.nodes[previous as usize].next = child,
        }
    }

    pub(crate) fn detach(&mut self, id: Id) {
        let Node {
            parent,
            previous,
            next,
            ..
        } = self.nodes[id as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => self.nodes[parent as usize].first = next,
            previous => self.nodes[previous as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last = previous,
            next => self.nodes[next as usize].previous = previous,
        }
        let node = &mut self.nodes[id as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }
}

/// Reading a tree.
impl Tree {
    /// How much there is of everything.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len() + self.attributes.len() + self.classes.len()
    }

    pub(crate) fn texts_len(&self) -> usize {
        self.texts.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn element(&self, id: Id) -> Option<&Element> {
        match &self.nodes[id as usize].kind {
            Kind::Element(element) => Some(element),
            _ => None,
        }
    }

    pub(crate) fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes[id as usize].kind {
            Kind::Text(piece) => Some(self.piece(piece)),
            _ => None,
        }
    }

    fn piece(&self, piece: &Piece) -> &str {
        let range = piece.start as usize..piece.end as usize;
        self.texts.get(range).unwrap_or_default()
    }

    /// The element that a node is in, shadow trees being in their hosts.
    pub(crate) fn parent_element(&self, id: Id) -> Id {
        let mut at = self.node(id).parent;
        while at != NONE && self.element(at).is_none() {
            at = self.node(at).parent;
        }
        at
    }

    pub(crate) fn attribute(&self, element: &Element, name: &LocalName) -> Option<&str> {
        let mut all = self.attributes_of(element);
        all.find(|(found, _)| *found == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn attributes_of(
        &self,
        element: &Element,
    ) -> impl Iterator<Item = (&LocalName, &str)> {
        let range = element.attributes.start as usize..element.attributes.end as usize;
        let all = self.attributes[range].iter();
        all.map(|attribute| (&attribute.name, self.piece(&attribute.value)))
    }

    /// The classes of an element and the hashes of their names.
    pub(crate) fn classes(&self, element: &Element) -> impl Iterator<Item = (u32, &str)> {
        let range = element.classes.start as usize..element.classes.end as usize;
        let all = self.classes[range].iter();
        all.map(|class| (class.hash, self.piece(&class.text)))
    }

    /// The node after this in the order of the document, within `root`.
    pub(crate) fn following(&self, id: Id, root: Id) -> Id {
        let node = self.node(id);
        if node.first != NONE {
            return node.first;
        }
        self.after(id, root)
    }

    /// The node after this and all that is in it.
    pub(crate) fn after(&self, id: Id, root: Id) -> Id {
        let mut at = id;
        while at != root && at != NONE {
            let node = self.node(at);
            if node.next != NONE {
                return node.next;
            }
            at = node.parent;
        }
        NONE
    }

    /// All that is in a node, itself first, in the order of the document.
    pub(crate) fn within(&self, root: Id) -> impl Iterator<Item = Id> {
        let mut at = root;
        std::iter::from_fn(move || {
            let here = at;
            if here == NONE {
                return None;
            }
            at = self.following(here, root);
            Some(here)
        })
    }
}
