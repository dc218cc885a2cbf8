//! What a browser and a visit are told.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::profile::{LocalStorage, Profile};
use crate::visit::Running;

/// How Chromium is run.
#[derive(Clone, Debug)]
pub struct BrowserOptions {
    /// Which Chromium; `None` looks for `chromium-headless-shell`, then for a whole Chromium.
    pub executable: Option<PathBuf>,
    /// Where requests go that belong to no page, such as Chromium's own: to a proxy that refuses.
    pub dead_end_proxy: SocketAddr,
    /// The base64 SHA-256 of the public key under which the proxies speak TLS.
    pub key_pin: Option<String>,
    /// What pages see of the visitor.
    pub client: Client,
    /// After so many pages a new Chromium takes over.
    pub recycle_after_pages: u32,
    /// Beyond so many bytes a new Chromium takes over, and the largest page is ended, to be visited
    /// again alone. A page that uses two thirds of it itself is ended for good.
    pub max_memory: u64,
    /// Where profiles live while they are needed.
    pub scratch: PathBuf,
    /// A profile of the user's own: Chromium runs in a copy of it. Visits see nothing of it.
    pub profile: Option<Profile>,
}

impl BrowserOptions {
    /// Usual settings.
    pub fn new(dead_end_proxy: SocketAddr, scratch: PathBuf) -> BrowserOptions {
        BrowserOptions {
            executable: None,
            dead_end_proxy,
            key_pin: None,
            client: Client::default(),
            recycle_after_pages: 200,
            max_memory: 1300 << 20,
            scratch,
            profile: None,
        }
    }
}

/// How a page is visited.
#[derive(Clone, Debug)]
pub struct VisitOptions {
    /// How long it may take. The visit ends at most five seconds later, with what there is.
    pub deadline: Duration,
    /// How long it is looked at before it is read, even if it is quiet sooner: what it does by the
    /// clock it has done by then.
    pub at_least: Duration,
    /// Whether to scroll through the page, so that it loads what is further down.
    pub scroll: bool,
    /// Whether to take a picture of it.
    pub screenshot: bool,
    /// Whether its scripts run. Without, it is read as browsers without scripts read it.
    pub scripts: bool,
    /// Which event handlers to run at the end; none of them without.
    pub handlers: Option<Running>,
    /// What to tell of what ran of its scripts; nothing without.
    pub coverage: Option<Detail>,
    /// How much to find out about who caused a request.
    pub stacks: Stacks,
    /// Whether to tell what its scripts read and asked for ([`Reads`](crate::Reads)): on what their
    /// requests may depend. Goes well with [`Stacks::Long`].
    pub watch_reads: bool,
    /// Cookies that the page finds when it comes.
    pub cookies: Arc<[Cookie]>,
    /// Local storage that the page finds, and its frames.
    pub storage: LocalStorage,
}

impl Default for VisitOptions {
    fn default() -> VisitOptions {
        let deadline = Duration::from_secs(30);
        VisitOptions {
            deadline,
            at_least: Duration::ZERO,
            scroll: true,
            screenshot: true,
            scripts: true,
            handlers: None,
            coverage: None,
            stacks: Stacks::Short,
            watch_reads: false,
            cookies: Arc::default(),
            storage: LocalStorage::default(),
        }
    }
}

/// How closely is looked at what ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Functions. Costs next to nothing.
    Functions,
    /// And what of them did not run: branches that were not taken. Costs little on most pages, and half
    /// again where megabytes of scripts run.
    Branches,
}

/// How much to find out about who caused a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacks {
    /// The top of the stack that made the request.
    Short,
    /// Also what led to that stack, through timers and promises. Costs some CPU.
    Long,
}

/// A cookie, as Chromium wants to be told.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host it is for; with a dot before it, also for all below.
    pub domain: String,
    /// The path it is for.
    pub path: String,
    /// Whether it goes over TLS only.
    pub secure: bool,
    /// Whether scripts cannot see it.
    pub http_only: bool,
    /// Whether it goes along when another site asks; `None` is as Chromium thinks best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<SameSite>,
    /// Until when, in seconds since 1970; `None` for the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<f64>,
}

/// Whether a cookie goes along when another site asks for its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SameSite {
    /// Never.
    Strict,
    /// Only when one goes there.
    Lax,
    /// Always.
    None,
}
