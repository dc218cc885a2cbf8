//! Replay through its public face: real collections, real sockets, one module per promise.
#![allow(clippy::unwrap_used)]

mod access;
mod admin;
mod again;
mod archive;
mod asking;
mod cross_origin;
mod downloads;
mod finding;
mod holdings;
mod hostile;
mod interfaces;
mod matching;
mod our_collections;
mod our_pages;
mod our_views;
mod parts;
mod posting;
mod proxy;
mod redirects;
mod showing;
mod trouble;
mod walls;
mod wayback_urls;
mod words;
