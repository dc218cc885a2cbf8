//! What a rewriting depends on besides the document.

use std::fmt;

use url::Url;

use crate::{Destination, Role, Viewport};

/// Where an archived URL is found in replay.
pub trait UrlMap {
    /// The URL to be written in place of `written`, which means `resolved` (fragment included).
    /// `None` leaves it as it is written. A map must know its own answers again and leave them.
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String>;

    /// Whether a URL that is written like this can need a change at all. It is asked first,
    /// because resolving costs more than anything else; [`crate::reach`] helps to answer.
    fn concerns(&self, _written: &str) -> bool {
        true
    }

    /// Whether a URL was captured. Playlists are cut down to variants that were, and images to
    /// candidates that were.
    fn is_captured(&self, _url: &Url) -> bool {
        true
    }
}

/// What a URL is used for where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Use {
    /// A link, a form, a refresh: somewhere to go.
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

impl From<Role> for Use {
    fn from(role: Role) -> Use {
        match role {
            Role::Link | Role::Hint => Use::Navigate,
            Role::Frame => Use::Frame,
            Role::Embed(destination) => match destination {
                Destination::Document => Use::Frame,
                Destination::Style => Use::Style,
                Destination::Script => Use::Script,
                Destination::Module => Use::Module,
                Destination::Image => Use::Image,
                Destination::Font => Use::Font,
                Destination::Media => Use::Media,
                Destination::Manifest => Use::Manifest,
                Destination::Json => Use::Fetch,
                Destination::Later | Destination::Other => Use::Object,
            },
        }
    }
}

/// How a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScriptUse {
    /// A classic script.
    Classic,
    /// A module.
    Module,
    /// A classic script of a worker.
    ClassicWorker,
    /// A module of a worker.
    ModuleWorker,
    /// The body of an event handler (`onclick`).
    Handler,
    /// The code of a `javascript:` URL.
    JavascriptUrl,
    /// A script or a module; only the text can tell.
    Unknown,
}

/// Rewrites a script: its text, how it is run, and what to ask for the module specifiers in it.
/// `None` leaves it as it is.
pub type ScriptRewriter<'a> =
    dyn Fn(&str, ScriptUse, &mut dyn FnMut(&str) -> Option<String>) -> Option<String> + 'a;

/// What is written in place of the special names of browsing contexts; `None` leaves them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Targets<'a> {
    /// In place of `_top`.
    pub top: Option<&'a str>,
    /// In place of `_parent`.
    pub parent: Option<&'a str>,
    /// In place of `_blank`.
    pub blank: Option<&'a str>,
}

impl Targets<'_> {
    /// For the topmost archived document, above which only the archive's own pages are.
    pub const TOPMOST: Targets<'static> = Targets {
        top: Some("_self"),
        parent: Some("_self"),
        blank: None,
    };

    /// For a document in a frame of the one with these targets.
    pub(super) fn inside(self) -> Self {
        Targets {
            top: match self.top {
                Some("_self") => Some("_parent"),
                named => named,
            },
            parent: None,
            blank: self.blank,
        }
    }
}

/// What becomes of `crossorigin` attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossorigin {
    /// They stay: the replay answers such requests with the headers that they need.
    Keep,
    /// They are renamed, so that they mean nothing.
    Disable,
}

/// How a document is to be rewritten.
#[derive(Clone, Copy)]
pub struct Rewriting<'a> {
    /// Where archived URLs are found.
    pub map: &'a dyn UrlMap,
    /// What changes scripts.
    pub scripts: &'a ScriptRewriter<'a>,
    /// How the document is run, if it is a script.
    pub script: ScriptUse,
    /// Markup put first into the head of a page; empty for what is fetched to be a part of one.
    /// A map must leave the URLs in it. It must be well-formed as XML, too; for
    /// documents in XML syntax its first `<script` is put into the namespace of HTML.
    pub insert: &'a str,
    /// The same for pages in `srcdoc` attributes.
    pub insert_srcdoc: &'a str,
    /// The client that captured the page: media features that replay cannot pin otherwise are
    /// decided for it.
    pub client: Option<&'a Viewport>,
    /// What becomes of special targets.
    pub targets: Targets<'a>,
    /// What becomes of `crossorigin`.
    pub crossorigin: Crossorigin,
}

impl<'a> Rewriting<'a> {
    /// A rewriting that only maps URLs and takes the teeth out of what would reach outside.
    pub fn new(map: &'a dyn UrlMap) -> Rewriting<'a> {
        Rewriting {
            map,
            scripts: &|_, _, _| None,
            script: ScriptUse::Unknown,
            insert: "",
            insert_srcdoc: "",
            client: None,
            targets: Targets::default(),
            crossorigin: Crossorigin::Disable,
        }
    }
}

impl fmt::Debug for Rewriting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewriting")
            .field("script", &self.script)
            .field("insert", &self.insert)
            .field("insert_srcdoc", &self.insert_srcdoc)
            .field("client", &self.client)
            .field("targets", &self.targets)
            .field("crossorigin", &self.crossorigin)
            .finish_non_exhaustive()
    }
}
