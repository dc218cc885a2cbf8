//! Learning from the archive itself: pages are visited as they were served, without a network.

use crate::error::PruneError;
use crate::learned::Learned;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use url::Url;
use varve_browser::proxy::DeadEnd;
use varve_browser::{
    Activity, Browser, BrowserOptions, Detail, KnownHandlers, Running, Traffic, VisitOptions,
};
use varve_model::Timestamp;
use varve_qa::Choice;
use varve_serve::{ProxyOptions, ProxyTraffic, ServeOptions, Server};
use varve_store::collection::Collection;

/// How long a visit may take, its handlers included.
const DEADLINE: Duration = Duration::from_secs(60);

/// A page to learn from, and its layer's time.
#[derive(Clone, Debug)]
pub(crate) struct Lesson {
    url: Url,
    time: Timestamp,
}

/// Pages of those layers that tell nothing themselves.
pub(crate) fn lessons(
    collection: &Collection,
    layers: &[usize],
    learned: &Learned,
    choice: Choice,
) -> Result<Vec<Lesson>, PruneError> {
    let mut lessons = Vec::new();
    for layer in layers.iter().copied() {
        if learned.knows_layer(layer) {
            continue;
        }
        let mut pages: HashMap<Url, Timestamp> = HashMap::new();
        for line in collection.pages_of(layer)? {
            let page: serde_json::Value = serde_json::from_slice(&line?).unwrap_or_default();
            let url = page["url"].as_str().and_then(|url| Url::parse(url).ok());
            let time = page["ts"].as_str().map(Timestamp::parse_w3c);
            if let (Some(url), Some(Ok(time))) = (url, time) {
                pages.insert(url, time);
            }
        }
        // A page is shown with what is nearest, so one moment does for all of a layer.
        let Some(time) = pages.values().max().copied() else {
            continue;
        };
        let mut pages: Vec<Url> = pages.into_keys().collect();
        pages.sort();
        lessons.extend(pages.into_iter().map(|url| Lesson { url, time }));
    }
    Ok(match choice {
        Choice::All => lessons,
        Choice::Spread(number) => spread(lessons, number),
    })
}

/// So many of a list, evenly.
fn spread(all: Vec<Lesson>, number: usize) -> Vec<Lesson> {
    let (length, number) = (all.len(), number.min(all.len()));
    let chosen = (0..number).map(|at| at * length / number);
    chosen.map(|at| all[at].clone()).collect()
}

/// Visits pages and adds what ran; `told` hears of each.
pub(crate) async fn learn(
    collection: &Path,
    lessons: Vec<Lesson>,
    workers: usize,
    stop: &Arc<AtomicBool>,
    learned: &mut Learned,
    mut told: impl FnMut(usize),
) -> Result<(), PruneError> {
    let all = lessons.len();
    let waiting = Arc::new(Mutex::new(lessons.into_iter()));
    let known = Arc::new(KnownHandlers::default());
    let (tell, mut heard) = tokio::sync::mpsc::channel(workers.max(1));
    let mut pupils = JoinSet::new();
    for _ in 0..workers.clamp(1, all.max(1)) {
        let (collection, stop) = (collection.to_owned(), stop.clone());
        let (waiting, tell, known) = (waiting.clone(), tell.clone(), known.clone());
        pupils.spawn(async move {
            let mut pupil = None;
            while !stop.load(Ordering::Relaxed) {
                let next = || {
                    waiting
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .next()
                };
                let Some(lesson) = next() else {
                    break;
                };
                let runs = Pupil::for_time(&mut pupil, &collection, lesson.time)
                    .await?
                    .visit(&lesson.url, &known)
                    .await;
                if tell.send(runs).await.is_err() {
                    break;
                }
            }
            if let Some(pupil) = pupil {
                pupil.stop().await;
            }
            Ok::<(), PruneError>(())
        });
    }
    drop(tell);
    while let Some(runs) = heard.recv().await {
        runs.iter().for_each(|run| learned.add_run(run));
        told(all);
    }
    while let Some(ended) = pupils.join_next().await {
        ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
    }
    Ok(())
}

/// A browser, and the archive as its only network.
struct Pupil {
    time: Timestamp,
    server: Server,
    browser: Browser,
    traffic: Way,
    _dead_end: DeadEnd,
}

/// The way of a browser to the archive.
struct Way {
    address: SocketAddr,
    traffic: Arc<ProxyTraffic>,
}

impl Traffic for Way {
    fn proxy_address(&self) -> SocketAddr {
        self.address
    }

    fn activity(&self) -> Activity {
        let now = self.traffic.activity();
        Activity {
            in_flight: now.in_flight,
            streams: 0,
            started: now.started,
            last_change: now.last_change,
        }
    }

    fn hold(&self) {
        self.traffic.hold(true);
    }
}

impl Pupil {
    /// One who sees the archive as of this time.
    async fn for_time<'a>(
        kept: &'a mut Option<Pupil>,
        collection: &Path,
        time: Timestamp,
    ) -> Result<&'a Pupil, PruneError> {
        if let Some(before) = kept.take_if(|pupil| pupil.time != time) {
            before.stop().await;
        }
        match kept {
            Some(pupil) => Ok(pupil),
            None => Ok(kept.insert(Pupil::start(collection, time).await?)),
        }
    }

    async fn start(collection: &Path, time: Timestamp) -> Result<Pupil, PruneError> {
        let anywhere: SocketAddr = (Ipv4Addr::LOCALHOST, 0).into();
        let options = ServeOptions {
            search: false,
            proxy: Some(ProxyOptions {
                time: Some(time),
                ..ProxyOptions::new(anywhere)
            }),
            ..ServeOptions::new(vec![collection.to_owned()], anywhere)
        };
        let server = Server::start(options).await?;
        let Some(proxy) = server.proxy() else {
            unreachable!("it was asked for")
        };
        let traffic = Way {
            address: proxy.address,
            traffic: proxy.traffic.clone(),
        };
        let dead_end = DeadEnd::open().await.map_err(PruneError::Port)?;
        let browser = Browser::start(BrowserOptions {
            key_pin: Some(proxy.key_pin.clone()),
            ..BrowserOptions::new(dead_end.address(), std::env::temp_dir())
        })
        .await?;
        Ok(Pupil {
            time,
            server,
            browser,
            traffic,
            _dead_end: dead_end,
        })
    }

    async fn visit(&self, url: &Url, known: &Arc<KnownHandlers>) -> Vec<varve_browser::ScriptRun> {
        self.traffic.traffic.hold(false);
        let options = VisitOptions {
            deadline: DEADLINE,
            screenshot: false,
            handlers: Some(Running::New(known.clone())),
            coverage: Some(Detail::Branches),
            ..VisitOptions::default()
        };
        self.browser
            .visit(url, &self.traffic, &options)
            .await
            .scripts
    }

    async fn stop(self) {
        self.browser.stop().await;
        self.server.stop().await;
    }
}
