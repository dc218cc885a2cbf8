//! Asking a Chromium that runs in a profile what the profile holds.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Duration, Instant};
use url::Url;

use super::storage::SiteStorage;
use super::{LocalStorage, ProfileContents};
use crate::cdp::{CdpError, Connection, Event, Listener, Session};
use crate::chromium::Process;
use crate::options::{Cookie, SameSite};

/// How long all of it may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Sites whose local storage is looked at.
const MAX_SITES: usize = 200;
/// What all of them may have stored together: every page of the crawl is given it.
const MAX_STORAGE: usize = 4 << 20;

/// What a page of a site can tell of its storage.
const READ: &str = "JSON.stringify({origin: location.origin, count: localStorage.length, \
                    entries: JSON.stringify(Object.entries(localStorage))})";

/// Asks for all cookies, and for the local storage of the sites that may have some.
pub(super) async fn ask(process: &Process, urls: &[Url]) -> Result<ProfileContents, CdpError> {
    let by = Instant::now() + PATIENCE;
    let browser = Session::browser(&process.connection);
    let stored: Stored = browser.call("Storage.getCookies", json!({}), by).await?;
    let mut left_out = Vec::new();
    let mut kept = Vec::new();
    let mut room = MAX_STORAGE;
    let page = open_page(&browser, by).await?;
    for (number, site) in sites(urls, &stored.cookies).into_iter().enumerate() {
        if number >= MAX_SITES {
            left_out.push(format!("local storage of {site}: there are too many sites"));
            continue;
        }
        match storage_of(&page, &site, by).await? {
            Some(SiteStorage { origin, entries }) if entries.len() > room => {
                left_out.push(format!("local storage of {origin}: it is too large"));
            }
            Some(storage) => {
                room -= storage.entries.len();
                kept.push(storage);
            }
            None => {}
        }
    }
    Ok(ProfileContents {
        cookies: usable(&browser, stored.cookies, &mut left_out, by).await?,
        storage: LocalStorage::new(kept),
        left_out,
    })
}

/// The cookies that a visit can be given. One that Chromium refuses would take all others along.
async fn usable(
    browser: &Session,
    found: Vec<Found>,
    left_out: &mut Vec<String>,
    by: Instant,
) -> Result<Vec<Cookie>, CdpError> {
    let made: Value = browser
        .call("Target.createBrowserContext", json!({}), by)
        .await?;
    let context = &made["browserContextId"];
    let mut usable = Vec::new();
    for found in found {
        let partitioned = found.partition_key.is_some();
        let cookie = found.into_cookie();
        let trial = json!({"cookies": [cookie], "browserContextId": context});
        let taken = match partitioned {
            // It belongs to a site within another; visits could not tell.
            true => false,
            false => match browser.begin("Storage.setCookies", trial).answer(by).await {
                Ok(_) => true,
                Err(CdpError::Refused { .. }) => false,
                Err(error) => return Err(error),
            },
        };
        match taken {
            true => usable.push(cookie),
            false => left_out.push(format!("the cookie {} of {}", cookie.name, cookie.domain)),
        }
    }
    Ok(usable)
}

/// The sites of URLs and of cookies, each once, those of URLs first.
fn sites(urls: &[Url], cookies: &[Found]) -> Vec<Url> {
    let secure = |url: &Url| {
        let mut url = url.clone();
        // Most sites that are named with http send one on to https.
        let changed = url.port().is_none() && url.set_scheme("https").is_ok();
        changed.then_some(url)
    };
    let named = urls
        .iter()
        .flat_map(|url| [Some(url.clone()), secure(url)])
        .flatten();
    let mut seen = BTreeSet::new();
    named
        .chain(cookies.iter().flat_map(Found::sites))
        .filter_map(|url| url.join("/").ok())
        .filter(|site| seen.insert(site.clone()))
        .collect()
}

/// An empty page all of whose requests are answered with nothing.
async fn open_page(browser: &Session, by: Instant) -> Result<Session, CdpError> {
    let blank = json!({"url": "about:blank"});
    let target: Value = browser.call("Target.createTarget", blank, by).await?;
    let attach = json!({"targetId": target["targetId"], "flatten": true});
    let attached: Value = browser.call("Target.attachToTarget", attach, by).await?;
    let id = attached["sessionId"].as_str().unwrap_or_default();
    let connection = browser.connection();
    let page = Session::attached(connection, id);
    connection.listen(
        id,
        Arc::new(Nothing {
            connection: connection.clone(),
        }),
    );
    let all = json!({"patterns": [{"urlPattern": "*"}]});
    let _: Value = page.call("Fetch.enable", all, by).await?;
    Ok(page)
}

/// What a site has stored, if anything.
async fn storage_of(
    page: &Session,
    site: &Url,
    by: Instant,
) -> Result<Option<SiteStorage>, CdpError> {
    let there = json!({"url": site.as_str()});
    let _: Value = page.call("Page.navigate", there, by).await?;
    let read = json!({"expression": READ, "returnByValue": true});
    let answer: Value = page.call("Runtime.evaluate", read, by).await?;
    let told = answer["result"]["value"].as_str().unwrap_or_default();
    let told: Option<Told> = serde_json::from_str(told).ok();
    let own = site.origin().ascii_serialization();
    Ok(told
        .filter(|told| told.count > 0 && told.origin == own)
        .map(|told| SiteStorage {
            origin: told.origin,
            entries: told.entries,
        }))
}

/// Answers every request of a page with an empty document.
struct Nothing {
    connection: Connection,
}

impl Listener for Nothing {
    fn event(&self, event: &Event<'_>) {
        let paused: Option<Value> = match event.name {
            "Fetch.requestPaused" => event.params(),
            _ => None,
        };
        if let Some(paused) = paused {
            let answer = json!({
                "requestId": paused["requestId"],
                "responseCode": 200,
                "responseHeaders": [{"name": "Content-Type", "value": "text/html"}],
                "body": "",
            });
            self.connection
                .tell(event.session, "Fetch.fulfillRequest", answer);
        }
    }
}

#[derive(Deserialize)]
struct Told {
    origin: String,
    count: u64,
    entries: String,
}

#[derive(Deserialize)]
struct Stored {
    cookies: Vec<Found>,
}

/// A cookie, as Chromium tells of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    name: String,
    value: String,
    domain: String,
    path: String,
    /// Seconds since 1970; less than none for the session.
    expires: f64,
    http_only: bool,
    secure: bool,
    same_site: Option<SameSite>,
    partition_key: Option<Value>,
    #[serde(default)]
    source_scheme: String,
    #[serde(default)]
    source_port: i32,
}

impl Found {
    /// Where it was set, as far as that can be told.
    fn sites(&self) -> Vec<Url> {
        let secure = self.secure || self.source_scheme == "Secure";
        let scheme = if secure { "https" } else { "http" };
        let port = match self.source_port {
            port @ 1.. => format!(":{port}"),
            _ => String::new(),
        };
        let host = self.domain.trim_start_matches('.');
        let mut hosts = vec![host.to_owned()];
        if self.domain.starts_with('.') {
            hosts.push(format!("www.{host}"));
        }
        let urls = hosts
            .iter()
            .map(|host| Url::parse(&format!("{scheme}://{host}{port}/")));
        urls.filter_map(Result::ok).collect()
    }

    fn into_cookie(self) -> Cookie {
        Cookie {
            name: self.name,
            value: self.value,
            domain: self.domain,
            path: self.path,
            secure: self.secure,
            http_only: self.http_only,
            same_site: self.same_site,
            expires: Some(self.expires).filter(|at| *at > 0.0),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_those_that_were_named_and_those_with_cookies() {
        let cookie = |domain: &str, secure: bool, source_port: i32| -> Found {
            serde_json::from_value(json!({
                "name": "a", "value": "b", "domain": domain, "path": "/", "expires": -1,
                "httpOnly": false, "secure": secure, "sourceScheme": "Unset",
                "sourcePort": source_port, "sameSite": "None",
            }))
            .unwrap()
        };
        let cookies = [
            cookie("plain.example", false, 8080),
            cookie(".own.example", true, 443),
        ];
        let urls =
            ["http://own.example/a?b", "https://x.example:44/"].map(|u| Url::parse(u).unwrap());
        let found = sites(&urls, &cookies);
        let found: Vec<&str> = found.iter().map(Url::as_str).collect();
        assert_eq!(
            found,
            [
                "http://own.example/",
                "https://own.example/",
                "https://x.example:44/",
                "http://plain.example:8080/",
                "https://www.own.example/",
            ]
        );
    }
}
