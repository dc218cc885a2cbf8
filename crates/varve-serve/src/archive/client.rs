//! Who visited pages when they were captured: what replay tells their scripts again.
//!
//! The recorder writes a log of each visit in the browser (`urn:varve:visit:URL`) with the visitor
//! as the page saw it. A page that has none is shown what others of its layer were shown.

use super::opened::Opened;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};
use varve_page::{ColourScheme, Pointer, Viewport};
use varve_store::collection::Collection;
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, Query, Sort};

/// What the names of visit logs begin with.
const VISIT: &str = "urn:varve:visit:";
/// Longer visit logs are not read.
const MAX_LOG: u64 = 32 << 20;
/// Pages whose clients are remembered.
const REMEMBERED: usize = 4096;
/// Windows are not larger than this, whatever a log says.
const MAX_SIZE: f64 = 16384.0;

/// The visitor as pages saw it, with the names that the shim understands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecordedClient {
    /// The window, for rewriters and for the frame around the page.
    pub(crate) viewport: Option<Viewport>,
    /// Tells it from other clients.
    pub(crate) fingerprint: u64,
    /// All of it, for the shim.
    pub(crate) told: Map<String, Value>,
}

/// The part of a visit log that is wanted.
#[derive(Deserialize)]
struct VisitLog {
    client: Seen,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Seen {
    user_agent: String,
    brands: Value,
    platform: String,
    languages: Vec<String>,
    time_zone: String,
    width: f64,
    height: f64,
    screen_width: f64,
    screen_height: f64,
    pixel_ratio: f64,
    touch_points: u32,
    processors: u32,
    dark: bool,
}

/// The clients of pages and layers, each read once.
#[derive(Default)]
pub(super) struct Clients(Mutex<Known>);

type Known = HashMap<(usize, Option<String>), Option<Arc<RecordedClient>>>;

impl Clients {
    /// The client of a page; if its visit was not logged, that of its layer.
    pub(super) fn of_page(&self, opened: &Opened, page: &Hit) -> Option<Arc<RecordedClient>> {
        let url = page.capture.url.clone();
        let own = Query {
            url: format!("{VISIT}{url}"),
            sort: Sort::Closest(page.capture.timestamp),
            limit: Some(1),
            ..Query::default()
        };
        self.known((page.layer, Some(url)), opened, &own)
            .or_else(|| self.of_layer(opened, page.layer))
    }

    /// The client of some page of a layer.
    pub(super) fn of_layer(&self, opened: &Opened, layer: usize) -> Option<Arc<RecordedClient>> {
        let any = Query {
            keys: Some(varve_model::KeyRange {
                start: VISIT.to_owned(),
                end: Some(format!("{VISIT}\u{7f}")),
            }),
            limit: Some(1),
            ..Query::default()
        };
        self.known((layer, None), opened, &any)
    }

    fn known(
        &self,
        key: (usize, Option<String>),
        opened: &Opened,
        query: &Query,
    ) -> Option<Arc<RecordedClient>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let client = read(opened, key.0, query).map(Arc::new);
        let mut known = lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(key, client.clone());
        client
    }
}

/// The client in the first log that a query finds.
fn read(opened: &Opened, layer: usize, query: &Query) -> Option<RecordedClient> {
    let logs = Opened::hits(opened.layer(layer)?, query).ok()?;
    client_in(opened.collection(), logs.first()?)
}

fn client_in(collection: &Collection, log: &Hit) -> Option<RecordedClient> {
    let record = collection.read(log).ok()?;
    let mut bytes = Vec::new();
    let body = record.decoded(DecodeLimits::default());
    body.take(MAX_LOG).read_to_end(&mut bytes).ok()?;
    let log: VisitLog = serde_json::from_slice(&bytes).ok()?;
    Some(recorded(log.client))
}

fn recorded(seen: Seen) -> RecordedClient {
    let mut told = Map::new();
    let mut tell = |name: &str, value: Value| {
        let says = match &value {
            Value::String(text) => !text.is_empty(),
            Value::Array(list) => !list.is_empty(),
            Value::Null => false,
            _ => true,
        };
        if says {
            told.insert(name.to_owned(), value);
        }
    };
    tell("userAgent", seen.user_agent.as_str().into());
    tell("platform", seen.platform.as_str().into());
    tell("languages", seen.languages.as_slice().into());
    tell("timeZone", seen.time_zone.as_str().into());
    tell("touchPoints", seen.touch_points.into());
    tell("cores", seen.processors.into());
    let scheme = if seen.dark { "dark" } else { "light" };
    tell("colorScheme", scheme.into());
    if seen.brands.is_array() {
        tell("hints", json!({"brands": seen.brands}));
    }
    if seen.screen_width >= 1.0 && seen.screen_height >= 1.0 {
        let screen = json!({"width": seen.screen_width, "height": seen.screen_height});
        tell("screen", screen);
    }
    if seen.pixel_ratio > 0.0 {
        tell("dpr", seen.pixel_ratio.into());
    }
    let viewport = viewport(&seen);
    if let Some(Viewport { width, height, .. }) = &viewport {
        let window = json!({"innerWidth": width, "innerHeight": height});
        tell("window", window);
    }
    let mut hasher = DefaultHasher::new();
    Value::Object(told.clone()).to_string().hash(&mut hasher);
    RecordedClient {
        viewport,
        fingerprint: hasher.finish(),
        told,
    }
}

fn viewport(seen: &Seen) -> Option<Viewport> {
    let size = |length: f64| length.clamp(1.0, MAX_SIZE) as u32;
    let known = seen.width >= 1.0 && seen.height >= 1.0;
    known.then(|| Viewport {
        width: size(seen.width),
        height: size(seen.height),
        screen: (size(seen.screen_width), size(seen.screen_height)),
        pixel_ratio: match seen.pixel_ratio > 0.0 {
            true => seen.pixel_ratio,
            false => 1.0,
        },
        pointer: match seen.touch_points > 0 {
            true => Pointer::Coarse,
            false => Pointer::None,
        },
        colour_scheme: match seen.dark {
            true => ColourScheme::Dark,
            false => ColourScheme::Light,
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_visit_log_tells_the_client() {
        let log = r#"{"requested": "x", "client": {"userAgent": "Mozilla/5.0", "brands": [],
            "languages": ["en-US"], "width": 1280.0, "height": 800.0, "screenWidth": 1280.0,
            "screenHeight": 800.0, "pixelRatio": 2.0, "processors": 4, "dark": true}}"#;
        let log: VisitLog = serde_json::from_str(log).unwrap();
        let client = recorded(log.client);
        let viewport = client.viewport.unwrap();
        assert_eq!((viewport.width, viewport.height), (1280, 800));
        assert_eq!(viewport.pixel_ratio, 2.0);
        assert_eq!(client.told["window"]["innerHeight"], 800);
        assert_eq!(client.told["colorScheme"], "dark");
        assert!(!client.told.contains_key("platform"));
    }
}
