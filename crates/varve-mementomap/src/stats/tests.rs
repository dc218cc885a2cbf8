#![allow(clippy::unwrap_used)]
use super::*;

fn profile(lines: &[&str]) -> Holdings {
    let mut profiler = Profiler::default();
    for line in lines {
        profiler.push(line.as_bytes()).unwrap();
    }
    profiler.finish().unwrap()
}

fn example() -> Holdings {
    profile(&[
        " CDX N b a m s k r M S V g",
        "com,a)/ 20140101000000 http://a.com/ text/html 200 X - - 1 2 f",
        "com,a)/ 20140201000000 http://a.com/ text/html 200 X - - 1 2 f",
        "com,a)/ 20160101000000 http://a.com/ text/html 301 X - - 1 2 f",
        r#"com,a)/x?y 20150101000000 {"url": "http://a.com/x?y", "status": "200"}"#,
        r#"com,a)/x?z 20150101000000 {"url": "http://a.com/x?z", "status": 404}"#,
        "dns:a.com 20150101000000 dns:a.com text/dns - X - - 1 2 f",
        r#"org,b)/ 20160101000000 {"url": "http://b.org/"}"#,
    ])
}

#[test]
fn mementos_and_originals_are_counted() {
    let found = example();
    assert_eq!(
        found.total,
        Holding {
            originals: 4,
            mementos: 6
        }
    );
    assert_eq!((found.keys, found.skipped), (3, 1));
    assert_eq!((found.mean, found.median), (1.5, 1));
    assert_eq!(found.top[0], ("com,a)/".to_owned(), 3));
    let com = Holding {
        originals: 3,
        mementos: 5,
    };
    let org = Holding {
        originals: 1,
        mementos: 1,
    };
    assert_eq!(
        found.tlds,
        [("com".to_owned(), com), ("org".to_owned(), org)]
    );
    let statuses: Vec<_> = found
        .statuses
        .iter()
        .map(|(status, count)| (status.as_str(), *count))
        .collect();
    assert_eq!(statuses, [("-", 1), ("200", 3), ("301", 1), ("404", 1)]);
}

#[test]
fn years_tell_what_was_new_and_what_was_captured_again() {
    let found = example();
    let year = |name: &str| found.years[name];
    assert_eq!(
        year("2014"),
        Year {
            originals: 1,
            mementos: 2,
            duplicates: 1,
            new_originals: 1,
            cumulative_originals: 1,
            cumulative_mementos: 2
        }
    );
    assert_eq!(
        year("2016"),
        Year {
            originals: 2,
            mementos: 2,
            duplicates: 0,
            new_originals: 1,
            cumulative_originals: 4,
            cumulative_mementos: 6
        }
    );
}

#[test]
fn how_evenly_mementos_are_spread_is_measured() {
    let even = profile(&[
        "com,a)/ 2014 {}",
        "com,b)/ 2014 {}",
        "com,c)/ 2014 {}",
        "com,d)/ 2014 {}",
    ]);
    assert!(
        even.gini.abs() < 1e-9 && (even.pareto - 0.5).abs() < 1e-9,
        "{even:?}"
    );
    // One of four originals has 97 of 100 mementos.
    let mut lines = vec!["com,a)/ 2014 {}"; 97];
    lines.extend(["com,b)/ 2014 {}", "com,c)/ 2014 {}", "com,d)/ 2014 {}"]);
    let uneven = profile(&lines);
    assert!((uneven.gini - 0.72).abs() < 1e-9, "{}", uneven.gini);
    assert!(uneven.pareto < 0.25, "{}", uneven.pareto);
}

#[test]
fn depths_tell_the_shape_of_the_tree() {
    let found = example();
    let nodes = |depths: &[Depth]| depths.iter().map(|depth| depth.nodes).collect::<Vec<_>>();
    assert_eq!(nodes(&found.host_depths), [2, 2]);
    assert_eq!(nodes(&found.path_depths), [2, 1]);
    assert_eq!(found.path_depths[0].mean_children, 1.0);
}

#[test]
fn a_map_has_a_profile_too() {
    let found = profile(&["!meta {}", "com,a)/x 5", "com,b) 2"]);
    assert_eq!(
        found.total,
        Holding {
            originals: 2,
            mementos: 7
        }
    );
    assert!(found.years.is_empty());
}

#[test]
fn so_has_a_list_of_urls() {
    let found = profile(&["http://a.com/x?1", "http://a.com/x?2", "http://a.com/x?2"]);
    assert_eq!(
        found.total,
        Holding {
            originals: 2,
            mementos: 3
        }
    );
    assert_eq!((found.keys, found.skipped), (1, 0));
}

#[test]
fn the_page_holds_three_charts_and_no_markup_of_others() {
    let page = html(&profile(&["com,a)/<script> 2014 {}"]), "<b>");
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(!page.contains("<script>") && !page.contains("<b>"));
    assert!(text(&example()).contains("Pareto point"));
}
