//! A visitor as pages saw it, out of the log of a visit, and as the shim is told.
//!
//! Logs may come from anywhere: only known names are told on, within limits.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use varve_page::{ColourScheme, Pointer, Viewport};

/// Windows are not larger than this, whatever a log says.
const MAX_SIZE: f64 = 16384.0;
/// Longer values are not told (bytes of JSON).
const MAX_TOLD: usize = 8 << 10;

/// The visitor as pages saw it, with the names that the shim understands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RecordedClient {
    /// The window, for rewriters and for the frame around the page.
    pub(crate) viewport: Option<Viewport>,
    /// Tells it from other clients.
    pub(crate) fingerprint: u64,
    /// All of it, for the shim.
    pub(crate) told: Map<String, Value>,
    /// The names of the scripts of its page, in the order in which they came.
    pub(crate) scripts: Vec<u64>,
}

impl RecordedClient {
    /// The same client with a window as large as that of another.
    pub(super) fn in_window_of(mut self, other: &RecordedClient) -> RecordedClient {
        if let (Some(own), Some(other)) = (&mut self.viewport, &other.viewport) {
            (own.width, own.height) = (other.width, other.height);
            if let Some(window) = self.told.get_mut("window") {
                window["innerWidth"] = own.width.into();
                window["innerHeight"] = own.height.into();
            }
            self.told.remove("visualViewport");
            self.fingerprint = fingerprint(&self.told);
        }
        self
    }
}

fn fingerprint(told: &Map<String, Value>) -> u64 {
    let mut hasher = DefaultHasher::new();
    Value::Object(told.clone()).to_string().hash(&mut hasher);
    hasher.finish()
}

/// What a log says; older ones say less.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Seen {
    secure: bool,
    user_agent: String,
    brands: Value,
    hints: Value,
    app_version: String,
    product_sub: String,
    vendor: String,
    platform: String,
    language: String,
    languages: Vec<String>,
    locale: String,
    time_zone: String,
    width: f64,
    height: f64,
    screen_width: f64,
    screen_height: f64,
    pixel_ratio: f64,
    screen: Value,
    window: Value,
    visual_viewport: Value,
    touch_points: u32,
    processors: u32,
    memory: Value,
    connection: Value,
    cookies: Value,
    do_not_track: Value,
    webdriver: Value,
    pdf_viewer: Value,
    plugins: Value,
    dark: bool,
    media: BTreeMap<String, Vec<String>>,
}

const OF_SCREEN: &[&str] = &[
    "availWidth",
    "availHeight",
    "availLeft",
    "availTop",
    "colorDepth",
    "pixelDepth",
    "isExtended",
    "orientation",
];
const OF_WINDOW: &[&str] = &["outerWidth", "outerHeight", "screenX", "screenY"];
const OF_CONNECTION: &[&str] = &["effectiveType", "rtt", "downlink", "saveData", "type"];
const OF_VISUAL_VIEWPORT: &[&str] = &["width", "height", "scale"];

impl Seen {
    /// What replay makes of it; nothing if nobody was seen.
    pub(super) fn recorded(mut self) -> Option<RecordedClient> {
        if self.user_agent.is_empty() && self.width < 1.0 {
            return None;
        }
        if self.media.is_empty() {
            self.assume_media();
        }
        let viewport = self.viewport();
        let mut told = Map::new();
        self.tell_words(&mut told);
        self.tell_sizes(&mut told, viewport.as_ref());
        self.tell_device(&mut told);
        Some(RecordedClient {
            viewport,
            fingerprint: fingerprint(&told),
            told,
            scripts: Vec::new(),
        })
    }

    /// What follows for those who did not write it down: Chromium without a screen has no mouse.
    fn assume_media(&mut self) {
        let pointer = match self.touch_points > 0 {
            true => "coarse",
            false => "none",
        };
        for feature in ["pointer", "any-pointer"] {
            self.media
                .insert(feature.to_owned(), vec![pointer.to_owned()]);
        }
        for feature in ["hover", "any-hover"] {
            self.media
                .insert(feature.to_owned(), vec!["none".to_owned()]);
        }
    }

    fn tell_words(&self, told: &mut Map<String, Value>) {
        let words = [
            ("userAgent", &self.user_agent),
            ("appVersion", &self.app_version),
            ("productSub", &self.product_sub),
            ("platform", &self.platform),
            ("language", &self.language),
            ("locale", &self.locale),
            ("timeZone", &self.time_zone),
        ];
        for (name, word) in words {
            if !word.is_empty() {
                tell(told, name, word.as_str().into());
            }
        }
        // Some browsers say no vendor; old logs know none.
        if self.is_complete() || !self.vendor.is_empty() {
            tell(told, "vendor", self.vendor.as_str().into());
        }
        if !self.languages.is_empty() {
            tell(told, "languages", self.languages.as_slice().into());
        }
        if self.hints.is_object() {
            tell(told, "hints", self.hints.clone());
        } else if self.brands.as_array().is_some_and(|it| !it.is_empty()) {
            tell(told, "hints", json!({"brands": self.brands}));
        } else if self.is_complete() && self.secure {
            // A browser that has none.
            tell(told, "hints", Value::Null);
        }
    }

    fn tell_sizes(&self, told: &mut Map<String, Value>, viewport: Option<&Viewport>) {
        let mut screen = picked(&self.screen, OF_SCREEN);
        if self.screen_width >= 1.0 && self.screen_height >= 1.0 {
            screen.insert("width".to_owned(), self.screen_width.into());
            screen.insert("height".to_owned(), self.screen_height.into());
            tell(told, "screen", screen.into());
        }
        if let Some(Viewport { width, height, .. }) = viewport {
            let mut window = picked(&self.window, OF_WINDOW);
            window.insert("innerWidth".to_owned(), (*width).into());
            window.insert("innerHeight".to_owned(), (*height).into());
            tell(told, "window", window.into());
        }
        let visual = picked(&self.visual_viewport, OF_VISUAL_VIEWPORT);
        if !visual.is_empty() {
            tell(told, "visualViewport", visual.into());
        }
        if self.pixel_ratio > 0.0 {
            tell(told, "dpr", self.pixel_ratio.into());
        }
    }

    fn tell_device(&self, told: &mut Map<String, Value>) {
        tell(told, "touchPoints", self.touch_points.into());
        if self.processors > 0 {
            tell(told, "cores", self.processors.into());
        }
        let scheme = if self.dark { "dark" } else { "light" };
        tell(told, "colorScheme", scheme.into());
        tell(told, "media", json!(self.media));
        let answers = [
            ("memory", &self.memory),
            ("cookies", &self.cookies),
            ("webdriver", &self.webdriver),
            ("pdfViewer", &self.pdf_viewer),
            ("plugins", &self.plugins),
        ];
        for (name, answer) in answers {
            if !answer.is_null() {
                tell(told, name, answer.clone());
            }
        }
        let connection = picked(&self.connection, OF_CONNECTION);
        if !connection.is_empty() {
            tell(told, "connection", connection.into());
        }
        if self.is_complete() {
            tell(told, "doNotTrack", self.do_not_track.clone());
        }
    }

    /// Whether the log is of those that say everything: what it lacks, the visitor lacked.
    fn is_complete(&self) -> bool {
        !self.app_version.is_empty()
    }

    fn viewport(&self) -> Option<Viewport> {
        let size = |length: f64| length.clamp(1.0, MAX_SIZE) as u32;
        let known = self.width >= 1.0 && self.height >= 1.0;
        known.then(|| Viewport {
            width: size(self.width),
            height: size(self.height),
            screen: (size(self.screen_width), size(self.screen_height)),
            pixel_ratio: match self.pixel_ratio > 0.0 {
                true => self.pixel_ratio,
                false => 1.0,
            },
            pointer: self.pointer(),
            colour_scheme: match self.dark {
                true => ColourScheme::Dark,
                false => ColourScheme::Light,
            },
        })
    }

    fn pointer(&self) -> Pointer {
        let words = self.media.get("pointer");
        match words.and_then(|words| words.first()).map(String::as_str) {
            Some("fine") => Pointer::Fine,
            Some("coarse") => Pointer::Coarse,
            _ => Pointer::None,
        }
    }
}

fn tell(told: &mut Map<String, Value>, name: &str, value: Value) {
    if value.to_string().len() <= MAX_TOLD {
        told.insert(name.to_owned(), value);
    }
}

/// The named members, if they say anything.
fn picked(members: &Value, names: &[&str]) -> Map<String, Value> {
    let known = names.iter().filter_map(|name| {
        let value = members.get(*name).filter(|value| !value.is_null())?;
        Some(((*name).to_owned(), value.clone()))
    });
    known.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn recorded(log: Value) -> Option<RecordedClient> {
        let seen: Seen = serde_json::from_value(log).unwrap();
        seen.recorded()
    }

    #[test]
    fn an_old_log_tells_the_client() {
        let client = recorded(json!({"userAgent": "Mozilla/5.0", "brands": [],
            "languages": ["en-US"], "width": 1280.0, "height": 800.0, "screenWidth": 1280.0,
            "screenHeight": 800.0, "pixelRatio": 2.0, "processors": 4, "dark": true}));
        let RecordedClient { viewport, told, .. } = client.unwrap();
        let viewport = viewport.unwrap();
        assert_eq!((viewport.width, viewport.height), (1280, 800));
        assert_eq!(
            (viewport.pixel_ratio, viewport.pointer),
            (2.0, Pointer::None)
        );
        assert_eq!(told["window"]["innerHeight"], 800);
        assert_eq!(told["colorScheme"], "dark");
        assert_eq!(told["media"]["any-pointer"], json!(["none"]));
        for unknown in ["platform", "vendor", "hints", "doNotTrack", "connection"] {
            assert!(!told.contains_key(unknown), "{unknown}");
        }
    }

    #[test]
    fn a_log_tells_all_that_was_seen_and_nothing_else() {
        let client = recorded(json!({"userAgent": "A", "appVersion": "B", "secure": true,
            "hints": null, "vendor": "", "doNotTrack": null, "memory": 8.0,
            "width": 390.0, "height": 844.0, "screenWidth": 390.0, "screenHeight": 844.0,
            "screen": {"availWidth": 390.0, "orientation": {"type": "x"}, "evil": 1},
            "connection": {"effectiveType": "4g", "rtt": null},
            "media": {"pointer": ["fine"], "hover": ["hover"]}}));
        let RecordedClient { viewport, told, .. } = client.unwrap();
        assert_eq!(viewport.unwrap().pointer, Pointer::Fine);
        assert_eq!(
            told["screen"],
            json!({"availWidth": 390.0, "orientation": {"type": "x"}, "width": 390.0,
                "height": 844.0})
        );
        assert_eq!(told["connection"], json!({"effectiveType": "4g"}));
        assert_eq!(told["vendor"], "");
        for absent in ["hints", "doNotTrack"] {
            assert_eq!(told[absent], Value::Null, "{absent}");
        }
    }

    #[test]
    fn a_window_is_of_one_page_only() {
        let seen = |width: f64| {
            recorded(json!({"userAgent": "A", "width": width, "height": 800.0,
                "visualViewport": {"width": width}, "media": {"pointer": ["fine"]}}))
            .unwrap()
        };
        let client = seen(980.0).in_window_of(&seen(390.0));
        let viewport = client.viewport.unwrap();
        assert_eq!((viewport.width, viewport.pointer), (390, Pointer::Fine));
        assert_eq!(client.told["window"]["innerWidth"], 390);
        assert!(!client.told.contains_key("visualViewport"));
        assert_ne!(client.fingerprint, seen(980.0).fingerprint);
    }

    #[test]
    fn what_says_too_much_is_not_told() {
        let long = "x".repeat(MAX_TOLD);
        let client = recorded(json!({"userAgent": long, "platform": "P", "width": 1e300,
            "height": 5.0}));
        let RecordedClient { viewport, told, .. } = client.unwrap();
        assert!(!told.contains_key("userAgent") && told["platform"] == "P");
        assert_eq!(viewport.unwrap().width, 16384);
        assert_eq!(recorded(json!({"dark": true})), None);
    }
}
