//! What was said on a WebSocket at capture, for the shim to say again.

use super::reply::Reply;
use super::{Notice, parameter};
use crate::archive::Opened;
use crate::serving::Serving;
use axum::http::StatusCode;
use axum::http::header;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::sync::Arc;
use url::Url;
use varve_model::Timestamp;
use varve_store::http::DecodeLimits;
use varve_store::index::{Hit, Query, Sort};

/// What the names of the logs begin with.
const SOCKET: &str = "urn:varve:websocket:";
/// Longer logs are told as far as this.
const MAX_LOG: u64 = 16 << 20;

/// A line of a log.
#[derive(Deserialize)]
struct Line {
    direction: String,
    #[serde(default)]
    ms: u64,
    kind: String,
    code: Option<u16>,
    text: Option<String>,
    base64: Option<String>,
}

/// A message that the page received, and the end.
#[derive(Serialize)]
struct Message {
    /// When, in milliseconds from the beginning.
    at: u64,
    /// How many messages the page had sent by then.
    sent: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

#[derive(Serialize)]
struct Conversation {
    protocol: String,
    messages: Vec<Message>,
}

/// The conversation on a socket near a time. That there was none is no failure, only nothing.
pub(super) fn conversation(serving: &Serving, query: &str) -> Reply {
    let url = parameter(query, "url").and_then(|url| Url::parse(&url).ok());
    let time = parameter(query, "time").and_then(|time| Timestamp::parse(&time).ok());
    let (Some(url), Some(time)) = (url.and_then(handshake), time) else {
        return Notice::refused("The address and the time of the socket are missing.").page();
    };
    let log = nearest(serving, &format!("{SOCKET}{url}"), time);
    let Some((messages, began)) = log.and_then(|(opened, hit)| {
        let began = hit.capture.timestamp;
        Some((messages(&read(&opened, &hit)?), began))
    }) else {
        return Reply::new(StatusCode::NO_CONTENT, Vec::new());
    };
    let told = Conversation {
        protocol: protocol(serving, &url, began).unwrap_or_default(),
        messages,
    };
    let json = serde_json::to_vec(&told).unwrap_or_default();
    Reply::new(StatusCode::OK, json)
        .with(header::CONTENT_TYPE, "application/json")
        .with(header::CACHE_CONTROL, "no-cache")
}

/// The URL of the request with which a socket began.
fn handshake(url: Url) -> Option<Url> {
    let rest = url.as_str().strip_prefix("ws")?;
    Url::parse(&format!("http{rest}")).ok()
}

/// The language that both agreed on when the socket was opened.
fn protocol(serving: &Serving, url: &Url, began: Timestamp) -> Option<String> {
    let (opened, hit) = nearest(serving, url.as_str(), began)?;
    let record = opened.collection().read(&hit).ok()?;
    let agreed = record.http()?.get("Sec-WebSocket-Protocol")?;
    Some(String::from_utf8_lossy(&agreed).trim().to_owned())
}

/// The capture of this name that is nearest in time.
fn nearest(serving: &Serving, name: &str, time: Timestamp) -> Option<(Arc<Opened>, Hit)> {
    let query = Query {
        url: name.to_owned(),
        sort: Sort::Closest(time),
        limit: Some(1),
        ..Query::default()
    };
    let far = |hit: &Hit| {
        hit.capture
            .timestamp
            .unix_millis()
            .abs_diff(time.unix_millis())
    };
    let archive = serving.archive.now();
    let all = archive.iter().filter_map(|opened| {
        let hits = Opened::hits(opened.index(), &query).ok()?;
        Some((opened.clone(), hits.into_iter().next()?))
    });
    let mut all: Vec<(Arc<Opened>, Hit)> = all.collect();
    all.sort_by_key(|(_, hit)| far(hit));
    all.into_iter().next()
}

fn read(opened: &Opened, hit: &Hit) -> Option<Vec<u8>> {
    let record = opened.collection().read(hit).ok()?;
    let mut log = Vec::new();
    let body = record.decoded(DecodeLimits::default());
    body.take(MAX_LOG).read_to_end(&mut log).ok()?;
    Some(log)
}

/// What the page received. Lines of another kind, such as the first, say nothing.
fn messages(log: &[u8]) -> Vec<Message> {
    let mut sent = 0;
    let mut messages = Vec::new();
    for line in log.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            continue;
        };
        match (line.direction.as_str(), line.kind.as_str()) {
            ("sent", "text" | "binary") => sent += 1,
            ("received", kind) => messages.push(Message {
                at: line.ms,
                sent,
                code: (kind == "close").then(|| line.code.unwrap_or(1005)),
                text: line.text,
                base64: line.base64,
            }),
            _ => {}
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_was_received_is_told_after_what_was_sent() {
        let log = concat!(
            "{\"started_ms\":1,\"lasted_ms\":2}\n",
            "{\"direction\":\"received\",\"ms\":1,\"kind\":\"text\",\"text\":\"hello\"}\n",
            "{\"direction\":\"sent\",\"ms\":2,\"kind\":\"text\",\"text\":\"x\"}\n",
            "no json\n",
            "{\"direction\":\"received\",\"ms\":3,\"kind\":\"binary\",\"base64\":\"AQI=\"}\n",
            "{\"direction\":\"received\",\"ms\":4,\"kind\":\"close\",\"code\":1000,\"text\":\"bye\"}\n",
        );
        let told = serde_json::to_value(messages(log.as_bytes())).unwrap();
        let expected = serde_json::json!([
            {"at": 1, "sent": 0, "text": "hello"},
            {"at": 3, "sent": 1, "base64": "AQI="},
            {"at": 4, "sent": 1, "code": 1000, "text": "bye"},
        ]);
        assert_eq!(told, expected);
    }
}
