//! What two visits in the browser fetched that was not found without.

use crate::archive::Archive;
use serde::Deserialize;
use std::collections::BTreeSet;
use url::Url;

/// What scripts fetched on both visits.
pub(crate) struct Missed {
    pub(crate) urls: BTreeSet<String>,
    /// Everything that both visits fetched.
    pub(crate) all: BTreeSet<String>,
    /// Scripts that caused some of it.
    pub(crate) fetching: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Log {
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Request {
    url: String,
    method: String,
    status: Option<u16>,
    initiator: Initiator,
    redirects: Vec<Redirect>,
}

#[derive(Deserialize)]
struct Initiator {
    url: Option<String>,
    #[serde(default)]
    stack: Vec<Frame>,
}

#[derive(Deserialize)]
struct Frame {
    url: String,
}

#[derive(Deserialize)]
struct Redirect {
    url: String,
}

/// None if one of the visits has no log.
pub(crate) fn missed(
    first: &Archive,
    second: &Archive,
    page: &Url,
    found: &BTreeSet<String>,
) -> Option<Missed> {
    let (first, second) = (requests(first, page)?, requests(second, page)?);
    let names = |requests: &[Request]| -> BTreeSet<String> {
        requests.iter().map(|request| request.url.clone()).collect()
    };
    let all: BTreeSet<String> = names(&first)
        .intersection(&names(&second))
        .cloned()
        .collect();
    let is_missed = |request: &&Request| {
        let mut before = request.redirects.iter().map(|redirect| &redirect.url);
        let known = found.contains(&request.url) || before.any(|url| found.contains(url));
        !known && !is_advertising(&request.url)
    };
    let missed = first
        .iter()
        .filter(is_missed)
        .filter(|request| all.contains(&request.url));
    let missed: Vec<&Request> = missed.collect();
    let causes = missed.iter().flat_map(|request| {
        let stack = request.initiator.stack.iter().map(|frame| &frame.url);
        stack.chain(&request.initiator.url)
    });
    Some(Missed {
        fetching: causes.cloned().collect(),
        urls: missed.iter().map(|request| request.url.clone()).collect(),
        all,
    })
}

/// Whether a host says of itself that it has advertisements. What filter lists are against was not
/// fetched in the first place.
fn is_advertising(url: &str) -> bool {
    let host = Url::parse(url).ok();
    let host = host
        .as_ref()
        .and_then(|url| url.host_str())
        .unwrap_or_default();
    ["ads.", "ad.", "adserver."]
        .iter()
        .any(|name| host.starts_with(name))
}

/// The requests of a visit that got what they asked for.
fn requests(archive: &Archive, page: &Url) -> Option<Vec<Request>> {
    let log = archive.attachment(&format!("urn:varve:visit:{page}"))?;
    let log: Log = serde_json::from_slice(&log).ok()?;
    let good = |request: &Request| {
        request.method == "GET"
            && request
                .status
                .is_some_and(|status| (200..300).contains(&status))
            && request.url.starts_with("http")
    };
    Some(log.requests.into_iter().filter(good).map(plain).collect())
}

fn plain(mut request: Request) -> Request {
    let end = request.url.find('#').unwrap_or(request.url.len());
    request.url.truncate(end);
    request
}
