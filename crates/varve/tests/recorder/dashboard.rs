//! The dashboard of a running crawl: what it shows, to whom, and what it takes orders for.

mod ask;
mod chromium;
mod held;

use crate::support::stage::Stage;
use ask::{Answer, ask, poll};
use chromium::Page;
use held::{Held, Running};
use serde_json::Value;

/// A title that would like to be more than text.
const HOSTILE: &str = "<title>&lt;img src=x onerror=\"document.title='owned'\"&gt;</title>";

#[test]
fn a_crawl_of_the_example_web_is_seen() {
    let web = Stage::new();
    let held = Held::start(HOSTILE);
    let mapping = format!("*.example={}", web.web.address());
    let ca = web.dir.path().join("ca.pem");
    let gallery = "https://garden.example/gallery/";
    let trust = ["--map-host", &mapping, "--ca-file", ca.to_str().unwrap()];
    let run = Running::start(&[&[gallery, &held.url(1)], &trust[..]].concat());

    let status = run.status_when(|now| {
        now["crawl"]["pages"]["saved"] == 1
            && now["crawl"]["browser"]["bytes"].as_u64() > Some(1_000_000)
    });
    let finished = &status["crawl"]["finished"][0];
    assert_eq!(finished["url"], gallery);
    assert_eq!(finished["tier"], "browser");
    assert_eq!(status["crawl"]["in_flight"][0]["url"], held.url(1));
    let picture = run.get(&format!("/api/thumbnails/{}", finished["id"]));
    assert_eq!(picture.header("content-type"), Some("image/jpeg"));
    assert!(picture.body.starts_with(b"\xff\xd8"));

    let metrics = run.get("/metrics").text();
    let has = |line: &str| assert!(metrics.contains(line), "{line}\n{metrics}");
    has("varve_crawl_pages_total{outcome=\"saved\"} 1\n");
    has("varve_crawl_pages_in_flight 1\n");
    has("varve_crawl_page_duration_seconds_count{tier=\"browser\"} 1\n");
    assert!(metrics.ends_with("# EOF\n"));
    assert!(!metrics.contains("garden"), "no host is in a label");

    let series: Value = run.get("/api/series").json();
    assert!(!series["fine"].as_array().unwrap().is_empty());
    held.release();
    assert_eq!(run.end(), Some(0));
}

#[test]
fn every_answer_carries_the_policy() {
    let held = Held::start(HOSTILE);
    let run = Running::start(&[&held.url(1)]);
    for path in [
        "/",
        "/script.js",
        "/style.css",
        "/api/status",
        "/metrics",
        "/nothing",
    ] {
        let answer = run.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    }
    assert_eq!(run.get("/nothing").status, 404);
    held.release();
    assert_eq!(run.end(), Some(0));
}

#[test]
fn orders_of_strangers_are_refused() {
    let held = Held::start(HOSTILE);
    let run = Running::start(&[&held.url(1)]);
    let token = run.token();
    let pause = r#"{"order":"pause"}"#;
    let json = ("content-type", "application/json");
    let host = ("host", run.address.as_str());
    let ours = ("x-varve-token", token.as_str());
    let port = run.address.rsplit(':').next().unwrap();
    let rebound = format!("evil.example:{port}");
    let check = |method: &str, path: &str, headers: &[(&str, &str)], expected: u16| {
        let answer = ask(&run.address, method, path, headers, pause);
        assert_eq!(answer.status, expected, "{headers:?}: {}", answer.text());
    };
    let order = "/api/control";
    check("POST", order, &[host, json], 403);
    check(
        "POST",
        order,
        &[host, json, ("x-varve-token", "guess")],
        403,
    );
    check(
        "POST",
        order,
        &[host, json, ours, ("origin", "http://evil.example")],
        403,
    );
    check(
        "POST",
        order,
        &[host, json, ours, ("sec-fetch-site", "cross-site")],
        403,
    );
    check("POST", order, &[("host", &rebound), json, ours], 403);
    check("GET", "/", &[("host", &rebound)], 403);
    check("GET", "/api/status", &[("host", &rebound)], 403);
    check(
        "POST",
        order,
        &[host, ("content-type", "text/plain"), ours],
        415,
    );
    check("GET", order, &[host], 405);
    assert_eq!(run.status()["settings"]["paused"], false);

    check("POST", order, &[host, json, ours], 200);
    assert_eq!(run.status()["settings"]["paused"], true);
    let nonsense = r#"{"order":"exclude","pattern":"("}"#;
    let answer = ask(&run.address, "POST", order, &[host, json, ours], nonsense);
    assert_eq!(answer.status, 422, "{}", answer.text());
    let large = format!(
        r#"{{"order":"exclude","pattern":"{}"}}"#,
        "a".repeat(20_000)
    );
    let answer = ask(&run.address, "POST", order, &[host, json, ours], &large);
    assert_eq!(answer.status, 413, "{}", answer.text());
    let stop = r#"{"order":"stop"}"#;
    let answer = ask(&run.address, "POST", order, &[host, json, ours], stop);
    assert_eq!(answer.json()["stopping"], true);
    held.release();
    assert_eq!(run.end(), Some(130));
}

#[test]
fn watchers_have_a_limit_and_hear_the_end() {
    let held = Held::start(HOSTILE);
    let run = Running::start(&[&held.url(1)]);
    let mut watching: Vec<ask::Stream> = (0..8).map(|_| ask::watch(&run.address)).collect();
    let first = watching[0].next_event().unwrap();
    assert_eq!(first["crawl"]["state"], "running");
    assert_eq!(run.get("/api/events").status, 503);
    held.release();
    let events = std::iter::from_fn(|| watching[0].next_event());
    assert_eq!(events.last().unwrap()["crawl"]["state"], "done");
    assert_eq!(run.end(), Some(0));
}

#[test]
fn people_steer_the_crawl_in_their_browser() {
    let held = Held::start(HOSTILE);
    let urls: Vec<String> = (1..=4).map(|number| held.url(number)).collect();
    let args: Vec<&str> = urls.iter().map(String::as_str).collect();
    let run = Running::start(&[&args[..], &["--tier", "http", "--workers", "1"]].concat());
    let mut page = Page::open(&format!("http://{}/", run.address));
    held.wait_until_asked(1);

    // Told to pause while a page is in flight, the crawl lets it end and begins no other.
    page.wait_until("document.getElementById('state').textContent === 'running'");
    page.run("document.getElementById('pause').click()");
    page.wait_until("document.getElementById('state').textContent === 'pausing'");
    held.release();
    page.wait_until("document.getElementById('state').textContent === 'paused'");
    assert_eq!(held.asked(), 1);

    // The title is there, as text and as nothing else.
    page.wait_until("document.querySelectorAll('#pages li').length === 1");
    let title = page.run("document.querySelector('#pages .title').textContent");
    assert_eq!(title, "<img src=x onerror=\"document.title='owned'\">");
    assert_eq!(
        page.run("document.querySelectorAll('img[src=x]').length"),
        0
    );
    assert_eq!(page.run("document.title.includes('owned')"), false);

    // Rules apply to what has not begun.
    page.run("document.getElementById('pattern').value = '/page/[23]$'");
    page.run("document.getElementById('exclude-form').requestSubmit()");
    page.wait_until("document.querySelectorAll('#patterns li').length === 1");
    page.run("document.getElementById('delay').value = '0.5'");
    page.run("document.getElementById('delay-form').requestSubmit()");
    let settings = run.status_when(|now| now["settings"]["delay_ms"] == 500);
    assert_eq!(settings["settings"]["exclude"][0], "/page/[23]$");
    assert_eq!(page.errors(), Vec::<String>::new());
    let markup = "try { document.body.innerHTML = '<b>'; 'made' } catch { 'refused' }";
    assert_eq!(page.run(markup), "refused");

    page.run("document.getElementById('pause').click()");
    assert_eq!(run.end(), Some(0));
    assert_eq!(held.asked(), 2, "pages 1 and 4");
}

#[test]
fn only_this_machine_is_served() {
    let address = ["--dashboard", "0.0.0.0:0"];
    let output = crate::web::crawl(&[&["http://127.0.0.1:9/"], &address[..]].concat());
    assert_eq!(output.code, Some(1));
    assert!(output.words.contains("loopback"), "{}", output.words);
}

impl Running {
    fn get(&self, path: &str) -> Answer {
        ask(&self.address, "GET", path, &[("host", &self.address)], "")
    }

    fn status(&self) -> Value {
        self.get("/api/status").json()
    }

    /// The first status that is as wished.
    fn status_when(&self, wished: impl Fn(&Value) -> bool) -> Value {
        poll("status", || Some(self.status()).filter(&wished))
    }

    /// The token, from where the page's script has it.
    fn token(&self) -> String {
        let page = self.get("/").text();
        let (_, after) = page.split_once("name=\"varve-token\" content=\"").unwrap();
        after.split('"').next().unwrap().to_owned()
    }
}
