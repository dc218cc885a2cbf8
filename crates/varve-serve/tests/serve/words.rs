//! Pages are found by the words on them.

use crate::archive::Saved;
use crate::asking::Running;
use std::time::{Duration, Instant};

fn garden() -> Vec<Saved> {
    vec![
        Saved::page(
            "https://h.test/ferns",
            "<p>Ferns like <b>shade</b>. Moss, too.<script>var hidden = 1</script>",
        ),
        Saved::page(
            "https://h.test/roses",
            "<p>Roses like sun; they do not like shade.",
        ),
    ]
}

/// The answer when all pages have been read.
fn search(running: &Running, words: &str) -> String {
    let begun = Instant::now();
    while !running.own("/search?q=like").text().contains("/ferns") {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = running.own(&format!("/search?q={words}"));
    assert_eq!(answer.status, 200);
    answer.text()
}

#[test]
fn by_words_phrases_and_what_must_not_be_there() {
    let running = Running::path(&garden());
    for (words, expected) in [
        ("SHADE", "ferns roses"),
        ("shade+sun", "roses"),
        ("shade+-sun", "ferns"),
        ("%22like+shade%22", "ferns roses"),
        ("%22like+sun%22", "roses"),
        ("moss", "ferns"),
        ("page", "ferns roses"),
        ("hidden", ""),
        ("nothing", ""),
        ("", ""),
    ] {
        let text = search(&running, words);
        let found: Vec<_> = ["ferns", "roses"]
            .into_iter()
            .filter(|page| text.contains(&format!("/https://h.test/{page}\"")))
            .collect();
        assert_eq!(found.join(" "), expected, "{words}: {text}");
    }
}

#[test]
fn what_was_looked_for_is_shown() {
    let running = Running::path(&garden());
    let text = search(&running, "shade+sun");
    assert!(
        text.contains("like <mark>sun</mark>; they do not like <mark>shade</mark>"),
        "{text}"
    );
    assert!(text.contains(">A &lt;page&gt;</a>"), "{text}");
}

#[test]
fn what_is_typed_leads_to_words_or_urls() {
    let running = Running::path(&garden());
    for (typed, expected) in [
        ("ferns+in+the+shade", "/search?q=ferns+in+the+shade"),
        ("h.test%2Fferns", "/web/*/http://h.test/ferns"),
        ("h.test%2F*", "/web/*/http://h.test/*"),
    ] {
        let answer = running.own(&format!("/go?url={typed}"));
        assert_eq!(answer.header("location"), expected);
    }
}

#[test]
fn pages_that_may_not_be_shown_are_not_found() {
    let rules = "test,h)/roses - {\"access\": \"exclude\"}\n";
    let running = Running::within(&garden(), rules);
    let text = search(&running, "shade");
    assert!(text.contains("/ferns") && !text.contains("roses"), "{text}");
}

#[test]
fn a_layer_that_is_added_is_read_too() {
    let running = Running::path(&garden());
    search(&running, "shade");
    let more = [Saved::page("https://h.test/moss", "<p>Moss grows anywhere.").at("20260201000000")];
    crate::archive::add_layer(running.dir.path(), &more);
    let begun = Instant::now();
    while !running.own("/search?q=anywhere").text().contains("/moss") {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(100));
    }
}
