//! What a page needs, and what that needs in turn.
//!
//! What stands in a document is fetched as it is found. What its style sheets ask for is known
//! when all of them are there (`dressing.rs`).

use super::dressing::{Care, Dress};
use super::errand::Asks;
use super::{Answer, Arrived, Errand, HttpTier};
use crate::options::Variants;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokio::task::JoinSet;
use tokio::time::Instant;
use url::Url;
use varve_page::{Destination, ImportMap, Need, Page, Reference, Role, StyleSheet};

/// How many requests of one page are in flight at once.
const AT_ONCE: usize = 8;
/// No page needs more.
const MAX_REQUISITES: usize = 10_000;
/// Frames in frames, styles that import styles, modules that import modules.
const MAX_DEPTH: usize = 12;

/// The page on whose behalf something is fetched.
pub(super) struct Around {
    /// Where the document is.
    url: Url,
    pub(super) base: Url,
    pub(super) import_map: ImportMap,
    has_import_map: bool,
    /// What is known of its style sheets, if it waits for them.
    dress: Option<Dress>,
}

impl Around {
    fn of(url: &Url, page: &Page, dress: Option<Dress>) -> Arc<Around> {
        Arc::new(Around {
            url: url.clone(),
            base: page.base.clone(),
            has_import_map: page.import_map != ImportMap::default(),
            import_map: page.import_map.clone(),
            dress,
        })
    }
}

/// What came of gathering what a page needs.
pub(super) struct Gathered {
    /// Whether all of it came before the deadline.
    pub(super) in_time: bool,
    /// All that it needs, whether it came or not.
    pub(super) named: HashSet<Url>,
}

/// Something to fetch, and what for.
pub(crate) type Needed = (Url, Destination);

/// Something to fetch for a page.
struct Requisite {
    url: Url,
    destination: Destination,
    referrer: Url,
    around: Arc<Around>,
    depth: usize,
}

impl HttpTier {
    /// Fetches everything that a page needs, `more` included.
    pub(super) async fn requisites(
        &self,
        errand: &Errand,
        answer: &Answer,
        more: &[Needed],
    ) -> Gathered {
        let mut list = List::new(&answer.exchange.url);
        let care = care(errand);
        let dress = self.dress(&answer.exchange, &answer.head, &answer.page, care);
        let url = &answer.exchange.url;
        let page = self.document(&answer.page, dress, url, 1);
        let around = page.around.clone();
        list.add_document(page);
        list.add_document(Found {
            url: url.clone(),
            needs: more.into(),
            around,
            depth: 1,
        });
        let mut running: JoinSet<Found> = JoinSet::new();
        loop {
            while running.len() < AT_ONCE
                && Instant::now() < errand.deadline
                && let Some(requisite) = list.waiting.pop_front()
            {
                let (tier, errand) = (self.clone(), errand.clone());
                running.spawn(async move { tier.requisite(&errand, requisite).await });
            }
            let Some(done) = running.join_next().await else {
                return Gathered {
                    in_time: list.waiting.is_empty(),
                    named: list.seen.into_iter().map(|(url, _)| url).collect(),
                };
            };
            if let Ok(found) = done {
                list.add_document(found);
            }
        }
    }

    /// A document, and what it needs.
    fn document(&self, page: &Page, dress: Option<Dress>, url: &Url, depth: usize) -> Found {
        let mut needs = self.needs(page, dress.is_some());
        if let Some(dress) = &dress {
            needs.extend(dress.next(&self.viewport()));
        }
        Found {
            url: url.clone(),
            needs: needs.into(),
            around: Around::of(url, page, dress),
            depth,
        }
    }

    /// Fetches one requisite and finds what it needs in turn.
    async fn requisite(&self, errand: &Errand, wanted: Requisite) -> Found {
        let Requisite {
            url,
            destination,
            referrer,
            around,
            depth,
        } = wanted;
        let following = self.follow(errand, &url, destination, Some(&referrer), None);
        let arrived = following.await.ok().filter(|_| depth < MAX_DEPTH);
        let (needs, at) = match &arrived {
            // A frame is a page of its own.
            Some(arrived) if destination == Destination::Document => {
                let page = Arc::new(self.read(arrived, destination, Some(&around)).page);
                let care = care(errand);
                let dress = self.dress(&arrived.exchange, &arrived.head, &page, care);
                return self.document(&page, dress, &arrived.exchange.url, depth + 1);
            }
            Some(arrived) => {
                let understood = self.understand(arrived, destination, &around);
                (understood, arrived.exchange.url.clone())
            }
            None => (Understanding::default(), url.clone()),
        };
        let mut list = needs.needs;
        if destination == Destination::Style
            && let Some(dress) = &around.dress
        {
            list = dress.put(url, needs.sheet, &self.viewport()).into();
        }
        Found {
            url: at,
            needs: list,
            around,
            depth: depth + 1,
        }
    }

    /// What a style sheet, script or picture needs. Most pages of a site need the same ones.
    fn understand(
        &self,
        arrived: &Arrived,
        destination: Destination,
        around: &Around,
    ) -> Understanding {
        // Nothing is loaded for a picture in a page, or for what is not used yet.
        if matches!(destination, Destination::Image | Destination::Later) {
            return Understanding::default();
        }
        let read = || self.read(arrived, destination, Some(around));
        if destination != Destination::Style && around.has_import_map {
            return Understanding::of(self.needs(&read().page, false));
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
        let mut found = Understanding::of(self.needs(&read().page, false));
        if destination == Destination::Style {
            found.sheet = self.sheet(arrived).map(Arc::new);
        }
        // Only the workers of scripts are resolved against the page.
        let depends = destination != Destination::Style && !found.needs.is_empty();
        let key = if depends { here } else { everywhere };
        self.understood.put(key, found.clone());
        found
    }

    /// What a document needs, without what its styles ask for if that will be found out apart.
    fn needs(&self, page: &Page, is_dressed: bool) -> Vec<Needed> {
        let most = match self.variants {
            Variants::Viewport => Need::Needed,
            Variants::All => Need::Variant,
        };
        let needed = |reference: &Reference| {
            if reference.need > most || (is_dressed && reference.is_of_style()) {
                return None;
            }
            let destination = match reference.role {
                Role::Embed(destination) => destination,
                Role::Frame => Destination::Document,
                Role::Hint => Destination::Later,
                Role::Link => return None,
            };
            Some((reference.url.clone(), destination))
        };
        page.references.iter().filter_map(needed).collect()
    }
}

/// Who asks nobody wants to know all that is needed, not what is left to fetch.
fn care(errand: &Errand) -> Care {
    match errand.asks {
        Asks::Servers => Care::ForWhatIsNew,
        Asks::Nobody => Care::ForAll,
    }
}

/// What a document or requisite needs.
struct Found {
    url: Url,
    needs: Arc<[Needed]>,
    around: Arc<Around>,
    depth: usize,
}

/// What is still to be fetched for a page, each URL once; style sheets once for each document.
struct List {
    seen: HashSet<(Url, Option<Url>)>,
    waiting: VecDeque<Requisite>,
}

impl List {
    fn new(page: &Url) -> List {
        List {
            seen: [(page.clone(), None)].into(),
            waiting: VecDeque::new(),
        }
    }

    fn add_document(&mut self, found: Found) {
        for (url, destination) in found.needs.iter() {
            let is_worn = *destination == Destination::Style && found.around.dress.is_some();
            let wearer = is_worn.then(|| found.around.url.clone());
            let key = (url.clone(), wearer);
            if self.seen.len() < MAX_REQUISITES && !self.seen.contains(&key) {
                self.seen.insert(key);
                self.waiting.push_back(Requisite {
                    url: url.clone(),
                    destination: *destination,
                    referrer: found.url.clone(),
                    around: found.around.clone(),
                    depth: found.depth,
                });
            }
        }
    }
}

/// What was understood of a response.
#[derive(Clone, Default)]
struct Understanding {
    needs: Arc<[Needed]>,
    /// Its rules, if it is a style sheet.
    sheet: Option<Arc<StyleSheet>>,
}

impl Understanding {
    fn of(needs: Vec<Needed>) -> Understanding {
        Understanding {
            needs: needs.into(),
            sheet: None,
        }
    }
}

/// What was understood of responses that several pages need.
#[derive(Default)]
pub(super) struct Understood(Mutex<Known>);

#[derive(Default)]
struct Known {
    all: HashMap<Key, Understanding>,
    /// Bytes of the style sheets among them.
    bytes: usize,
}

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
    /// When there are more, or longer style sheets, all are forgotten: understanding them again is
    /// not much work.
    const MOST: usize = 10_000;
    const MOST_BYTES: usize = 24 << 20;

    fn get(&self, key: &Key) -> Option<Understanding> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.all.get(key).cloned()
    }

    fn put(&self, key: Key, found: Understanding) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let length = found.sheet.as_ref().map_or(0, |sheet| sheet.length());
        if known.all.len() >= Self::MOST || known.bytes + length > Self::MOST_BYTES {
            *known = Known::default();
        }
        known.bytes += length;
        known.all.insert(key, found);
    }
}
