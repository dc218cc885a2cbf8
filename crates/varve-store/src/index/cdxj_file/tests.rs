use super::*;
use crate::index::LayerIndex;
use crate::index::testing::{backward, check_seek, faults, forward, plain};
use proptest::prelude::*;

/// Short lines and lines of several blocks.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => "[abc]{1,3}\\)/[abc]{0,3} 20[01][0-9]",
        1 => ("[abc]{1,3}", 0..24_000_usize).prop_map(|(key, n)| key + &"x".repeat(n)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn seek_agrees_with_a_sorted_vec(
        mut lines in prop::collection::vec(line(), 0..500),
        mut keys in prop::collection::vec(line(), 1..6),
        final_break: bool,
    ) {
        lines.sort();
        keys.extend(lines.iter().step_by(lines.len() / 6 + 1).cloned());
        keys.extend(["".to_owned(), "~".to_owned()]);
        let mut text = lines.join("\n");
        if final_break && !lines.is_empty() {
            text.push('\n');
        }
        let (_dir, index) = plain(text.as_bytes());
        check_seek(&index, &lines, &keys);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Whatever a file holds, searching and walking come to an end.
    #[test]
    fn any_bytes_are_survived(
        pieces in prop::collection::vec((any::<[u8; 4]>(), 0..4000_usize), 0..20),
        key in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let pieces = pieces.into_iter().map(|(bytes, times)| bytes.repeat(times));
        let text = pieces.collect::<Vec<_>>().join(&b'\n');
        let (_dir, index) = plain(&text);
        let cursor = index.seek(&key).unwrap();
        let (after, before) = (forward(cursor.clone()).0, backward(cursor).0);
        let all = forward(index.start()).0;
        prop_assert_eq!(after.len() + before.len(), all.len());
        prop_assert_eq!(backward(index.end().unwrap()).0.len(), all.len());
        faults(&index);
    }
}

#[test]
fn many_equal_lines() {
    let line = "com,a)/ 20200101000000 {}";
    let (_dir, index) = plain(format!("{line}\n").repeat(5000).as_bytes());
    let keys = ["com,a)/ 2020", line, "com,a)/ 20200101000000 {}!"].map(str::to_owned);
    check_seek(&index, &vec![line.to_owned(); 5000], &keys);
}

#[test]
fn next_and_prev_give_the_same_line() {
    let (_dir, index) = plain(b"a\nb\nc\n");
    let mut cursor = index.seek(b"b").unwrap();
    assert_eq!(cursor.next_line().unwrap(), Some(&b"b"[..]));
    assert_eq!(cursor.prev_line().unwrap(), Some(&b"b"[..]));
    assert_eq!(cursor.prev_line().unwrap(), Some(&b"a"[..]));
    assert_eq!(cursor.prev_line().unwrap(), None);
    let fault = cursor.fault("odd").to_string();
    assert!(fault.ends_with("index.cdxj: offset 0: odd"), "{fault}");
}

#[test]
fn a_line_that_is_too_long_is_named_and_stepped_over() {
    for len in [MAX_LINE + 1, MAX_LINE + 5000, 3 * MAX_LINE] {
        let text = format!("a\n{}\nc\nd\n", "b".repeat(len));
        let (_dir, index) = plain(text.as_bytes());
        let (lines, found) = forward(index.start());
        assert_eq!(lines, ["a", "c", "d"]);
        let (lines, found_back) = backward(index.end().unwrap());
        assert_eq!(lines, ["d", "c", "a"]);
        for errors in [found, found_back, faults(&index)] {
            assert_eq!(errors.len(), 1);
            assert!(
                errors[0].contains("index.cdxj: offset 2: a line is longer"),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn the_longest_line_is_read_from_both_sides() {
    let long = "b".repeat(MAX_LINE);
    let lines = ["a".to_owned(), long, "c".to_owned()];
    let (_dir, index) = plain(lines.join("\n").as_bytes());
    check_seek(&index, &lines, &["bc".to_owned(), "b".to_owned()]);
}

#[test]
fn a_file_cut_while_open_is_an_error_not_a_loop() {
    let (dir, index) = plain("com,a)/ 2020 {}\n".repeat(10_000).as_bytes());
    let path = dir.path().join("index.cdxj");
    let cut = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    cut.set_len(5000).unwrap();
    assert!(index.seek(b"com,b").is_err());
    assert_eq!(backward(index.end().unwrap()).1.len(), 1);
    let stopped = index.verify(&mut |_| panic!("not a fault of a line"));
    assert!(
        stopped
            .unwrap_err()
            .to_string()
            .contains("now ends at 5000")
    );
}

#[test]
fn verify_reports_every_line_out_of_place() {
    let table: [(&str, u64, &[&str]); 5] = [
        ("", 0, &[]),
        ("a\nb\nb\nc", 4, &[]),
        ("b\na\nc\n", 3, &["offset 2: a line is less"]),
        ("a\n\nb\n", 3, &["offset 2: an empty line"]),
        ("c\nb\na\n", 3, &["offset 2:", "offset 4:"]),
    ];
    for (text, lines, expected) in table {
        let (_dir, index) = plain(text.as_bytes());
        assert_eq!(index.verify(&mut |_| {}).unwrap().lines, lines);
        let found = faults(&index);
        assert_eq!(found.len(), expected.len(), "{text:?}: {found:?}");
        for (error, fault) in found.iter().zip(expected) {
            assert!(error.contains(fault), "{error}");
        }
    }
}

#[test]
fn a_directory_without_an_index_says_what_it_lacks() {
    let dir = tempfile::tempdir().unwrap();
    let error = LayerIndex::open(&crate::index::testing::os(), dir.path()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("neither index.cdxj nor index.idx")
    );
}

#[test]
fn a_cursor_goes_on_where_another_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.jsonl");
    std::fs::write(&path, "one\ntwo\nthree").unwrap();
    let file = CdxjFile::open(&crate::index::testing::os(), &path).unwrap();
    for (offset, next) in [
        (0, Some("one")),
        (1, Some("two")),
        (4, Some("two")),
        (5, Some("three")),
        (8, Some("three")),
        (13, None),
        (u64::MAX, None),
    ] {
        let mut cursor = file.from(offset).unwrap();
        let line = cursor.next_line().unwrap().map(|line| line.to_vec());
        assert_eq!(line.as_deref(), next.map(str::as_bytes), "{offset}");
    }
    let mut cursor = file.from(0).unwrap();
    cursor.next_line().unwrap();
    assert_eq!((cursor.offset(), cursor.position()), (0, 4));
}
