//! What can be wrong with a replayed page. `docs/qa.md` tells users the same.

use serde::Serialize;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The page does not come, or is another one.
    Page,
    /// A request was not for the archive.
    Leaked,
    /// The page asks for something that the archive does not have.
    Missing,
    /// An answer fails, or is another than at capture.
    Failed,
    /// The page complains about something new.
    Console,
    /// The page looks different.
    Picture,
    /// The page says something different.
    Text,
}

impl Kind {
    /// All of them, the gravest first.
    pub const ALL: [Kind; 7] = [
        Kind::Page,
        Kind::Leaked,
        Kind::Missing,
        Kind::Failed,
        Kind::Console,
        Kind::Picture,
        Kind::Text,
    ];

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Page => "page",
            Kind::Leaked => "leaked",
            Kind::Missing => "missing",
            Kind::Failed => "failed",
            Kind::Console => "console",
            Kind::Picture => "picture",
            Kind::Text => "text",
        }
    }
}

/// One thing that is wrong with a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// What it is about, if that has a URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What is wrong, in words.
    pub what: String,
}

impl Finding {
    /// About the page as a whole.
    pub(crate) fn new(kind: Kind, what: impl Into<String>) -> Finding {
        Finding {
            kind,
            url: None,
            what: what.into(),
        }
    }

    /// About a URL.
    pub(crate) fn about(kind: Kind, url: &str, what: impl Into<String>) -> Finding {
        Finding {
            kind,
            url: Some(url.to_owned()),
            what: what.into(),
        }
    }

    /// What two findings about the same thing share, whatever they say of it.
    pub(crate) fn subject(&self) -> (Kind, &str) {
        (self.kind, self.url.as_deref().unwrap_or(&self.what))
    }
}
