//! What was seen of a page when it was captured.
//!
//! Crawls in the browser keep a log of each visit (`urn:varve:visit:URL`) and a picture
//! (`urn:view:URL`). Pages that were fetched otherwise, or by other tools, have neither. What got no
//! answer stands in the log of the crawl, in whatever way pages were fetched. All of it may come
//! from anywhere: it is read within limits and believed in nothing else.

use crate::pages::ListedPage;
use serde::Deserialize;
use std::collections::HashSet;
use std::io::Read;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use varve_browser::{Area, Client, ClientAsSeen, ColourScheme};
use varve_store::collection::Collection;
use varve_store::fs::Fs;
use varve_store::index::{CdxjFile, MergedIndex, Query, Sort};

/// Longer logs and pictures are not read.
const MAX_LOG: u64 = 32 << 20;
const MAX_PICTURE: u64 = 64 << 20;
/// URLs without answers that are remembered of each layer.
const MAX_UNANSWERED: usize = 1_000_000;
/// What was seen longer before or after a page's time is of another visit.
const SAME_VISIT: u64 = 10 * 60 * 1000;
/// Windows are not larger than this, whatever a log says.
const MAX_SIZE: f64 = 8192.0;

/// What was seen of a page at capture.
pub(crate) struct Before {
    /// The log of its visit, if a browser made it.
    pub(crate) log: Option<VisitLog>,
    /// Its picture as PNG.
    pub(crate) picture: Option<Vec<u8>>,
    /// Who visited it.
    pub(crate) client: Client,
    /// What got no answer in the crawl that it is of.
    pub(crate) unanswered: Arc<HashSet<String>>,
}

/// The parts of a visit log that are compared. Older ones have less.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct VisitLog {
    pub(crate) final_url: String,
    pub(crate) status: Option<u16>,
    pub(crate) outcome: String,
    pub(crate) text: Option<String>,
    pub(crate) requests: Vec<Requested>,
    pub(crate) console_errors: Vec<Complaint>,
    pub(crate) moving: Vec<Area>,
    pub(crate) quiet_after: Option<Duration>,
    pub(crate) notes: Vec<String>,
    client: ClientAsSeen,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Requested {
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
    pub(crate) error: Option<String>,
    pub(crate) redirects: Vec<Redirected>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Redirected {
    pub(crate) url: String,
    pub(crate) status: u16,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Complaint {
    pub(crate) text: String,
}

/// What a line of a crawl's log says: failed requests have a message.
#[derive(Deserialize)]
struct LogLine {
    url: String,
    message: Option<String>,
}

/// What a layer says about who asked.
#[derive(Default, Deserialize)]
#[serde(default)]
struct LayerClient {
    client: ClientAsSeen,
}

impl VisitLog {
    /// Whether the page was at rest when it was read, so that what it showed is what it shows.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.outcome == "ok"
    }

    /// Whether something was left out for which the log has this word.
    pub(crate) fn lacks(&self, word: &str) -> bool {
        self.notes.iter().any(|note| note.contains(word))
    }
}

/// A collection and its index, for looking up what was seen.
pub(crate) struct Captures {
    fs: Fs,
    collection: Collection,
    layers: Vec<Layer>,
}

struct Layer {
    index: MergedIndex,
    unanswered: OnceLock<Arc<HashSet<String>>>,
}

impl Captures {
    pub(crate) fn new(fs: Fs, collection: Collection) -> varve_store::Result<Captures> {
        let index = collection.index()?;
        let layers = index.layers().iter().map(|(tag, layer)| Layer {
            index: MergedIndex::new(vec![(*tag, layer.clone())]),
            unanswered: OnceLock::new(),
        });
        Ok(Captures {
            layers: layers.collect(),
            fs,
            collection,
        })
    }

    /// What was seen of a page.
    pub(crate) fn of(&self, page: &ListedPage) -> Before {
        let log = self.read(page, &format!("urn:varve:visit:{}", page.url), MAX_LOG);
        let log: Option<VisitLog> = log.and_then(|log| serde_json::from_slice(&log).ok());
        let picture = self.read(page, &format!("urn:view:{}", page.url), MAX_PICTURE);
        let seen = match &log {
            Some(log) => log.client.clone(),
            None => self.client_of_layer(page),
        };
        Before {
            // A picture alone may be anybody's: of another window, at another moment.
            picture: picture.filter(|_| log.is_some()),
            client: client(&seen),
            unanswered: self.unanswered(page.layer),
            log,
        }
    }

    /// What got no answer in the crawl of a layer.
    fn unanswered(&self, layer: usize) -> Arc<HashSet<String>> {
        let Some(known) = self.layers.get(layer) else {
            return Arc::default();
        };
        let read = || Arc::new(self.read_unanswered(layer).unwrap_or_default());
        known.unanswered.get_or_init(read).clone()
    }

    /// The same from its log; nothing if there is none.
    fn read_unanswered(&self, layer: usize) -> varve_store::Result<HashSet<String>> {
        let path = self.collection.layer_dir(layer).join("logs/crawl.jsonl");
        let mut lines = CdxjFile::open(&self.fs, &path)?.start();
        let mut unanswered = HashSet::new();
        while let Some(line) = lines.next_line()? {
            let line = serde_json::from_slice::<LogLine>(line).ok();
            let failed = line.filter(|line| line.message.is_some());
            unanswered.extend(failed.map(|line| line.url));
            if unanswered.len() >= MAX_UNANSWERED {
                break;
            }
        }
        Ok(unanswered)
    }

    fn client_of_layer(&self, page: &ListedPage) -> ClientAsSeen {
        let claimed = self.first(page, "urn:varve:client", None, MAX_LOG);
        let claimed = claimed.and_then(|it| serde_json::from_slice::<LayerClient>(&it).ok());
        claimed.unwrap_or_default().client
    }

    /// What the page's layer has under this name from the time of the page.
    fn read(&self, page: &ListedPage, name: &str, limit: u64) -> Option<Vec<u8>> {
        self.first(page, name, Some(SAME_VISIT), limit)
    }

    /// The nearest record of the page's layer with this name, not farther from the page than this.
    fn first(
        &self,
        page: &ListedPage,
        name: &str,
        farthest: Option<u64>,
        limit: u64,
    ) -> Option<Vec<u8>> {
        let query = Query {
            url: name.to_owned(),
            sort: Sort::Closest(page.time),
            ..Query::default()
        };
        let hits = self.layers.get(page.layer)?.index.query(&query).ok()?;
        let time = page.time.unix_millis();
        let near = |far: u64| farthest.is_none_or(|farthest| far <= farthest);
        let hit = hits
            .filter_map(Result::ok)
            // Several names may sort alike.
            .find(|hit| hit.capture.url == name)
            .filter(|hit| near(hit.capture.timestamp.unix_millis().abs_diff(time)))?;
        let mut bytes = Vec::new();
        let record = self.collection.read(&hit).ok()?;
        record.take(limit + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= limit).then_some(bytes)
    }
}

/// The client that visited, as far as it is known.
fn client(seen: &ClientAsSeen) -> Client {
    let usual = Client::default();
    let size = |screen: f64, window: f64, usual: u32| match [screen, window].map(|it| it >= 1.0) {
        [true, _] => screen.min(MAX_SIZE) as u32,
        [false, true] => window.min(MAX_SIZE) as u32,
        _ => usual,
    };
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|it| (b' '..0x7f).contains(&it));
    let agent = Some(seen.user_agent.clone()).filter(|agent| plain(agent));
    let languages = seen.languages.join(",");
    let known = |value: u32, usual: u32| if value == 0 { usual } else { value };
    Client {
        // On telephones the window may be larger than the screen, to hold a page made for others.
        width: size(seen.screen_width, seen.width, usual.width),
        height: size(seen.screen_height, seen.height, usual.height),
        pixel_ratio: match (0.25..=8.0).contains(&seen.pixel_ratio) {
            true => seen.pixel_ratio,
            false => usual.pixel_ratio,
        },
        mobile: seen.user_agent.contains(" Mobile"),
        touch: seen.touch_points > 0,
        user_agent: agent,
        hints: None,
        languages: match plain(&languages) {
            true => languages,
            false => usual.languages,
        },
        time_zone: match plain(&seen.time_zone) {
            true => seen.time_zone.clone(),
            false => usual.time_zone,
        },
        colour_scheme: match seen.dark {
            true => ColourScheme::Dark,
            false => ColourScheme::Light,
        },
        processors: known(seen.processors.min(64), usual.processors),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_visited_again_by_whom_it_was_captured() {
        let seen = ClientAsSeen {
            user_agent: "Mozilla/5.0 (Linux; Android 14) Chrome/140.0.0.0 Mobile".to_owned(),
            languages: vec!["fr-FR".to_owned(), "fr".to_owned()],
            time_zone: "Asia/Tokyo".to_owned(),
            width: 980.0,
            height: 2000.0,
            screen_width: 390.0,
            screen_height: 844.0,
            pixel_ratio: 3.0,
            touch_points: 5,
            processors: 8,
            dark: true,
            ..ClientAsSeen::default()
        };
        let client = client(&seen);
        assert_eq!(
            (client.width, client.height, client.pixel_ratio),
            (390, 844, 3.0)
        );
        assert!(client.mobile && client.touch);
        assert_eq!(
            (client.languages.as_str(), client.processors),
            ("fr-FR,fr", 8)
        );
        assert_eq!(client.colour_scheme, ColourScheme::Dark);
    }

    #[test]
    fn nothing_that_a_log_claims_goes_too_far() {
        let seen = ClientAsSeen {
            user_agent: "a\r\nX: y".to_owned(),
            width: f64::INFINITY,
            height: f64::NAN,
            pixel_ratio: 1e9,
            processors: u32::MAX,
            ..ClientAsSeen::default()
        };
        let client = client(&seen);
        assert_eq!((client.width, client.height), (8192, 800));
        assert_eq!((client.pixel_ratio, client.processors), (1.0, 64));
        assert_eq!(client.user_agent, None);
    }

    #[test]
    fn old_logs_are_read() {
        let log: VisitLog = serde_json::from_str(r#"{"outcome": "ok", "client": {}}"#).unwrap();
        assert!(log.is_at_rest() && log.text.is_none() && log.moving.is_empty());
    }
}
