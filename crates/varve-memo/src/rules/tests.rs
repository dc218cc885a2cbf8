#![allow(clippy::unwrap_used)]
use super::*;
use crate::template::Inputs;

const APP: &str = "app";

fn url(text: &str) -> Url {
    Url::parse("https://garden.example/")
        .unwrap()
        .join(text)
        .unwrap()
}

/// A page with one script and these values and elements.
fn sketch(path: &str, slots: &[(&str, &str)], marks: &[&str]) -> Sketch {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Sketch {
        scripts: [APP.to_owned()].into(),
        mild: BTreeSet::new(),
        slots: slots.iter().map(pair).collect(),
        marks: marks.iter().map(|mark| (*mark).to_owned()).collect(),
        selectors: BTreeSet::new(),
        inputs: Inputs::of(url(path)),
        is_harmless: false,
        inline: Vec::new(),
        chunks: Vec::new(),
        links: Vec::new(),
        looks: None,
    }
}

/// A visit to it, on which the script asked for these.
fn lesson(sketch: Sketch, asked: &[&str]) -> Lesson {
    let asked = asked.iter().map(|asked| crate::Asked {
        url: url(asked),
        what_for: "other".into(),
        bytes: 1000,
        causes: vec![APP.into()],
    });
    Lesson {
        asked: asked.collect(),
        selectors: BTreeSet::new(),
        shown: sketch.marks.clone(),
        uses_chunks: false,
        links: BTreeSet::new(),
        bytes: 10_000,
        sketch,
    }
}

fn rules(lessons: &[Lesson]) -> Rules {
    let mut census = Census::default();
    // Each page twice: what differs between them is a choice all the same.
    for lesson in lessons.iter().chain(lessons) {
        census.count(&lesson.sketch.slots);
    }
    let selectors = lessons.iter().flat_map(|lesson| lesson.shown.clone());
    Rules::of(lessons, &census, &selectors.collect(), true)
}

#[track_caller]
fn check(rules: &Rules, page: &Sketch, expected: &[&str], obstacle: Option<Obstacle>) {
    let (needs, found) = rules.foretell(page);
    let needs: Vec<&Url> = needs.iter().map(|need| &need.url).collect();
    let expected: Vec<Url> = expected.iter().map(|it| url(it)).collect();
    assert_eq!(needs, expected.iter().collect::<Vec<_>>());
    assert_eq!(found, obstacle);
}

#[test]
fn what_every_page_asks_for_the_next_one_does() {
    let rules = rules(&[
        lesson(sketch("a", &[], &[]), &["index.json"]),
        lesson(sketch("b", &[], &[]), &["index.json"]),
    ]);
    check(&rules, &sketch("c", &[], &[]), &["index.json"], None);
    let mut without = sketch("d", &[], &[]);
    without.scripts.clear();
    check(&rules, &without, &[], None);
}

#[test]
fn what_pages_with_an_element_ask_for_depends_on_it() {
    let rules = rules(&[
        lesson(sketch("a", &[], &[".map"]), &["tiles.js"]),
        lesson(sketch("b", &[], &[]), &[]),
        lesson(sketch("c", &[], &[".map"]), &["tiles.js"]),
    ]);
    check(&rules, &sketch("d", &[], &[".map"]), &["tiles.js"], None);
    check(&rules, &sketch("e", &[], &[]), &[], None);
}

#[test]
fn what_differs_with_a_value_is_known_for_the_values_seen() {
    let page = |path: &str, skin: &str| sketch(path, &[("skin", skin)], &[]);
    let rules = rules(&[
        lesson(page("1", "red"), &["load?m=r1"]),
        lesson(page("2", "blue"), &["load?m=b7"]),
        lesson(page("3", "red"), &["load?m=r1"]),
        lesson(page("4", "green"), &["load?m=g5"]),
    ]);
    check(&rules, &page("5", "blue"), &["load?m=b7"], None);
    let (_, obstacle) = rules.foretell(&page("6", "grey"));
    assert_eq!(obstacle, Some(Obstacle::Value));
}

#[test]
fn what_is_made_of_the_address_is_made_again() {
    let of = |name: &str| {
        let asked = format!("data/{name}.json");
        lesson(sketch(&format!("pages/{name}"), &[], &[]), &[&asked])
    };
    let rules = rules(&[of("rose"), of("tulip"), of("aster")]);
    check(
        &rules,
        &sketch("pages/lily", &[], &[]),
        &["data/lily.json"],
        None,
    );
}

#[test]
fn times_and_random_names_do_not_matter() {
    let rules = rules(&[
        lesson(sketch("a", &[], &[]), &["count?at=1700000000123"]),
        lesson(sketch("b", &[], &[]), &["count?at=1700000009876"]),
    ]);
    let (needs, obstacle) = rules.foretell(&sketch("c", &[], &[]));
    assert_eq!((needs.len(), obstacle), (1, None));
    assert!(rules.is_shaped(&url("count?at=1700000055555")));
}

#[test]
fn what_differs_for_unknown_reasons_only_a_browser_can_tell() {
    let rules = rules(&[
        lesson(sketch("a", &[], &[]), &["q/x81.json"]),
        lesson(sketch("b", &[], &[]), &["q/m27.json"]),
        lesson(sketch("c", &[], &[]), &["q/pp4.json"]),
    ]);
    let (_, obstacle) = rules.foretell(&sketch("d", &[], &[]));
    assert_eq!(obstacle, Some(Obstacle::Varies));
}
