//! The visitor as a page saw it: what replay has to tell the page's scripts again.
//!
//! Everything is written down as scripts can read it, under the names by which they ask. Logs of
//! older versions have less; what they lack is empty here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::client::{Brand, Client, ColourScheme};

/// The visitor as a page saw it: what its scripts could read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClientAsSeen {
    /// `isSecureContext`: whether what only secure pages see could be seen.
    pub secure: bool,
    /// `navigator.userAgent`.
    pub user_agent: String,
    /// `navigator.userAgentData.brands`; only secure pages see it.
    pub brands: Vec<Brand>,
    /// All of `navigator.userAgentData`, with what `getHighEntropyValues` tells.
    pub hints: Option<Map<String, Value>>,
    /// `navigator.appVersion`.
    pub app_version: String,
    /// `navigator.productSub`.
    pub product_sub: String,
    /// `navigator.vendor`.
    pub vendor: String,
    /// `navigator.platform`.
    pub platform: String,
    /// `navigator.language`.
    pub language: String,
    /// `navigator.languages`.
    pub languages: Vec<String>,
    /// The default locale of `Intl`.
    pub locale: String,
    /// The time zone of `Intl`.
    pub time_zone: String,
    /// `innerWidth`.
    pub width: f64,
    /// `innerHeight`.
    pub height: f64,
    /// `screen.width`.
    pub screen_width: f64,
    /// `screen.height`.
    pub screen_height: f64,
    /// `devicePixelRatio`.
    pub pixel_ratio: f64,
    /// What else `screen` says.
    pub screen: Option<ScreenAsSeen>,
    /// Where the window is and how large with its borders.
    pub window: Option<WindowAsSeen>,
    /// `visualViewport`.
    pub visual_viewport: Option<VisualViewportAsSeen>,
    /// `navigator.maxTouchPoints`.
    pub touch_points: u32,
    /// `navigator.hardwareConcurrency`.
    pub processors: u32,
    /// `navigator.deviceMemory`, in GiB; only secure pages see it.
    pub memory: Option<f64>,
    /// `navigator.connection`.
    pub connection: Option<ConnectionAsSeen>,
    /// `navigator.cookieEnabled`.
    pub cookies: Option<bool>,
    /// `navigator.doNotTrack`.
    pub do_not_track: Option<String>,
    /// `navigator.webdriver`: whether pages are told that a program visits them.
    pub webdriver: Option<bool>,
    /// `navigator.pdfViewerEnabled`.
    pub pdf_viewer: Option<bool>,
    /// `navigator.plugins`.
    pub plugins: Option<Vec<PluginAsSeen>>,
    /// Whether `prefers-color-scheme: dark` holds.
    pub dark: bool,
    /// Media features whose values are words, each with those that hold.
    pub media: BTreeMap<String, Vec<String>>,
}

impl ClientAsSeen {
    /// What pages that nobody's browser has looked at would have seen of this client.
    pub fn claimed(client: &Client, user_agent: &str) -> ClientAsSeen {
        let hints = client.hints_for(user_agent);
        let languages = client.languages.split(',').map(str::trim);
        ClientAsSeen {
            user_agent: user_agent.to_owned(),
            brands: hints.as_ref().map_or_else(Vec::new, |it| it.brands.clone()),
            hints: hints.and_then(|hints| match serde_json::to_value(hints) {
                Ok(Value::Object(hints)) => Some(hints),
                _ => None,
            }),
            platform: client.platform().to_owned(),
            language: client.locale().to_owned(),
            languages: languages.map(str::to_owned).collect(),
            locale: client.locale().to_owned(),
            time_zone: client.time_zone.clone(),
            width: client.width.into(),
            height: client.height.into(),
            screen_width: client.width.into(),
            screen_height: client.height.into(),
            pixel_ratio: client.pixel_ratio,
            touch_points: client.touch_points(),
            processors: client.processors,
            dark: client.colour_scheme == ColourScheme::Dark,
            ..ClientAsSeen::default()
        }
    }
}

/// What `screen` says besides its size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScreenAsSeen {
    /// Width without bars of the system.
    pub avail_width: f64,
    /// Height without bars of the system.
    pub avail_height: f64,
    /// Where that begins.
    pub avail_left: f64,
    /// Where that begins.
    pub avail_top: f64,
    /// Bits of a colour.
    pub color_depth: u32,
    /// The same.
    pub pixel_depth: u32,
    /// Whether there are more screens; only secure pages see it.
    pub is_extended: Option<bool>,
    /// `screen.orientation`.
    pub orientation: Option<OrientationAsSeen>,
}

/// `screen.orientation`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OrientationAsSeen {
    /// Such as `portrait-primary`.
    #[serde(rename = "type")]
    pub kind: String,
    /// By how much the device is turned.
    pub angle: f64,
}

/// The window from outside.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WindowAsSeen {
    /// Width with borders.
    pub outer_width: f64,
    /// Height with borders.
    pub outer_height: f64,
    /// Its place on the screen.
    pub screen_x: f64,
    /// Its place on the screen.
    pub screen_y: f64,
}

/// The part of the page that is seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct VisualViewportAsSeen {
    /// In CSS pixels, without scroll bars.
    pub width: f64,
    /// In CSS pixels, without scroll bars.
    pub height: f64,
    /// How far the visitor has zoomed in.
    pub scale: f64,
}

/// `navigator.connection`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConnectionAsSeen {
    /// Such as `4g`.
    pub effective_type: Option<String>,
    /// Milliseconds to a server and back.
    pub rtt: Option<f64>,
    /// Megabits per second.
    pub downlink: Option<f64>,
    /// Whether the visitor wants less to be sent.
    pub save_data: Option<bool>,
    /// Such as `wifi`; only telephones tell.
    #[serde(rename = "type")]
    pub kind: Option<String>,
}

/// One of `navigator.plugins`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PluginAsSeen {
    /// Its name.
    pub name: String,
    /// Its file.
    pub filename: String,
    /// What it is.
    pub description: String,
    /// The media types that it shows, with their file name extensions.
    pub types: Vec<MediaTypeAsSeen>,
}

/// A media type that a plugin shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaTypeAsSeen {
    /// Such as `application/pdf`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Such as `pdf`.
    pub suffixes: String,
    /// What it is.
    pub description: String,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn logs_of_older_versions_are_read() {
        let old = r#"{"userAgent": "A/1", "brands": [], "width": 1280.0, "dark": true}"#;
        let seen: ClientAsSeen = serde_json::from_str(old).unwrap();
        assert_eq!((seen.user_agent.as_str(), seen.dark), ("A/1", true));
        assert_eq!((seen.screen, seen.memory, seen.hints), (None, None, None));
    }

    #[test]
    fn a_client_is_known_before_any_page_has_seen_it() {
        let client = Client {
            languages: "fr-FR, fr".to_owned(),
            touch: true,
            ..Client::default()
        };
        let seen = ClientAsSeen::claimed(&client, "Mozilla/5.0 Chrome/148.0.0.0 Safari/537.36");
        assert_eq!((seen.width, seen.touch_points), (1280.0, 5));
        assert_eq!(seen.languages, ["fr-FR", "fr"]);
        assert_eq!(seen.brands[0].version, "148");
        assert_eq!(seen.hints.unwrap()["platform"], "Linux");
        let seen = ClientAsSeen::claimed(&client, "curl/8");
        assert_eq!((seen.hints, seen.brands.len()), (None, 0));
    }

    #[test]
    fn names_are_those_of_the_web() {
        let seen = ClientAsSeen {
            screen: Some(ScreenAsSeen {
                orientation: Some(OrientationAsSeen {
                    kind: "portrait-primary".to_owned(),
                    angle: 90.0,
                }),
                ..ScreenAsSeen::default()
            }),
            connection: Some(ConnectionAsSeen {
                effective_type: Some("4g".to_owned()),
                ..ConnectionAsSeen::default()
            }),
            ..ClientAsSeen::default()
        };
        let written = serde_json::to_value(&seen).unwrap();
        assert_eq!(written["screen"]["orientation"]["type"], "portrait-primary");
        assert_eq!(written["connection"]["effectiveType"], "4g");
        let read: ClientAsSeen = serde_json::from_value(written).unwrap();
        assert_eq!(read, seen);
    }
}
