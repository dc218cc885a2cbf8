use super::*;
use proptest::prelude::*;

fn at(digits: &str) -> Timestamp {
    Timestamp::earliest_of(digits).unwrap()
}

#[track_caller]
fn check(rules: &str, url: &str, time: &str, expected: Access) {
    let list = AccessList::parse(rules).unwrap();
    let found = list.access(&Surt::from_url(url), at(time), at("20200615"));
    assert_eq!(found, expected, "{url} at {time}");
}

#[test]
fn the_longest_beginning_counts() {
    let rules = "com,example)/ - {\"access\": \"block\"}\n\
                 com,example)/open - {\"access\": \"allow\"}\n\
                 com,example)/open/secret - {\"access\": \"exclude\"}\n\
                 com,example)/oz - {\"access\": \"exclude\"}\n";
    check(rules, "http://example.com/", "2010", Access::Block);
    check(rules, "http://www.example.com/other", "2010", Access::Block);
    check(
        rules,
        "https://example.com/open/door",
        "2010",
        Access::Allow,
    );
    check(
        rules,
        "http://example.com/open/secret/x",
        "2010",
        Access::Exclude,
    );
    check(rules, "http://example.com/oy", "2010", Access::Block);
    check(rules, "http://example.org/", "2010", Access::Allow);
}

#[test]
fn a_whole_key_comes_before_all_beginnings() {
    let rules = "com,example)/page### - {\"access\": \"exclude\"}\n\
                 com,example)/page - {\"access\": \"block\"}\n";
    check(rules, "http://example.com/page", "2010", Access::Exclude);
    check(rules, "http://example.com/page/two", "2010", Access::Block);
}

#[test]
fn everything_can_be_closed() {
    let rules = "*, - {\"access\": \"block\"}\n!a header\n\n# a note\n\
                 com,example, - {\"access\": \"allow\"}\n";
    check(rules, "http://example.org/", "2010", Access::Block);
    check(rules, "http://sub.example.com/", "2010", Access::Allow);
    check(rules, "http://example.com/", "2010", Access::Block);
}

#[test]
fn rules_are_about_times() {
    let year = "com,example)/ 2014 {\"access\": \"block\"}";
    check(year, "http://example.com/", "20140101", Access::Block);
    check(year, "http://example.com/", "20141231235959", Access::Block);
    check(year, "http://example.com/", "2015", Access::Allow);
    let span = "com,example)/ 2014:201502 {\"access\": \"block\"}";
    check(span, "http://example.com/", "20150228", Access::Block);
    check(span, "http://example.com/", "20150301", Access::Allow);
    let open = "com,example)/ :2014 {\"access\": \"block\"}";
    check(open, "http://example.com/", "1999", Access::Block);
    let after = "com,example)/ - {\"access\": \"block\", \"after\": \"2014\"}";
    check(
        after,
        "http://example.com/",
        "20140101000001",
        Access::Block,
    );
    check(after, "http://example.com/", "20140101", Access::Allow);
    let before = "com,example)/ - {\"access\": \"block\", \"before\": \"2014\"}";
    check(
        before,
        "http://example.com/",
        "20131231235959",
        Access::Block,
    );
    check(before, "http://example.com/", "20140101", Access::Allow);
}

#[test]
fn an_embargo_ends_by_itself() {
    let rules = "*, - {\"access\": \"block\", \"newer\": {\"years\": 1, \"days\": 1}}";
    check(rules, "http://example.com/", "20190615", Access::Block);
    check(rules, "http://example.com/", "20190613", Access::Allow);
    let rules = "*, - {\"access\": \"exclude\", \"older\": {\"months\": 6}}";
    check(rules, "http://example.com/", "20191214", Access::Exclude);
    check(rules, "http://example.com/", "20191216", Access::Allow);
}

#[test]
fn rules_for_other_times_and_users_leave_it_to_shorter_ones() {
    let rules = "com,example)/ - {\"access\": \"block\"}\n\
                 com,example)/page 2014 {\"access\": \"allow\"}\n\
                 com,example)/page/in - {\"access\": \"allow\", \"user\": \"staff\"}\n";
    check(rules, "http://example.com/page", "2014", Access::Allow);
    check(rules, "http://example.com/page", "2015", Access::Block);
    check(rules, "http://example.com/page/in", "2015", Access::Block);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let check = |rules: &str, line: usize, reason: &str| {
        let error = AccessList::parse(rules).unwrap_err();
        assert_eq!(
            (error.line, error.reason.contains(reason)),
            (line, true),
            "{error}"
        );
    };
    check("com,example)/", 1, "a rule is written");
    check("\nhttp://example.com/ - {\"access\": \"block\"}", 2, "SURT");
    check("a - {\"access\": \"perhaps\"}", 1, "perhaps");
    check("a - {}", 1, "access");
    check("a 20xx {\"access\": \"block\"}", 1, "20xx");
    check(
        "a - {\"access\": \"block\", \"newer\": {\"years\": -1}}",
        1,
        "-1",
    );
}

#[test]
fn lists_that_close_nothing_are_known() {
    let allows = |rules: &str| AccessList::parse(rules).unwrap().allows_everything();
    assert!(allows(""));
    assert!(allows("*, - {\"access\": \"allow\"}"));
    assert!(!allows("a### - {\"access\": \"block\"}"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = AccessList::parse(&text);
    }

    /// As slowly found by looking at every rule.
    #[test]
    fn the_longest_of_all_beginnings(
        keys in prop::collection::btree_set("[ab]{1,6}", 0..12),
        asked in "[ab]{1,8}",
    ) {
        let blocked = |key: &String| key.len().is_multiple_of(2);
        let rules: String = keys
            .iter()
            .map(|key| format!("{key} - {{\"access\": \"{}\"}}\n", if blocked(key) { "block" } else { "allow" }))
            .collect();
        let longest = keys.iter().filter(|key| asked.starts_with(*key)).max_by_key(|key| key.len());
        let expected = if longest.is_some_and(blocked) { Access::Block } else { Access::Allow };
        let list = AccessList::parse(&rules).unwrap();
        let found = list.access(&Surt::from_key(asked), at("2010"), at("2020"));
        prop_assert_eq!(found, expected);
    }
}
