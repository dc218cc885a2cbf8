//! Understand documents: what a body is, what it says and every URL that it mentions.
//!
//! One door: [`analyse`] takes a [`Document`] (a body with its URL and what was declared and
//! asked for), finds out its [`Kind`] and charset, and gives a [`Page`]: title, text, scripts and
//! [`Reference`]s. Callers never match on MIME strings. What the answer depends on besides the
//! document is a [`Viewport`]: it decides between the candidates of `srcset`, `<picture>`,
//! `image-set()` and media queries as Chromium would.
//!
//! The finders (`html`, `css`, `script`, `xml`, `json`) walk one language each and *offer* every
//! URL with its context, its place and how much it is needed. Here the offers are collected into
//! a page.
//!
//! The other door is [`rewrite`]: the same visitors find the same URLs by the same table, and a
//! [`UrlMap`] says what replay writes in their place.
//!
//! This crate does no I/O and knows nothing of archives. Wild input is not an error: a page plus
//! [`Note`]s is what comes out of any bytes, in linear time and bounded memory.

mod analyse;
mod charset;
mod collector;
mod css;
mod data_url;
mod document;
mod dom;
mod headers;
mod html;
mod import_map;
mod json;
mod length;
mod marks;
mod media;
mod page;
mod rewrite;
mod script;
mod selector;
mod sizes;
mod sniff;
mod srcset;
mod style;
mod supports;
mod viewport;
mod xml;

pub use analyse::analyse;
pub use document::{Destination, Document, Kind, Within};
pub use dom::Dom;
pub use headers::{link_header, refresh_header};
pub use html::{Inventory, inline_scripts, inventory};
pub use import_map::ImportMap;
pub use media::media_matches;
pub use page::{Need, Note, Page, Reference, Role, ScriptForm, ScriptFound, ScriptSource, Styles};
pub use rewrite::{
    Counts, Crossorigin, Fragment, Reach, Rewriting, Rewritten, ScriptRewriter, ScriptUse, Targets,
    UrlMap, Use, is_playlist, reach, rename_jsonp, rewrite, rewrite_fragment, rewrite_link_header,
    rewrite_location, rewrite_refresh,
};
pub use sniff::kind_of;
pub use srcset::{Candidate, Descriptor, parse_srcset};
pub use style::{Lacking, Outlook, Outlooks, StyleSheet, StyleSheets, Styling, Wardrobe};
pub use viewport::{ColourScheme, Pointer, Viewport};
