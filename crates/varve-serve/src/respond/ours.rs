//! What is ours on every replay origin: the shim, and rewriting of what scripts make at run time.

use super::Notice;
use super::cold::cold;
use super::reply::Reply;
use super::rewriting::{Place, script as rewrite_script};
use super::sockets::conversation;
use crate::layout::{Asked, Layout, MapAt, OURS, When};
use crate::serving::Serving;
use axum::http::header;
use axum::http::{HeaderMap, Method, StatusCode};
use url::Url;
use varve_js::shim::{window_shim, worker_shim};
use varve_model::Timestamp;
use varve_page::{Fragment, ScriptUse, UrlMap, Use};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const FOREVER: &str = "public, max-age=31536000, immutable";
/// Longer configurations of module workers are refused.
const MAX_CONFIG: usize = 64 << 10;

/// A request for something of ours.
pub(crate) struct OurAsk<'a> {
    pub(crate) host: &'a str,
    pub(crate) target: &'a str,
    pub(crate) method: &'a Method,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
}

/// Answers it.
pub(crate) fn ours(serving: &Serving, ask: &OurAsk<'_>) -> Reply {
    let rest = ask.target.strip_prefix(OURS).unwrap_or("");
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let get = *ask.method == Method::GET || *ask.method == Method::HEAD;
    let reply = match path {
        "shim.js" if get => script(window_shim().to_owned()),
        "worker.js" if get => worker(query),
        "ws" if get => conversation(serving, query),
        "cold" if get => {
            let page = place(&serving.layout, ask, query);
            cold(serving, query, page.map(|page| page.url))
        }
        "rewrite" if *ask.method == Method::POST => rewrite(serving, ask, query),
        _ => Notice::nothing().page(),
    };
    reply.with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
}

fn script(text: String) -> Reply {
    Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, SCRIPT)
        .with(header::CACHE_CONTROL, FOREVER)
}

/// The shim of a module worker, after the configuration that its URL carries.
fn worker(query: &str) -> Reply {
    let config = parameter(query, "config").unwrap_or_else(|| "{}".to_owned());
    let read = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&config);
    match read {
        Ok(config) if query.len() <= MAX_CONFIG => {
            let config = serde_json::Value::Object(config);
            script(format!("self.__varveConfig={config};{}", worker_shim()))
        }
        _ => Notice::refused("The configuration is not one.").page(),
    }
}

/// Text that a script made, rewritten as if the server had sent it.
fn rewrite(serving: &Serving, ask: &OurAsk<'_>, query: &str) -> Reply {
    let (press, layout) = (&serving.press, &serving.layout);
    let site = ask.headers.get("sec-fetch-site");
    if site.is_some_and(|site| site != "same-origin") {
        return Notice::refused("Only for pages of this origin.").page();
    }
    let Some(place) = place(layout, ask, query) else {
        return Notice::nothing().page();
    };
    let time = place.when.moment();
    let map = MapAt::new(layout.clone(), time, place.url.clone());
    let text = String::from_utf8_lossy(ask.body);
    let base = &place.url;
    let fragment = |kind| {
        let place = Place {
            map: &map,
            client: None,
            topmost: false,
        };
        press.fragment(&text, kind, base, &place)
    };
    let script = |used| {
        let (new, _) = rewrite_script(&text, used, &mut |specifier| module(specifier, base, &map));
        new.unwrap_or_else(|| text.clone().into_owned())
    };
    let text = match parameter(query, "as").as_deref() {
        Some("html") => fragment(Fragment::Html),
        Some("srcdoc") => fragment(Fragment::Srcdoc),
        Some("css") => fragment(Fragment::Css),
        Some("module") => script(ScriptUse::Module),
        Some("handler") => script(ScriptUse::Handler),
        _ => script(ScriptUse::Classic),
    };
    Reply::new(StatusCode::OK, text)
        .with(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .with(header::CACHE_CONTROL, "no-store")
}

/// The module that a specifier means; bare ones are for import maps.
fn module(specifier: &str, base: &Url, map: &MapAt) -> Option<String> {
    let starts = ["/", "./", "../", "http:", "https:"];
    let is_url = starts.iter().any(|start| specifier.starts_with(start));
    let resolved = is_url.then(|| base.join(specifier).ok())??;
    map.map(specifier, &resolved, Use::Module)
}

/// The document in which the text was made: the request says it, or its referrer does.
fn place(layout: &Layout, ask: &OurAsk<'_>, query: &str) -> Option<Asked> {
    let referrer = ask.headers.get(header::REFERER);
    let referrer = referrer.and_then(|it| Url::parse(it.to_str().ok()?).ok());
    let target = referrer
        .as_ref()
        .map(|url| &url[url::Position::BeforePath..url::Position::AfterQuery]);
    let said = parameter(query, "url").and_then(|url| Url::parse(&url).ok());
    let said = said.filter(|url| matches!(url.scheme(), "http" | "https"));
    let time = parameter(query, "time").and_then(|time| Timestamp::parse(&time).ok());
    let mut place = match layout.parse(ask.host, target.unwrap_or("/")) {
        Some(place) => place,
        None => Asked {
            url: said.clone()?,
            when: When::At(time?),
            modifier: None,
        },
    };
    place.url = said.unwrap_or(place.url);
    match (place.when, time) {
        (When::At(_), _) => Some(place),
        (_, Some(time)) => Some(Asked {
            when: When::At(time),
            ..place
        }),
        _ => None,
    }
}

pub(super) fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(key, _)| key == name);
    found.map(|(_, value)| value.into_owned())
}
