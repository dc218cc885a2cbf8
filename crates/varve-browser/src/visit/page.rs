//! Opening a page and closing it.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep};

use super::chance;
use super::course::Terms;
use super::coverage;
use super::reads::Binding;
use super::watch::{Pins, Watch};
use super::world::World;
use crate::cdp::{CdpError, Session};
use crate::chromium::Process;
use crate::options::{Stacks, VisitOptions};
use crate::traffic::Traffic;

const FIRST: &str = include_str!("scripts/first.js");
/// How long the browser may take to open a page.
const OPENING: Duration = Duration::from_secs(10);
/// How long a page may take to go, with all that it wants to say before.
const LEAVING: Duration = Duration::from_millis(1000);
/// What it sends last begins within this time, and should end within that.
const LAST_WORDS_BEGIN: Duration = Duration::from_millis(80);
const LAST_WORDS_END: Duration = Duration::from_millis(1500);
/// How long the browser may take to throw away what belonged to the page.
const DISPOSAL: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(10);
/// How far back stacks go in [`Stacks::Long`].
const LONG_STACK: u32 = 32;

/// A page with a browser context of its own: nothing of it is shared with any other.
pub(super) struct Page {
    pub(super) session: Session,
    pub(super) frame: String,
    pub(super) watch: Arc<Watch>,
    session_id: String,
    context: String,
}

/// What became of a navigation.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Navigated {
    pub(super) error_text: Option<String>,
    #[serde(default)]
    pub(super) is_download: bool,
}

impl Page {
    /// Opens an empty page whose requests go to the visit's proxy.
    pub(super) async fn open(process: &Process, terms: &Terms<'_>) -> Result<Page, CdpError> {
        let deadline = Instant::now() + OPENING;
        let browser = Session::browser(&process.connection);
        let context = json!({
            "proxyServer": terms.traffic.proxy_address().to_string(),
            "proxyBypassList": "<-loopback>",
            "disposeOnDetach": true,
        });
        let context: Context = browser
            .call("Target.createBrowserContext", context, deadline)
            .await?;
        let context = context.browser_context_id;
        browser.tell(
            "Browser.setDownloadBehavior",
            json!({"behavior": "deny", "browserContextId": context, "eventsEnabled": true}),
        );
        if !terms.options.cookies.is_empty() {
            let cookies = json!({"cookies": *terms.options.cookies, "browserContextId": context});
            browser.tell("Storage.setCookies", cookies);
        }
        let opened = Page::attach(&browser, &context, process, terms, deadline).await;
        if opened.is_err() {
            browser.tell(
                "Target.disposeBrowserContext",
                json!({"browserContextId": context}),
            );
        }
        opened
    }

    async fn attach(
        browser: &Session,
        context: &str,
        process: &Process,
        terms: &Terms<'_>,
        deadline: Instant,
    ) -> Result<Page, CdpError> {
        let target = json!({"url": "about:blank", "browserContextId": context});
        let target: Target = browser
            .call("Target.createTarget", target, deadline)
            .await?;
        let attach = json!({"targetId": target.target_id, "flatten": true});
        let attached: Attached = browser
            .call("Target.attachToTarget", attach, deadline)
            .await?;
        let session = Session::attached(browser.connection(), &attached.session_id);
        let binding = terms.options.watch_reads.then(Binding::new);
        let pins = pins(process, terms, binding.as_ref());
        let mut shared = in_all(terms.options);
        shared.extend(pins.frames.clone());
        let watch = Watch::new(browser.connection(), context, pins);
        let mut calls = watch.attach_page(&attached.session_id, &target.target_id);
        calls.extend(terms.client.pins(&process.version));
        calls.extend(shared);
        calls.push(World::script_before_all(FIRST));
        if !terms.options.scripts {
            calls.push((
                "Emulation.setScriptExecutionDisabled",
                json!({"value": true}),
            ));
        }
        if let Some(binding) = &binding {
            watch.listen_to_reads(binding.name());
        }
        all_answered(&session, calls, deadline).await?;
        let context = context.to_owned();
        let session_id = attached.session_id;
        // The frame of a page has the page's name.
        Ok(Page {
            session,
            frame: target.target_id,
            watch,
            session_id,
            context,
        })
    }

    /// Goes to a URL; returns when there is a document, or none.
    pub(super) async fn navigate(&self, url: &str, until: Instant) -> Result<Navigated, CdpError> {
        self.session
            .call("Page.navigate", json!({"url": url}), until)
            .await
    }

    /// Waits until a download that has begun is known.
    pub(super) async fn wait_for_download(&self, until: Instant) {
        while self.watch.state().downloads.count == 0 && Instant::now() < until {
            sleep(STEP).await;
        }
    }

    /// Closes the page as a user would, so that it can send its last words, and waits for them.
    pub(super) async fn leave(&self, traffic: &dyn Traffic) {
        self.session.tell("Page.close", json!({}));
        let gone_by = Instant::now() + LEAVING;
        while self.watch.is_attached(&self.session_id) && Instant::now() < gone_by {
            sleep(STEP).await;
        }
        let gone = Instant::now();
        loop {
            sleep(STEP).await;
            let activity = traffic.activity();
            let silent = activity.in_flight == 0
                && activity.last_change.elapsed() >= LAST_WORDS_BEGIN
                && gone.elapsed() >= LAST_WORDS_BEGIN;
            if silent || gone.elapsed() >= LAST_WORDS_END {
                return;
            }
        }
    }

    /// Throws away the page and all that belonged to it. An error means that the browser itself
    /// no longer responds.
    pub(super) async fn dispose(&self, by: Instant) -> Result<Disposal, CdpError> {
        let browser = Session::browser(self.session.connection());
        let params = json!({"browserContextId": self.context});
        let call = browser.begin("Target.disposeBrowserContext", params);
        let question = browser.begin("Browser.getVersion", json!({}));
        match call.answer(by.min(Instant::now() + DISPOSAL)).await {
            // It may be gone already.
            Ok(_) | Err(CdpError::Refused { .. }) => Ok(Disposal::Done),
            Err(CdpError::Closed) => Err(CdpError::Closed),
            Err(_) => question
                .answer(Instant::now())
                .await
                .map(|_| Disposal::Pending),
        }
    }
}

/// The calls to what the page will start.
fn pins(process: &Process, terms: &Terms<'_>, binding: Option<&Binding>) -> Pins {
    let mut everywhere = terms.client.pins_everywhere(&process.version);
    everywhere.extend(in_all(terms.options));
    let mut frames = Vec::new();
    if let Some(binding) = binding {
        frames.extend(binding.calls());
        // Whose digests of scripts are those of stacks.
        frames.extend(coverage::scripts_as_they_come());
    }
    if terms.options.stacks == Stacks::Long {
        let depth = json!({"maxDepth": LONG_STACK});
        frames.push(("Runtime.setAsyncCallStackDepth", depth));
    }
    Pins { everywhere, frames }
}

/// The calls that are made to the page and to all that it starts.
fn in_all(options: &VisitOptions) -> Vec<(&'static str, Value)> {
    let mut calls: Vec<_> = options.storage.filling().into_iter().collect();
    calls.push(chance::repeatable(options));
    if let Some(detail) = options.coverage {
        calls.extend(coverage::begin(detail));
    }
    calls
}

/// How far the browser has come with throwing a page away.
pub(super) enum Disposal {
    Done,
    /// It has not managed to, but answers other questions.
    Pending,
}

/// Makes calls all at once and waits for their answers: what is not answered before a navigation
/// may be forgotten in it. Older browsers may refuse some, and are none the worse for it.
async fn all_answered(
    session: &Session,
    calls: Vec<(&'static str, Value)>,
    deadline: Instant,
) -> Result<(), CdpError> {
    let begun: Vec<_> = calls
        .into_iter()
        .map(|(name, params)| session.begin(name, params))
        .collect();
    for call in begun {
        match call.answer(deadline).await {
            Ok(_) | Err(CdpError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
}
