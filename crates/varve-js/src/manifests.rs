//! What bundlers' runtimes can load: the chunks that a script knows by name.
//!
//! A page of an application loads a small runtime that knows the file of every chunk, and loads
//! those that the page needs. Which these are is known at run time only; which there are stands in
//! the text: webpack writes functions that make file names of tables, Vite lists of files, others
//! assign manifests to globals. [`chunks`] lists them all. Where the list is by page,
//! [`ChunkUrl::key`] says which, so that callers can choose.

use std::collections::HashSet;

use memchr::memmem;

use self::visitor::Visitor;
use crate::Goal;
use crate::parse;

mod file_names;
mod named;
mod scan;
mod visitor;

/// Most chunks of one source.
const MAX_CHUNKS: usize = 5_000;

/// Longest URL and key.
const MAX_URL: usize = 2_048;

/// A chunk that a script can load.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChunkUrl {
    /// As the runtime makes it, public path included where that is known.
    pub url: String,
    /// What it is resolved against.
    pub base: ChunkBase,
    /// What it is, by its name.
    pub kind: ChunkKind,
    /// The page, route or module that wants it, where the manifest tells: `guide_intro.md`
    /// (VitePress), `/posts/[id]` (Next), `./pages/Home.vue` (Vite).
    pub key: Option<String>,
}

/// What the URL of a chunk is resolved against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkBase {
    /// The URL of the script that knows it.
    Script,
    /// The base URL of the page.
    Page,
    /// The root of the application, which the source does not tell. [`ChunkUrl::root`] guesses.
    PublicPath,
}

/// What a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    /// A script or module.
    Script,
    /// A style sheet.
    Style,
    /// Something else.
    Unknown,
}

impl ChunkUrl {
    /// The public path, guessed from the URL of a script of the same application: what stands
    /// before the first directory of the chunk, as in `/app/` for `assets/a.js` and
    /// `/app/assets/b.js`.
    pub fn root<'s>(&self, script: &'s str) -> Option<&'s str> {
        let (directory, _) = self.url.split_once('/')?;
        let at = script.find(&format!("/{directory}/"))?;
        script.get(..=at)
    }
}

/// The chunks that a script can load, in the order of the source, each once.
pub fn chunks(source: &str, goal: Goal) -> Vec<ChunkUrl> {
    if !may_list(source) {
        return Vec::new();
    }
    parse::program(source, goal, |program| Visitor::over(source, program)).unwrap_or_default()
}

/// Whether the words of any manifest occur. Most scripts have none.
fn may_list(source: &str) -> bool {
    const WORDS: [&str; 13] = [
        "import(",
        "__vite__mapDeps",
        "miniCssF",
        ".u=",
        ".u =",
        "webpackJsonp",
        "__VP_HASH_MAP__",
        "__BUILD_MANIFEST",
        "__next_f",
        "___chunkMapping",
        "System.register",
        "Manifest",
        ".register(",
    ];
    let source = source.as_bytes();
    WORDS
        .iter()
        .any(|word| memmem::find(source, word.as_bytes()).is_some())
}

/// A list of chunks within the limits.
#[derive(Default)]
struct List {
    chunks: Vec<ChunkUrl>,
    seen: HashSet<ChunkUrl>,
}

impl List {
    fn push(&mut self, url: String, base: ChunkBase, key: Option<&str>) {
        let key = key.filter(|key| key.len() <= MAX_URL);
        if self.chunks.len() >= MAX_CHUNKS || !is_url(&url) {
            return;
        }
        let chunk = ChunkUrl {
            kind: kind(&url),
            url,
            base,
            key: key.map(str::to_owned),
        };
        if self.seen.insert(chunk.clone()) {
            self.chunks.push(chunk);
        }
    }
}

fn is_url(url: &str) -> bool {
    let odd = |character: char| character.is_whitespace() || "\"'<>\\{}".contains(character);
    !url.is_empty() && url.len() <= MAX_URL && !url.contains(odd) && !url.contains('\0')
}

/// Whether a text is the name of a script or style sheet.
fn is_file(url: &str) -> bool {
    is_url(url) && kind(url) != ChunkKind::Unknown
}

fn kind(url: &str) -> ChunkKind {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    match path.rsplit_once('.') {
        Some((_, "js" | "mjs" | "cjs")) => ChunkKind::Script,
        Some((_, "css")) => ChunkKind::Style,
        _ => ChunkKind::Unknown,
    }
}

#[cfg(test)]
mod tests;
