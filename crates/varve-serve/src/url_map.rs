//! From archived URLs to replay URLs, as the rewriters ask for it.

use url::Url;

/// What a URL in a document is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// Somewhere to go: a link, a form's target, a redirect.
    Link,
    /// A document in a frame.
    Frame,
    /// A classic script.
    Script,
    /// A module script.
    Module,
    /// A style sheet.
    Style,
    /// An image.
    Image,
    /// An object or embed.
    Object,
    /// The script of a worker.
    Worker,
    /// Anything else.
    Other,
}

/// Decides what stands in a rewritten document in place of a URL.
pub trait UrlMap {
    /// The replay URL for one that is `written` in a document and means `resolved`; `None` if
    /// what is written can stay.
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String>;
}
