//! What the tests of whole crawls share: the example web, servers that answer as they are told, and
//! a look into archives. Each of these tests takes what it needs.

#![allow(dead_code)]

pub(crate) mod archive;
pub(crate) mod server;
pub(crate) mod stage;
