//! What a request is for: the browser says it, else the URL does.

use axum::http::HeaderMap;
use varve_model::Modifier;
use varve_page::Destination;

/// What an answer is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The document in a window.
    Page,
    /// A document in a frame, object or embed.
    Frame,
    /// A style sheet.
    Style,
    /// A script of a page.
    Script,
    /// The script of a worker.
    Worker,
    /// An image.
    Image,
    /// A font.
    Font,
    /// Video, audio or their tracks.
    Media,
    /// A web app manifest.
    Manifest,
    /// Something that a script reads.
    Data,
    /// Nobody says.
    Unknown,
}

impl Purpose {
    /// Reads it from a request.
    pub(crate) fn of(headers: &HeaderMap, modifier: Option<&Modifier>) -> Purpose {
        let said = headers
            .get("sec-fetch-dest")
            .and_then(|it| it.to_str().ok());
        let mode = headers
            .get("sec-fetch-mode")
            .and_then(|it| it.to_str().ok());
        match said {
            // What a worker's modules import is no worker of its own.
            Some("worker" | "sharedworker") if mode == Some("cors") => Purpose::Script,
            Some(destination) => by_destination(destination),
            None => modifier.map_or(Purpose::Unknown, by_modifier),
        }
    }

    /// Whether the answer is a document, or may be one.
    pub(crate) fn may_be_document(self) -> bool {
        matches!(self, Purpose::Page | Purpose::Frame | Purpose::Unknown)
    }

    /// The same in the words of the content stem.
    pub(crate) fn destination(self) -> Destination {
        match self {
            Purpose::Page | Purpose::Frame => Destination::Document,
            Purpose::Style => Destination::Style,
            Purpose::Script | Purpose::Worker => Destination::Script,
            Purpose::Image => Destination::Image,
            Purpose::Font => Destination::Font,
            Purpose::Media => Destination::Media,
            Purpose::Manifest => Destination::Manifest,
            Purpose::Data | Purpose::Unknown => Destination::Other,
        }
    }
}

fn by_destination(destination: &str) -> Purpose {
    match destination {
        "document" => Purpose::Page,
        "iframe" | "frame" | "embed" | "object" | "fencedframe" => Purpose::Frame,
        "style" => Purpose::Style,
        "script" | "audioworklet" | "paintworklet" => Purpose::Script,
        "worker" | "sharedworker" => Purpose::Worker,
        "image" => Purpose::Image,
        "font" => Purpose::Font,
        "audio" | "video" | "track" => Purpose::Media,
        "manifest" => Purpose::Manifest,
        _ => Purpose::Data,
    }
}

fn by_modifier(modifier: &Modifier) -> Purpose {
    match modifier {
        Modifier::MainPage => Purpose::Page,
        Modifier::IFrame | Modifier::Frame => Purpose::Frame,
        Modifier::Script => Purpose::Script,
        Modifier::Worker => Purpose::Worker,
        Modifier::Style => Purpose::Style,
        Modifier::Image => Purpose::Image,
        _ => Purpose::Unknown,
    }
}
