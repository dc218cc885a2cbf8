//! From a request for something archived to the answer.

mod captured;
mod cold;
mod content;
mod filled;
mod headers;
mod keys;
mod led;
mod memento;
mod notice;
mod ours;
mod parts;
mod purpose;
mod range;
mod ready;
mod reply;
mod rewriting;
mod shim_config;
mod shown;
mod sockets;
mod stream;
mod stubs;
mod unchanged;

pub use cold::Restored;
pub(crate) use cold::WholeScripts;
pub(crate) use content::{Content, Trouble, without_directories};
pub(crate) use filled::is_topmost;
pub(crate) use led::Led;
pub(crate) use notice::Notice;
pub(crate) use ours::{OurAsk, ours};
pub(crate) use purpose::Purpose;
pub(crate) use range::{Asking, Stored, content_range};
pub(crate) use ready::{Ready, answer_at_once};
pub(crate) use reply::{Reply, ReplyBody};
pub(crate) use rewriting::{Press, Rewritten};
pub(crate) use shown::{Effort, show};
pub(crate) use stream::send_pieces;
pub(crate) use unchanged::unchanged;

use crate::layout::Asked;
use crate::layout::When;
use crate::lookup::{self, Posted, Wish, WishRole};
use crate::open_pages::OpenPage;
use crate::serving::Serving;
use axum::http::{HeaderMap, Method};
use bytes::Bytes;
use ours::parameter;
use std::sync::Arc;
use url::{Origin, Url};
use varve_model::Modifier;

/// A request for something archived.
pub(crate) struct Ask {
    pub(crate) asked: Asked,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) purpose: Purpose,
    /// The page that asks, where that matters.
    pub(crate) page: Option<Arc<OpenPage>>,
}

impl Ask {
    /// Whether the request only asks.
    pub(crate) fn only_asks(&self) -> bool {
        self.method == Method::GET || self.method == Method::HEAD
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The part of the body that is asked for.
    fn range(&self) -> Option<Asking> {
        let range = self.header("range").and_then(Asking::parse);
        range.filter(|_| self.only_asks())
    }

    fn wants_raw(&self) -> bool {
        self.asked.modifier == Some(Modifier::Identity)
    }

    pub(crate) fn wish(&self) -> Wish {
        let posted = (!self.only_asks()).then(|| {
            let content_type = self.header("content-type").unwrap_or("");
            Posted::new(self.method.as_str(), content_type, &self.body)
        });
        Wish {
            url: self.asked.url.clone(),
            time: self.asked.when.moment(),
            role: match self.purpose {
                _ if self.wants_raw() => WishRole::Page,
                Purpose::Page => WishRole::Page,
                Purpose::Frame => WishRole::Frame,
                Purpose::Unknown => WishRole::Document,
                Purpose::Image => WishRole::Image,
                _ => WishRole::Part,
            },
            first_byte: self.range().and_then(Asking::first),
            posted,
            page: self.page.clone(),
        }
    }
}

/// Answers a request. Reads and rewrites, so it takes a while.
pub(crate) fn answer(serving: &Serving, ask: &Ask) -> Reply {
    // What the archive was when this began: what is found may be newer, not older.
    let key = ready::key(serving, ask);
    let wish = ask.wish();
    let notice = |notice: Notice| notice.about(ask).reply(ask);
    let find = match serving.means.matching {
        true => lookup::find,
        false => lookup::find_itself,
    };
    match find(&serving.archive.now(), &wish) {
        Err(error) => notice(Notice::damaged(Trouble::from(error))),
        Ok(None) => notice(Notice::nothing_of(serving, wish.url.as_str(), wish.time)),
        Ok(Some(found)) => {
            ready::note(ask, &found);
            let shown = show(serving, ask, &found, key, Effort::Full);
            shown.unwrap_or_else(|trouble| notice(Notice::of(trouble)))
        }
    }
}

/// The page that asks, if it is open and the answer depends on that: for scripts, and for what has
/// parameters that may be matched.
pub(crate) fn asking_page(
    serving: &Serving,
    asked: &Asked,
    purpose: Purpose,
    headers: &HeaderMap,
) -> Option<Arc<OpenPage>> {
    let depends = purpose == Purpose::Script || asked.url.query().is_some();
    let page = depends.then(|| referring(serving, headers))??;
    let When::At(time) = page.when else {
        return None;
    };
    serving.open_pages.at(&page.url.origin(), time)
}

/// The archived origin that asks, if that is told.
pub(crate) fn asking_origin(serving: &Serving, headers: &HeaderMap) -> Option<Origin> {
    Some(referring(serving, headers)?.url.origin())
}

fn referring(serving: &Serving, headers: &HeaderMap) -> Option<Asked> {
    let referrer = headers.get("referer")?.to_str().ok()?;
    archived(serving, &Url::parse(referrer).ok()?)
}

/// What a replay URL stands for.
fn archived(serving: &Serving, url: &Url) -> Option<Asked> {
    let host = match url.port() {
        Some(port) => format!("{}:{port}", url.host_str()?),
        None => url.host_str()?.to_owned(),
    };
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    serving.layout.parse(&host, target)
}

/// The time of the page that asks; of what was found, if it is not said.
fn page_time(ask: &Ask, found: &lookup::Found) -> varve_model::Timestamp {
    match ask.asked.when {
        When::At(time) => time,
        When::Around(_) | When::Latest => found.hit.capture.timestamp.to_seconds(),
    }
}
