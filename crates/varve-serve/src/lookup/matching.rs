//! Server-side matching: a saved resource in place of one that was not saved.
//!
//! Scripts put the time, chance and session into URLs, and so ask for others in replay than at
//! capture. Of the captures with the same host and path, that one stands in which differs in
//! nothing that matters; of several one that the page was not given yet, of those the most similar,
//! of equals the nearest in time, which is the order in which they were asked for.

use super::choice::Candidate;
use super::distance::edits;
use super::parameters::{Judgement, Parameters};
use super::{Found, Match, Wish, WishRole, post};
use crate::archive::Opened;
use std::collections::BTreeSet;
use std::sync::Arc;
use url::Url;
use varve_model::{KeyRange, Surt};
use varve_store::Result;
use varve_store::index::{MergedIndex, Query};

/// Captures of a path that are compared.
const MAX_COMPARED: usize = 300;
/// Lines of the index that are looked at.
const MAX_LINES: u64 = 3000;

/// Files that are what they are whatever the query, save for what says which one.
const STATIC: [&str; 24] = [
    "avif", "bmp", "css", "eot", "gif", "ico", "jpeg", "jpg", "js", "map", "mjs", "mp3", "mp4",
    "ogg", "otf", "png", "svg", "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2",
];
/// What says which version of a file is meant, not which file.
const VERSIONS: [&str; 8] = ["h", "hash", "rev", "v", "ver", "version", "build", "m"];

/// Finds a stand-in: in the page's own layer where that is known, else anywhere.
pub(super) fn find(
    archive: &[Arc<Opened>],
    own: &[(Arc<Opened>, usize)],
    wish: &Wish,
) -> Result<Option<Found>> {
    let mut saved = Vec::new();
    match own {
        [] => {
            for opened in archive {
                saved.extend(of_path(opened, opened.index(), &wish.url)?);
            }
        }
        own => {
            for (opened, layer) in own {
                if let Some(index) = opened.layer(*layer) {
                    saved.extend(of_path(opened, index, &wish.url)?);
                }
            }
        }
    }
    Ok(match &wish.posted {
        Some(posted) => post::stand_in(saved, wish, posted),
        None => best(saved, wish),
    })
}

/// Captures with the same host and path, that hold something.
fn of_path(opened: &Arc<Opened>, index: &MergedIndex, url: &Url) -> Result<Vec<Candidate>> {
    let mut path = url.clone();
    path.set_query(None);
    let key = Surt::from_url(path.as_str());
    let with_query = Query {
        keys: Some(KeyRange {
            start: format!("{key}?"),
            end: Some(format!("{key}@")),
        }),
        limit: Some(MAX_COMPARED),
        scan_limit: Some(MAX_LINES),
        ..Query::default()
    };
    let without = Query {
        url: path.into(),
        limit: Some(MAX_COMPARED),
        ..Query::default()
    };
    let mut found = Vec::new();
    for query in [with_query, without] {
        let hits = Opened::hits(index, &query)?;
        found.extend(hits.into_iter().map(|hit| Candidate::new(opened, hit)));
    }
    // Parts are parts of one thing, and so no stand-ins.
    found.retain(|candidate| matches!(candidate.status(), 0 | 200..=205));
    Ok(found)
}

fn best(saved: Vec<Candidate>, wish: &Wish) -> Option<Found> {
    let urls: BTreeSet<&str> = saved.iter().map(|it| it.hit.capture.url.as_str()).collect();
    let is_only_one = urls.len() == 1;
    let query = wish.url.query().unwrap_or("");
    let asked = Parameters::of(query);
    let mut ranked = Vec::new();
    for candidate in saved {
        let Ok(url) = Url::parse(&candidate.hit.capture.url) else {
            continue;
        };
        let other = url.query().unwrap_or("");
        let judged = asked.judge(&Parameters::of(other), wish.role);
        let judged = match is_static(&wish.url) && wish.role != WishRole::Frame {
            true => judged.min(judge_file(&asked, &Parameters::of(other), wish)),
            false => judged,
        };
        let rule = match judged {
            Judgement::Same | Judgement::Passing => Match::Query,
            _ if wish.role == WishRole::Frame => continue,
            Judgement::Tokens => Match::Distance,
            Judgement::Added if is_only_one => Match::Query,
            _ => continue,
        };
        let page = wish.page.as_ref();
        let taken = page.is_some_and(|page| page.taken.has(&candidate.hit));
        let (unlike, far) = (edits(query, other), candidate.far_from(wish.time));
        let rank = (rule, taken, unlike, far);
        ranked.push((rank, candidate));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .into_iter()
        .find(|(_, candidate)| candidate.is_get())
        .map(|((rule, ..), candidate)| candidate.found(rule))
}

/// A file's query may say anything but which file is meant.
fn judge_file(asked: &Parameters, other: &Parameters, wish: &Wish) -> Judgement {
    let (asked, other) = (asked.without(&VERSIONS), other.without(&VERSIONS));
    match asked.judge(&other, wish.role) {
        Judgement::Significant => Judgement::Significant,
        _ => Judgement::Passing,
    }
}

fn is_static(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or("");
    let end = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| STATIC.contains(&end.as_str()))
}
