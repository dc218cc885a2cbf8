//! Nothing of a replayed page reaches the live web: hundreds of ways to try, in a browser that
//! nothing else holds back, against a trap that is proved to work by the same pages outside of
//! replay.

mod hints;
mod net_log;
mod trap;
mod vectors;

use crate::open_browser::OpenBrowser;
use crate::served::{Saved, Served, TIME};
use crate::stage::{BOTH, In};
use std::collections::BTreeSet;
use std::time::Duration;
use trap::{Live, Trap};
use vectors::{FRAMED, RUNS, TOP, Vector, framing, vectors};

/// Documents that are open at once.
const BATCH: usize = 24;
/// Frames in one document.
const FRAMES: usize = 30;
/// How long documents are given after they have loaded, and after the last has come.
const GRACE: Duration = Duration::from_millis(1500);

/// Frames of other sites are in the same process, where one look finds them all.
const FLAGS: &[&str] = &[
    "--renderer-process-limit=3",
    "--disable-site-isolation-trials",
];

/// What later versions do by themselves.
const ALLOWLISTS: &[&str] =
    &["--enable-features=ConnectionAllowlists,OverrideConnectionAllowlistOriginTrial"];

/// The live web that is tried, as files and as the documents to be opened.
struct Web {
    vectors: Vec<Vector>,
    trap: Trap,
    files: Vec<Live>,
    /// Host and path.
    documents: Vec<(String, String)>,
}

impl Web {
    fn of(vectors: Vec<Vector>) -> Web {
        let trap = Trap::set();
        let mut web = Web {
            vectors,
            trap,
            files: Vec::new(),
            documents: Vec::new(),
        };
        web.parts();
        web.pages();
        web
    }

    /// Vectors that can stand side by side.
    fn parts(&mut self) {
        for run in RUNS {
            self.files.extend(run.parts(&self.vectors, &self.trap));
            let path = run.path("parts");
            if run.host == TOP.host {
                self.documents.push((run.host.to_owned(), path));
            } else {
                self.frame(&run.path("framing-parts"), vec![path]);
            }
        }
    }

    /// Vectors with documents of their own.
    fn pages(&mut self) {
        let pages: Vec<Vector> = self
            .vectors
            .iter()
            .filter(|it| it.is_page)
            .cloned()
            .collect();
        for vector in &pages {
            self.files.extend(TOP.page(vector, &self.trap));
            self.files.extend(FRAMED.page(vector, &self.trap));
            self.documents
                .push((TOP.host.to_owned(), TOP.path(&vector.name)));
        }
        let path = |vector: &Vector| FRAMED.path(&vector.name);
        let (alone, together): (Vec<&Vector>, _) = pages.iter().partition(|it| it.is_alone);
        for (at, some) in together.chunks(FRAMES).enumerate() {
            let inner = some.iter().map(|vector| path(vector)).collect();
            self.frame(&format!("/framing/{at}"), inner);
        }
        for vector in alone {
            self.frame(&format!("/framing/{}", vector.name), vec![path(vector)]);
        }
    }

    /// A document with frames.
    fn frame(&mut self, path: &str, inner: Vec<String>) {
        let urls: Vec<String> = (inner.iter())
            .map(|path| self.trap.url(FRAMED.host, path))
            .collect();
        self.files.push(framing(path, &urls));
        self.documents.push((TOP.host.to_owned(), path.to_owned()));
    }

    /// Waits until nobody new has come to the trap for a while.
    fn wait_for_silence(&self) {
        let mut before = usize::MAX;
        while before != self.trap.came().len() {
            before = self.trap.came().len();
            std::thread::sleep(GRACE);
        }
    }

    /// The live web as an archive has it.
    fn saved(&self) -> Vec<Saved> {
        let saved = self.files.iter().map(|file| Saved {
            time: TIME.to_owned(),
            url: self.trap.url(&file.host, &file.path),
            status: file.status(),
            fields: file.fields.clone(),
            body: file.body.clone(),
            title: None,
            sent: None,
        });
        saved.collect()
    }

    /// Opens all documents, some at a time, at the URLs that `place` gives them. Returns the
    /// vectors whose hosts were looked up, and those that hint at connections to be made: the
    /// headless browser does not make these, but others do.
    fn open(&self, more: &[&str], place: impl Fn(&str) -> String) -> BTreeSet<String> {
        let mut browser = OpenBrowser::start(&[FLAGS, more].concat());
        let mut found = BTreeSet::new();
        for batch in self.documents.chunks(BATCH) {
            for (host, path) in batch {
                browser.open(&place(&self.trap.url(host, path)));
            }
            browser.wait_for_all();
            self.wait_for_silence();
            for document in browser.documents() {
                found.extend(hints::vectors(&document, self.trap.port()));
            }
            browser.close_all();
        }
        found.extend(net_log::vectors(&browser.finish()));
        found
    }
}

/// What comes to the trap if these are opened outside of replay.
fn coming_outside(vectors: Vec<Vector>) -> BTreeSet<String> {
    let web = Web::of(vectors);
    web.trap.go_live(&web.files);
    let mut came = web.open(&[], |url| url.to_owned());
    came.extend(web.trap.came());
    came
}

/// The vectors that should have come, and did not.
fn missing(came: &BTreeSet<String>) -> Vec<Vector> {
    let has_come = |vector: &Vector| RUNS.iter().any(|run| came.contains(&run.name(vector)));
    let loud = vectors().into_iter().filter(|vector| !vector.is_silent);
    loud.filter(|vector| !has_come(vector)).collect()
}

#[test]
fn the_trap_works_outside_of_replay() {
    let mut came = coming_outside(vectors());
    // A window that others are in front of may do nothing for too long.
    let late = missing(&came);
    if !late.is_empty() {
        came.extend(coming_outside(late));
    }
    let missing = missing(&came).into_iter().map(|vector| vector.name);
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<String>::new());
    for run in RUNS {
        let of_run = came
            .iter()
            .filter(|name| name.starts_with(run.mark))
            .count();
        println!("{}: {of_run} came", run.mark);
        // Frames of other sites may do less, and addresses without a name tell less.
        assert!(of_run > 100, "{}: {of_run}", run.mark);
    }
}

/// Replays all documents of a web, and nothing of them reaches the trap.
fn nothing_leaks(web: &Web, place: In, flags: &[&str]) {
    let served = Served::new(&web.saved(), place);
    let mut came = web.open(flags, |url| served.url(url));
    came.extend(web.trap.came());
    assert_eq!(came, BTreeSet::new());
    assert_eq!(web.trap.connections(), 0);
}

fn held_by_replay(place: In) {
    let held = vectors().into_iter().filter(|vector| !vector.is_walled);
    nothing_leaks(&Web::of(held.collect()), place, &[]);
}

#[test]
fn nothing_leaks_in_host_layout() {
    held_by_replay(In::Host);
}

#[test]
fn nothing_leaks_in_path_layout() {
    held_by_replay(In::Path);
}

#[test]
fn browsers_with_allowlists_hold_what_scripts_cannot() {
    let walled = |vector: &Vector| vector.is_walled || vector.name.starts_with("own-");
    for place in BOTH {
        let web = Web::of(vectors().into_iter().filter(walled).collect());
        nothing_leaks(&web, place, ALLOWLISTS);
    }
}

#[test]
fn with_allowlists_replay_works_as_without() {
    for place in BOTH {
        let saved = [
            Saved::page("https://a.test/", "<iframe src='https://b.test/'></iframe>"),
            Saved::page(
                "https://b.test/",
                "<script src='https://a.test/s.js'></script>",
            ),
            Saved::new(
                "https://a.test/s.js",
                "text/javascript",
                "document.title = 'ran'",
            ),
        ];
        let served = Served::new(&saved, place);
        let mut browser = OpenBrowser::start(&[FLAGS, ALLOWLISTS].concat());
        let tab = browser.visit(&served.url("https://a.test/"));
        let inside = browser.frame(&tab, "b.test");
        assert_eq!(browser.evaluate_in(&tab, &inside, "document.title"), "ran");
    }
}
