//! One page that makes every kind of request: all of them are in the archive, byte for byte.

use crate::support::archive::{Record, records};
use crate::support::stage::{Stage, assert_sound};
use varve_demo::{Logged, MessageKind, Protocol, Scheme, everything};
use varve_model::HttpHead;
use varve_store::warc::RecordType;

#[test]
fn every_request_of_a_page_is_recorded_byte_for_byte_over_http() {
    check(Scheme::Http);
}

#[test]
fn every_request_of_a_page_is_recorded_byte_for_byte_over_https() {
    check(Scheme::Https);
}

fn check(scheme: Scheme) {
    let web = Stage::new();
    let url = format!("{scheme}://garden.example/everything/");
    let crawled = web.save(&[&url, "--tier", "browser"]);
    assert_eq!(
        crawled.code,
        Some(0),
        "{}{}",
        crawled.summary,
        crawled.words
    );
    let log = web.web.log();
    let due: Vec<_> = (everything().iter())
        .filter(|expected| expected.is_due(scheme))
        .collect();
    assert!(due.len() >= 35);
    let missing: Vec<&str> = due
        .iter()
        .filter(|expected| !log.iter().any(|logged| expected.matches(logged)))
        .map(|expected| expected.name)
        .collect();
    assert!(missing.is_empty(), "the page did not ask for {missing:?}");
    let mut records = records(&web.archive());
    let lost: Vec<String> = log
        .iter()
        .filter(|logged| !take(logged, &mut records))
        .map(|logged| format!("{} {}", logged.method, logged.url()))
        .collect();
    assert!(
        lost.is_empty(),
        "the servers sent, and the archive lacks, {lost:#?}"
    );
    assert_messages(&log, &records);
    assert_sound(&web.archive());
}

/// What was said over WebSockets is kept, each text in the log of its socket.
fn assert_messages(log: &[Logged], records: &[Record]) {
    let sockets = log.iter().filter(|it| it.protocol == Protocol::WebSocket);
    let mut texts = 0;
    for socket in sockets {
        let uri = format!("urn:varve:websocket:{}", socket.url());
        let kept = records.iter().find(|record| record.url == uri);
        let kept = String::from_utf8_lossy(&kept.expect("the log of the socket").block);
        for message in socket
            .messages
            .iter()
            .filter(|it| it.kind == MessageKind::Text)
        {
            let text = serde_json::Value::from(String::from_utf8_lossy(&message.payload));
            assert!(kept.contains(&text.to_string()), "{text} is not in {kept}");
            texts += 1;
        }
    }
    assert!(texts > 0, "nothing was said");
}

/// Takes the records of what a server logged out of the archive, if they are there and agree.
fn take(logged: &Logged, records: &mut Vec<Record>) -> bool {
    let url = logged.url();
    let response = records.iter().position(|record| {
        let body: &[u8] = match record.kind {
            RecordType::Response => &logged.response_body,
            // The payload was recorded before; the head is this one's own.
            RecordType::Revisit => &[],
            _ => return false,
        };
        record.url == url && agrees(logged, record, body)
    });
    let Some(response) = response else {
        return false;
    };
    let response = records.remove(response);
    let request = records.iter().position(|record| {
        record.kind == RecordType::Request && record.concurrent_to == response.id
    });
    let sent = [&logged.request_head[..], &logged.request_body].concat();
    request.is_some_and(|request| {
        logged.protocol == Protocol::Http2 || records.remove(request).block == sent
    })
}

/// HTTP/2 has no bytes of a head to compare, only fields.
fn agrees(logged: &Logged, record: &Record, body: &[u8]) -> bool {
    if logged.protocol == Protocol::Http2 {
        let Some((head, length)) = HttpHead::parse(&record.block) else {
            return false;
        };
        return record.block[length..] == *body
            && fields(head.as_bytes()) == fields(&logged.response_head);
    }
    let sent = match logged.protocol {
        // What follows the head of a WebSocket are its messages.
        Protocol::WebSocket => logged.response_head.clone(),
        _ => [&logged.response_head[..], body].concat(),
    };
    match logged.complete && record.truncated.is_none() {
        true => record.block == sent,
        // Somebody hung up on the way: what one side has begins like what the other has.
        false => {
            record.block.starts_with(&logged.response_head)
                && (sent.starts_with(&record.block) || record.block.starts_with(&sent))
        }
    }
}

fn fields(head: &[u8]) -> Vec<&[u8]> {
    let lines = head.split(|byte| *byte == b'\n').skip(1);
    lines
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .collect()
}
