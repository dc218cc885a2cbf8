#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

fn url(rest: &str) -> Url {
    Url::parse(&format!("http://a.com{rest}")).unwrap()
}

/// Visits a page that leads to these.
fn visit(traps: &mut Traps, at: &str, text: &str, to: &[&str]) -> Vec<Closed> {
    let new_urls: Vec<Url> = to.iter().map(|rest| url(rest)).collect();
    traps.observe(&PageSeen {
        url: &url(at),
        text: Some(text),
        digest: None,
        new_embeds: 0,
        new_urls: &new_urls,
    })
}

fn admit(traps: &mut Traps, rest: &str) -> Result<(), TrapReason> {
    traps.admit(&url(rest), Some(&url("/")))
}

/// A word that no other number has.
fn word(number: u32) -> String {
    let letter = |shift: u32| char::from(b'a' + (number >> shift & 15) as u8);
    (0..4).map(|at| letter(at * 4)).collect()
}

/// Goes from page to page; gives the first that is not admitted, and why.
fn follow(
    traps: &mut Traps,
    pages: u32,
    path: impl Fn(u32) -> String,
    text: impl Fn(u32) -> String,
) -> Option<(u32, TrapReason)> {
    for n in 0..pages {
        let (here, next) = (path(n), path(n + 1));
        if let Err(reason) = traps.admit(&url(&next), Some(&url(&here))) {
            return Some((n, reason));
        }
        visit(traps, &here, &text(n), &[&next]);
    }
    None
}

#[test]
fn a_calendar_is_left() {
    let mut traps = Traps::new();
    let left = follow(
        &mut traps,
        2_000,
        |n| format!("/calendar/{}/{}/", 2000 + n / 12, n % 12 + 1),
        |n| format!("Month {n}\nNo events"),
    );
    assert_eq!(left, Some((129, TrapReason::Calendar)));
}

#[test]
fn a_story_in_many_parts_is_read_until_it_seems_to_have_no_end() {
    let story = |traps: &mut Traps, pages| {
        follow(
            traps,
            pages,
            |n| format!("/part/{n}"),
            |n| format!("And then came {}", word(n)),
        )
    };
    assert_eq!(story(&mut Traps::new(), 900), None);
    let left = story(&mut Traps::new(), 3_000);
    assert_eq!(left, Some((MAX_CHAIN, TrapReason::Chain)));
}

#[test]
fn a_long_list_of_articles_is_no_chain() {
    let mut traps = Traps::new();
    for n in 0..3_000 {
        let (list, next) = (format!("/list/{n}"), format!("/list/{}", n + 1));
        let article = format!("/about/{}", word(n));
        assert_eq!(traps.admit(&url(&next), Some(&url(&list))), Ok(()), "{n}");
        visit(&mut traps, &list, "A list of articles", &[&next, &article]);
        visit(&mut traps, &article, &format!("On {}", word(n)), &[]);
    }
}

/// `/shop/red/tall`, `/shop/tall/red`, ...: many templates of few pages each.
#[test]
fn facets_in_paths_are_left_as_a_section() {
    let mut traps = Traps::new();
    let closed = (0..600u32).find_map(|n| {
        let facets: String = (0..5)
            .map(|at| format!("/{}", word(n >> (at * 2) & 3 | at << 8)))
            .collect();
        let here = format!("/shop{facets}");
        let next = format!("{here}/more");
        visit(&mut traps, &here, "Things to buy", &[&next]).pop()
    });
    let closed = closed.unwrap();
    assert_eq!(closed.space, ClosedSpace::Section("a.com/shop".into()));
    assert!(closed.matches(&url("/shop/any/thing?else")));
    assert!(!closed.matches(&url("/shops")));
    assert_eq!(admit(&mut traps, "/shop/x"), Err(TrapReason::Pattern));
    assert_eq!(admit(&mut traps, "/other"), Ok(()));
}

#[test]
fn what_is_closed_stays_closed_after_a_restart() {
    let mut before = Traps::new();
    let mut closed = Vec::new();
    for n in 0..200 {
        let (here, next) = (format!("/w?week={n}"), format!("/w?week={}", n + 1));
        closed.extend(visit(&mut before, &here, &format!("Week {n}"), &[&next]));
    }
    let json = serde_json::to_string(&closed).unwrap();
    assert_eq!(
        json,
        r#"[{"reason":"trap.calendar","space":{"template":"a.com/w?week"}}]"#
    );
    let mut after = Traps::new();
    let restored: Vec<Closed> = serde_json::from_str(&json).unwrap();
    assert_eq!(admit(&mut after, "/w?week=7"), Ok(()));
    restored.iter().for_each(|closed| after.restore(closed));
    assert_eq!(admit(&mut after, "/w?week=7"), Err(TrapReason::Calendar));
    assert!(restored[0].matches(&url("/w?week=9999")));
    assert!(!restored[0].matches(&url("/w?week=9999&x=1")));
}

#[test]
fn seeds_are_always_admitted() {
    let mut traps = Traps::new();
    let circles = url("/a/a/a/a/a");
    assert_eq!(traps.admit(&circles, None), Ok(()));
    assert_eq!(
        traps.admit(&circles, Some(&url("/"))),
        Err(TrapReason::Path)
    );
}

#[test]
fn downloads_under_many_names_are_one() {
    let mut traps = Traps::new();
    let digest = Digest::of(varve_model::DigestAlgorithm::Sha1, b"%PDF");
    for n in 0..6 {
        traps.observe(&PageSeen {
            url: &url(&format!("/plan.pdf?from={n}")),
            text: None,
            digest: Some(digest),
            new_embeds: 0,
            new_urls: &[],
        });
    }
    assert_eq!(
        traps.key(&url("/other.pdf?from=9")),
        "http://a.com/other.pdf"
    );
    assert_eq!(
        traps.key(&url("/other.pdf?To=9#x")),
        "http://a.com/other.pdf?To=9"
    );
}

#[test]
fn pages_without_text_are_not_judged() {
    let mut traps = Traps::new();
    for n in 0..2_000 {
        let closed = traps.observe(&PageSeen {
            url: &url(&format!("/scan/{n}.tif")),
            text: None,
            digest: None,
            new_embeds: 0,
            new_urls: &[],
        });
        assert_eq!(closed, []);
    }
}

proptest! {
    /// Whatever a site does, nothing panics, and the same history gives the same answers.
    #[test]
    fn any_history_is_taken(pages in proptest::collection::vec(("(/|a|b|1|\\?|&|=|;|%|é){0,12}", "(a|b|1| |\n|é){0,12}", "(/|a|1|\\?x=|y){0,8}"), 0..40)) {
        let run = || {
            let mut traps = Traps::new();
            let mut answers = Vec::new();
            for (path, text, to) in &pages {
                let at = url(&format!("/{path}"));
                let to = url(&format!("/{to}"));
                answers.push(format!("{:?} {}", traps.admit(&to, Some(&at)), traps.is_missing(&at, text)));
                answers.push(format!("{:?}", visit(&mut traps, at.path(), text, &[to.path()])));
                answers.push(traps.key(&to));
            }
            answers
        };
        prop_assert_eq!(run(), run());
    }
}
