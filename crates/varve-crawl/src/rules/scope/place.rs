//! The places that seeds stand for: pages, directories, hosts or domains, found by hash.

use super::Reach;
use crate::rules::canonical::{canonical, normalise_escapes, without_final_dot};
use std::collections::{HashMap, HashSet};
use url::{Host, Url};

/// What the seeds cover.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Pages, hosts or domains, as the reach wants it.
    names: HashSet<String>,
    /// For prefixes: the directories of each site.
    directories: HashMap<String, Directories>,
}

/// The directories of one site.
#[derive(Clone, Debug, Default)]
struct Directories {
    paths: HashSet<String>,
    /// How many slashes the deepest of them has: deeper ones need not be looked up.
    slashes: usize,
}

impl Places {
    pub(super) fn add(&mut self, reach: Reach, seed: &Url) {
        match reach {
            Reach::Any => {}
            Reach::Prefix => {
                let path = path(seed);
                let end = path.rfind('/').map_or(0, |slash| slash + 1);
                let site = self.directories.entry(site(seed)).or_default();
                let slashes = path[..end].matches('/').count();
                site.slashes = site.slashes.max(slashes);
                site.paths.insert(path[..end].to_owned());
            }
            Reach::Page | Reach::Host | Reach::Domain => {
                self.names.insert(name(reach, seed));
            }
        }
    }

    pub(super) fn contain(&self, reach: Reach, url: &Url) -> bool {
        if reach != Reach::Prefix {
            return self.names.contains(&name(reach, url));
        }
        let Some(directories) = self.directories.get(&site(url)) else {
            return false;
        };
        let path = path(url);
        path.match_indices('/')
            .take(directories.slashes)
            .any(|(slash, _)| directories.paths.contains(&path[..=slash]))
    }
}

fn name(reach: Reach, url: &Url) -> String {
    match reach {
        Reach::Page => {
            let text = canonical(url);
            text.split_once("://")
                .map_or(text.clone(), |(_, rest)| rest.to_owned())
        }
        Reach::Domain => domain(url),
        Reach::Prefix | Reach::Host | Reach::Any => site(url),
    }
}

/// The path in one spelling.
fn path(url: &Url) -> String {
    let mut path = String::with_capacity(url.path().len());
    normalise_escapes(url.path(), &mut path);
    path
}

/// Host and port, without `www.`. The default ports of http and https count as one.
fn site(url: &Url) -> String {
    let host = without_final_dot(url.host_str().unwrap_or_default());
    let host = match host.strip_prefix("www.") {
        Some(rest) if rest.contains('.') => rest,
        _ => host,
    };
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// The registrable domain; the host itself where there is none.
fn domain(url: &Url) -> String {
    let host = without_final_dot(url.host_str().unwrap_or_default());
    match url.host() {
        Some(Host::Domain(_)) => varve_filter::registrable(host).unwrap_or(host).to_owned(),
        _ => host.to_owned(),
    }
}
