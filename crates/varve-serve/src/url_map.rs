//! From archived URLs to replay URLs, as the rewriters ask for it.

use url::Url;

/// What a URL is used for where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Use {
    /// A link, a form, a redirect: somewhere to go.
    Navigate,
    /// A page inside the page.
    Frame,
    /// `<object>` and `<embed>`, which may show anything.
    Object,
    /// A classic script.
    Script,
    /// A module, be it script or not.
    Module,
    /// The script of a worker.
    Worker,
    /// A style sheet.
    Style,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Video, audio or their tracks.
    Media,
    /// A web app manifest.
    Manifest,
    /// Something that scripts fetch.
    Fetch,
    /// What other URLs are relative to.
    Base,
    /// Anything else, or not known.
    Other,
}

/// Where an archived URL is found in replay.
pub trait UrlMap {
    /// The URL to be written in place of `written`, which means `resolved` (fragment included).
    /// `None` leaves it as it is written. A map knows its own answers again and leaves them.
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String>;

    /// Whether a URL that is written like this can need a change at all.
    fn concerns(&self, _written: &str) -> bool {
        true
    }
}
