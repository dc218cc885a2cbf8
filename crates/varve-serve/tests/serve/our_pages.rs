//! The archive's own pages.

use crate::archive::{Saved, TIME};
use crate::asking::{BOTH, Running, answer, raw};

#[test]
fn the_first_page_has_a_card_for_each_collection() {
    let running = Running::host(&[
        Saved::page("https://h/?a=1&b=<2>", "x"),
        Saved::page("https://h/b", "y").at("20270101000000"),
    ]);
    let answer = running.own("/");
    assert_eq!(answer.status, 200);
    let text = answer.text();
    let name = running.dir.path().file_name().unwrap().to_str().unwrap();
    assert!(text.contains(&format!("/collections/{name}\">")), "{text}");
    assert!(text.contains("2026-01-01 to 2027-01-01"), "{text}");
    assert!(text.contains("<dt>Pages</dt><dd>2</dd>"), "{text}");
    assert!(text.contains("<dt>Captures</dt><dd>2</dd>"), "{text}");
    let policy = answer.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn a_page_is_framed_from_another_origin() {
    for place in BOTH {
        let running = Running::new(&[&[Saved::page("https://h/", "x")]], place);
        let answer = running.own("/web/2026/https://h/");
        assert_eq!(answer.header("location"), format!("/web/{TIME}/https://h/"));
        let answer = running.own(&format!("/web/{TIME}/https://h/"));
        let source = format!("src=\"{}\"", running.url("https://h/", TIME));
        assert!(answer.text().contains(&source), "{}", answer.text());
        assert!(!answer.text().contains("allow-top-navigation"));
        let memento = running.own(&format!("/web/{TIME}mp_/https://h/"));
        assert_eq!(memento.status, 302);
        assert_eq!(memento.header("location"), running.url("https://h/", TIME));
    }
}

#[test]
fn the_page_in_our_frame_is_the_topmost() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let ask = |referrer: &str| {
        let fields = format!("Sec-Fetch-Dest: iframe\r\nReferer: {referrer}\r\n");
        let answer = running.send("GET", &running.url("https://h/", TIME), &fields, "");
        let config = answer.config();
        (config["top"].clone(), config["referrer"].clone())
    };
    assert_eq!(
        ask(&format!("http://{}/", running.ui())),
        (true.into(), "".into())
    );
    let page = running.url("https://h/page", TIME);
    assert_eq!(ask(&page), (false.into(), "https://h/page".into()));
    assert_eq!(ask("http://evil.test/"), (false.into(), "".into()));
}

#[test]
fn captures_are_listed() {
    let running = Running::host(&[
        Saved::page("https://h/", "x"),
        Saved::page("https://h/b", "x"),
    ]);
    let text = running.own("/web/*/https://h/").text();
    assert!(
        text.contains("2026-01-01 00:00:00") && !text.contains("https://h/b"),
        "{text}"
    );
    assert!(
        running
            .own("/web/*/https://h/*")
            .text()
            .contains("https://h/b")
    );
    let to = running.own("/go?url=h.test").header("location").to_owned();
    assert_eq!(to, "/web/*/http://h.test");
}

#[test]
fn a_year_a_day_and_the_neighbours_are_a_click_away() {
    let at = |time: &str| Saved::page("https://h/", time).at(time);
    let running = Running::host(&[
        at("20190310000000"),
        at("20200105000000"),
        at("20200105120000"),
    ]);
    let all = running.own("/web/*/https://h/").text();
    assert!(
        all.contains("3 captures from 2019-03-10 to 2020-01-05."),
        "{all}"
    );
    // The last year is open, the other one click away.
    assert!(
        all.contains("January 2020") && !all.contains("March 2019"),
        "{all}"
    );
    assert!(all.contains("href=\"/web/2019*/https://h/\""), "{all}");
    let year = running.own("/web/2019*/https://h/").text();
    assert!(year.contains("March 2019") && year.contains("/web/20190310000000/https://h/"));
    let day = running.own("/web/20200105*/https://h/").text();
    assert!(day.contains("2020-01-05 12:00:00") && !day.contains("2019-03-10 00:00:00"));
    let view = running.own("/web/20200105000000/https://h/").text();
    assert!(
        view.contains("rel=\"prev\" href=\"/web/20190310000000/https://h/\""),
        "{view}"
    );
    assert!(
        view.contains("rel=\"next\" href=\"/web/20200105120000/https://h/\""),
        "{view}"
    );
    let first = running.own("/web/20190310000000/https://h/").text();
    assert!(
        first.contains("<span class=\"step\">Earlier</span>"),
        "{first}"
    );
    assert_eq!(running.own("/web/*/https://none/").status, 404);
}

#[test]
fn urls_that_begin_alike_are_listed_once_each() {
    let running = Running::host(&[
        Saved::page("https://h/a", "1").at("20190310000000"),
        Saved::page("https://h/a", "2").at("20200105000000"),
        Saved::page("https://h/b", "3"),
        Saved::page("https://i/", "4"),
    ]);
    let listed = running.own("/web/*/https://h/*").text();
    assert!(listed.contains("2 URLs."), "{listed}");
    assert!(
        listed.contains("<td>2 captures<td>2019-03-10<td>2020-01-05"),
        "{listed}"
    );
    assert!(!listed.contains("https://i/"), "{listed}");
    let to = running.own("/go?url=h/*").header("location").to_owned();
    assert_eq!(to, "/web/*/http://h/*");
}

#[test]
fn texts_of_others_are_texts() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    for target in [
        "/web/2026/https://h/%22%3E%3Cscript%3E",
        "/web/*/https://h/%3Cscript%3E",
        "/web/2026/https://x/?%3Cscript%3Ealert(1)%3C/script%3E",
    ] {
        assert!(!running.own(target).text().contains("<script>"), "{target}");
    }
}

#[test]
fn other_names_and_methods_are_refused() {
    let running = Running::host(&[Saved::page("https://h/", "x")]);
    let ask = |method: &str, host: &str| {
        let request = format!("{method} / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        answer(&raw(running.ui(), request.as_bytes()))
            .unwrap()
            .status
    };
    let port = running.ui().port();
    assert_eq!(ask("GET", &format!("localhost:{port}")), 200);
    assert_eq!(ask("GET", &format!("rebound.test:{port}")), 403);
    assert_eq!(ask("POST", &format!("localhost:{port}")), 405);
}
