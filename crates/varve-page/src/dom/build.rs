//! From the text of a document to its tree, as browsers build it.
//!
//! The parser's own work can grow with the square of what it is given: every tag walks the open
//! elements, every attribute those before it in its tag, and formatting elements are made anew in
//! every paragraph. So elements do not nest without end here, and there is an end to the tree; what
//! comes after it is not in it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TokenizerResult, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, ns};

use super::tree::{DOCUMENT, Id, NONE, Tree};

/// Longest text that is parsed; of longer ones the beginning.
const MAX_TEXT: usize = 32 << 20;

/// Most nodes, attributes and classes together.
const MAX_SIZE: usize = 1_000_000;

/// Most text of nodes and attributes. Elements that are made anew have theirs again.
const MAX_TEXTS: usize = 48 << 20;

/// Deepest element. Browsers have such a limit too, of 512.
const MAX_DEPTH: u32 = 256;

/// Most elements that may turn out to be deeper.
const MAX_TOO_DEEP: u32 = 1000;

/// Bytes that are parsed at once.
const CHUNK: usize = 4096;

/// Most comparisons of attributes, as far as they can be counted from outside.
const MAX_COMPARISONS: usize = 500_000_000;

/// Builds the tree of a document, and says whether it is whole. With scripting, `<noscript>` is
/// text.
pub(super) fn tree(text: &str, scripting: bool) -> (Tree, bool) {
    let options = TreeBuilderOpts {
        scripting_enabled: scripting,
        ..TreeBuilderOpts::default()
    };
    let gate = Gate {
        builder: TreeBuilder::new(Sink::default(), options),
        tokens: Cell::new(0),
    };
    let tokenizer = Tokenizer::new(gate, TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut patience = Patience::default();
    let mut whole = text.len() <= MAX_TEXT;
    for chunk in chunks(text) {
        queue.push_back(StrTendril::from_slice(chunk));
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        let gate = &tokenizer.sink;
        if gate.builder.sink.is_full() || patience.is_lost(chunk, gate.tokens.get()) {
            whole = false;
            break;
        }
    }
    tokenizer.end();
    (tokenizer.sink.builder.sink.finish(), whole)
}

/// The text in pieces.
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = &text[..text.floor_char_boundary(MAX_TEXT)];
    std::iter::from_fn(move || {
        let (chunk, after) = rest.split_at(rest.floor_char_boundary(CHUNK));
        rest = after;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Watches tags that do not end: each of their attributes is compared with all before it.
#[derive(Default)]
struct Patience {
    tokens: u64,
    pending: usize,
    comparisons: usize,
}

impl Patience {
    fn is_lost(&mut self, chunk: &str, tokens: u64) -> bool {
        let blanks = chunk.bytes().filter(|b| matches!(b, b' ' | b'\n' | b'/'));
        let blanks = blanks.count();
        if tokens != self.tokens {
            (self.tokens, self.pending) = (tokens, 0);
        }
        self.comparisons += blanks * self.pending;
        self.pending += blanks;
        self.comparisons > MAX_COMPARISONS
    }
}

/// Lets tokens through to the builder, but for tags that would nest too deeply.
struct Gate {
    builder: TreeBuilder<Handle, Sink>,
    tokens: Cell<u64>,
}

impl TokenSink for Gate {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        self.tokens.set(self.tokens.get() + 1);
        let sink = &self.builder.sink;
        let nests = |token: &Token| match token {
            Token::TagToken(tag) => tag.kind == TagKind::StartTag && !is_void(&tag.name),
            _ => false,
        };
        if sink.is_full() || (sink.depth.get() >= MAX_DEPTH && nests(&token)) {
            return TokenSinkResult::Continue;
        }
        if matches!(&token, Token::TagToken(tag) if tag.kind == TagKind::EndTag) {
            // Most end tags end one element; how deep we are then, the next one will show.
            sink.depth.set(sink.depth.get().saturating_sub(1));
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        name.as_ref(),
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "source"
            | "track"
            | "wbr"
    )
}

/// A node, as the builder knows it.
#[derive(Clone)]
struct Handle {
    id: Id,
    name: Rc<QualName>,
    depth: Rc<Cell<u32>>,
}

struct Sink {
    tree: RefCell<Tree>,
    nothing: Rc<QualName>,
    /// How deep the element is that was put into the tree last.
    depth: Cell<u32>,
    /// How many were deeper than they should be.
    too_deep: Cell<u32>,
}

impl Default for Sink {
    fn default() -> Sink {
        let name = QualName::new(None, ns!(), LocalName::from(""));
        Sink {
            tree: RefCell::default(),
            nothing: Rc::new(name),
            depth: Cell::new(0),
            too_deep: Cell::new(0),
        }
    }
}

impl Sink {
    fn is_full(&self) -> bool {
        let tree = self.tree.borrow();
        let too_deep = self.too_deep.get() > MAX_TOO_DEEP;
        too_deep || tree.size() > MAX_SIZE || tree.texts_len() > MAX_TEXTS
    }

    fn handle(&self, id: Id, depth: u32) -> Handle {
        Handle {
            id,
            name: self.nothing.clone(),
            depth: Rc::new(Cell::new(depth)),
        }
    }

    /// The node to put somewhere below `depth`.
    fn child(&self, child: NodeOrText<Handle>, depth: u32) -> Id {
        match child {
            NodeOrText::AppendText(text) => self.tree.borrow_mut().add_text(&text),
            NodeOrText::AppendNode(node) => {
                node.depth.set(depth);
                self.depth.set(depth);
                if depth > MAX_DEPTH {
                    self.too_deep.set(self.too_deep.get() + 1);
                }
                node.id
            }
        }
    }
}

fn named(attributes: &[Attribute]) -> impl Iterator<Item = (LocalName, &str)> {
    attributes.iter().map(|attribute| {
        let name = match &attribute.name.prefix {
            Some(prefix) => LocalName::from(format!("{prefix}:{}", attribute.name.local)),
            None => attribute.name.local.clone(),
        };
        (name, attribute.value.as_ref())
    })
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = &'a QualName;

    fn finish(self) -> Tree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.handle(DOCUMENT, 0)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a QualName {
        &target.name
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        _: ElementFlags,
    ) -> Handle {
        let id = self
            .tree
            .borrow_mut()
            .add_element(&name, named(&attributes));
        Handle {
            id,
            name: Rc::new(name),
            depth: Rc::new(Cell::new(self.depth.get())),
        }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        let id = self.tree.borrow_mut().add_other();
        self.handle(id, 0)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        let id = self.tree.borrow_mut().add_other();
        self.handle(id, 0)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let child = self.child(child, parent.depth.get() + 1);
        self.tree.borrow_mut().append(parent.id, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = self.tree.borrow().node(element.id).parent != NONE;
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let id = self.tree.borrow_mut().content(target.id);
        self.handle(id, target.depth.get() + 1)
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.id == other.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.borrow_mut().quirks = mode == QuirksMode::Quirks;
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let child = self.child(child, sibling.depth.get());
        self.tree.borrow_mut().insert_before(sibling.id, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        tree.add_missing(target.id, named(&attributes));
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut tree = self.tree.borrow_mut();
        loop {
            let first = tree.node(node.id).first;
            if first == NONE {
                return;
            }
            tree.append(new_parent.id, first);
        }
    }

    fn attach_declarative_shadow(&self, host: &Handle, template: &Handle, _: &[Attribute]) -> bool {
        let mut tree = self.tree.borrow_mut();
        let content = tree.content(template.id);
        tree.append(host.id, content);
        true
    }
}

#[cfg(test)]
pub(crate) mod tags;
