#![allow(clippy::unwrap_used)]
use super::*;

fn url(rest: &str) -> Url {
    Url::parse(&format!("http://a.com{rest}")).unwrap()
}

/// Shows pages with what they say; gives what was learned, in words.
fn learn(parameters: &mut Parameters, pages: &[(&str, u64)]) -> Vec<String> {
    let learned = pages
        .iter()
        .flat_map(|(rest, says)| parameters.observe(&url(rest), *says));
    let words = learned.map(|closed| match closed.space {
        ClosedSpace::Parameter { site, name } => format!("{site} {name}"),
        ClosedSpace::AnyOrder { site } => format!("{site} in any order"),
        other => panic!("{other:?}"),
    });
    words.collect()
}

#[track_caller]
fn check(parameters: &mut Parameters, table: &[(&str, Result<(), TrapReason>)]) {
    for (rest, expected) in table {
        assert_eq!(parameters.admit(&url(rest)), *expected, "{rest}");
    }
}

const SESSION: Result<(), TrapReason> = Err(TrapReason::Session);
const ORDER: Result<(), TrapReason> = Err(TrapReason::Order);

#[test]
fn known_sessions_with_tokens_count_at_once() {
    check(
        &mut Parameters::new(),
        &[
            ("/b;jsessionid=1A2B?c=1", Ok(())),
            ("/b;jsessionid=3C4D?c=1", SESSION),
            ("/b?c=1", Ok(())),
            ("/x?PHPSESSID=0123456789abcdef", Ok(())),
            ("/x?PHPSESSID=0123456789abcdee", SESSION),
            // Asked again, the spelling that was first is still the one.
            ("/x?PHPSESSID=0123456789abcdef", Ok(())),
            ("/y?PHPSESSID=0123456789abcdee", Ok(())),
        ],
    );
}

#[test]
fn a_story_may_have_a_sid() {
    check(
        &mut Parameters::new(),
        &[("/s?sid=41", Ok(())), ("/s?sid=42", Ok(()))],
    );
}

#[test]
fn a_parameter_that_changes_nothing_is_learned() {
    let mut parameters = Parameters::new();
    let learned = learn(
        &mut parameters,
        &[
            ("/a?t=1", 10),
            ("/a?t=2", 10),
            ("/b?x=1&t=3", 11),
            ("/b?x=1&t=4", 11),
            ("/b?x=1&t=5", 11),
            ("/c?t=6", 12),
            ("/c", 12),
            ("/c?t=7", 12),
        ],
    );
    assert_eq!(learned, ["a.com t"]);
    check(
        &mut parameters,
        &[
            ("/d?t=1", Ok(())),
            ("/d?t=2", SESSION),
            ("/d?t=2&x=1", Ok(())),
            ("/d?x=1&t=3", SESSION),
        ],
    );
    let elsewhere = Url::parse("http://b.com/d?t=2").unwrap();
    assert_eq!(parameters.simplified(&elsewhere), None);
}

#[test]
fn a_parameter_that_changes_something_stays() {
    let pages: Vec<(String, u64)> = (0..100)
        .map(|n| (format!("/list?page={n}"), if n < 40 { n } else { 99 }))
        .collect();
    let pages: Vec<(&str, u64)> = pages
        .iter()
        .map(|(rest, says)| (rest.as_str(), *says))
        .collect();
    assert!(learn(&mut Parameters::new(), &pages).is_empty());
}

#[test]
fn order_is_learned() {
    let mut parameters = Parameters::new();
    let pages: Vec<(String, u64)> = (0..4)
        .flat_map(|n| [(format!("/f?a={n}&b=1"), n), (format!("/f?b=1&a={n}"), n)])
        .collect();
    let pages: Vec<(&str, u64)> = pages
        .iter()
        .map(|(rest, says)| (rest.as_str(), *says))
        .collect();
    assert_eq!(learn(&mut parameters, &pages), ["a.com in any order"]);
    check(
        &mut parameters,
        &[
            ("/f?b=2&a=9", Ok(())),
            ("/f?a=9&b=2", ORDER),
            ("/f?a=9", Ok(())),
            ("/f?a=9&b=2&c=3", Ok(())),
        ],
    );
}

#[test]
fn what_was_learned_survives() {
    let mut parameters = Parameters::new();
    parameters.restore(&ClosedSpace::Parameter {
        site: "a.com".into(),
        name: "t".into(),
    });
    check(&mut parameters, &[("/d?t=1", Ok(())), ("/d?t=2", SESSION)]);
}
