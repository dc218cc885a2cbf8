//! `Modifier`: how a memento is going to be used, and so how it is rewritten.

/// The letters and underscore after a timestamp.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// `id_`: the bytes as they were captured.
    Identity,
    /// `if_`: a page inside a frame of the archive.
    IFrame,
    /// `mp_`: a main page, without banner.
    MainPage,
    /// `js_`: a script.
    Script,
    /// `cs_`: a style sheet.
    Style,
    /// `im_`: an image.
    Image,
    /// `oe_`: an object or embed.
    Object,
    /// `fr_`: a page inside a frame of the archived page.
    Frame,
    /// `wkr_`: the script of a worker.
    Worker,
    /// `sw_`: the script of a service worker.
    ServiceWorker,
    /// Any other, underscore included.
    Other(String),
}

impl Modifier {
    /// Reads lower-case letters and an underscore.
    pub fn parse(text: &str) -> Option<Modifier> {
        let letters = text.strip_suffix('_')?;
        if letters.is_empty() || !letters.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
        Some(match letters {
            "id" => Modifier::Identity,
            "if" => Modifier::IFrame,
            "mp" => Modifier::MainPage,
            "js" => Modifier::Script,
            "cs" => Modifier::Style,
            "im" => Modifier::Image,
            "oe" => Modifier::Object,
            "fr" => Modifier::Frame,
            "wkr" => Modifier::Worker,
            "sw" => Modifier::ServiceWorker,
            _ => Modifier::Other(text.to_owned()),
        })
    }

    /// The letters and underscore.
    pub fn as_str(&self) -> &str {
        match self {
            Modifier::Identity => "id_",
            Modifier::IFrame => "if_",
            Modifier::MainPage => "mp_",
            Modifier::Script => "js_",
            Modifier::Style => "cs_",
            Modifier::Image => "im_",
            Modifier::Object => "oe_",
            Modifier::Frame => "fr_",
            Modifier::Worker => "wkr_",
            Modifier::ServiceWorker => "sw_",
            Modifier::Other(text) => text,
        }
    }
}
