#![allow(clippy::unwrap_used)]
use super::*;
use crate::Input;
use std::collections::BTreeMap;
use std::io::Cursor;

/// Rolls up lines given as text.
pub(crate) fn rolled(lines: &str, roll_up: &RollUp) -> String {
    let mut records =
        Records::new(Input::new("map", Cursor::new(lines.to_owned())).unwrap()).unwrap();
    let mut out = Vec::new();
    let compacted = compact(&mut records, roll_up, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(compacted.lines, out.lines().count() as u64);
    assert_eq!(compacted.bytes, out.len() as u64);
    let wildcards = |text: &str| text.matches("* ").count() as u64;
    if wildcards(lines) == 0 {
        assert_eq!(compacted.roll_ups, wildcards(&out));
    }
    out
}

/// Lines of these keys, each held so many times, in order.
fn lines(keys: impl IntoIterator<Item = String>, each: u64) -> String {
    let sorted: BTreeMap<String, u64> = keys.into_iter().map(|key| (key, each)).collect();
    sorted
        .iter()
        .map(|(key, held)| format!("{key} {held}\n"))
        .collect()
}

fn weights(host: f64, path: f64) -> RollUp {
    RollUp::default().weighing(host, path)
}

#[test]
fn a_directory_rolls_up_when_it_has_more_children_than_its_cut_off() {
    // At depth 2 the cut-off is 9.116.
    let nine = (0..9).map(|n| format!("com,a)/x/{n}"));
    let kept = lines(nine.clone(), 1);
    assert_eq!(rolled(&kept, &RollUp::default()), kept);
    let ten = lines(
        nine.chain(["com,a)/x".to_owned(), "com,a)/x/9".to_owned()]),
        3,
    );
    // What is at the directory itself is in the sum.
    assert_eq!(rolled(&ten, &RollUp::default()), "com,a)/x/* 33\n");
}

#[test]
fn a_host_rolls_up_with_all_below_it_and_a_top_level_domain_never() {
    let hosts = (0..10).map(|n| format!("com,a,{n})/p/q"));
    let all = lines(hosts.chain(["com,a)".to_owned(), "com,b)".to_owned()]), 2);
    assert_eq!(rolled(&all, &RollUp::default()), "com,a,* 22\ncom,b) 2\n");
    let sites = lines((0..50).map(|n| format!("com,a{n})")), 1);
    assert_eq!(rolled(&sites, &weights(0.0, 0.0)), sites);
}

#[test]
fn the_uppermost_node_wins() {
    let deep = (0..12).map(|n| format!("com,a)/x/y/{n}"));
    let wide = (0..30).map(|n| format!("com,a)/{n}"));
    let both = lines(deep.chain(wide), 1);
    assert_eq!(rolled(&both, &RollUp::default()), "com,a)/* 42\n");
}

#[test]
fn weights_of_infinity_change_nothing_but_equal_keys() {
    let text = "com,a) 1\ncom,a) 2\ncom,a)/x/ 3\ncom,a)/x?y 4\ncom,b) 5/2 {\"a\": 1}\n";
    let expected = "com,a) 3\ncom,a)/x 7\ncom,b) 5/2 {\"a\": 1}\n";
    assert_eq!(rolled(text, &RollUp::never()), expected);
}

#[test]
fn siblings_in_the_midst_of_a_directory_do_not_make_it_two() {
    // `x`, `x-1` and `x/y` in the order of bytes: 13 directories, 26 children of the site.
    let names = (b'a'..b'a' + 13).map(char::from);
    let keys = names.flat_map(|x| {
        [
            format!("com,s)/{x}"),
            format!("com,s)/{x}-1"),
            format!("com,s)/{x}/y"),
        ]
    });
    let map = lines(keys, 1);
    // 26.1 is not exceeded, although 39 runs of lines begin with a new name.
    assert_eq!(rolled(&map, &weights(1.0, 26.1 / 24.546)), map);
    assert_eq!(rolled(&map, &weights(1.0, 25.9 / 24.546)), "com,s)/* 39\n");
}

#[test]
fn a_directory_with_siblings_in_its_midst_rolls_up_around_them() {
    let children = (0..10).map(|n| format!("com,s)/x/{n}"));
    let others = ["com,s)/x", "com,s)/x-1", "com,s)/x-1/a", "com,s)/x.html"].map(str::to_owned);
    let map = lines(others.into_iter().chain(children), 1);
    assert_eq!(
        rolled(&map, &RollUp::default()),
        "com,s)/x-1 1\ncom,s)/x-1/a 1\ncom,s)/x.html 1\ncom,s)/x/* 11\n"
    );
}

#[test]
fn a_host_with_siblings_in_its_midst_rolls_up_around_them() {
    let below = (0..10).map(|n| format!("com,s,{n})"));
    let others = ["com,s)", "com,s)/x", "com,s+t)", "com,s+t)/x"].map(str::to_owned);
    let map = lines(others.into_iter().chain(below), 1);
    assert_eq!(
        rolled(&map, &RollUp::default()),
        "com,s+t) 1\ncom,s+t)/x 1\ncom,s,* 12\n"
    );
}

#[test]
fn a_host_that_extends_the_one_before_it_leaves_no_broken_lines() {
    // The site rolls up its paths, then one of its subdomains rolls up.
    let pages = (0..30).map(|n| format!("com,a)/{n:02}"));
    let below = (0..9).map(|n| format!("com,a,www,{n})"));
    let map = lines(pages.chain(below), 1);
    assert_eq!(
        rolled(&map, &weights(1.0, 1.0)),
        "com,a)/* 30\ncom,a,www,* 9\n"
    );
}

#[test]
fn addresses_and_hosts_of_one_label_are_kept() {
    let pages = |host: &str| {
        (0..30)
            .map(move |n| format!("{host})/{n:02}"))
            .collect::<Vec<_>>()
    };
    let map = lines([pages("127.0.0.1"), pages("localhost")].concat(), 1);
    assert_eq!(
        rolled(&map, &RollUp::default()),
        "127.0.0.1)/* 30\nlocalhost)/* 30\n"
    );
}

#[test]
fn below_the_greatest_depth_names_are_not_told_apart() {
    let deep = |n: usize| format!("com,a)/1/2/3/4/5/6/7/{n}/x");
    let map = lines((0..2).flat_map(|n| [deep(n), deep(n) + "/y"]), 1);
    // Four children at depth 8, of which one is allowed.
    assert_eq!(
        rolled(&map, &RollUp::default()),
        "com,a)/1/2/3/4/5/6/7/* 4\n"
    );
    let shallow = RollUp {
        max_path_depth: 2,
        ..RollUp::default()
    };
    assert_eq!(rolled(&map, &shallow), map);
}

#[test]
fn what_is_compacted_can_be_compacted_again() {
    let keys = (0..40).map(|n| format!("com,a)/{}/{n}", n % 4));
    let once = rolled(&lines(keys, 1), &weights(1.0, 0.5));
    assert_eq!(
        once,
        "com,a)/0/* 10\ncom,a)/1/* 10\ncom,a)/2/* 10\ncom,a)/3/* 10\n"
    );
    assert_eq!(rolled(&once, &weights(1.0, 0.5)), once);
    assert_eq!(rolled(&once, &weights(1.0, 0.1)), "com,a)/* 40\n");
}

#[test]
fn what_is_said_not_to_be_held_is_no_child_and_never_becomes_more() {
    let map = lines((0..40).map(|n| format!("com,a)/{n:02}")), 0);
    assert_eq!(rolled(&map, &RollUp::default()), map);
    // A directory that is known only for what it has not still counts when it has something.
    let below = "com,a)/x/* 0\ncom,a)/x/y 1\ncom,a)/z 1\n";
    assert_eq!(rolled(below, &weights(1.0, 1.5 / 24.546)), "com,a)/* 2\n");
}

#[test]
fn sums_keep_originals_apart_from_mementos() {
    let map: String = (0..30).map(|n| format!("com,a)/{n:02} 3/2\n")).collect();
    assert_eq!(rolled(&map, &RollUp::default()), "com,a)/* 90/60\n");
}

#[test]
fn lines_out_of_order_are_an_error_that_names_the_line_and_the_remedy() {
    let mut records =
        Records::new(Input::new("map", Cursor::new("com,a) 1\ncom,b) 1\ncom,a)/x 1\n")).unwrap())
            .unwrap();
    let error = compact(&mut records, &RollUp::default(), Vec::new())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("map, line 3: ") && error.ends_with("--sort mends that"),
        "{error}"
    );
}
