//! Pictures show pages as people would see them.

use varve_browser::VisitOptions;

use crate::setup::{quick, setup};
use crate::site::Site;

/// A page that is full of what JPEG cannot make small.
const BUSY: &str = "<style>body { margin: 0; height: 100vh; background:
    repeating-conic-gradient(#e00 0 10deg, #0a0 0 20deg, #00e 0 30deg) 0 0 / 60px 60px }</style>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thumbnail_shows_the_page_and_not_a_corner_full() {
    let setup = setup().await;
    let mut lengths = Vec::new();
    for html in ["<p>", BUSY] {
        let site = Site::of(html).await;
        let visit = setup.visit(&site, &VisitOptions::default()).await;
        lengths.push(visit.thumbnail.unwrap().len());
    }
    // Pages are drawn at a tenth of their size until then: a hundredth of the picture.
    assert!(lengths[1] > 5 * lengths[0], "{lengths:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_is_taken_without_the_page_noticing() {
    let setup = setup().await;
    let site = Site::of(
        "<p style='height:3000px'>tall<script>onresize = onscroll = () => fetch('/noticed')</script>",
    )
    .await;
    let visit = setup
        .visit(
            &site,
            &VisitOptions {
                screenshot: true,
                ..quick()
            },
        )
        .await;
    let picture = visit.screenshot.unwrap();
    let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!(size(16), 1280);
    assert!(size(20) > 3000, "{}", size(20));
    assert!(!site.was_asked("/noticed"));
}
