#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Better, Wanted, improve};
use std::io::Cursor;

fn truth(surts: &[String]) -> Truth {
    let mut counter = Counter::new(Wanted::default());
    for surt in surts {
        counter
            .push(format!("{surt} 20140101000000 {{}}").as_bytes())
            .unwrap();
    }
    Truth::of(counter).unwrap()
}

fn map(text: &str) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

fn questions(keys: &[&str]) -> Asked {
    Asked {
        keys: keys.iter().map(|key| key.to_string()).collect(),
    }
}

#[test]
fn cost_accuracy_and_recall_are_counted() {
    let truth = truth(&["com,a)/x", "com,a)/y", "com,b)/z", "com,c)/"].map(str::to_owned));
    let map = map("com,a)/* 2\ncom,b)/z 1\n");
    let asked = questions(&["com,a)/x", "com,a)/no", "com,b)/no", "com,c)"]);
    let found = evaluate(map.path(), None, &truth, &asked).unwrap();
    assert_eq!((found.lines, found.keys, found.cost), (2, 4, 0.5));
    assert_eq!((found.bytes, found.byte_cost), (22, 22.0 / 42.0));
    assert_eq!((found.asked, found.held, found.false_positives), (4, 2, 1));
    assert_eq!(
        (found.accuracy, found.recall, found.lost_keys),
        (0.5, 0.5, 1)
    );
    assert_eq!(found.false_positives_by, [("path 1".to_owned(), 1)].into());
}

#[test]
fn questions_come_from_lists_and_logs() {
    let read = |text: &'static str| {
        asked(Input::new("x", Cursor::new(text)).unwrap(), None)
            .unwrap()
            .keys
    };
    assert_eq!(
        read("# list\nhttp://a.com/x?y\ncom,b)/\n\n"),
        ["com,a)/x", "com,b)"]
    );
    let log = "1.1.1.1 - - [x] \"GET /web/2014/http://a.com/x HTTP/1.1\" 404 1\n\
               1.1.1.1 - - [x] \"GET /style.css HTTP/1.1\" 200 1\n";
    assert_eq!(read(log), ["com,a)/x"]);
}

#[test]
fn a_grid_has_a_row_for_each_pair_and_loses_nothing() {
    let surts: Vec<String> = (0..300)
        .map(|n| format!("com,s{})/d{}/{n}", n % 3, n % 20))
        .collect();
    let truth = truth(&surts);
    let asked = questions(&["com,s0)/d0/no", "com,s1)/no", "com,no)"]);
    let weights: Vec<(f64, f64)> = GRID
        .iter()
        .flat_map(|host| GRID.map(|path| (*host, path)))
        .collect();
    let grid = grid(&truth, &asked, &RollUp::default(), &weights).unwrap();
    assert_eq!(grid.len(), 25);
    assert!(grid.iter().all(|one| one.evaluation.lost_keys == 0));
    assert!(grid[0].evaluation.cost > grid[4].evaluation.cost);
    assert_eq!(grid_chart(&grid).matches("<polyline").count(), 5);
}

#[test]
fn a_filter_makes_answers_below_wildcards_nearly_exact() {
    let surts: Vec<String> = (0..3000)
        .map(|n| format!("com,a)/d{}/{n}", n % 50))
        .collect();
    let truth = truth(&surts);
    let mut out = Vec::new();
    let better = Better {
        lines: Some(1),
        ..Better::default()
    };
    improve(&mut Records::open(truth.path()).unwrap(), &better, &mut out).unwrap();
    let file = map(std::str::from_utf8(&out).unwrap());
    let mut rolled = Records::open(file.path()).unwrap();
    let filter =
        KeyFilter::between(&mut Records::open(truth.path()).unwrap(), &mut rolled).unwrap();
    let keys = (0..1000)
        .map(|n| format!("com,a)/d{}/no{n}", n % 50))
        .collect();
    let asked = Asked { keys };
    let without = evaluate(file.path(), None, &truth, &asked).unwrap();
    let with = evaluate(file.path(), Some(&filter), &truth, &asked).unwrap();
    assert_eq!(without.accuracy, 0.0);
    assert!(with.accuracy > 0.98 && with.lost_keys == 0, "{with:?}");
    assert!(with.cost > without.cost);
    let filter = filter.len() as u64;
    assert_eq!(with.bytes, without.bytes + filter);
    assert_eq!(with.packed_bytes, without.packed_bytes + filter);
}
