#![allow(clippy::unwrap_used)]
use super::*;

fn map(text: &str) -> Map {
    Map::from_bytes("map", text.as_bytes().to_vec()).unwrap()
}

/// Key, frequency and distance, or a dash.
fn answer(map: &Map, key: &str) -> String {
    match map.answer(key).unwrap() {
        Some(found) => format!("{} {} {}", found.key, found.frequency, found.distance),
        None => "-".to_owned(),
    }
}

#[test]
fn the_most_specific_key_speaks() {
    let map = map(
        "!context [\"x\"]\n!meta {}\ncom,a)/x 3\ncom,a)/x/* 40/7\ncom,a)/x/no/* 0\ncom,b,* 9+\ncom,c)/ 2\norg,* 1~\n",
    );
    for (key, expected) in [
        ("com,a)/x", "com,a)/x 3 0"),
        ("com,a)/x/y/z", "com,a)/x/* 40/7 3"),
        ("com,a)/x/no", "com,a)/x/no/* 0 1"),
        ("com,a)/x/no/y", "com,a)/x/no/* 0 2"),
        ("com,a)/x/nobody", "com,a)/x/* 40/7 2"),
        ("com,a)/y", "-"),
        ("com,b)", "com,b,* 9+ 2"),
        ("com,b,www)/x", "com,b,* 9+ 4"),
        ("com,bb)", "-"),
        // The root of a site may be written with a slash.
        ("com,c)", "com,c)/ 2 0"),
        ("org,x)/y", "org,* 1~ 4"),
        ("net,x)", "-"),
    ] {
        assert_eq!(answer(&map, key), expected, "{key}");
    }
}

#[test]
fn a_map_of_everything_speaks_for_everything() {
    let map = map("* 5\nuk,bl,* 0\n");
    assert_eq!(answer(&map, "com,a)/x"), "* 5 5");
    assert_eq!(answer(&map, "localhost)"), "* 5 3");
    assert_eq!(answer(&map, "uk,bl)/x"), "uk,bl,* 0 3");
}

#[test]
fn the_first_and_the_last_line_are_found_and_an_empty_map_holds_nothing() {
    let only = map("com,a) 1");
    assert_eq!(answer(&only, "com,a)"), "com,a) 1 0");
    for text in ["", "\n", "!meta {}\n"] {
        assert_eq!(answer(&map(text), "com,a)"), "-");
    }
}

#[test]
fn all_keys_of_a_map_of_many_blocks_are_found_and_no_others() {
    // Long lines, so that some blocks have no beginning of a line.
    let key = |n: u32| {
        format!(
            "com,site{:04})/{}",
            n / 7,
            "x".repeat(((n * n) % 40) as usize * 3000 + 1)
        )
    };
    let mut keys: Vec<String> = (0..700).map(key).collect();
    keys.sort();
    keys.dedup();
    let text: String = keys.iter().map(|key| format!("{key} 1\n")).collect();
    let map = map(&text);
    assert!(map.blocks.len() > 500);
    for key in &keys {
        assert_eq!(map.answer(key).unwrap().unwrap().distance, 0);
        assert_eq!(map.answer(&format!("{key}-")).unwrap(), None);
        assert_eq!(map.answer(&format!("{key}/y")).unwrap(), None);
    }
}

#[test]
fn damage_is_told_with_its_line() {
    let told = |text: &str, key: &str| map(text).answer(key).unwrap_err().to_string();
    let unsorted = told("!meta {}\ncom,a) 1\ncom,c) 1\ncom,b) 1\n", "com,a)");
    assert!(
        unsorted.starts_with("map, line 4: comes after a greater key"),
        "{unsorted}"
    );
    let broken = told("com,a) 1\ncom,b) many\n", "com,b)");
    assert!(broken.starts_with("map, line 2: no frequency"), "{broken}");
}
