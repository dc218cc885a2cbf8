//! Hosts and directories on the way to the key that is being read.

use crate::Frequency;

/// Which part of a key a node's name is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Host,
    Path,
}

impl Layer {
    pub(super) fn separator(self) -> u8 {
        match self {
            Layer::Host => b',',
            Layer::Path => b'/',
        }
    }
}

/// Where a key is, seen from a node whose text it begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// Below it.
    Inside,
    /// A sibling whose name extends the node's by a byte that sorts before the separator: `x-1`
    /// beside `x`. More of the node may follow.
    Aside,
    /// Beyond all of it.
    Past,
}

/// Siblings in the midst of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// The places between which their lines are; the second is the first while they are read.
    pub(super) from: u64,
    pub(super) to: u64,
    /// How many roll-ups they have; before they are over, how many there were before them.
    pub(super) roll_ups: u64,
}

/// A host or a directory. Its text is the beginning of the key being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) layer: Layer,
    /// The length of its text.
    pub(super) end: usize,
    /// How deep it is in its layer, from 0.
    pub(super) depth: usize,
    /// The node that it is in, if any.
    pub(super) parent: Option<usize>,
    /// How many children of its layer hold something.
    pub(super) children: u32,
    /// Whether it holds something itself, and so counts as a child.
    pub(super) counted: bool,
    /// What it holds, as far as it has been read.
    pub(super) total: Option<Frequency>,
    /// The place of its first line.
    pub(super) start: u64,
    /// How many roll-ups there were before it.
    pub(super) roll_ups: u64,
    /// What siblings in the midst of it take, if there are any.
    pub(super) gap: Option<Gap>,
    pub(super) dormant: bool,
}

impl Node {
    /// A node of which nothing but its place in the key is known.
    pub(super) fn at(layer: Layer, depth: usize, end: usize) -> Node {
        Node {
            layer,
            end,
            depth,
            parent: None,
            children: 0,
            counted: false,
            total: None,
            start: 0,
            roll_ups: 0,
            gap: None,
            dormant: false,
        }
    }

    /// Where a key is that begins with the node's text and goes on with `next`.
    pub(super) fn relation(&self, next: u8, max_depth: usize) -> Relation {
        // The deepest nodes have no children: what is below them is named together with them.
        let deepest = self.depth + 1 == max_depth;
        match (self.layer, next) {
            (Layer::Host, b')') => Relation::Inside,
            (Layer::Host, b',') | (Layer::Path, b'/') if !deepest => Relation::Inside,
            (Layer::Host, b'*' | b'+') | (Layer::Path, ..b'/') if !deepest => Relation::Aside,
            _ => Relation::Past,
        }
    }

    pub(super) fn add(&mut self, frequency: Frequency) {
        self.total = Some(match self.total {
            Some(total) => total.plus(frequency),
            None => frequency,
        });
    }
}

/// The next node on the way to `key` below `parent`: its layer, depth, and the end of its text.
pub(super) fn next_step(
    key: &[u8],
    parent: Option<&Node>,
    max_host_depth: usize,
    max_path_depth: usize,
) -> Option<(Layer, usize, usize)> {
    let from = parent.map_or(0, |node| node.end + 1);
    let (layer, depth) = match parent {
        None => (Layer::Host, 0),
        Some(node) => match (node.layer, *key.get(node.end)?) {
            (Layer::Host, b')') => (Layer::Path, 0),
            (layer, _) => (layer, node.depth + 1),
        },
    };
    let rest = key.get(from..)?;
    let length = match layer {
        Layer::Host if depth + 1 == max_host_depth => memchr::memchr(b')', rest),
        Layer::Host => memchr::memchr2(b',', b')', rest),
        Layer::Path if depth + 1 == max_path_depth => None,
        Layer::Path => memchr::memchr(b'/', rest),
    };
    let end = length.map_or(key.len(), |length| from + length);
    Some((layer, depth, end))
}

/// The hosts and directories on the way to a key, from the outermost: whether it is a host, its
/// depth in its layer, from 0, and the length of its text. All names are told apart.
pub(crate) fn node_steps(key: &[u8], mut visit: impl FnMut(bool, usize, usize)) {
    let mut parent: Option<Node> = None;
    while let Some((layer, depth, end)) = next_step(key, parent.as_ref(), usize::MAX, usize::MAX) {
        visit(layer == Layer::Host, depth, end);
        parent = Some(Node::at(layer, depth, end));
    }
}

/// Appends the line of the wildcard that takes a node's place; `key` begins with the node's text.
pub(super) fn write_wildcard(key: &[u8], node: &Node, out: &mut Vec<u8>) {
    out.extend_from_slice(&key[..node.end]);
    out.extend_from_slice(&[node.layer.separator(), b'*', b' ']);
    node.total.unwrap_or(Frequency::NONE).write(out);
    out.push(b'\n');
}
