//! The client that captured is the one that replayed pages meet.
//!
//! The pages of `site/any/client*` put everything that scripts, style sheets and markup can find out
//! about the visitor into requests: what a page asks for in replay, on a telephone, is what it asked
//! for at capture.

use crate::site::Site;
use crate::stage::{In, Replay, Visited, phone};
use crate::support::archive::records;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;
use url::Url;
use varve_browser::Client;
use varve_store::warc::RecordType;

/// The same page on an origin that browsers trust with more, and on one that they do not.
const PAGES: [&str; 2] = [
    "http://probe.localhost/client.html",
    "http://probe.test/client.html",
];

/// A window whose pixels can be counted in those of the telephone: frames of other processes have
/// whole numbers of CSS pixels of the device.
const VIEWPORT: [&str; 2] = ["--viewport", "1320x900"];

/// What begins like this depends on how the page is laid out.
const LAID_OUT: &str = "layout-";

/// Candidates by width may stay those that were chosen before a frame knew its pixel ratio.
const FOR_OTHER_PIXELS: &str = "layout-w";

/// How many probes a page has, in all its frames and workers, and how often it may be visited.
const PROBES: usize = 326;
const ATTEMPTS: usize = 4;

/// How much of the layout is as at capture.
#[derive(Clone, Copy, PartialEq)]
enum LaidOut {
    /// All of it, from the beginning.
    Always,
    /// All of it in the end but for [`FOR_OTHER_PIXELS`]: Chromium tells a frame of another process
    /// about `zoom` a moment after its document has begun, and what it preloads until then is for
    /// another pixel ratio.
    InTheEnd,
    /// Nothing: the window is another.
    Never,
}

/// Probes and what they asked for; some ask twice.
type Asked = BTreeMap<String, BTreeSet<String>>;

/// An archive of each page, and what it asked for then.
struct Captured {
    dir: TempDir,
    asked: Asked,
}

static CAPTURED: LazyLock<Vec<Captured>> = LazyLock::new(|| {
    let capture = |page: &&str| {
        let [option, size] = VIEWPORT;
        // Pictures are taken in a window of another size, for which style sheets load more.
        let arguments = [page, "--no-screenshots", option, size];
        let capture = || {
            let dir = tempfile::tempdir().unwrap();
            Site::start().capture(&arguments, dir.path());
            let asked = asked_at_capture(dir.path());
            Captured { dir, asked }
        };
        patiently(capture, |captured| captured.asked.len() >= PROBES)
    };
    PAGES.iter().map(capture).collect()
});

/// On a busy machine a page may seem to be quiet before it has asked everything: it gets another
/// chance. One that asks for something else asks for it every time.
fn patiently<T>(attempt: impl Fn() -> T, is_whole: impl Fn(&T) -> bool) -> T {
    let mut last = attempt();
    for _ in 1..ATTEMPTS {
        if is_whole(&last) {
            break;
        }
        last = attempt();
    }
    last
}

fn asked_at_capture(collection: &Path) -> Asked {
    let answers = records(collection).into_iter();
    let answers =
        answers.filter(|record| matches!(record.kind, RecordType::Response | RecordType::Revisit));
    probes(answers.map(|record| record.url))
}

/// The probes among requests, by their names.
fn probes(urls: impl Iterator<Item = String>) -> Asked {
    let mut asked = Asked::new();
    for url in urls {
        let Some((_, query)) = url.split_once("/dot.svg?") else {
            continue;
        };
        let pair = url::form_urlencoded::parse(query.as_bytes()).next();
        let (name, value) = pair.unwrap_or_default();
        let values = asked.entry(name.into_owned()).or_default();
        values.insert(value.into_owned());
    }
    asked
}

impl LaidOut {
    /// Whether a page asks for what it should.
    fn agrees(self, name: &str, was: &BTreeSet<String>, is: &BTreeSet<String>) -> bool {
        match self {
            LaidOut::InTheEnd if name == FOR_OTHER_PIXELS => true,
            LaidOut::InTheEnd if name.starts_with(LAID_OUT) => was.is_subset(is),
            LaidOut::Never if name.starts_with(LAID_OUT) => true,
            _ => was == is,
        }
    }

    /// Whether something may be asked for that was not saved.
    fn misses(self, url: &str) -> bool {
        self != LaidOut::Always && url.contains("/dot.svg?layout-")
    }
}

/// Everything that is asked otherwise than at capture, in words.
fn differences(captured: &Asked, replayed: &Asked, laid_out: LaidOut) -> Vec<String> {
    let names: BTreeSet<&String> = captured.keys().chain(replayed.keys()).collect();
    let nothing = BTreeSet::new();
    let differ = names.into_iter().filter_map(|name| {
        let was = captured.get(name).unwrap_or(&nothing);
        let is = replayed.get(name).unwrap_or(&nothing);
        let agrees = laid_out.agrees(name, was, is);
        (!agrees).then(|| format!("{name}\n   was {was:?}\n   is  {is:?}"))
    });
    differ.collect()
}

fn replayed(visited: &Visited) -> Asked {
    probes(visited.asked.iter().cloned())
}

#[track_caller]
fn check(client: &Client, place: In, address: fn(&Replay, &str) -> Url, laid_out: LaidOut) {
    let mut found = Vec::new();
    for (page, captured) in PAGES.iter().zip(CAPTURED.iter()) {
        let kinds = captured.asked.len();
        assert!(kinds >= PROBES, "only {kinds} probes at capture of {page}");
        let replay = Replay::new(captured.dir.path(), place, client.clone());
        let url = address(&replay, page);
        let whole = |visited: &Visited| replayed(visited).len() >= kinds;
        let visited = patiently(|| replay.visit(&url, false), whole);
        let (visit, leaked) = (&visited.visit, &visited.leaked);
        let replayed = replayed(&visited);
        let differ = differences(&captured.asked, &replayed, laid_out);
        println!("{page}: {} of {kinds} probes differ", differ.len());
        found.extend(differ.into_iter().map(|it| format!("{page}: {it}")));
        found.extend(leaked.iter().map(|it| format!("{page}: leaked {it}")));
        let errors = visit.console_errors.iter();
        let errors = errors.filter(|it| !it.url.as_ref().is_some_and(|url| laid_out.misses(url)));
        found.extend(errors.map(|it| format!("{page}: {it:?}")));
    }
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.join("\n"));
}

/// Another computer: nothing about it is as at capture but the pixels.
fn desktop() -> Client {
    Client {
        width: 1700,
        height: 1000,
        pixel_ratio: 1.0,
        mobile: false,
        touch: false,
        ..phone()
    }
}

#[test]
fn another_computer_asks_in_our_frame_for_what_was_captured() {
    check(&desktop(), In::Host, Replay::framed_url, LaidOut::Always);
}

#[test]
fn a_telephone_asks_in_our_frame_for_what_was_captured() {
    check(&phone(), In::Host, Replay::framed_url, LaidOut::InTheEnd);
}

#[test]
fn a_telephone_asks_in_our_frame_in_the_path_layout_too() {
    check(&phone(), In::Path, Replay::framed_url, LaidOut::InTheEnd);
}

#[test]
fn without_our_frame_all_is_kept_but_the_layout() {
    check(&phone(), In::Host, Replay::url, LaidOut::Never);
}

#[test]
fn nothing_would_be_the_same_by_itself() {
    let asked = &CAPTURED[0].asked;
    let agents = &asked["window-userAgent"];
    assert!(!agents.iter().any(|it| it.contains("Mobile")), "{agents:?}");
    assert_eq!(asked["layout-x"], BTreeSet::from(["1".to_owned()]));
    assert_eq!(asked["window-pointer"], BTreeSet::from(["none".to_owned()]));
}
