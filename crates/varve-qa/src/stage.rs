//! The replay of a collection on loopback, and browsers that visit it.

use crate::error::QaError;
use crate::gate::{Gate, Passed, Way};
use crate::names::Names;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;
use tokio::sync::Mutex;
use url::Url;
use varve_browser::proxy::DeadEnd;
use varve_browser::{Browser, BrowserOptions, Client, Running, Visit, VisitOptions};
use varve_model::Timestamp;
use varve_page::Use;
use varve_serve::{Means, Restored, ServeOptions, Server};

/// How long a visit may take.
const DEADLINE: Duration = Duration::from_secs(60);
/// A page is not looked at for longer than this, however long it was at capture.
const LONGEST_LOOK: Duration = Duration::from_secs(30);
/// Browsers that run at once. There is one for each client; nearly all collections have one.
const MAX_BROWSERS: usize = 3;

/// A served collection and its visitors.
pub(crate) struct Stage {
    server: Server,
    pub(crate) names: Names,
    way: Way,
    /// Where the browsers' own calls end.
    dead_end: DeadEnd,
    browsers: Mutex<Vec<(Client, Browser)>>,
    handlers: bool,
}

/// One visit to a replayed page.
pub(crate) struct Replayed {
    pub(crate) visit: Visit,
    pub(crate) passed: Passed,
}

impl Stage {
    /// Serves a collection; `handlers` says whether visits run all event handlers.
    pub(crate) async fn start(
        collection: &Path,
        means: Means,
        handlers: bool,
    ) -> Result<Stage, QaError> {
        let anywhere = (Ipv4Addr::LOCALHOST, 0).into();
        let options = ServeOptions {
            // Who checks a collection leaves nothing in it.
            search: false,
            means,
            ..ServeOptions::new(vec![collection.to_owned()], anywhere)
        };
        let server = Server::start(options).await?;
        let layout = server.layout().clone();
        Ok(Stage {
            way: Way {
                authority: layout.place().to_owned(),
                server: server.address(),
            },
            names: Names::new(layout),
            server,
            dead_end: DeadEnd::open().await.map_err(QaError::Port)?,
            browsers: Mutex::default(),
            handlers,
        })
    }

    /// Where a page of this time is replayed; nothing if there is no place for it.
    pub(crate) fn replay_url(&self, url: &Url, time: Timestamp) -> Option<Url> {
        let url = self.server.layout().url(url, time, Use::Navigate)?;
        Url::parse(&url).ok()
    }

    /// Visits a replay URL as this client, for at least so long.
    pub(crate) async fn visit(
        &self,
        url: &Url,
        client: &Client,
        at_least: Duration,
    ) -> Result<Replayed, QaError> {
        let browser = self.browser(client).await?;
        let gate = Gate::open(self.way.clone()).await.map_err(QaError::Port)?;
        let options = VisitOptions {
            deadline: DEADLINE,
            at_least: at_least.min(LONGEST_LOOK),
            handlers: self.handlers.then_some(Running::Compared),
            ..VisitOptions::default()
        };
        let visit = browser.visit(url, &gate, &options).await;
        Ok(Replayed {
            passed: gate.passed(),
            visit,
        })
    }

    /// Functions that pages called although they had been taken out of their scripts.
    pub(crate) fn restored(&self) -> Vec<Restored> {
        self.server.restored()
    }

    /// How often the archive looked something up in its index.
    pub(crate) fn index_look_ups(&self) -> u64 {
        self.server.index_look_ups()
    }

    pub(crate) async fn stop(self) {
        for (_, browser) in self.browsers.into_inner() {
            browser.stop().await;
        }
        self.server.stop().await;
    }

    /// A browser that is this client: one that runs, or a new one.
    async fn browser(&self, client: &Client) -> Result<Browser, QaError> {
        let mut browsers = self.browsers.lock().await;
        let known = browsers.iter().find(|(known, _)| known == client);
        if let Some((_, browser)) = known {
            return Ok(browser.clone());
        }
        if browsers.len() >= MAX_BROWSERS {
            // It ends with the last visit in it.
            browsers.remove(0);
        }
        let options = BrowserOptions {
            client: client.clone(),
            ..BrowserOptions::new(self.dead_end.address(), std::env::temp_dir())
        };
        let browser = Browser::start(options).await?;
        browsers.push((client.clone(), browser.clone()));
        Ok(browser)
    }
}
