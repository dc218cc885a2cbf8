#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

fn map_of(text: String, wanted: Wanted) -> (String, Generated) {
    let mut counter = Counter::new(wanted);
    counter
        .read(Input::new("index", Cursor::new(text)).unwrap())
        .unwrap();
    let mut out = Vec::new();
    let generated = counter.finish(&RollUp::never(), &mut out).unwrap();
    (String::from_utf8(out).unwrap(), generated)
}

/// The map that so many threads make of many blocks, with captures, queries and keys that come late.
fn map_by(workers: usize, wanted: &Wanted) -> String {
    let mut text = String::new();
    for site in 0..9000 {
        for page in 0..6 {
            let query = ["", "?a", "?b", "/x?c"][(site + page) % 4];
            let line = format!(
                "com,s{site:04})/p{}{query} 2014 {{}} {:>90}\n",
                page * page % 7,
                ""
            );
            text += &line.repeat(1 + page % 3);
        }
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    // A file is read at several places at once, a pipe in turns.
    let inputs = [
        Input::open(file.path()).unwrap(),
        Input::new("index", Cursor::new(text)).unwrap(),
    ];
    let [map, from_pipe] = inputs.map(|input| {
        let mut counter = Counter::new(wanted.clone());
        counter.read_by(workers, input).unwrap();
        let mut out = Vec::new();
        counter.finish(&RollUp::never(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    });
    assert!(map == from_pipe);
    map
}

#[test]
fn maps_are_the_same_by_any_number_of_threads() {
    for originals in [false, true] {
        let wanted = Wanted {
            originals,
            ..Wanted::default()
        };
        let alone = map_by(1, &wanted);
        for workers in [2, 3, 8] {
            assert!(map_by(workers, &wanted) == alone, "by {workers} threads");
        }
    }
}

fn index(surts: &[&str]) -> String {
    surts
        .iter()
        .map(|surt| format!("{surt} 20140101000000 {{}}\n"))
        .collect()
}

#[test]
fn keys_are_counted_without_their_queries() {
    let text = index(&[
        "com,a)/",
        "com,a)/?x",
        "com,a)/y?1",
        "com,a)/y?1",
        "com,a)/y?2",
    ]);
    let (map, generated) = map_of(text.clone(), Wanted::default());
    assert_eq!(map, "com,a) 2\ncom,a)/y 3\n");
    assert_eq!(
        (generated.lines, generated.mementos, generated.map.keys),
        (5, 5, 2)
    );
    let originals = Wanted {
        originals: true,
        ..Wanted::default()
    };
    assert_eq!(map_of(text, originals).0, "com,a) 2/2\ncom,a)/y 3/2\n");
}

#[test]
fn keys_are_sorted_and_unique_although_queries_were_in_the_way() {
    let text = index(&[
        "com,a)/b",
        "com,a)/b-c",
        "com,a)/b/d",
        "com,a)/b/?x",
        "com,a)/b?x",
    ]);
    assert_eq!(
        map_of(text, Wanted::default()).0,
        "com,a)/b 3\ncom,a)/b-c 1\ncom,a)/b/d 1\n"
    );
}

#[test]
fn addresses_and_hosts_of_one_label_are_counted() {
    let text = index(&[
        "127.0.0.1)/",
        "dns:a.com",
        ")/x",
        "/)/x",
        "com,\r)/x",
        "localhost)/x",
    ]);
    assert_eq!(
        map_of(text, Wanted::default()).0,
        "127.0.0.1) 1\nlocalhost)/x 1\n"
    );
}

#[test]
fn lines_that_begin_alike_are_counted_like_the_first() {
    let twice = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| format!("{line}\n{line}\n"))
            .collect()
    };
    let text: String = twice(&[
        "com,a)/x 2014 {}",
        "com,b?x)/ 2014 {}",
        "com,c)/x\t2014 http://c.com/x text/html 200 - - - 1 2 f",
        "dns:c.com 2014 dns:c.com text/dns - - - - 1 2 f",
    ]);
    let (map, generated) = map_of(text, Wanted::default());
    assert_eq!(map, "com,a)/x 2\ncom,c)/x 2\n");
    assert_eq!((generated.lines, generated.mementos), (8, 4));
    // What the first word does not tell stays apart.
    let old = "a.com/ 2014 http://a.com/x text/html 200 - - - 1 2 f\na.com/ 2014 http://a.com/y text/html 200 - - - 1 2 f\n";
    let (map, _) = map_of(old.to_owned(), Wanted::default());
    assert_eq!(map, "com,a)/x 1\ncom,a)/y 1\n");
}

#[test]
fn damage_is_told_with_its_line() {
    let read_as = |text: Vec<u8>, originals: bool| {
        let mut counter = Counter::new(Wanted {
            originals,
            ..Wanted::default()
        });
        counter
            .read(Input::new("index", Cursor::new(text)).unwrap())
            .unwrap_err()
            .to_string()
    };
    let read = |text| read_as(text, false);
    let good = index(&["com,a)/"]).repeat(50_000).into_bytes();
    let nul = [good.clone(), b"com,\0)/ 20140101000000 {}\n".to_vec()].concat();
    assert_eq!(
        read(nul),
        "index, line 50001: holds a NUL byte: this is no text"
    );
    // Also one that looks like what is kept of the line before it.
    for originals in [false, true] {
        let kept = b"com,a)/x 2014 {}\ncom,a)/x\0com,a)/x 2014 {}\n".to_vec();
        assert_eq!(
            read_as(kept, originals),
            "index, line 2: holds a NUL byte: this is no text"
        );
    }
    let endless = [good, vec![b'x'; 4 << 20]].concat();
    assert_eq!(
        read(endless),
        "index, line 50001: longer than 1 MiB: this is no such file"
    );
}

proptest! {
    /// Whatever the order and however often blocks are cut, counts are exact.
    #[test]
    fn counts_are_exact(surts in proptest::collection::vec("(com|org),[a-c]\\)/[ab]?(\\?[xy])?", 0..300)) {
        let text: String = surts.iter().map(|surt| format!("{surt} 2014 {{}}\n")).collect();
        let mut expected: BTreeMap<&str, (u64, BTreeSet<&str>)> = BTreeMap::new();
        for surt in &surts {
            let key = std::str::from_utf8(key_of(surt.as_bytes())).unwrap();
            let (mementos, originals) = expected.entry(key).or_default();
            *mementos += 1;
            originals.insert(surt);
        }
        let lines: String = expected
            .iter()
            .map(|(key, (mementos, originals))| format!("{key} {mementos}/{}\n", originals.len()))
            .collect();
        let wanted = Wanted { originals: true, ..Wanted::default() };
        prop_assert_eq!(map_of(text, wanted).0, lines);
    }
}
