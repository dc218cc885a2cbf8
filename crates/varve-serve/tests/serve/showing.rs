//! Archived content arrives as it was, with what replay adds.

use crate::archive::{Saved, TIME, add_fetched, add_logged, add_visit};
use crate::asking::{BOTH, In, Running};
use std::io::Write;
use tempfile::TempDir;

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn brotli(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut &body[..], &mut out, &params).unwrap();
    out
}

#[test]
fn a_page_begins_with_the_shim_and_its_configuration() {
    for place in BOTH {
        let page = Saved::page("https://h/a?b", "<!doctype html><p>x")
            .field("Set-Cookie", "c=1; Path=/")
            .field("Content-Language", "de")
            .field("Server", "old/1.0");
        let running = Running::new(&[&[page]], place);
        let answer = running.get("https://h/a?b", "document");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8");
        assert_eq!(answer.header("content-language"), "de");
        assert_eq!(answer.header("x-archive-orig-server"), "old/1.0");
        assert_eq!(
            answer.header("memento-datetime"),
            "Thu, 01 Jan 2026 00:00:00 GMT"
        );
        let ui = running.ui();
        let links = format!(
            "<https://h/a?b>; rel=\"original\", \
             <http://{ui}/timegate/https://h/a?b>; rel=\"timegate\", \
             <http://{ui}/timemap/link/https://h/a?b>; rel=\"timemap\"; \
             type=\"application/link-format\", \
             <http://{ui}/.well-known/mementomap>; rel=\"mementomap\", \
             <{}>; rel=\"first last memento\"; datetime=\"Thu, 01 Jan 2026 00:00:00 GMT\"",
            running.url("https://h/a?b", TIME)
        );
        assert_eq!(answer.header("link"), links);
        assert_eq!(answer.header("x-varve-match"), "exact");
        let text = answer.text();
        assert!(text.starts_with("<!doctype html><script src=\"/__varve/shim.js?v="));
        assert!(text.ends_with("</script><p>x"), "{text}");
        let config = answer.config();
        assert_eq!(config["url"], "https://h/a?b");
        assert_eq!(config["time"], TIME);
        assert_eq!(config["cookies"], "c=1");
        assert_eq!(config["top"], true);
        assert_eq!(config["layout"], running.layout().name());
        assert_eq!(config["clock"]["start"], 1_767_225_600_000u64);
        assert_eq!(
            running.get("https://h/a?b", "iframe").config()["top"],
            false
        );
        // From the cache it is the same.
        assert_eq!(running.get("https://h/a?b", "document").text(), text);
    }
}

#[test]
fn codings_are_taken_off() {
    let body = b"body { color: red }";
    let chunked = b"5\r\nbody \r\ne\r\n{ color: red }\r\n0\r\n\r\n";
    let running = Running::host(&[
        Saved::new("http://h/gzip", "text/css", gzip(body)).field("Content-Encoding", "gzip"),
        Saved::new("http://h/br", "text/css", brotli(body)).field("Content-Encoding", "br"),
        Saved::new("http://h/chunked", "text/css", chunked).field("Transfer-Encoding", "chunked"),
        Saved::new("http://h/lies", "text/css", body).field("Content-Encoding", "gzip"),
    ]);
    for name in ["gzip", "br", "chunked", "lies"] {
        let answer = running.get(&format!("http://h/{name}"), "style");
        assert_eq!(answer.text(), "body { color: red }", "{name}");
        assert_eq!(answer.header("content-encoding"), "", "{name}");
        assert_eq!(answer.header("transfer-encoding"), "", "{name}");
        assert_eq!(answer.header("content-length"), "19", "{name}");
    }
}

#[test]
fn what_scripts_read_and_images_are_left_as_they_were() {
    let html = "<p>fragment";
    let running = Running::host(&[
        Saved::page("http://h/f", html),
        Saved::new("http://h/i.png", "image/png", b"\x89PNG\r\n\x1a\nx"),
    ]);
    assert_eq!(running.get("http://h/f", "empty").text(), html);
    assert_eq!(
        running.get("http://h/i.png", "image").body,
        b"\x89PNG\r\n\x1a\nx"
    );
    assert!(
        running
            .get("http://h/f", "iframe")
            .text()
            .contains("shim.js")
    );
}

#[test]
fn workers_know_where_they_are() {
    let running = Running::host(&[Saved::new("https://h/w.js", "text/javascript", "work()")]);
    let text = running.get("https://h/w.js", "worker").text();
    assert!(text.starts_with("self.__varveConfig={"), "{text}");
    assert!(text.ends_with("work()"));
    assert_eq!(running.get("https://h/w.js", "script").text(), "work()");
}

#[test]
fn raw_bytes_are_raw() {
    for place in BOTH {
        let running = Running::new(
            &[&[Saved::page("https://h/a?b", "<script>x</script>")]],
            place,
        );
        let url = running.own(&format!("/web/{TIME}id_/https://h/a?b"));
        let answer = running.send("GET", url.header("location"), "", "");
        assert_eq!(answer.text(), "<script>x</script>");
        assert!(answer.header("content-security-policy").contains("sandbox"));
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
    }
}

#[test]
fn head_is_get_without_a_body() {
    let running = Running::host(&[Saved::new("http://h/i", "image/png", vec![7; 1000])]);
    let answer = running.send("HEAD", &running.url("http://h/i", TIME), "", "");
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    assert_eq!(answer.header("content-length"), "1000");
}

#[test]
fn who_has_it_already_is_told_so() {
    let running = Running::host(&[Saved::new("http://h/i", "image/png", b"x")]);
    let tag = running.get("http://h/i", "image").header("etag").to_owned();
    let fields = format!("Sec-Fetch-Dest: image\r\nIf-None-Match: {tag}\r\n");
    let again = running.send("GET", &running.url("http://h/i", TIME), &fields, "");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn the_client_that_captured_is_told() {
    let dir = TempDir::new().unwrap();
    let client = serde_json::json!({"userAgent": "Recorder/1", "width": 1024.0, "height": 700.0,
        "pixelRatio": 2.0, "screenWidth": 1024.0, "screenHeight": 768.0, "processors": 4});
    add_visit(dir.path(), "https://h/", &client);
    let running = Running::over(dir, In::Host);
    let config = running.get("https://h/", "document").config();
    assert_eq!(config["client"]["userAgent"], "Recorder/1");
    assert_eq!(config["client"]["window"]["innerWidth"], 1024);
    let framed = running.own(&format!("/web/{TIME}/https://h/")).text();
    assert!(
        framed.contains("data-width=\"1024\" data-height=\"700\" data-ratio=\"2\""),
        "{framed}"
    );
}

#[test]
fn pages_that_no_browser_visited_meet_the_crawl() {
    let dir = TempDir::new().unwrap();
    let client = serde_json::json!({"userAgent": "Fetcher/1", "width": 390.0, "height": 700.0,
        "pixelRatio": 3.0, "touchPoints": 5, "languages": ["fr"]});
    add_fetched(dir.path(), "https://h/", &client);
    let running = Running::over(dir, In::Host);
    let config = running.get("https://h/", "document").config();
    let told = &config["client"];
    assert_eq!(
        (&told["userAgent"], &told["languages"][0]),
        (&"Fetcher/1".into(), &"fr".into())
    );
    assert_eq!(told["media"]["pointer"], serde_json::json!(["coarse"]));
    let framed = running.own(&format!("/web/{TIME}/https://h/")).text();
    assert!(framed.contains("data-width=\"390\""), "{framed}");
}

#[test]
fn jsonp_calls_the_name_that_is_asked_for() {
    let saved = "https://h/d.js?callback=a1&_=1700000000000";
    let running = Running::host(&[Saved::new(saved, "text/javascript", "a1({})")]);
    let answer = running.get("https://h/d.js?callback=b2&_=1800000000000", "script");
    assert_eq!(
        (answer.text().as_str(), answer.header("x-varve-match")),
        ("b2({})", "query")
    );
}

#[test]
fn a_socket_without_a_log_is_nothing_and_a_bad_one_is_refused() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let page = running.url("https://h/", TIME);
    let ask = |query: &str| {
        let url = format!("{page}__varve/ws{query}");
        running.send("GET", &url, "", "").status
    };
    assert_eq!(ask("?time=20260101000000&url=wss%3A%2F%2Fh%2F"), 204);
    for query in [
        "",
        "?url=wss://h/",
        "?time=x&url=wss://h/",
        "?time=20260101000000&url=http://h/",
    ] {
        assert_eq!(ask(query), 403, "{query}");
    }
}

#[test]
fn a_socket_speaks_what_was_agreed_at_capture() {
    let dir = TempDir::new().unwrap();
    let opened = Saved::new("https://h/feed", "text/plain", "")
        .status(101)
        .field("Sec-WebSocket-Protocol", "graphql-ws");
    let said = serde_json::json!({"direction": "received", "ms": 1, "kind": "text", "text": "x"});
    add_logged(
        dir.path(),
        &opened,
        "urn:varve:websocket:https://h/feed",
        &said,
    );
    let running = Running::over(dir, In::Host);
    let page = running.url("https://h/", TIME);
    let asked = format!("{page}__varve/ws?time={TIME}&url=wss://h/feed");
    let told: serde_json::Value =
        serde_json::from_str(&running.send("GET", &asked, "", "").text()).unwrap();
    assert_eq!(told["protocol"], "graphql-ws");
    assert_eq!(told["messages"][0]["text"], "x");
}

#[test]
fn only_what_was_captured_is_offered() {
    let playlist = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n\
        #EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n";
    let kind = "application/vnd.apple.mpegurl";
    let running = Running::host(&[
        Saved::page(
            "https://h/",
            "<!doctype html><img srcset='/a 1x, /b 2x' src=/c>",
        ),
        Saved::new("https://h/a", "image/png", "a"),
        Saved::new("https://h/film.m3u8", kind, playlist),
        Saved::new("https://h/high.m3u8", kind, "#EXTM3U\n"),
    ]);
    let page = running.get("https://h/", "document").text();
    assert!(
        page.ends_with("<img srcset='/a 1x, /b 2x varve-absent' src=/c>"),
        "{page}"
    );
    let film = running.get("https://h/film.m3u8", "video").text();
    assert!(
        film.contains("high.m3u8") && !film.contains("low.m3u8"),
        "{film}"
    );
}
