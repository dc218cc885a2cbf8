//! An archive that is served, and a browser that visits it.

use crate::gate::{Gate, Known};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use url::Url;
use varve_browser::{Browser, BrowserOptions, Client, ColourScheme, Visit, VisitOptions};
use varve_serve::{Layout, LayoutChoice, ServeOptions, Server};

/// The layout that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum In {
    Host,
    Path,
}

pub(crate) const BOTH: [In; 2] = [In::Host, In::Path];

/// A served archive and a browser.
pub(crate) struct Replay {
    runtime: Runtime,
    server: Option<Server>,
    browser: Option<Browser>,
    _scratch: TempDir,
}

/// A visit, what of it leaked, and what did not: the URLs that were asked of the archive.
pub(crate) struct Visited {
    pub(crate) visit: Visit,
    pub(crate) leaked: Vec<String>,
    pub(crate) asked: Vec<String>,
}

/// A telephone: nothing about it is as at capture.
pub(crate) fn phone() -> Client {
    Client {
        width: 390,
        height: 844,
        pixel_ratio: 3.0,
        mobile: true,
        touch: true,
        user_agent: Some(
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
             Chrome/140.0.0.0 Mobile Safari/537.36"
                .to_owned(),
        ),
        languages: "fr-FR,fr".to_owned(),
        time_zone: "Asia/Tokyo".to_owned(),
        colour_scheme: ColourScheme::Dark,
        processors: 8,
        ..Client::default()
    }
}

impl Replay {
    /// Serves a collection and starts a browser that is this client.
    pub(crate) fn new(collection: &Path, place: In, client: Client) -> Replay {
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(serve(collection, place));
        let scratch = tempfile::tempdir().unwrap();
        // Chromium runs as another user.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(scratch.path(), open).unwrap();
        // Nobody listens on the discard port.
        let dead_end = ([127, 0, 0, 1], 9).into();
        let options = BrowserOptions {
            client,
            ..BrowserOptions::new(dead_end, scratch.path().to_owned())
        };
        let browser = runtime.block_on(Browser::start(options)).unwrap();
        Replay {
            runtime,
            server: Some(server),
            browser: Some(browser),
            _scratch: scratch,
        }
    }

    fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    /// The names that belong to the archive.
    pub(crate) fn known(&self) -> Known {
        let address = self.server().address();
        let mut known = Known::from([(address.to_string(), address)]);
        match self.server().layout() {
            Layout::Host(layout) => known.insert(layout.authority().to_owned(), address),
            Layout::Path(layout) => {
                let origin = layout.origin().trim_start_matches("http://").to_owned();
                let address = origin.parse().unwrap();
                known.insert(origin, address)
            }
        };
        known
    }

    /// Where the latest capture of a URL is replayed by itself.
    pub(crate) fn url(&self, archived: &str) -> Url {
        let ui = self.server().address();
        Url::parse(&format!("http://{ui}/web/2099mp_/{archived}")).unwrap()
    }

    /// Where the same is shown in our frame.
    pub(crate) fn framed_url(&self, archived: &str) -> Url {
        let ui = self.server().address();
        Url::parse(&format!("http://{ui}/web/2099/{archived}")).unwrap()
    }

    /// The archived URL of a replay URL.
    pub(crate) fn archived(&self, url: &str) -> Option<String> {
        let url = Url::parse(url).ok()?;
        let port = url.port().map_or(String::new(), |port| format!(":{port}"));
        let host = format!("{}{port}", url.host_str()?);
        let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let layout = self.server().layout();
        let ours = matches!(layout, Layout::Host(_)) && !layout.is_replay_host(&host);
        let asked = layout.parse(&host, target).filter(|_| !ours)?;
        Some(asked.url.to_string())
    }

    /// A text with archived URLs in place of replay URLs.
    pub(crate) fn archived_text(&self, text: &str) -> String {
        let (pattern, instead) = match self.server().layout() {
            Layout::Host(layout) => {
                let place = regex::escape(layout.authority());
                let pattern = format!(r"http://([\w.-]+?)\.(https?)(?:-(\d+))?\.\d{{14}}\.{place}");
                (pattern, "$2://$1")
            }
            Layout::Path(layout) => {
                let place = regex::escape(layout.origin());
                (format!(r"{place}/web/\d{{14}}(?:[a-z]+_)?/"), "")
            }
        };
        let pattern = regex::Regex::new(&pattern).unwrap();
        pattern.replace_all(text, instead).into_owned()
    }

    /// Visits a URL, with nothing but the archive in reach.
    pub(crate) fn visit(&self, url: &Url, screenshot: bool) -> Visited {
        self.visit_with(url, screenshot, self.known())
    }

    /// The same with these in reach.
    pub(crate) fn visit_with(&self, url: &Url, screenshot: bool, known: Known) -> Visited {
        let options = VisitOptions {
            deadline: Duration::from_secs(60),
            screenshot,
            scroll: screenshot,
            ..VisitOptions::default()
        };
        let browser = self.browser.as_ref().unwrap();
        self.runtime.block_on(async {
            let gate = Gate::open(known).await;
            let visit = browser.visit(url, &gate, &options).await;
            Visited {
                visit,
                leaked: gate.leaked(),
                asked: gate.asked(),
            }
        })
    }
}

impl Drop for Replay {
    fn drop(&mut self) {
        let (browser, server) = (self.browser.take(), self.server.take());
        self.runtime.block_on(async {
            if let Some(browser) = browser {
                browser.stop().await;
            }
            if let Some(server) = server {
                server.stop().await;
            }
        });
    }
}

async fn serve(collection: &Path, place: In) -> Server {
    let loopback = ([127, 0, 0, 1], 0).into();
    let mut options = ServeOptions::new(vec![collection.to_owned()], loopback);
    if place == In::Path {
        options.layout = LayoutChoice::Path(loopback);
    }
    Server::start(options).await.unwrap()
}
