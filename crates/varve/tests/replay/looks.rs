//! How pages look: the picture, the requests and the complaints of a replay against those of the
//! capture, whoever replays.
//!
//! Some pages of the example web are looked at here, with `VARVE_SOAK=1` all of them, and other pages
//! by `scripts/check-replay.sh`.

use crate::stage::{In, Replay, Visited, phone};
use crate::support::archive::{Record, records};
use crate::support::stage::Stage;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use varve_browser::{Area, Client, Visit};

/// Pages of the example web.
const EXAMPLES: &[&str] = &[
    "https://garden.example/",
    "https://garden.example/plants/",
    "https://garden.example/film/",
    "https://garden.example/frames/",
    "https://garden.example/friends/",
    "https://garden.example/print/",
    "https://garden.example/workers/",
    "https://garden.example/everything/",
    "http://garden.example/everything/",
    "https://shop.garden.example/",
    "http://old.garden.example/unicode/",
];

/// From where all pages of the example web are found: it has secure pages, and an old site without.
const ALL: &[&str] = &["https://garden.example/", "http://old.garden.example/"];
/// So many there are at least.
const FEWEST: usize = 80;
/// Shows what time it is.
const CLOCKS: &[&str] = &["/client/"];

/// What the browser said about a page when it was captured.
struct Before {
    log: Log,
    view: Vec<u8>,
}

#[derive(Deserialize)]
struct Log {
    client: Seen,
    requests: Vec<Request>,
    #[serde(rename = "consoleErrors", alias = "console_errors")]
    console_errors: Vec<Complaint>,
    /// Where the picture would be another at another moment.
    #[serde(default)]
    moving: Vec<Area>,
}

#[derive(Deserialize)]
struct Seen {
    width: f64,
    height: f64,
    #[serde(rename = "pixelRatio")]
    pixel_ratio: f64,
}

#[derive(Deserialize)]
struct Request {
    url: String,
    mime: Option<String>,
    status: Option<u16>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Complaint {
    text: String,
}

/// The pages of an archive that have a log and a picture.
fn captured(collection: &Path) -> BTreeMap<String, Before> {
    let all = records(collection);
    let of = |name: &str| -> BTreeMap<String, &Record> {
        let named = all.iter().filter_map(|record| {
            let url = record.url.strip_prefix(name)?;
            Some((url.to_owned(), record))
        });
        named.collect()
    };
    let views = of("urn:view:");
    let logs = of("urn:varve:visit:").into_iter();
    let both = logs.filter_map(|(url, log)| {
        let view = views.get(&url)?.block.clone();
        let log = serde_json::from_slice(&log.block).unwrap();
        Some((url, Before { log, view }))
    });
    both.collect()
}

/// Somebody else, in a window of the same size: the whole page can be compared.
fn stranger(before: &Before) -> Client {
    Client {
        width: before.log.client.width as u32,
        height: before.log.client.height as u32,
        pixel_ratio: before.log.client.pixel_ratio,
        mobile: false,
        ..phone()
    }
}

/// What is wrong with a replay, in words.
fn faults(page: &str, before: &Before, replay: &Replay, visited: &Visited) -> Vec<String> {
    let mut faults = Vec::new();
    // A preflight and what it is for have the same URL.
    let mut known: BTreeMap<&str, Vec<&Request>> = BTreeMap::new();
    for request in &before.log.requests {
        known.entry(request.url.as_str()).or_default().push(request);
    }
    let goes_on = visited.visit.final_url != visited.visit.requested;
    for request in &visited.visit.requests {
        let Some(url) = replay.archived(&request.url) else {
            continue;
        };
        let then = known.get(url.as_str()).map_or(&[][..], Vec::as_slice);
        let failed_then = then.iter().any(|then| then.error.is_some());
        let same = then.iter().any(|then| then.status == request.status);
        // A page that goes elsewhere does not wait for everything.
        let given_up = goes_on && request.error.as_deref() == Some("net::ERR_ABORTED");
        let failed = request.error.is_some() && !failed_then && !given_up;
        let refused = request.status.is_some_and(|status| status >= 400) && !same;
        if failed || refused {
            let why = request.error.as_deref().unwrap_or("refused");
            faults.push(format!("{url}: {why}, {:?}", request.status));
        }
    }
    let known: BTreeSet<&str> = (before.log.console_errors.iter())
        .map(|complaint| gist(&complaint.text))
        .collect();
    for complaint in &visited.visit.console_errors {
        let text = replay.archived_text(&complaint.text);
        if !known.contains(gist(&text)) && !is_of_sandbox(&text, page) {
            faults.push(format!("complains: {text}"));
        }
    }
    faults.extend(visited.leaked.iter().map(|line| format!("leaked: {line}")));
    faults
}

/// Whether a frame complains that our script does not run in it, for no script does.
fn is_of_sandbox(text: &str, page: &str) -> bool {
    let frame = text.strip_prefix("Blocked script execution in '");
    frame.is_some_and(|frame| !frame.starts_with(&format!("{page}'")))
}

/// Whether a page looks as its author wanted. What browsers show in their own way, they show in the
/// colours of their visitor.
fn is_drawn_by_its_author(page: &str, before: &Before) -> bool {
    let own = |request: &&Request| request.url == page && request.error.is_none();
    let mime = before
        .log
        .requests
        .iter()
        .find(own)
        .and_then(|own| own.mime.as_deref());
    mime.is_none_or(|mime| mime.contains("html"))
}

/// What a complaint is about: without the places in scripts, which rewriting moves, and without the
/// reasons that browsers give for one and the same refusal.
fn gist(text: &str) -> &str {
    let line = text.lines().next().unwrap_or("");
    line.split("CORS policy").next().unwrap_or("")
}

/// What is wrong with the picture of a replay. Where `VARVE_PICTURES` names a directory, pictures
/// that differ are put there.
fn picture_fault(page: &str, before: &Before, now: &Visit) -> Option<String> {
    let Some(picture) = &now.screenshot else {
        return Some("there is no picture".to_owned());
    };
    let moving = [before.log.moving.as_slice(), now.moving.as_slice()].concat();
    let ratio = before.log.client.pixel_ratio;
    let fault = match differing_pixels(&before.view, picture, &moving, ratio) {
        Some(0) => return None,
        Some(count) => format!("{count} pixels differ"),
        None => "the picture has another size".to_owned(),
    };
    if let Some(dir) = std::env::var_os("VARVE_PICTURES") {
        let name = page.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        for (when, bytes) in [("then", &before.view), ("now", picture)] {
            let file = Path::new(&dir).join(format!("{name}-{when}.png"));
            std::fs::write(file, bytes).unwrap();
        }
    }
    Some(fault)
}

/// How many pixels of two pictures differ where nothing moves; `None` if they have different sizes.
fn differing_pixels(one: &[u8], other: &[u8], moving: &[Area], ratio: f64) -> Option<usize> {
    let ((size, one), (other_size, other)) = (pixels(one), pixels(other));
    let moves = |number: usize| {
        let at = |pixel: usize| pixel as f64 / ratio;
        let (x, y) = (at(number % size.0 as usize), at(number / size.0 as usize));
        // Edges are drawn over more than they cover.
        let between =
            |it: f64, from: f64, length: f64| it >= from - 1.0 && it <= from + length + 1.0;
        let covers =
            |area: &Area| between(x, area.x, area.width) && between(y, area.y, area.height);
        moving.iter().any(covers)
    };
    let differ = || {
        let pairs = one.chunks(4).zip(other.chunks(4)).enumerate();
        let different = pairs.filter(|(_, (one, other))| one != other);
        different.filter(|(number, _)| !moves(*number)).count()
    };
    (size == other_size).then(differ)
}

fn pixels(picture: &[u8]) -> ((u32, u32), Vec<u8>) {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
    decoder.set_transformations(png::Transformations::ALPHA | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(frame.buffer_size());
    ((frame.width, frame.height), bytes)
}

/// Compares every page of an archive; tells what is wrong.
fn compare(collection: &Path, place: In) -> (usize, Vec<String>) {
    let pages = captured(collection);
    let Some(first) = pages.values().next() else {
        return (0, vec!["no page has a log and a picture".to_owned()]);
    };
    let alike = Replay::new(collection, place, stranger(first));
    let other = Replay::new(collection, place, phone());
    let mut found = Vec::new();
    for (page, before) in &pages {
        let mut say = |fault: String| found.push(format!("{page}: {fault}"));
        let visited = alike.visit(&alike.url(page), true);
        for fault in faults(page, before, &alike, &visited) {
            say(fault);
        }
        let is_clock = CLOCKS.iter().any(|end| page.ends_with(end));
        let comparable = !is_clock && is_drawn_by_its_author(page, before);
        if let Some(fault) = picture_fault(page, before, &visited.visit).filter(|_| comparable) {
            say(fault);
        }
        let framed = other.visit(&other.framed_url(page), false);
        for fault in faults(page, before, &other, &framed) {
            say(format!("on a telephone: {fault}"));
        }
    }
    (pages.len(), found)
}

#[track_caller]
fn check(collection: &Path, place: In, least: usize) {
    let (compared, found) = compare(collection, place);
    println!("{compared} pages compared");
    assert!(found.is_empty(), "{compared} pages:\n{}", found.join("\n"));
    assert!(compared >= least, "only {compared} pages");
}

#[test]
fn the_example_web_looks_as_it_did() {
    let (seeds, scope, least) = match std::env::var_os("VARVE_SOAK") {
        Some(_) => (ALL, "domain", FEWEST),
        None => (EXAMPLES, "page", EXAMPLES.len()),
    };
    let stage = Stage::new();
    let more = ["--tier", "browser", "--scope", scope, "--delay", "0"];
    stage.crawl(&[seeds, &more].concat(), 0);
    check(&stage.archive(), In::Host, least);
}

#[test]
#[ignore = "needs an archive of other pages: scripts/check-replay.sh makes one and runs this"]
fn other_pages_look_as_they_did() {
    let collection = std::env::var_os("VARVE_REPLAYED").expect("VARVE_REPLAYED names an archive");
    check(Path::new(&collection), In::Host, 1);
}
