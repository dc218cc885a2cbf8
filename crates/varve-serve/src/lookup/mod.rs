//! From what is asked for to the capture that answers it.
//!
//! What a page needs is looked for among the captures of the page's own layer first, then among
//! all, nearest in time first. Of the captures of one URL key those of the very URL come before
//! those that only sort alike. What is still missing is *matched*: a saved resource that differs
//! from it in nothing that matters stands in for it, and the answer says so. Pages are never
//! matched.

mod around;
mod choice;
mod distance;
mod matching;
mod methods;
mod parameters;
mod post;
mod redirects;

pub(crate) use around::Around;
pub(crate) use methods::Methods;
pub(crate) use post::Posted;

use crate::archive::Opened;
use crate::open_pages::OpenPage;
use choice::{Candidate, choose};
use std::sync::Arc;
use url::Url;
use varve_model::Timestamp;
use varve_store::Result;
use varve_store::index::{Hit, MergedIndex, Query, Sort};

/// Captures of one key that are looked at, from near to far.
const MAX_CAPTURES: usize = 64;

/// What is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    pub(crate) url: Url,
    /// The time of the page, or of the document that is asked for.
    pub(crate) time: Timestamp,
    pub(crate) role: WishRole,
    /// The first byte that is wanted, if only a part is.
    pub(crate) first_byte: Option<u64>,
    /// What is sent along, for all methods but GET and HEAD.
    pub(crate) posted: Option<Posted>,
    /// The page that it is for, if that is open.
    pub(crate) page: Option<Arc<OpenPage>>,
}

/// What a wish is to its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WishRole {
    /// The page itself: nearest in time, from whatever layer.
    Page,
    /// A document, in it or not: never matched.
    Document,
    /// A document in a frame of it: only what comes with every visit may differ.
    Frame,
    /// An image that it needs; its size does not matter.
    Image,
    /// Anything else that it needs.
    Part,
}

/// By which rule a capture was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// It is of this URL.
    Exact,
    /// Its URL sorts alike.
    Canonical,
    /// Its URL differs in parameters that do not matter.
    Query,
    /// Its URL is the most similar.
    Distance,
}

impl Match {
    /// One word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Match::Exact => "exact",
            Match::Canonical => "canonical",
            Match::Query => "query",
            Match::Distance => "distance",
        }
    }

    /// The rule of this name.
    pub(crate) fn named(name: &str) -> Option<Match> {
        let all = [
            Match::Exact,
            Match::Canonical,
            Match::Query,
            Match::Distance,
        ];
        all.into_iter().find(|rule| rule.name() == name)
    }
}

/// A capture that answers a wish.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) opened: Arc<Opened>,
    pub(crate) hit: Hit,
    pub(crate) matched: Match,
}

/// Finds the capture that answers a wish.
pub(crate) fn find(archive: &[Arc<Opened>], wish: &Wish) -> Result<Option<Found>> {
    let own = own_layers(archive, wish);
    if let Some(found) = find_saved(archive, &own, wish)? {
        return Ok(Some(found));
    }
    match wish.role {
        WishRole::Page | WishRole::Document => Ok(None),
        WishRole::Frame | WishRole::Image | WishRole::Part => matching::find(archive, &own, wish),
    }
}

/// Finds a capture of the very thing that is wished for; nothing stands in for it.
pub(crate) fn find_itself(archive: &[Arc<Opened>], wish: &Wish) -> Result<Option<Found>> {
    find_saved(archive, &own_layers(archive, wish), wish)
}

/// Whether there is any capture that sorts like this URL.
pub(crate) fn is_saved(archive: &[Arc<Opened>], url: &Url) -> Result<bool> {
    let query = Query {
        url: url.as_str().to_owned(),
        limit: Some(1),
        ..Query::default()
    };
    for opened in archive {
        if !Opened::hits(opened.index(), &query)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn find_saved(
    archive: &[Arc<Opened>],
    own: &[(Arc<Opened>, usize)],
    wish: &Wish,
) -> Result<Option<Found>> {
    for (opened, layer) in own {
        let Some(index) = opened.layer(*layer) else {
            continue;
        };
        let captures = captures(opened, index, wish)?;
        if let Some(found) = choose(archive, captures, wish)? {
            return Ok(Some(found));
        }
    }
    anywhere(archive, wish)
}

/// Finds it among all captures, nearest in time first.
fn anywhere(archive: &[Arc<Opened>], wish: &Wish) -> Result<Option<Found>> {
    let mut all = Vec::new();
    for opened in archive {
        all.extend(captures(opened, opened.index(), wish)?);
    }
    all.sort_by_key(|candidate| candidate.far_from(wish.time));
    choose(archive, all, wish)
}

/// The layers that the page of a wish may be of, the likeliest first. A page itself is of any.
fn own_layers(archive: &[Arc<Opened>], wish: &Wish) -> Vec<(Arc<Opened>, usize)> {
    if wish.role == WishRole::Page {
        return Vec::new();
    }
    let of = |opened: &Arc<Opened>| {
        let (layer, far) = opened.layer_of(wish.time)?;
        Some((opened.clone(), layer, far))
    };
    let mut own: Vec<_> = archive.iter().filter_map(of).collect();
    own.sort_by_key(|(_, _, far)| *far);
    own.into_iter()
        .map(|(opened, layer, _)| (opened, layer))
        .collect()
}

/// The captures that sort like the URL, from near to far.
fn captures(opened: &Arc<Opened>, index: &MergedIndex, wish: &Wish) -> Result<Vec<Candidate>> {
    let mut found = Vec::new();
    // Other tools' indexes have what was posted in the key.
    let posted = wish.posted.as_ref().map(|posted| posted.url(&wish.url));
    for url in posted.iter().map(String::as_str).chain([wish.url.as_str()]) {
        let query = Query {
            url: url.to_owned(),
            sort: Sort::Closest(wish.time),
            limit: Some(MAX_CAPTURES),
            ..Query::default()
        };
        let hits = Opened::hits(index, &query)?;
        found.extend(hits.into_iter().map(|hit| Candidate::new(opened, hit)));
    }
    Ok(found)
}
