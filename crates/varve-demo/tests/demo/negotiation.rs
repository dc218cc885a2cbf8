//! Ranges, validators, codings, CORS and cookies.

use crate::client::{ask, get, post, start};
use std::io::Read;

#[tokio::test]
async fn ranges() {
    let web = start().await;
    let whole = get(&web, "garden.example", "/everything/range.bin").await;
    assert_eq!((whole.status(), whole.body.len()), (200, 4096));
    for (range, status, content_range, expected) in [
        (
            "bytes=100-199",
            206,
            Some("bytes 100-199/4096"),
            &whole.body[100..200],
        ),
        (
            "bytes=4000-",
            206,
            Some("bytes 4000-4095/4096"),
            &whole.body[4000..],
        ),
        (
            "bytes=-6",
            206,
            Some("bytes 4090-4095/4096"),
            &whole.body[4090..],
        ),
        (
            "bytes=5000-",
            416,
            Some("bytes */4096"),
            b"There is no such part.\n",
        ),
        ("bytes=0-1,5-6", 200, None, &whole.body[..]),
    ] {
        let field = format!("Range: {range}\r\n");
        let part = ask(
            &web,
            "GET",
            "garden.example",
            "/everything/range.bin",
            &field,
        )
        .await;
        assert_eq!(part.status(), status, "{range}");
        assert_eq!(part.field("content-range").as_deref(), content_range);
        assert_eq!(part.body, expected);
    }
    let stale = "Range: bytes=0-9\r\nIf-Range: \"old\"\r\n";
    let all = ask(
        &web,
        "GET",
        "garden.example",
        "/everything/range.bin",
        stale,
    )
    .await;
    assert_eq!((all.status(), all.body.len()), (200, 4096));
}

#[tokio::test]
async fn films_come_in_portions() {
    let web = start().await;
    let film = ask(
        &web,
        "GET",
        "media.garden.example",
        "/films/poppy.webm",
        "Range: bytes=0-\r\n",
    )
    .await;
    assert_eq!((film.status(), film.body.len()), (206, 32 << 10));
}

#[tokio::test]
async fn unchanged_files_are_not_sent_again() {
    let web = start().await;
    let first = get(&web, "static.garden.example", "/css/site.css").await;
    let tag = format!(
        "If-None-Match: W/\"x\", {}\r\n",
        first.field("etag").unwrap()
    );
    let date = format!(
        "If-Modified-Since: {}\r\n",
        first.field("last-modified").unwrap()
    );
    for condition in [tag, date] {
        let second = ask(
            &web,
            "GET",
            "static.garden.example",
            "/css/site.css",
            &condition,
        )
        .await;
        assert_eq!((second.status(), second.body.len()), (304, 0));
    }
    let other = ask(
        &web,
        "GET",
        "static.garden.example",
        "/css/site.css",
        "If-None-Match: \"x\"\r\n",
    )
    .await;
    assert_eq!(other.status(), 200);
}

#[tokio::test]
async fn bodies_are_compressed_as_accepted() {
    let web = start().await;
    let plain = get(&web, "garden.example", "/").await;
    assert_eq!(plain.field("content-encoding"), None);
    let gzip = ask(
        &web,
        "GET",
        "garden.example",
        "/",
        "Accept-Encoding: gzip, deflate\r\n",
    )
    .await;
    assert_eq!(gzip.field("content-encoding").as_deref(), Some("gzip"));
    let mut decoded = Vec::new();
    flate2::read::GzDecoder::new(&gzip.body[..])
        .read_to_end(&mut decoded)
        .unwrap();
    assert_eq!(decoded, plain.body);
    let br = ask(
        &web,
        "GET",
        "garden.example",
        "/",
        "Accept-Encoding: gzip, br\r\n",
    )
    .await;
    assert_eq!(br.field("content-encoding").as_deref(), Some("br"));
    let mut decoded = Vec::new();
    brotli::Decompressor::new(&br.body[..], 4096)
        .read_to_end(&mut decoded)
        .unwrap();
    assert_eq!(decoded, plain.body);
}

#[tokio::test]
async fn other_origins_may_ask() {
    let web = start().await;
    let fields = "Origin: https://garden.example\r\nAccess-Control-Request-Method: PATCH\r\nAccess-Control-Request-Headers: x-garden\r\n";
    let preflight = ask(
        &web,
        "OPTIONS",
        "api.garden.example",
        "/everything/preflight",
        fields,
    )
    .await;
    assert_eq!(preflight.status(), 204);
    assert_eq!(
        preflight.field("access-control-allow-origin").as_deref(),
        Some("https://garden.example")
    );
    assert_eq!(
        preflight.field("access-control-allow-headers").as_deref(),
        Some("x-garden")
    );
}

#[tokio::test]
async fn the_shop_remembers_by_cookies() {
    let web = start().await;
    let shop = "shop.garden.example";
    let wrong = post(&web, shop, "/sign-in", "name=rose&password=petal").await;
    assert_eq!(wrong.status(), 403);
    let right = post(&web, shop, "/sign-in", "name=rose&password=thorn").await;
    assert_eq!(
        (right.status(), right.field("location").as_deref()),
        (303, Some("/account"))
    );
    assert!(right.field("set-cookie").unwrap().starts_with("session="));
    let bought = post(&web, shop, "/basket", "item=foxglove-seed").await;
    assert_eq!(
        bought.field("set-cookie").unwrap(),
        "basket=foxglove-seed; Path=/; SameSite=Lax"
    );
    let stranger = get(&web, shop, "/account").await;
    assert_eq!(
        (stranger.status(), stranger.field("location").as_deref()),
        (302, Some("/sign-in/"))
    );
    let customer = ask(&web, "GET", shop, "/account", "Cookie: session=1\r\n").await;
    assert_eq!(customer.status(), 200);
    let staff = get(&web, shop, "/staff/").await;
    assert_eq!(staff.status(), 401);
    let known = ask(
        &web,
        "GET",
        shop,
        "/staff/",
        "Authorization: Basic c3RhZmY6dHJvd2Vs\r\n",
    )
    .await;
    assert_eq!(known.status(), 200);
}
