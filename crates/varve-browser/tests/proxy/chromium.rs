//! Chromium itself, with the proxy as its only way out: all that its servers see is recorded.

use crate::kept::{Kept, all, until};
use crate::server::{Peer, Server};
use crate::stage::Stage;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use varve_browser::Traffic;
use varve_browser::proxy::Direction;
use varve_model::{Digest, DigestAlgorithm, HttpHead};

/// The image at the end holds the page's `load` back until everything else was seen.
const PAGE: &str = r#"<!doctype html><title>x</title><p id=said></p><script>
const say = word => said.textContent += word + ' ';
const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket');
socket.onopen = () => socket.send('from the page');
socket.onmessage = event => { say(event.data); fetch('/seen'); };
new EventSource('/events').onmessage = event => { say(event.data); fetch('/seen'); };
fetch('/post', { method: 'POST', body: 'posted' }).then(() => fetch('/seen'));
fetch('/part', { headers: { Range: 'bytes=0-1' } }).then(r => r.text()).then(text => { say(text); fetch('/seen'); });
fetch('/chunks').then(r => r.text()).then(text => { say(text); fetch('/seen'); });
navigator.sendBeacon('/beacon', 'beacon');
</script><img src=/last>"#;

/// What each path answers; `/last` answers when `/seen` was asked for five times.
fn answer(path: &str) -> Vec<u8> {
    let full = |kind: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nX-Odd:  {path} \r\n\r\n{body}"
        )
    };
    match path {
        "/" => full("text/html", PAGE),
        "/events" => "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\ndata: event\n\n".into(),
        "/part" => "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/9\r\nContent-Length: 2\r\n\r\npa".into(),
        "/chunks" => "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;ext\r\nchu\r\n3\r\nnks\r\n0\r\nT: 1\r\n\r\n".into(),
        "/seen" | "/last" => "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n".into(),
        _ => full("text/plain", "ok"),
    }
    .into_bytes()
}

/// Every request and its response, as the server saw them.
type Log = Arc<Mutex<Vec<(Vec<u8>, Vec<u8>)>>>;

async fn serve(mut peer: Peer, log: Log, seen: Arc<Semaphore>) {
    loop {
        let bytes = peer.head().await;
        let Some((head, _)) = HttpHead::parse(&bytes) else {
            return;
        };
        let path = String::from_utf8(head.target().unwrap().to_vec()).unwrap();
        let length = head.get("content-length").map_or(0, |length| {
            String::from_utf8(length.into_owned())
                .unwrap()
                .parse()
                .unwrap()
        });
        let request = [bytes, peer.bytes(length).await].concat();
        match path.as_str() {
            "/socket" => return socket(peer, &head, request, log).await,
            "/seen" => seen.add_permits(1),
            "/last" => seen.acquire_many(5).await.unwrap().forget(),
            _ => {}
        }
        let response = answer(&path);
        log.lock().unwrap().push((request, response.clone()));
        peer.send(response).await;
        if path == "/events" {
            return peer.wait_for_end().await;
        }
    }
}

/// Accepts the WebSocket, reads one message and says one.
async fn socket(mut peer: Peer, head: &HttpHead, request: Vec<u8>, log: Log) {
    let key = head.get("sec-websocket-key").unwrap().into_owned();
    let key = [&key[..], b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"].concat();
    let key = STANDARD.encode(Digest::of(DigestAlgorithm::Sha1, &key).as_bytes());
    let response = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {key}\r\n\r\n"
    );
    log.lock()
        .unwrap()
        .push((request, response.clone().into_bytes()));
    peer.send(response).await;
    peer.bytes(6 + "from the page".len()).await;
    peer.send(b"\x81\x0bfrom server").await;
    peer.wait_for_end().await;
}

/// Loads a page and returns its DOM when it is loaded.
async fn load(stage: &Stage, url: &str) -> String {
    let profile = TempDir::new().unwrap();
    let shell = Command::new("chromium-headless-shell")
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--proxy-server={}", stage.port.proxy_address()))
        .arg(format!(
            "--ignore-certificate-errors-spki-list={}",
            stage.proxy.key_pin()
        ))
        .args([
            "--proxy-bypass-list=<-loopback>",
            "--no-sandbox",
            "--disable-gpu",
        ])
        .args([
            "--disable-dev-shm-usage",
            "--disable-features=HttpsUpgrades",
        ])
        .args(["--dump-dom", url])
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = timeout(Duration::from_secs(120), shell).await;
    String::from_utf8(output.unwrap().unwrap().stdout).unwrap()
}

/// All that the server saw, and all that is kept, in the same order.
fn compare(kept: &Kept, log: &Log) {
    let mut saw: Vec<_> = log.lock().unwrap().clone();
    let exchanges = kept.exchanges.lock().unwrap();
    let sockets = kept.web_sockets.lock().unwrap();
    let mut recorded: Vec<_> = exchanges
        .iter()
        .map(|kept| &kept.1)
        .chain(sockets.iter().map(|kept| &kept.1))
        .map(|exchange| {
            let request = [&exchange.request_head[..], &all(&exchange.request_body)].concat();
            let response = [&exchange.response_head[..], &all(&exchange.body)].concat();
            (request, response)
        })
        .collect();
    let text = |list: &mut Vec<(Vec<u8>, Vec<u8>)>| {
        list.sort();
        let pair = |(one, two): &(Vec<u8>, Vec<u8>)| [&one[..], two].concat();
        let texts = list
            .iter()
            .map(pair)
            .map(|pair| String::from_utf8(pair).unwrap());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(text(&mut saw), text(&mut recorded));
}

async fn check(stage: Stage, log: Log, url: &str) {
    let dom = load(&stage, url).await;
    for word in ["from server", "event", "pa", "chunks"] {
        assert!(dom.contains(word), "{word} is not in {dom}");
    }
    until("the beacon", || {
        let kept = stage.kept.exchanges.lock().unwrap();
        kept.iter().any(|kept| kept.1.url.path() == "/beacon")
    })
    .await;
    let summary = stage.port.close(Duration::from_secs(10)).await;
    let (_, socket) = stage.kept.web_socket().await;
    let said: Vec<_> = socket
        .messages
        .iter()
        .map(|one| (one.direction, &one.data[..]))
        .collect();
    assert_eq!(said[0], (Direction::Sent, &b"from the page"[..]));
    assert_eq!(said[1], (Direction::Received, &b"from server"[..]));
    compare(&stage.kept, &log);
    assert_eq!(summary.requests as usize, log.lock().unwrap().len());
    assert_eq!(summary.failed, 0);
}

#[tokio::test]
async fn every_request_is_recorded_over_http() {
    let (log, seen) = (Log::default(), Arc::new(Semaphore::new(0)));
    let (noted, counted) = (log.clone(), seen.clone());
    let server = Server::start(move |peer| serve(peer, noted.clone(), counted.clone())).await;
    let stage = Stage::with(server.address).await;
    check(stage, log, "http://a.test/").await;
}

#[tokio::test]
async fn every_request_is_recorded_over_https() {
    let (log, seen) = (Log::default(), Arc::new(Semaphore::new(0)));
    let (noted, counted) = (log.clone(), seen.clone());
    let server = Server::start_tls(move |peer| serve(peer, noted.clone(), counted.clone())).await;
    let stage = Stage::with(server.address).await;
    check(stage, log, "https://a.test/").await;
}
