#![allow(clippy::unwrap_used)]
use super::*;
use crate::classify::{Features, Subject};
use crate::script::{Goal, ScriptFacts};
use crate::template::Inputs;
use varve_page::{Document, Viewport, analyse, inventory};

fn url(path: &str) -> Url {
    let base = Url::parse("https://garden.example/").unwrap();
    base.join(path).unwrap()
}

fn page(path: &str, scripts: &[&str], marks: &[&str]) -> Sketch {
    Sketch {
        scripts: scripts.iter().map(|it| (*it).to_owned()).collect(),
        mild: BTreeSet::new(),
        slots: BTreeMap::new(),
        marks: marks.iter().map(|it| (*it).to_owned()).collect(),
        selectors: BTreeSet::new(),
        inputs: Inputs::of(url(path)),
        is_harmless: false,
        inline: Vec::new(),
        chunks: Vec::new(),
        links: Vec::new(),
        looks: None,
    }
}

/// Visits a page on which the script `app` asks for these.
fn visit(site: &mut Site, sketch: Sketch, asked: &[&str]) -> Outcome {
    let asked = asked.iter().map(|asked| Asked {
        url: url(asked),
        what_for: "other".into(),
        bytes: 100,
        causes: vec!["app".into()],
    });
    site.meet(&sketch);
    let teaching = Teaching {
        asked: asked.collect(),
        selectors: [".map".to_owned()].into(),
        ..nothing(sketch)
    };
    site.learn(teaching, &Shared::default(), true)
}

/// A visit to a page that asks for nothing.
fn nothing(sketch: Sketch) -> Teaching {
    Teaching {
        sketch,
        asked: Vec::new(),
        read: BTreeSet::new(),
        selectors: BTreeSet::new(),
        links: BTreeSet::new(),
    }
}

fn decide(site: &mut Site, page: &Sketch) -> Decision {
    let means = Means {
        makes: true,
        guesses: true,
        may_lack: 1.0,
    };
    site.decide(page, &Shared::default(), means)
}

fn plain(number: usize) -> Sketch {
    page(&number.to_string(), &["app"], &[])
}

/// A site of which three pages were visited.
fn known() -> Site {
    let mut site = Site::default();
    for number in 0..3 {
        visit(&mut site, plain(number), &["index.json"]);
    }
    site
}

#[track_caller]
fn check(site: &mut Site, page: &Sketch, expected: Option<Why>) {
    let why = match decide(site, page) {
        Decision::Without(_) | Decision::Guessed(_) => None,
        Decision::Browser(why) => Some(why),
    };
    assert_eq!(why, expected);
}

#[test]
fn a_site_is_trusted_after_visits_that_were_foretold() {
    let mut site = Site::default();
    check(&mut site, &plain(0), Some(Why::First));
    visit(&mut site, plain(0), &["index.json"]);
    check(&mut site, &plain(1), Some(Why::Script));
    visit(&mut site, plain(1), &["index.json"]);
    check(&mut site, &plain(2), Some(Why::Unproven));
    visit(&mut site, plain(2), &["index.json"]);
    let Decision::Without(needs) = decide(&mut site, &plain(3)) else {
        panic!("it is known");
    };
    let needs: Vec<&Url> = needs.iter().map(|need| &need.url).collect();
    assert_eq!(needs, [&url("index.json")]);
}

#[test]
fn a_script_that_was_never_seen_is_visited() {
    check(
        &mut known(),
        &page("new", &["app", "other"], &[]),
        Some(Why::Script),
    );
}

#[test]
fn what_scripts_look_for_is_visited_where_it_first_appears() {
    let mut site = known();
    let with_map = page("map", &["app"], &[".map"]);
    check(&mut site, &with_map, Some(Why::Element));
    visit(&mut site, with_map.clone(), &["index.json", "tiles.js"]);
    let other = page("other", &["app"], &[".map"]);
    let Decision::Without(needs) = decide(&mut site, &other) else {
        panic!("it is known");
    };
    assert_eq!(needs.len(), 2);
}

#[test]
fn a_visit_tells_what_was_not_foretold() {
    let mut site = known();
    let outcome = visit(&mut site, plain(4), &["index.json", "surprise.js"]);
    assert_eq!(outcome.missed, [url("surprise.js")]);
    assert_eq!((outcome.bytes, outcome.missed_bytes), (200, 100));
    check(&mut site, &plain(5), Some(Why::Unproven));
}

#[test]
fn a_site_that_was_trusted_too_early_has_to_prove_more() {
    let mut site = known();
    let outcome = visit(&mut site, plain(4), &["index.json", "surprise.js"]);
    site.audited(&outcome, 0.995);
    for number in 5..9 {
        check(&mut site, &plain(number), Some(Why::Unproven));
        visit(&mut site, plain(number), &["index.json"]);
    }
    check(&mut site, &plain(9), None);
    assert_eq!(site.recall().of_bytes(), Some(0.5));
}

#[test]
fn links_that_scripts_make_keep_pages_in_the_browser() {
    let mut site = known();
    for number in 4..8 {
        let teaching = Teaching {
            links: [format!("https://garden.example/made/{number}")].into(),
            ..nothing(plain(number))
        };
        site.learn(teaching, &Shared::default(), true);
        check(&mut site, &plain(9), Some(Why::Unproven));
    }
}

#[test]
fn what_is_known_survives_being_written() {
    let mut memo = crate::Memo::default();
    *memo.site("https://garden.example") = known();
    let mut read = crate::Memo::read(&memo.write()).unwrap();
    check(read.site("https://garden.example"), &plain(7), None);
    assert!(crate::Memo::read(b"{}").is_none());
    assert!(crate::Memo::read(b"\xff\x00").is_none());
}

#[test]
fn visits_are_remembered_within_bounds() {
    let mut site = Site::default();
    for number in 0..100 {
        visit(&mut site, plain(number), &["index.json"]);
    }
    assert_eq!(site.visits(), MAX_LESSONS);
    check(&mut site, &plain(200), None);
}

#[test]
fn a_script_that_is_the_same_on_other_sites_is_known() {
    let mut memo = crate::Memo::default();
    let sketch = |path: &str| page(path, &["lib", "app"], &[]);
    for site in ["one", "two"] {
        memo.learn(site, nothing(page("x", &["lib"], &[])));
    }
    for number in 0..3 {
        memo.learn("three", nothing(page(&number.to_string(), &["app"], &[])));
    }
    assert!(matches!(
        memo.decide("three", &sketch("y")),
        Decision::Without(_)
    ));
    memo.do_without(&[crate::Technique::Sharing]);
    let apart = memo.decide("three", &sketch("y"));
    assert_eq!(apart, Decision::Browser(Why::Script));
}

#[test]
fn new_scripts_that_cannot_fetch_are_visited_until_they_bore() {
    let mut site = known();
    let with_data = |number: usize| {
        let data = format!("data{number}");
        let mut page = page(&number.to_string(), &["app", &data], &[]);
        page.mild.insert(data);
        page
    };
    check(&mut site, &with_data(10), Some(Why::Script));
    for number in 10..10 + BORED as usize {
        visit(&mut site, with_data(number), &["index.json"]);
    }
    check(&mut site, &with_data(50), None);
    let mut strong = with_data(51);
    strong.mild.clear();
    check(&mut site, &strong, Some(Why::Script));
}

#[test]
fn links_of_scripts_that_other_pages_have_are_no_news() {
    let with_links = |number: usize| Teaching {
        links: [url(&format!("plants/{number}")).to_string()].into(),
        ..nothing(plain(number))
    };
    let mut site = known();
    site.meet(&Sketch {
        links: vec![url("plants/7"), url("plants/7#leaves")],
        ..plain(3)
    });
    let quiet = site.quiet;
    site.learn(with_links(7), &Shared::default(), true);
    assert_eq!(site.quiet, quiet + 1);
    site.learn(with_links(8), &Shared::default(), true);
    assert_eq!(site.quiet, 0);
}

/// A page of text with a new script, as it looks.
fn looking(script: &str) -> Sketch {
    let html = format!(
        "<title>x</title><p>{}</p><script src=a.js></script>",
        "Words. ".repeat(200)
    );
    let base = url("new");
    let document = Document::new(&base, html.as_bytes());
    let read = analyse(&document, &Viewport::default());
    let facts = ScriptFacts::of("new".into(), "document.body.dataset.seen = 1", Goal::Script);
    let looks = Features::of(&Subject {
        html: &html,
        page: &read,
        inventory: &inventory(&document),
        inline: &[],
        external: &[facts.counts],
        around: Around::default(),
    });
    Sketch {
        looks: Some(looks),
        ..page("new", &[script], &[])
    }
}

/// A visit to a page whose scripts ask for nothing.
fn visit_plainly(site: &mut Site, sketch: Sketch) {
    let own = Asked {
        url: sketch.url().clone(),
        what_for: "document".into(),
        bytes: 100_000,
        causes: Vec::new(),
    };
    let teaching = Teaching {
        read: [own.url.clone()].into(),
        asked: vec![own],
        ..nothing(sketch)
    };
    site.learn(teaching, &Shared::default(), true);
}

#[test]
fn where_visits_showed_nothing_pages_are_judged_by_their_looks() {
    let mut site = Site::default();
    let page = looking("strange");
    for number in 0..GUESSED_AFTER {
        assert!(matches!(decide(&mut site, &page), Decision::Browser(_)));
        visit_plainly(&mut site, plain(number));
    }
    assert!(matches!(decide(&mut site, &page), Decision::Guessed(_)));
    // A guess that was wrong is the last one.
    let missed = Outcome {
        bytes: 100,
        missed_bytes: 50,
        missed: vec![url("a.json")],
    };
    site.misjudged(&missed);
    assert_eq!(decide(&mut site, &page), Decision::Browser(Why::Script));
    // What is foretold is as good as it was.
    assert!(!site.has_failed());
}

#[test]
fn what_is_new_beside_scripts_is_no_matter_of_looks() {
    let mut site = Site::default();
    for number in 0..GUESSED_AFTER {
        visit_plainly(&mut site, plain(number));
    }
    // One more visit that is not foretold would be news.
    site.quiet = 0;
    let page = Sketch {
        scripts: plain(0).scripts,
        ..looking("strange")
    };
    assert_eq!(decide(&mut site, &page), Decision::Browser(Why::Unproven));
}

#[test]
fn where_scripts_fetch_things_looks_are_not_enough() {
    let page = looking("strange");
    assert_eq!(decide(&mut known(), &page), Decision::Browser(Why::Script));
}

#[test]
fn guesses_can_be_left_out() {
    let mut site = Site::default();
    for number in 0..3 {
        visit_plainly(&mut site, plain(number));
    }
    let means = Means {
        makes: true,
        guesses: false,
        may_lack: 1.0,
    };
    let decision = site.decide(&looking("strange"), &Shared::default(), means);
    assert_eq!(decision, Decision::Browser(Why::Script));
}
