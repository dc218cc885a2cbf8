//! The MementoMaps of peers: where they are looked for, and how they are kept up.
//!
//! A map comes from a file (`--maps DIR` with `ID.ukvs`, or what `archives.json` names), or from the
//! archive itself: where `archives.json` or a `Link` with `rel="mementomap"` says, or else at
//! `/.well-known/mementomap`. It is asked for again when it may have changed. Without a map an
//! archive is asked whatever the URL; so it is with a map that is damaged or too old.

use crate::client::Client;
use crate::map::{Holdings, MapFile};
use crate::peer::Peer;
use crate::trouble::Trouble;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;
use tokio::time::Instant;
use url::Url;
use varve_model::Links;

/// Where archives publish their maps.
const WELL_KNOWN: &str = "/.well-known/mementomap";
/// A map that could not be asked for again for so long is not relied on.
const STALE: Duration = Duration::from_secs(24 * 3_600);
/// An archive without a map is asked for one no more often.
const WITHOUT: Duration = Duration::from_secs(3_600);
/// Those who say that it will be there soon are asked again no sooner.
const SOONEST: Duration = Duration::from_secs(1);
/// Files are looked at again after so long.
const FILES: Duration = Duration::from_secs(5);
/// Pages of one map.
const PAGES: usize = 100;
/// Endings of files with maps.
const ENDINGS: [&str; 3] = ["ukvs", "ukvs.gz", "ukvs.zst"];

/// How maps are kept up.
#[derive(Clone, Debug)]
pub struct MapOptions {
    /// A directory with maps of archives, named by their ids.
    pub dir: Option<PathBuf>,
    /// A fetched map is asked for again after so long, unless the archive says otherwise.
    pub refresh: Duration,
    /// Whether archives are asked for their maps.
    pub fetch: bool,
}

impl Default for MapOptions {
    fn default() -> MapOptions {
        MapOptions {
            dir: None,
            refresh: Duration::from_secs(600),
            fetch: true,
        }
    }
}

/// The map of one peer, if there is one.
#[derive(Default)]
pub(crate) struct MapSlot {
    state: Mutex<State>,
    hinted: Notify,
}

#[derive(Default)]
struct State {
    map: Option<Arc<dyn Holdings>>,
    /// Where a `Link` said that it is.
    hint: Option<Url>,
    /// What is wrong with it, for people.
    trouble: Option<String>,
}

impl MapSlot {
    /// The map to go by.
    pub(crate) fn current(&self) -> Option<Arc<dyn Holdings>> {
        self.lock().map.clone()
    }

    /// What is wrong with it.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    /// An archive said where its map is.
    pub(crate) fn hint(&self, url: Option<Url>) {
        let Some(url) = url else { return };
        let mut state = self.lock();
        if state.hint.as_ref() != Some(&url) {
            state.hint = Some(url);
            self.hinted.notify_one();
        }
    }

    pub(crate) fn set(&self, map: Option<Arc<dyn Holdings>>, trouble: Option<String>) {
        let mut state = self.lock();
        state.map = map;
        state.trouble = trouble;
    }

    fn keep_but(&self, trouble: String) {
        self.lock().trouble = Some(trouble);
    }

    fn hinted_at(&self) -> Option<Url> {
        self.lock().hint.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file with the map of an archive, if there is one.
pub(crate) fn file_of(peer: &Peer, dir: Option<&Path>) -> Option<PathBuf> {
    let named = peer.archive.mementomap.as_deref();
    if let Some(path) = named.filter(|written| Url::parse(written).is_err()) {
        return Some(PathBuf::from(path));
    }
    let dir = dir?;
    let names = ENDINGS.map(|ending| dir.join(format!("{}.{ending}", peer.id)));
    names.into_iter().find(|path| path.exists())
}

/// Keeps the map of one peer up, for ever.
pub(crate) async fn keep(peer: Arc<Peer>, client: Client, options: MapOptions) {
    let mut fetched = Fetched::default();
    let mut seen = None;
    loop {
        let wait = match file_of(&peer, options.dir.as_deref()) {
            Some(path) => {
                look_at(&peer, path, &mut seen).await;
                FILES
            }
            None if options.fetch => fetched.look(&peer, &client, &options).await,
            None => WITHOUT,
        };
        let _ = tokio::time::timeout(wait, peer.map.hinted.notified()).await;
    }
}

/// Reads a file again if it has changed.
async fn look_at(peer: &Peer, path: PathBuf, seen: &mut Option<(PathBuf, SystemTime, u64)>) {
    let now = std::fs::metadata(&path).and_then(|meta| Ok((meta.modified()?, meta.len())));
    let now = now.ok().map(|(time, length)| (path.clone(), time, length));
    if now.is_some() && now == *seen {
        return;
    }
    let read = tokio::task::spawn_blocking(move || MapFile::open(&path)).await;
    match read {
        Ok(Ok(map)) => peer.map.set(Some(Arc::new(map)), None),
        Ok(Err(error)) => peer.map.set(None, Some(error.to_string())),
        Err(_) => return,
    }
    *seen = now;
}

/// What is known of a map that was fetched.
#[derive(Default)]
struct Fetched {
    url: Option<Url>,
    etag: Option<String>,
    modified: Option<String>,
    confirmed: Option<Instant>,
}

/// What came of asking for a map.
enum Came {
    /// It is a new one.
    New(Vec<u8>),
    /// It is as it was.
    Same,
    /// There is none.
    None,
}

impl Fetched {
    /// Asks for the map; gives how long to wait before the next time.
    async fn look(&mut self, peer: &Peer, client: &Client, options: &MapOptions) -> Duration {
        let Some(url) = place(peer) else {
            return WITHOUT;
        };
        if self.url.as_ref() != Some(&url) {
            *self = Fetched {
                url: Some(url.clone()),
                ..Fetched::default()
            };
        }
        let mut wait = options.refresh;
        let name = url.to_string();
        match self.fetch(client, url, &mut wait).await {
            Ok(Came::Same) => self.confirmed = Some(Instant::now()),
            Ok(Came::None) => {
                peer.map.set(None, None);
                return WITHOUT.max(options.refresh);
            }
            Ok(Came::New(bytes)) => {
                let read =
                    tokio::task::spawn_blocking(move || MapFile::received(&name, bytes)).await;
                match read {
                    Ok(Ok(map)) => {
                        self.confirmed = Some(Instant::now());
                        peer.map.set(Some(Arc::new(map)), None);
                    }
                    Ok(Err(error)) => {
                        *self = Fetched::default();
                        peer.map.set(None, Some(error.to_string()));
                    }
                    Err(_) => {}
                }
            }
            Err(trouble) => {
                let stale = self.confirmed.is_none_or(|at| at.elapsed() > STALE);
                match stale {
                    true => peer.map.set(None, Some(trouble.to_string())),
                    false => peer.map.keep_but(trouble.to_string()),
                }
            }
        }
        wait
    }

    async fn fetch(
        &mut self,
        client: &Client,
        url: Url,
        wait: &mut Duration,
    ) -> Result<Came, Trouble> {
        let mut fields = Vec::new();
        fields.extend(self.etag.as_deref().map(|etag| ("If-None-Match", etag)));
        fields.extend(
            self.modified
                .as_deref()
                .map(|date| ("If-Modified-Since", date)),
        );
        let mut got = client.get(url, &fields).await?;
        let text = |name: &str, got: &crate::client::Got| {
            let value = got.head.get(name)?;
            Some(String::from_utf8_lossy(&value).into_owned())
        };
        let lasts = text("Cache-Control", &got).and_then(|value| max_age(&value));
        *wait = lasts
            .unwrap_or(*wait)
            .clamp((*wait).min(Duration::from_secs(60)), STALE);
        match got.status {
            200 => {}
            304 => return Ok(Came::Same),
            404 | 410 => return Ok(Came::None),
            503 => {
                // It is being made.
                let seconds = text("Retry-After", &got).and_then(|value| value.parse().ok());
                let soon = seconds.map(Duration::from_secs);
                *wait = soon.map_or(*wait, |soon| soon.max(SOONEST).min(*wait));
                return Err(Trouble::Status(503));
            }
            status => return Err(Trouble::Status(status)),
        }
        let (etag, modified) = (text("ETag", &got), text("Last-Modified", &got));
        let mut all = Vec::new();
        for _ in 0..PAGES {
            let next = text("Link", &got).and_then(|value| next_page(&value, &got.url));
            let (bytes, trouble) = client.read(got, |bytes| bytes.to_vec()).await?;
            // A part of a map would hide what is in the rest.
            if let Some(trouble) = trouble {
                return Err(trouble);
            }
            all.extend(bytes);
            if !all.is_empty() && !all.ends_with(b"\n") && next.is_some() {
                all.push(b'\n');
            }
            let Some(next) = next else {
                (self.etag, self.modified) = (etag, modified);
                return Ok(Came::New(all));
            };
            if all.len() as u64 > client.most() {
                break;
            }
            got = client.get(next, &[]).await?;
            if got.status != 200 {
                return Err(Trouble::Status(got.status));
            }
        }
        Err(Trouble::TooMuch)
    }
}

/// Where the map of an archive is.
fn place(peer: &Peer) -> Option<Url> {
    let named = peer.archive.mementomap.as_deref();
    let named = named.and_then(|written| Url::parse(written).ok());
    if named.is_some() {
        return named;
    }
    let home = peer
        .archive
        .timemap
        .as_deref()
        .or(peer.archive.timegate.as_deref());
    let home = home.and_then(|written| Url::parse(written).ok());
    // Others may not say for an archive what it has.
    let hint = peer.map.hinted_at();
    let hint = hint.filter(|hint| {
        home.as_ref()
            .is_some_and(|home| home.origin() == hint.origin())
    });
    hint.or_else(|| home?.join(WELL_KNOWN).ok())
}

fn max_age(value: &str) -> Option<Duration> {
    let mut words = value.split(',').map(str::trim);
    let seconds = words.find_map(|word| word.strip_prefix("max-age="))?;
    seconds.parse().ok().map(Duration::from_secs)
}

fn next_page(value: &str, page: &Url) -> Option<Url> {
    let link = Links::of(value).find(|link| link.is("next"))?;
    let next = page.join(link.target).ok()?;
    (next.host_str() == page.host_str()).then_some(next)
}
