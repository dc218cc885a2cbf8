//! Which of several candidates is needed: the table in `selection.txt`, whose answers are those
//! of Chromium.

use url::Url;
use varve_page::{Document, Need, Role, Viewport, analyse};

struct Case<'c> {
    viewport: Viewport,
    html: &'c str,
    loaded: Vec<&'c str>,
}

fn cases(table: &str) -> Vec<Case<'_>> {
    let blocks = table.split("\n\n").filter(|block| !block.starts_with('#'));
    blocks.map(case).collect()
}

fn case(block: &str) -> Case<'_> {
    let (viewport, rest) = block.trim_start().split_once('\n').unwrap();
    let (html, loaded) = rest.split_once("\n=>").unwrap();
    let (size, pixel_ratio) = viewport.split_once('@').unwrap();
    let (width, height) = size.split_once('x').unwrap();
    let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
    Case {
        viewport: Viewport {
            width,
            height,
            screen: (width, height),
            pixel_ratio: pixel_ratio.parse().unwrap(),
            ..Viewport::default()
        },
        html,
        loaded: loaded.split_whitespace().collect(),
    }
}

#[test]
fn what_is_needed_is_what_chromium_loads() {
    let url = Url::parse("http://example.com/p.html").unwrap();
    let cases = cases(include_str!("selection.txt"));
    assert!(cases.len() > 40);
    for case in cases {
        let document = Document {
            content_type: Some("text/html"),
            ..Document::new(&url, case.html.as_bytes())
        };
        let page = analyse(&document, &case.viewport);
        let mut needed: Vec<_> = page
            .references
            .iter()
            .filter(|r| r.need == Need::Needed && matches!(r.role, Role::Embed(_) | Role::Frame))
            .map(|r| r.url.path().trim_start_matches('/'))
            .collect();
        needed.sort_unstable();
        assert_eq!(needed, case.loaded, "{}", case.html);
    }
}
