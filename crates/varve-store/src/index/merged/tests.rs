use super::*;
use crate::index::testing::{change, in_form, plain, zipped};
use proptest::prelude::*;

/// All lines that a cursor gives, and how many errors were among them.
fn walk(mut cursor: MergedCursor) -> (Vec<(usize, String)>, usize) {
    let (mut lines, mut errors) = (Vec::new(), 0);
    loop {
        match cursor.next_line() {
            Ok(Some((tag, line))) => lines.push((tag, String::from_utf8_lossy(line).into())),
            Ok(None) => return (lines, errors),
            Err(_) => errors += 1,
        }
    }
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[ab]{0,3}[ab] 1 x", 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn layers_are_merged_in_order(
        mut layers in prop::collection::vec(lines(), 0..6),
        key in "[ab]{0,3}",
    ) {
        let mut opened = Vec::new();
        let mut all = Vec::new();
        for (at, lines) in layers.iter_mut().enumerate() {
            lines.sort();
            opened.push(in_form(lines, at as u8));
            // Tags need not be in the order of the Layers.
            all.extend(lines.iter().map(|line| (at, (10 - at, line.clone()))));
        }
        all.sort_by(|a, b| a.1.1.cmp(&b.1.1).then(a.0.cmp(&b.0)));
        let all: Vec<_> = all.into_iter().map(|(_, line)| line).collect();
        let tagged = opened.iter().enumerate().map(|(at, (_, index))| (10 - at, index.clone()));
        let merged = MergedIndex::new(tagged.collect());
        let (before, after) = all.split_at(all.partition_point(|(_, line)| *line < key));
        let reversed = |lines: &[_]| lines.iter().rev().cloned().collect::<Vec<_>>();
        prop_assert_eq!(walk(merged.seek(key.as_bytes()).unwrap()), (after.to_vec(), 0));
        prop_assert_eq!(walk(merged.seek_back(key.as_bytes()).unwrap()), (reversed(before), 0));
        prop_assert_eq!(walk(merged.end().unwrap()), (reversed(&all), 0));
        prop_assert_eq!(walk(merged.start().unwrap()), (all, 0));
    }
}

#[test]
fn headers_are_left_out() {
    let (_dir, index) = plain(b"!OpenWayback-CDXJ 1.0\n!meta 0 {}\na 1 x\n");
    let merged = MergedIndex::new(vec![(7, index)]);
    let expected = (vec![(7, "a 1 x".to_owned())], 0);
    assert_eq!(walk(merged.start().unwrap()), expected);
    assert_eq!(walk(merged.end().unwrap()), expected);
}

#[test]
fn damage_in_one_layer_leaves_the_others() {
    let lines = |key: &str| {
        (0..20)
            .map(|n| format!("{key} {n:02} x"))
            .collect::<Vec<_>>()
    };
    let (dir, _) = zipped(&lines("a"), 10);
    let damaged = change(dir.path(), "index.cdx.gz", |bytes| bytes.fill(0)).unwrap();
    let (_dir, sound) = plain(lines("a").join("\n").as_bytes());
    let merged = MergedIndex::new(vec![(0, damaged), (1, sound)]);
    for cursor in [
        merged.start(),
        merged.end(),
        merged.seek(b"a 15"),
        merged.seek_back(b"a 15"),
    ] {
        let (found, errors) = walk(cursor.unwrap());
        assert!(found.iter().all(|(tag, _)| *tag == 1));
        assert!(
            matches!((found.len(), errors), (20, 2) | (5, 1) | (15, 2)),
            "{errors}"
        );
    }
}
