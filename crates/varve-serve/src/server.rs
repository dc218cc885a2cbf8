//! The server: collections opened, addresses bound, requests sent to where they belong.

use crate::admin::{Admin, AdminOptions};
use crate::archive::{Archive, Rules};
use crate::cache::Cache;
use crate::downloads::Downloads;
use crate::error::ServeError;
use crate::holdings::Holdings;
use crate::layout::{HostLayout, Layout, PathLayout};
use crate::limits::Turns;
use crate::metrics::{Asked, Metrics};
use crate::names::{OurNames, PublicOrigin};
use crate::open_pages::OpenPages;
use crate::peer::Peer;
use crate::proxy::{Proxy, ProxyFacts, ProxyOptions, serve_proxy};
use crate::replay::replay;
use crate::respond::{Led, Press, Restored, WholeScripts};
use crate::search::{Keeper, Search};
use crate::seats::Seats;
use crate::serving::{CACHE_BYTES, READY_BYTES, Serving};
use crate::ui::ui;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::Response;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use varve_store::fs::{Fs, OsFileSystem};
use varve_store::world::{RealWorld, World};

/// How long requests under way may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(2);
/// Requests that are worked on at once, for each processor.
const PER_PROCESSOR: usize = 2;

/// What to serve, and where.
pub struct ServeOptions {
    /// The collections' directories.
    pub collections: Vec<PathBuf>,
    /// Where the archive's own pages are.
    pub listen: SocketAddr,
    /// Where archived content is.
    pub layout: LayoutChoice,
    /// The origin of the archive's own pages as others see it, if another server stands before
    /// this one.
    pub public: Option<PublicOrigin>,
    /// The same of archived content, in the path layout.
    pub public_replay: Option<PublicOrigin>,
    /// Whether pages can be found by their words; the index of words is kept in the collections.
    pub search: bool,
    /// What is done so that pages find what was saved for them.
    pub means: Means,
    /// A list of what may not be shown.
    pub access: Option<PathBuf>,
    /// Who may change things; nobody without it.
    pub admin: Option<AdminOptions>,
    /// Where a browser may ask for archived content as of its proxy.
    pub proxy: Option<ProxyOptions>,
}

impl ServeOptions {
    /// These collections at this address, in the host layout.
    pub fn new(collections: Vec<PathBuf>, listen: SocketAddr) -> ServeOptions {
        ServeOptions {
            collections,
            listen,
            layout: LayoutChoice::Host("replay.localhost".to_owned()),
            public: None,
            public_replay: None,
            search: true,
            means: Means::default(),
            access: None,
            admin: None,
            proxy: None,
        }
    }
}

/// What is done so that pages find what was saved for them. To do without is good for nothing but
/// to see what each is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// URLs that were not saved are matched to those that were.
    pub matching: bool,
    /// Scripts and styles see the client that captured the page.
    pub pinning: bool,
}

impl Default for Means {
    fn default() -> Means {
        Means {
            matching: true,
            pinning: true,
        }
    }
}

/// Where archived content is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutChoice {
    /// Below this host name, on the port of the archive's own pages.
    Host(String),
    /// At an address of its own.
    Path(SocketAddr),
}

/// A server that runs.
pub struct Server {
    serving: Arc<Serving>,
    address: SocketAddr,
    is_behind: bool,
    proxy: Option<ProxyFacts>,
    over: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    _keeper: Keeper,
}

impl Server {
    /// Opens the collections, binds the addresses and starts answering.
    pub async fn start(options: ServeOptions) -> Result<Server, ServeError> {
        let fs: Fs = Arc::new(OsFileSystem);
        let world: Arc<dyn World> = Arc::new(RealWorld);
        let rules = Rules::open(options.access, &world)?;
        let archive = Archive::open(&fs, &world, &options.collections, rules)?;
        let admin = options.admin.map(|admin| Admin::open(&admin, &archive));
        let admin = admin.transpose()?;
        let (listener, address) = bind(options.listen, "--listen").await?;
        let (layout, replay_listener) = match &options.layout {
            LayoutChoice::Host(name) => {
                let layout = host_layout(name, address)?;
                let layout = match &options.public {
                    Some(public) => layout.behind(public),
                    None => layout,
                };
                (Layout::Host(layout), None)
            }
            LayoutChoice::Path(wished) => {
                let (listener, address) = bind(*wished, "--replay-listen").await?;
                let origin = OurNames::new(address, options.public_replay.as_ref()).origin();
                (Layout::Path(PathLayout::new(&origin)), Some(listener))
            }
        };
        let proxy_listener = match &options.proxy {
            Some(proxy) => Some(bind(proxy.listen, "--proxy-listen").await?),
            None => None,
        };
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let serving = Arc::new(Serving {
            search: Search::open(archive.roots().filter(|_| options.search)),
            archive,
            means: options.means,
            layout,
            names: OurNames::new(address, options.public.as_ref()),
            press: Press::new(),
            led: Led::default(),
            whole_scripts: WholeScripts::default(),
            open_pages: OpenPages::default(),
            cache: Cache::new(CACHE_BYTES),
            ready: Cache::new(READY_BYTES),
            turns: Turns::new((processors * PER_PROCESSOR).max(4)),
            metrics: Metrics::new(),
            downloads: Downloads::default(),
            holdings: Holdings::default(),
            admin,
        });
        let (over, is_over) = watch::channel(false);
        let front = Router::new().fallback(front).with_state(serving.clone());
        let mut tasks = vec![serve(listener, front, is_over.clone())];
        if let Some(listener) = replay_listener {
            let router = Router::new()
                .fallback(replay_only)
                .with_state(serving.clone());
            tasks.push(serve(listener, router, is_over.clone()));
        }
        let mut proxy = None;
        if let Some((options, (listener, address))) = options.proxy.zip(proxy_listener) {
            let serves = Proxy::new(serving.clone(), address, &options)?;
            proxy = Some(serves.facts(address));
            tasks.push(serve_proxy(listener, Arc::new(serves), is_over));
        }
        Ok(Server {
            _keeper: Keeper::start(serving.clone()),
            serving,
            address,
            is_behind: options.public.is_some(),
            proxy,
            over,
            tasks,
        })
    }

    /// Where the archive's own pages are.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL to open.
    pub fn url(&self) -> String {
        format!("{}/", self.serving.names.origin())
    }

    /// Whether another server stands before this one.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Where archived content is.
    pub fn layout(&self) -> &Layout {
        &self.serving.layout
    }

    /// Whether there is somebody who may change things.
    pub fn is_administered(&self) -> bool {
        self.serving.admin.is_some()
    }

    /// The functions that pages called although they had been taken out of their scripts.
    pub fn restored(&self) -> Vec<Restored> {
        self.serving.whole_scripts.asked()
    }

    /// How often something was looked up in the indexes of the collections as they are now.
    pub fn index_look_ups(&self) -> u64 {
        let opened = self.serving.archive.now();
        opened.iter().map(|opened| opened.look_ups()).sum()
    }

    /// The proxy, if there is one.
    pub fn proxy(&self) -> Option<&ProxyFacts> {
        self.proxy.as_ref()
    }

    /// Ends it: requests under way are answered, if they are not too slow.
    pub async fn stop(mut self) {
        self.over.send_replace(true);
        for task in &mut self.tasks {
            let _ = tokio::time::timeout(FAREWELL, &mut *task).await;
            task.abort();
        }
        let serving = self.serving.clone();
        let write = move || serving.whole_scripts.write_down(&serving, false);
        let _ = tokio::task::spawn_blocking(write).await;
    }
}

async fn bind(
    wished: SocketAddr,
    option: &'static str,
) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |error| ServeError::Listen {
        address: wished,
        option,
        error,
    };
    let listener = TcpListener::bind(wished).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// The host layout below a name, which must be one that policies can hold.
fn host_layout(name: &str, address: SocketAddr) -> Result<HostLayout, ServeError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
    let numeric = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let last = name.rsplit('.').next().unwrap_or("");
    let whole = name.split('.').all(|label| !label.is_empty()) && name.len() <= 100;
    if !whole || !name.bytes().all(plain) || numeric(last) || name.eq_ignore_ascii_case("localhost")
    {
        return Err(ServeError::ReplayHost(name.to_owned()));
    }
    Ok(HostLayout::new(name, address.port()))
}

fn serve(listener: TcpListener, router: Router, mut over: watch::Receiver<bool>) -> JoinHandle<()> {
    let end = async move {
        // An error means that the server itself is gone.
        let _ = over.wait_for(|over| *over).await;
    };
    tokio::spawn(async move {
        let router = router.into_make_service_with_connect_info::<Peer>();
        let serving = axum::serve(Seats::new(listener), router).with_graceful_shutdown(end);
        // It fails only if accepting does, which it tries again by itself.
        let _ = serving.await;
    })
}

/// Requests to the address that both kinds of origins may share.
async fn front(State(serving): State<Arc<Serving>>, request: Request) -> Response {
    let host = host_of(&request);
    if serving.layout.is_replay_host(&host) {
        return replay_only(State(serving), request).await;
    }
    let response = ui(serving.clone(), host, request).await;
    serving.metrics.count(Asked::Own, response.status());
    response
}

/// Requests to an address where there is nothing but archived content.
async fn replay_only(State(serving): State<Arc<Serving>>, request: Request) -> Response {
    let host = host_of(&request);
    let response = replay(serving.clone(), host, request).await;
    serving.metrics.count(Asked::Replay, response.status());
    response
}

/// The name that a request was sent to.
fn host_of(request: &Request) -> String {
    if let Some(authority) = request.uri().authority() {
        return authority.as_str().to_owned();
    }
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    host.unwrap_or("").to_owned()
}
