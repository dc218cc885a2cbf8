//! What a page needs, and what that needs in turn.

use super::{Arrived, Errand, HttpTier};
use crate::http_tier::Answer;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::Url;
use varve_page::{Destination, ImportMap, Need, Page, Reference, Role};

/// How many requests of one page are in flight at once.
const AT_ONCE: usize = 8;
/// No page needs more.
const MAX_REQUISITES: usize = 10_000;
/// Frames in frames, styles that import styles, modules that import modules.
const MAX_DEPTH: usize = 12;

/// The page on whose behalf something is fetched.
pub(super) struct Around {
    pub(super) base: Url,
    pub(super) import_map: ImportMap,
    has_import_map: bool,
}

impl Around {
    fn of(page: &Page) -> Arc<Around> {
        Arc::new(Around {
            base: page.base.clone(),
            has_import_map: page.import_map != ImportMap::default(),
            import_map: page.import_map.clone(),
        })
    }
}

/// Something to fetch, and what for.
type Needed = (Url, Destination);

/// Something to fetch for a page.
struct Requisite {
    url: Url,
    destination: Destination,
    referrer: Url,
    around: Arc<Around>,
    depth: usize,
}

impl HttpTier {
    /// Fetches everything that a page needs; whether all of it came before the deadline.
    pub(super) async fn requisites(&self, errand: &Errand, answer: &Answer) -> bool {
        let mut list = List::new(&answer.exchange.url);
        let around = Around::of(&answer.page);
        list.add(needs(&answer.page).iter(), &answer.exchange.url, &around, 1);
        let mut running: JoinSet<Option<Found>> = JoinSet::new();
        loop {
            while running.len() < AT_ONCE
                && Instant::now() < errand.deadline
                && let Some(requisite) = list.waiting.pop_front()
            {
                let (tier, errand) = (self.clone(), errand.clone());
                running.spawn(async move { tier.requisite(&errand, requisite).await });
            }
            let Some(done) = running.join_next().await else {
                return list.waiting.is_empty();
            };
            if let Ok(Some(found)) = done {
                list.add(found.needs.iter(), &found.url, &found.around, found.depth);
            }
        }
    }

    /// Fetches one requisite and finds what it needs in turn.
    async fn requisite(&self, errand: &Errand, wanted: Requisite) -> Option<Found> {
        let Requisite {
            url,
            destination,
            referrer,
            around,
            depth,
        } = wanted;
        let arrived = self
            .follow(errand, &url, destination, Some(&referrer), None)
            .await
            .ok()?;
        if depth == MAX_DEPTH {
            return None;
        }
        let (needs, around) = match destination {
            // A frame is a page of its own.
            Destination::Document => {
                let page = self.read(&arrived, destination, Some(&around)).page;
                (Arc::new(needs(&page)), Around::of(&page))
            }
            _ => (self.understand(&arrived, destination, &around), around),
        };
        Some(Found {
            url: arrived.exchange.url.clone(),
            needs,
            around,
            depth: depth + 1,
        })
    }

    /// What a style sheet, script or picture needs. Most pages of a site need the same ones.
    fn understand(
        &self,
        arrived: &Arrived,
        destination: Destination,
        around: &Around,
    ) -> Arc<Vec<Needed>> {
        if around.has_import_map {
            return Arc::new(needs(&self.read(arrived, destination, Some(around)).page));
        }
        let key = |folder| Key {
            url: arrived.exchange.url.clone(),
            started: arrived.exchange.started,
            destination,
            folder,
        };
        let (everywhere, here) = (key(None), key(around.base.join(".").ok()));
        let known = self.understood.get(&everywhere);
        if let Some(known) = known.or_else(|| self.understood.get(&here)) {
            return known;
        }
        let found = Arc::new(needs(&self.read(arrived, destination, Some(around)).page));
        // Only the workers of scripts are resolved against the page.
        let depends = destination != Destination::Style && !found.is_empty();
        let key = if depends { here } else { everywhere };
        self.understood.put(key, found.clone());
        found
    }
}

/// What a requisite needs.
struct Found {
    url: Url,
    needs: Arc<Vec<Needed>>,
    around: Arc<Around>,
    depth: usize,
}

/// What is still to be fetched for a page, each URL once.
struct List {
    seen: HashSet<Url>,
    waiting: VecDeque<Requisite>,
}

impl List {
    fn new(page: &Url) -> List {
        List {
            seen: [page.clone()].into(),
            waiting: VecDeque::new(),
        }
    }

    fn add<'a>(
        &mut self,
        needs: impl Iterator<Item = &'a Needed>,
        referrer: &Url,
        around: &Arc<Around>,
        depth: usize,
    ) {
        for (url, destination) in needs {
            if self.seen.len() < MAX_REQUISITES && !self.seen.contains(url) {
                self.seen.insert(url.clone());
                self.waiting.push_back(Requisite {
                    url: url.clone(),
                    destination: *destination,
                    referrer: referrer.clone(),
                    around: around.clone(),
                    depth,
                });
            }
        }
    }
}

fn needs(page: &Page) -> Vec<Needed> {
    let needed = |reference: &Reference| {
        let destination = match (reference.role, reference.need) {
            (Role::Embed(destination), Need::Needed) => destination,
            (Role::Frame, Need::Needed) => Destination::Document,
            _ => return None,
        };
        Some((reference.url.clone(), destination))
    };
    page.references.iter().filter_map(needed).collect()
}

/// What was understood of responses that several pages need.
#[derive(Default)]
pub(super) struct Understood(Mutex<HashMap<Key, Arc<Vec<Needed>>>>);

/// A response, and what its URLs depend on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    url: Url,
    started: SystemTime,
    destination: Destination,
    /// The folder of the page, where that matters.
    folder: Option<Url>,
}

impl Understood {
    /// When there are more, all are forgotten: understanding them again is not much work.
    const MOST: usize = 50_000;

    fn get(&self, key: &Key) -> Option<Arc<Vec<Needed>>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(key).cloned()
    }

    fn put(&self, key: Key, needs: Arc<Vec<Needed>>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(key, needs);
    }
}
