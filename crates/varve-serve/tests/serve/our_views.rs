//! Looking closer: the bar above a page, two captures beside each other, a record.

use crate::archive::{Saved, TIME, add_crawl, add_layer};
use crate::asking::{BOTH, In, Running};
use serde_json::{Value, json};
use tempfile::TempDir;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n a picture";

#[test]
fn the_bar_leads_to_everything_about_a_capture() {
    let dir = TempDir::new().unwrap();
    let earlier = "20250101000000";
    add_layer(dir.path(), &[Saved::page("https://h/", "old").at(earlier)]);
    let picture: (&str, &[u8]) = ("urn:view:https://h/", PNG);
    add_crawl(
        dir.path(),
        &[Saved::page("https://h/", "new")],
        &[],
        &[picture],
    );
    let running = Running::over(dir, In::Host);
    let text = running.own(&format!("/web/{TIME}/https://h/")).text();
    for (id, path) in [
        ("share", format!("/web/{TIME}/https://h/")),
        ("beside", format!("/beside/{TIME}/https://h/")),
        ("compare", format!("/compare/{earlier}/{TIME}/https://h/")),
        ("record", format!("/record-view/{TIME}/https://h/")),
        ("raw", format!("/web/{TIME}id_/https://h/")),
    ] {
        let way = format!("<a id=\"{id}\" href=\"{path}\">");
        assert!(text.contains(&way), "{way}: {text}");
    }
    // Of the earlier one there is no picture, whatever another has.
    let text = running.own(&format!("/web/{earlier}/https://h/")).text();
    assert!(!text.contains("id=\"beside\""), "{text}");
    let beside = running.own(&format!("/beside/{TIME}/https://h/")).text();
    let picture = format!("src=\"/picture/{TIME}/https://h/\"");
    assert!(beside.contains(&picture), "{beside}");
    assert!(beside.contains("<iframe id=\"page\""), "{beside}");
    let led = running.own("/beside/2026/https://h/");
    assert_eq!(led.header("location"), format!("/beside/{TIME}/https://h/"));
}

#[test]
fn what_a_page_was_given_is_told_beside_it() {
    for place in BOTH {
        let running = Running::new(
            &[&[
                Saved::page("https://h/", "<img src=a.png>"),
                Saved::new("https://h/a.png", "image/png", "x"),
                Saved::new("https://i/b.png?v=1", "image/png", "y").at("20260101000130"),
            ]],
            place,
        );
        let given = || -> Value {
            let answer = running.own(&format!("/given/{TIME}/https://h/"));
            assert_eq!(answer.header("content-type"), "application/json");
            serde_json::from_slice(&answer.body).unwrap()
        };
        let nothing = json!({"found": {}, "furthest": null, "missing": {"count": 0, "urls": []}});
        assert_eq!(given(), nothing, "{place:?}");
        let frame = format!(
            "Sec-Fetch-Dest: iframe\r\nReferer: http://{}/\r\n",
            running.ui()
        );
        running.send("GET", &running.url("https://h/", TIME), &frame, "");
        assert_eq!(given(), nothing, "{place:?}");
        for (url, referrer) in [
            ("https://h/a.png", true),
            ("https://h/a.png", true),
            // Nobody tells the page, but its time.
            ("https://i/b.png?v=2", false),
            ("https://h/gone.png", true),
        ] {
            let from = match referrer {
                true => format!("Referer: {}\r\n", running.url("https://h/", TIME)),
                false => String::new(),
            };
            let fields = format!("Sec-Fetch-Dest: image\r\n{from}");
            running.send("GET", &running.url(url, TIME), &fields, "");
        }
        let told = given();
        assert_eq!(told["found"], json!({"exact": 2, "query": 1}), "{place:?}");
        assert_eq!(
            told["missing"],
            json!({"count": 1, "urls": ["https://h/gone.png"]})
        );
        let furthest = json!({"seconds": 90, "url": "https://i/b.png?v=2"});
        assert_eq!(told["furthest"], furthest, "{place:?}");
        // Another page of the same time was given nothing.
        let other = running.own(&format!("/given/{TIME}/https://other/")).text();
        assert_eq!(serde_json::from_str::<Value>(&other).unwrap(), nothing);
    }
}

#[test]
fn two_captures_differ_in_these_lines_and_words() {
    let page = |text: &str, time: &str| {
        let html = format!("<title>t</title><script>no()</script>{text}");
        Saved::page("https://h/", &html).at(time)
    };
    let old = "<p>The garden is open.<p>Roses &amp; lilies<p>Goodbye";
    let new = "<p>The garden is closed.<p>Roses &amp; lilies<p>Goodbye<p>See you <b>soon</b>";
    let running = Running::host(&[page(old, "20250101000000"), page(new, TIME)]);
    let text = running
        .own(&format!("/compare/20250101000000/{TIME}/https://h/"))
        .text();
    for part in [
        "1 line is gone, 2 lines are new.",
        "The garden is <del>open.</del> <ins>closed.</ins>",
        "<p>Roses &amp; lilies</p>",
        "<ins>See you soon</ins>",
        "No picture was taken of either.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("no()"), "{text}");
    let same = running
        .own(&format!("/compare/{TIME}/{TIME}/https://h/"))
        .text();
    assert!(same.contains("Their texts are the same."), "{same}");
}

#[test]
fn two_captures_are_chosen_in_the_list() {
    let at = |time: &str| Saved::page("https://h/?a=1", time).at(time);
    let running = Running::host(&[at("20250101000000"), at(TIME)]);
    let list = running.own("/web/2*/https://h/?a=1").text();
    assert!(
        list.contains("name=\"from\" value=\"20250101000000\"") || list.contains("name=\"to\""),
        "{list}"
    );
    let led = running.own("/compare?url=https%3A%2F%2Fh%2F%3Fa%3D1&from=2025&to=2026");
    assert_eq!(led.status, 303);
    let to = led.header("location").to_owned();
    assert_eq!(to, "/compare/20250101000000/20260101000000/https://h/?a=1");
    assert_eq!(running.own(&to).status, 200);
    // Others are led to the captures that there are.
    let led = running.own("/compare/2025/2027/https://h/?a=1");
    assert_eq!(led.header("location"), to);
    assert_eq!(running.own("/compare/2025/2026/https://none/").status, 404);
}

#[test]
fn a_record_is_shown_as_it_stands() {
    let dir = TempDir::new().unwrap();
    let saved = |time: &str| {
        Saved::page("https://h/", "same")
            .at(time)
            .field("X-A", "<i>")
    };
    add_layer(dir.path(), &[saved("20250101000000")]);
    add_layer(dir.path(), &[saved(TIME)]);
    let running = Running::over(dir, In::Host);
    let first = running.own("/record-view/20250101000000/https://h/").text();
    for part in [
        "WARC/1.1\n",
        "WARC-Type: response\n",
        "HTTP/1.1 200 Status\n",
        "X-A: &lt;i&gt;\n",
        "GET / HTTP/1.1\n",
        "<dt>Offset</dt>",
        "/crawls/",
        "href=\"/web/20250101000000id_/https://h/\"",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(!first.contains("same</pre>") && !first.contains("Where its content is"));
    // What was known already refers to it.
    let second = running
        .own(&format!("/record-view/{TIME}/https://h/"))
        .text();
    assert!(second.contains("WARC-Type: revisit\n"), "{second}");
    let original = "<a href=\"/record-view/20250101000000/https://h/\">";
    assert!(second.contains(original), "{second}");
    assert_eq!(running.own("/record-view/2026/https://none/").status, 404);
}
