//! Media features that are decided for the client that captured a page.

use varve_page::{ColourScheme, Pointer, Rewriting, Targets, Viewport};

use super::{Letters, text};

fn phone() -> Viewport {
    Viewport {
        width: 390,
        height: 664,
        screen: (390, 844),
        pixel_ratio: 3.0,
        pointer: Pointer::Coarse,
        colour_scheme: ColourScheme::Dark,
    }
}

/// Checks what becomes of a media query: `✓` is what holds, `✗` what does not.
#[track_caller]
fn check(query: &str, expected: &str) {
    let client = phone();
    let how = Rewriting {
        client: Some(&client),
        ..Rewriting::new(&Letters)
    };
    let expected = expected.replace('✓', "(grid:0)").replace('✗', "(grid:1)");
    let sheet = |query: &str| format!("@media {query} {{a{{b:c}}}}@import 'x' {query};");
    let found = text("text/css", &sheet(query), &how);
    assert_eq!(
        found,
        sheet(&expected).replace("'x'", "'~c/d/x'"),
        "{query}"
    );
    assert_eq!(text("text/css", &found, &how), found, "{query}, twice");
}

#[track_caller]
fn same(query: &str) {
    let client = phone();
    let how = Rewriting {
        client: Some(&client),
        ..Rewriting::new(&Letters)
    };
    let sheet = format!("@media {query} {{a{{b:c}}}}");
    assert_eq!(text("text/css", &sheet, &how), sheet, "{query}");
}

#[test]
fn the_screen() {
    check("(device-width: 390px)", "✓");
    check("(device-width: 391px)", "✗");
    check("(min-device-width: 400px)", "✗");
    check("(max-device-width: 400px)", "✓");
    check("(device-height: 844px)", "✓");
    check("(device-width >= 300px)", "✓");
    check("(300px < device-width < 350px)", "✗");
    check("(device-aspect-ratio: 390/844)", "✓");
    check("(device-width)", "✓");
}

#[test]
fn pointers_and_wishes() {
    check("(hover)", "✗");
    check("(hover: none)", "✓");
    check("(any-hover: hover)", "✗");
    check("(pointer: coarse)", "✓");
    check("(any-pointer: fine)", "✗");
    check("(pointer)", "✓");
    check("(prefers-color-scheme: dark)", "✓");
    check("(prefers-color-scheme:light)", "✗");
    check("(prefers-reduced-motion: reduce)", "✗");
    check("(prefers-reduced-motion)", "✗");
    check("(HOVER: None)", "✓");
    check("(h\\6fver)", "✗");
}

#[test]
fn conditions_around_them_stay() {
    check("screen and (hover)", "screen and ✗");
    check("not all and (hover)", "not all and ✗");
    check("not (hover)", "not ✗");
    check("(hover) or (pointer:coarse)", "✗ or ✓");
    check(
        "((hover) and (width > 1px)) or (not (pointer: none))",
        "(✗ and (width > 1px)) or (not ✗)",
    );
    check("print, (max-device-width: 1000px)", "print, ✓");
    check(
        "(min-width: 1px) and (max-device-width: 1px)",
        "(min-width: 1px) and ✗",
    );
}

#[test]
fn what_the_frame_pins_and_what_nobody_knows_stays() {
    same("(width: 390px)");
    same("(min-width: 1em) and (orientation: portrait)");
    same("(-webkit-min-device-pixel-ratio: 2)");
    same("(resolution: 3dppx)");
    same("(device-width: 1furlong)");
    same("(device-colour)");
    same("print");
}

#[test]
fn without_a_client_nothing_is_decided() {
    let how = Rewriting::new(&Letters);
    let sheet = "@media (hover){a{b:c}}";
    assert_eq!(text("text/css", sheet, &how), sheet);
}

#[test]
fn pictures_are_chosen_for_the_window_of_the_capture() {
    let client = phone();
    let of_picture = |targets| {
        let how = Rewriting {
            client: Some(&client),
            targets,
            ..Rewriting::new(&Letters)
        };
        let html = "<source media='(max-width: 400px)'><source media='(orientation: landscape)'>\
                    <style media='(max-width: 400px)'></style>";
        text("text/html", html, &how)
    };
    // Before the frame has its size, browsers have looked for pictures.
    let topmost = of_picture(Targets::TOPMOST);
    assert!(
        topmost.contains("<source media='(grid:0)'><source media='(grid:1)'>"),
        "{topmost}"
    );
    // Rules come true when it has it.
    assert!(topmost.contains("<style media='(max-width: 400px)'>"));
    // The size of a frame inside is the page's own affair.
    let inside = of_picture(Targets::default());
    assert!(inside.contains("<source media='(max-width: 400px)'>"));
}
