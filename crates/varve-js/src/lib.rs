//! Understand scripts: what a script or module asks for, as far as its text says so.
//!
//! [`requests`] parses one source and lists the literal URLs and module specifiers that it would
//! load: `import`, `export ... from`, `import()`, `new URL(..., import.meta.url)`, workers,
//! `importScripts` and service workers. What is computed at run time is left to the browser.
//!
//! This crate alone knows oxc. It does no I/O and knows nothing of pages: resolving a specifier
//! against a base or an import map is the caller's part, and [`Base`] says which base that is.
//!
//! Wild input is not an error: a source that cannot be parsed, is too long or nests too deeply
//! gives no requests and a [`Note`].

mod nesting;
mod requests;
mod stack;

pub use requests::{Base, Found, Goal, Note, Request, RequestKind, Wanted, requests};
