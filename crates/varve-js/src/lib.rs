//! Understand scripts and change them for replay.
//!
//! [`requests`] parses one source and lists the literal URLs and module specifiers that it would
//! load: `import`, `export ... from`, `import()`, `new URL(..., import.meta.url)`, workers,
//! `importScripts` and service workers. What is computed at run time is left to the browser.
//!
//! [`identity`] takes a script apart into code, which is the same on many pages, and values, which
//! are not; [`json_values`] lists the values of JSON.
//!
//! [`triage`] tells what a script can do: what it reads and writes, and by which ways it could
//! fetch something.
//!
//! [`chunks`] lists what the runtimes of bundlers can load.
//!
//! [`rewrite`] changes a script so that it sees the archived page and not the replay.
//! [`shim`] is the script that completes replay in the browser.
//!
//! This crate alone knows oxc. It does no I/O and knows nothing of pages: resolving a specifier
//! against a base or an import map is the caller's part, and [`Base`] says which base that is.
//!
//! Wild input is not an error: a source that cannot be parsed, is too long or nests too deeply
//! gives no requests, or stays as it is, and a [`Note`].

mod data;
mod identity;
mod manifests;
mod names;
mod nesting;
mod parse;
mod prune;
mod requests;
mod rewrite;
pub mod shim;
mod stack;
mod triage;

pub use identity::{Identity, Literal, identity, json_values};
pub use manifests::{ChunkBase, ChunkKind, ChunkUrl, chunks};
pub use prune::{Cold, Hot, Manner, Mark, Ran, Split, Why, restored, restoring, split};
pub use requests::{Base, Found, Goal, Note, Request, RequestKind, Wanted, requests};
pub use rewrite::{EMITTED, Form, GLOBAL, RULES, Rewritten, rewrite, rewrite_part};
pub use triage::{Sink, Sinks, Triage, is_deed, triage};
