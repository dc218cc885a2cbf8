use proptest::prelude::*;

use super::{Chosen, Descriptor, choose, parse_srcset};

#[track_caller]
fn check(srcset: &str, expected: &[(&str, Descriptor)]) {
    let found = parse_srcset(srcset);
    let found: Vec<_> = found
        .iter()
        .map(|c| (&srcset[c.span.clone()], c.descriptor))
        .collect();
    assert_eq!(found, expected, "{srcset}");
}

#[test]
fn candidates() {
    use Descriptor::{Density, None, Width};
    check("", &[]);
    check(" , ,", &[]);
    check("a.png", &[("a.png", None)]);
    check(
        "a.png, b.png 2x",
        &[("a.png", None), ("b.png", Density(2.0))],
    );
    check(
        "a 1.5x,b 300w , c",
        &[("a", Density(1.5)), ("b", Width(300)), ("c", None)],
    );
    check("a,b", &[("a,b", None)]);
    check("a, b", &[("a", None), ("b", None)]);
    check("a,,, b", &[("a", None), ("b", None)]);
    check(
        "data:,a 1x, b 2x",
        &[("data:,a", Density(1.0)), ("b", Density(2.0))],
    );
    check("a_(1,2).png 2x", &[("a_(1,2).png", Density(2.0))]);
    check(
        "\n\ta\n2x\t,\tb\r1e1x",
        &[("a", Density(2.0)), ("b", Density(10.0))],
    );
    check(
        "a 100w 50h, b 50h 100w",
        &[("a", Width(100)), ("b", Width(100))],
    );
    check(
        "a 1x 2x, b 100w 2x, c 50h, d 0w, e -1x, f 5, g 1.5w, h",
        &[("h", None)],
    );
    check("a foo(b, c) 2x, d", &[("d", None)]);
    check("a 0x", &[("a", Density(0.0))]);
    check("ä 2x, ö", &[("ä", Density(2.0)), ("ö", None)]);
    check("a 2é, b", &[("b", None)]);
}

/// Shows the chosen candidate; "src" for the `src` attribute.
#[track_caller]
fn check_choice(srcset: &str, has_src: bool, size: f64, pixel_ratio: f64, expected: &str) {
    let candidates = parse_srcset(srcset);
    let chosen = match choose(&candidates, has_src, size, pixel_ratio) {
        Chosen::Candidate(index) => &srcset[candidates[index].span.clone()],
        Chosen::Src => "src",
        Chosen::Nothing => "",
    };
    assert_eq!(chosen, expected, "{srcset} for {size} px at {pixel_ratio}");
}

#[test]
fn densities() {
    for (srcset, pixel_ratio, expected) in [
        ("b 2x", 1.0, "src"),
        ("b 2x", 2.0, "b"),
        ("b 2x", 3.0, "b"),
        ("b 2x", 1.5, "b"),
        ("b 2x", 1.1, "b"),
        ("b 1x, c 2x", 1.0, "b"),
        ("b, c 2x, d 3x", 2.5, "d"),
        ("b, c 2x, d 3x", 2.1, "d"),
        ("b 0.5x", 1.0, "src"),
        ("b 1.5x, c 3x", 1.0, "src"),
        ("", 2.0, "src"),
    ] {
        check_choice(srcset, true, 100.0, pixel_ratio, expected);
    }
    check_choice("b 1.5x, c 3x", false, 100.0, 1.0, "b");
    check_choice("b 0.5x, c 2x", false, 100.0, 1.0, "c");
    check_choice("b 1x, c 1x", false, 100.0, 1.0, "b");
    check_choice("", false, 100.0, 1.0, "");
}

#[test]
fn widths() {
    for (size, pixel_ratio, expected) in [
        (100.0, 1.0, "small"),
        (400.0, 1.0, "small"),
        (401.0, 1.0, "middle"),
        (800.0, 1.0, "middle"),
        (400.0, 2.0, "middle"),
        (500.0, 2.0, "large"),
        (640.0, 2.0, "large"),
        (5000.0, 1.0, "large"),
        (0.0, 1.0, "small"),
    ] {
        check_choice(
            "small 400w, middle 800w, large 1600w",
            true,
            size,
            pixel_ratio,
            expected,
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_taken(srcset in "(?s).{0,80}", descriptors in "[a-c0-9., xwh()]{0,80}") {
        for text in [srcset, descriptors] {
            let candidates = parse_srcset(&text);
            for candidate in &candidates {
                prop_assert!(!text[candidate.span.clone()].is_empty());
            }
            let chosen = choose(&candidates, false, 320.0, 2.0);
            prop_assert_eq!(chosen == Chosen::Nothing, candidates.is_empty());
        }
    }

    #[test]
    fn a_list_as_written_by_programs_is_read_back(widths in prop::collection::vec(1u32..5000, 1..10)) {
        let srcset: Vec<String> = widths.iter().map(|w| format!("/i?w={w} {w}w")).collect();
        let srcset = srcset.join(", ");
        let found: Vec<_> = parse_srcset(&srcset).iter().map(|c| c.descriptor).collect();
        let expected: Vec<_> = widths.iter().map(|&w| Descriptor::Width(w)).collect();
        prop_assert_eq!(found, expected);
    }
}
