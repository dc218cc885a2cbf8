use proptest::prelude::*;

use super::media_matches;
use crate::{ColourScheme, Pointer, Viewport};

#[track_caller]
fn check(viewport: &Viewport, rows: &[(&str, bool)]) {
    for &(query, expected) in rows {
        assert_eq!(media_matches(query, viewport), expected, "{query}");
    }
}

/// These rows are what headless Chromium 156 answered to `matchMedia` at 1280x800.
#[test]
fn as_chromium_answers() {
    check(
        &Viewport::default(),
        &[
            ("(hover)", false),
            ("(hover:none)", true),
            ("(pointer:none)", true),
            ("(pointer:coarse)", false),
            ("(pointer:fine)", false),
            ("(any-pointer:fine)", false),
            ("(any-hover:hover)", false),
            ("(prefers-color-scheme:light)", true),
            ("(prefers-reduced-motion)", false),
            ("(prefers-reduced-motion:no-preference)", true),
            ("(color)", true),
            ("(color-gamut:srgb)", true),
            ("(color-gamut:p3)", false),
            ("(monochrome)", false),
            ("(grid)", false),
            ("(update:fast)", true),
            ("(update)", true),
            ("(scripting)", true),
            ("(scripting:enabled)", true),
            ("(display-mode:browser)", true),
            ("(forced-colors)", false),
            ("(inverted-colors)", false),
            ("(prefers-contrast)", false),
            ("(prefers-contrast:no-preference)", true),
            ("(dynamic-range:high)", false),
            ("(video-dynamic-range:standard)", false),
            ("(scan:progressive)", false),
            ("(overflow-block:scroll)", true),
            ("(overflow-inline:scroll)", true),
            ("(prefers-reduced-data)", false),
            ("(prefers-reduced-transparency)", false),
            ("(device-width:1280px)", true),
            ("(aspect-ratio:8/5)", true),
            ("(color-index)", false),
            ("(-webkit-transform-3d)", true),
            ("(-webkit-min-device-pixel-ratio:1)", true),
            ("(min-resolution:.001dpcm)", true),
            ("(color:8)", true),
            ("(nav-controls)", false),
            ("(environment-blending:opaque)", false),
            ("(horizontal-viewport-segments:1)", true),
            ("(device-posture:continuous)", true),
            ("(-webkit-animation)", false),
            ("(width > 400px > 200px)", false),
            ("not (foo)", false),
            ("(foo)", false),
            ("(foo) or (width)", true),
            ("not screen and (foo)", false),
            ("not (width)", false),
            ("screen and ((width) or (foo))", true),
            ("(width) and (height) or (color)", false),
            ("(200px < width <= 2000px)", true),
            ("(width: 80em)", true),
            ("(min-width:calc(1px*3))", true),
            ("all and (min-width:0)", true),
            ("(min-width:0px)", true),
            ("tv", false),
            ("not tv", true),
            ("only screen", true),
            ("only", false),
            ("(min-width:-1px)", true),
            ("(resolution:1x)", true),
            ("(resolution:96dpi)", true),
            ("not all, screen", true),
            ("screen and", false),
            ("(min-width: 400)", false),
            ("(orientation)", true),
            ("(orientation:landscape)", true),
            ("not(width)", false),
            ("(width)and (height)", true),
            ("screen and(width)", false),
        ],
    );
}

#[test]
fn ordinary_queries() {
    check(
        &Viewport::default(),
        &[
            ("", true),
            ("  ", true),
            ("all", true),
            ("screen", true),
            ("SCREEN", true),
            ("print", false),
            ("print, screen", true),
            ("not print", true),
            ("not screen", false),
            ("(min-width: 1280px)", true),
            ("(min-width: 1281px)", false),
            ("(max-width: 1279.98px)", false),
            (
                "screen and (min-width: 600px) and (max-width: 1300px)",
                true,
            ),
            (
                "screen and (min-width: 600px) and (max-width: 1000px)",
                false,
            ),
            ("not screen and (min-width: 2000px)", true),
            ("not (min-width: 2000px)", true),
            ("(not (min-width: 2000px))", true),
            ("(width >= 1280px)", true),
            ("(width > 1280px)", false),
            ("(1280px >= width)", true),
            ("(600px<=width<=1300px)", true),
            ("((min-width: 1px) and (not (print-me)))", false),
            ("(min-aspect-ratio: 16/10)", true),
            ("(min-aspect-ratio: 16/9)", false),
            (
                "(-webkit-min-device-pixel-ratio: 1.5), (min-resolution: 144dpi)",
                false,
            ),
            ("(prefers-color-scheme: dark)", false),
            ("(min-width", false),
            ("(min-width: 10px", true),
            (")", false),
            ("(,)", false),
            ("screen,", true),
            ("url(x)", false),
        ],
    );
}

#[test]
fn another_client() {
    let phone = Viewport {
        width: 390,
        height: 844,
        screen: (390, 844),
        pixel_ratio: 3.0,
        pointer: Pointer::Coarse,
        colour_scheme: ColourScheme::Dark,
    };
    check(
        &phone,
        &[
            ("(max-width: 40em)", true),
            ("(orientation: portrait)", true),
            (
                "(-webkit-min-device-pixel-ratio: 1.5), (min-resolution: 144dpi)",
                true,
            ),
            ("(min-resolution: 2dppx)", true),
            ("(max-resolution: 2x)", false),
            ("(pointer: coarse) and (hover: none)", true),
            ("(pointer)", true),
            ("(prefers-color-scheme: dark)", true),
            ("(max-device-width: 400px)", true),
        ],
    );
}

proptest! {
    #[test]
    fn any_text_is_taken(text in "(?s).{0,60}", tokens in "(not |and |or |\\(|\\)|width|min-width|:|<|>|=|1px|,|screen| ){0,60}") {
        let viewport = Viewport::default();
        let _ = media_matches(&text, &viewport);
        let _ = media_matches(&tokens, &viewport);
    }

    #[test]
    fn widths_compare_as_numbers_do(width in 1u32..5000, bound in 0u32..5000) {
        let viewport = Viewport { width, ..Viewport::default() };
        let holds = |query: String| media_matches(&query, &viewport);
        prop_assert_eq!(holds(format!("(min-width: {bound}px)")), width >= bound);
        prop_assert_eq!(holds(format!("(max-width: {bound}px)")), width <= bound);
        prop_assert_eq!(holds(format!("(width < {bound}px)")), width < bound);
        prop_assert_eq!(holds(format!("not (width < {bound}px)")), width >= bound);
    }
}
