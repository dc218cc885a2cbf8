//! A document: a borrowed view of a body, with what is known about it before looking inside.

use url::Url;

use crate::ImportMap;

/// A body to be understood.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Where the body came from: the final URL, after redirects.
    pub url: &'a Url,
    /// The value of the `Content-Type` header, if there was one.
    pub content_type: Option<&'a str>,
    /// What the body was asked for.
    pub destination: Destination,
    /// The page that asked for it, for what only the page can tell.
    pub within: Option<Within<'a>>,
    /// The bytes, without transfer and content codings.
    pub bytes: &'a [u8],
}

impl<'a> Document<'a> {
    /// A document about which nothing else is known.
    pub fn new(url: &'a Url, bytes: &'a [u8]) -> Document<'a> {
        Document {
            url,
            content_type: None,
            destination: Destination::Document,
            within: None,
            bytes,
        }
    }
}

/// The page on whose behalf a script or module was fetched.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// The page's base URL: workers started by its scripts are resolved against it.
    pub base: &'a Url,
    /// The page's import map.
    pub import_map: &'a ImportMap,
}

/// What a request is for, after the Fetch standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Destination {
    /// A page, or a page in a frame.
    Document,
    /// A style sheet.
    Style,
    /// A classic script, also of a worker.
    Script,
    /// A module script.
    Module,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Video, audio or their tracks.
    Media,
    /// A web app manifest.
    Manifest,
    /// JSON.
    Json,
    /// Something for later (`prefetch`), which is not looked into.
    Later,
    /// Anything else, or not known.
    Other,
}

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// HTML.
    Html,
    /// HTML written as XML.
    Xhtml,
    /// A style sheet.
    Css,
    /// JavaScript, classic or module.
    Script,
    /// JSON, JSON-LD included.
    Json,
    /// A web app manifest.
    Manifest,
    /// An SVG image.
    Svg,
    /// An RSS or Atom feed.
    Feed,
    /// A sitemap or an index of sitemaps, in XML or as plain lines.
    Sitemap,
    /// Some other XML.
    Xml,
    /// Plain text.
    Text,
    /// An image that is not text.
    Image,
    /// A font.
    Font,
    /// Video or audio.
    Media,
    /// A PDF document.
    Pdf,
    /// Something else.
    Other,
}

impl Kind {
    /// Whether the body is text that is decoded and looked into.
    pub fn is_text(self) -> bool {
        !matches!(
            self,
            Kind::Image | Kind::Font | Kind::Media | Kind::Pdf | Kind::Other
        )
    }
}
