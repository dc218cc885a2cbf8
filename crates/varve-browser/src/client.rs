//! What pages see of their visitor.
//!
//! Pages ask for the size of the window, the pixel ratio, the languages, the time zone, and load
//! other things accordingly. So these are given, not found, and written down as the page saw them.

use serde::{Deserialize, Serialize};

/// The visitor that pages should see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Client {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Device pixels per CSS pixel.
    pub pixel_ratio: f64,
    /// Whether pages are laid out as on a telephone.
    pub mobile: bool,
    /// Whether there is a touch screen.
    pub touch: bool,
    /// The user agent; `None` is Chromium's own, without a word about being headless.
    pub user_agent: Option<String>,
    /// What user agent client hints say; `None` follows from the rest.
    pub hints: Option<Hints>,
    /// Languages, most wanted first, separated by commas.
    pub languages: String,
    /// An IANA time zone.
    pub time_zone: String,
    /// What `prefers-color-scheme` says.
    pub colour_scheme: ColourScheme,
    /// How many processors `navigator.hardwareConcurrency` claims.
    pub processors: u32,
}

/// What `prefers-color-scheme` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourScheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// User agent client hints (`Sec-CH-UA-*` and `navigator.userAgentData`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hints {
    /// Brands with their major versions.
    pub brands: Vec<Brand>,
    /// Brands with their full versions.
    pub full_version_list: Vec<Brand>,
    /// Such as `Linux`.
    pub platform: String,
    /// Such as `6.1.0`.
    pub platform_version: String,
    /// Such as `x86`.
    pub architecture: String,
    /// Such as `64`.
    pub bitness: String,
    /// The device's name, for telephones.
    pub model: String,
    /// Whether it is a telephone.
    pub mobile: bool,
}

/// A name and a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Brand {
    /// The name.
    pub brand: String,
    /// The version.
    pub version: String,
}

impl Default for Client {
    fn default() -> Client {
        Client {
            width: 1280,
            height: 800,
            pixel_ratio: 1.0,
            mobile: false,
            touch: false,
            user_agent: None,
            hints: None,
            languages: "en-US,en".to_owned(),
            time_zone: "UTC".to_owned(),
            colour_scheme: ColourScheme::Light,
            processors: 4,
        }
    }
}
