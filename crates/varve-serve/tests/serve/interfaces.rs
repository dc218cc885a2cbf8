//! What other tools ask: the index in two dialects, Memento, and whether a URL is there.

use crate::archive::Saved;
use crate::asking::{Answer, Running};
use serde_json::{Value, json};

const URL: &str = "https://h.test/a";

/// Three captures of one URL and one of another.
fn archive() -> Running {
    Running::path(&[
        Saved::page(URL, "one").at("20200101000000"),
        Saved::page(URL, "two").at("20210101000000").status(404),
        Saved::page(URL, "three").at("20220101000000"),
        Saved::new("https://h.test/b.png", "image/png", "b").at("20200601000000"),
    ])
}

/// The times in the lines of an answer.
fn times(answer: &Answer) -> Vec<String> {
    let text = answer.text();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| line.split(' ').nth(1).unwrap_or("none").to_owned())
        .collect()
}

#[test]
fn pywbs_dialect() {
    let running = archive();
    for (query, expected) in [
        ("url=h.test/a", "2020 2021 2022"),
        ("url=h.test/a&limit=2", "2020 2021"),
        ("url=h.test/a&sort=reverse&limit=1", "2022"),
        ("url=h.test/a&closest=2021", "2021 2022 2020"),
        ("url=h.test/a&from=2021&to=2021", "2021"),
        ("url=h.test/*", "2020 2021 2022 2020"),
        ("url=h.test&matchType=host&filter=mime:image", "2020"),
        ("url=h.test/a&filter=!=status:404", "2020 2022"),
        ("url=h.test/none", ""),
    ] {
        let answer = running.own(&format!("/cdx?{query}"));
        let years: Vec<String> = times(&answer).iter().map(|it| it[..4].to_owned()).collect();
        assert_eq!(
            (answer.status, years.join(" ").as_str()),
            (200, expected),
            "{query}"
        );
        assert_eq!(answer.header("content-type"), "text/x-cdxj");
    }
    let row = running.own("/cdx?url=h.test/b.png&output=json&fl=timestamp,mime");
    assert_eq!(
        row.text(),
        "{\"timestamp\": \"20200601000000\", \"mime\": \"image/png\"}\n"
    );
    let row = running.own("/cdx?url=h.test/b.png&output=text&fl=urlkey,status,robotflags");
    assert_eq!(row.text(), "test,h)/b.png 200 -\n");
    let pages = running.own("/cdx?url=h.test/a&showNumPages=true").text();
    let pages: Value = serde_json::from_str(&pages).unwrap();
    assert_eq!(pages, json!({"blocks": 1, "pages": 1, "pageSize": 1}));
}

#[test]
fn the_internet_archives_dialect() {
    let running = archive();
    let ask = |query: &str| running.own(&format!("/cdx/search/cdx?{query}"));
    let rows: Value = serde_json::from_str(&ask("url=h.test/b.png&output=json").text()).unwrap();
    let names = json!([
        "urlkey",
        "timestamp",
        "original",
        "mimetype",
        "statuscode",
        "digest",
        "length"
    ]);
    assert_eq!(rows[0], names);
    assert_eq!(rows[1][2], "https://h.test/b.png");
    let nothing = ask("url=h.test/none&output=json");
    assert_eq!(nothing.text(), "[]\n");
    for (query, expected) in [
        ("url=h.test/a&filter=statuscode:200", "2020 2022"),
        ("url=h.test/a&filter=statuscode:2", ""),
        ("url=h.test/a&filter=!statuscode:4..", "2020 2022"),
        ("url=h.test/a&limit=-2", "2021 2022"),
        ("url=h.test/a&offset=1&limit=1", "2021"),
        ("url=h.test/*&collapse=urlkey", "2020 2020"),
    ] {
        let answer = ask(query);
        let years: Vec<String> = times(&answer).iter().map(|it| it[..4].to_owned()).collect();
        assert_eq!(years.join(" "), expected, "{query}");
    }
}

#[test]
fn an_answer_is_resumed_where_it_ended() {
    // Two of them are of the same second.
    let same = |body: &str| Saved::page(URL, body).at("20200101000000");
    let running = Running::path(&[
        same("1"),
        same("2"),
        same("3"),
        Saved::page(URL, "4").at("20210101000000"),
    ]);
    let (mut seen, mut resume) = (Vec::new(), String::new());
    for _ in 0..4 {
        let query = format!("url=h.test/a&limit=1&fl=digest&showResumeKey=true{resume}");
        let text = running.own(&format!("/cdx/search/cdx?{query}")).text();
        let mut lines = text.lines();
        seen.push(lines.next().unwrap().to_owned());
        resume = lines
            .nth(1)
            .map_or(String::new(), |key| format!("&resumeKey={key}"));
    }
    assert_eq!(resume, "");
    let all = running.own("/cdx/search/cdx?url=h.test/a&fl=digest").text();
    assert_eq!(seen.join("\n") + "\n", all);
}

#[test]
fn bad_parameters_are_named() {
    let running = archive();
    for (target, parameter) in [
        ("/cdx", "url"),
        ("/cdx?url=", "url"),
        ("/cdx?url=x&limit=many", "limit"),
        ("/cdx?url=x&matchType=near", "matchType"),
        ("/cdx?url=x&output=xml", "output"),
        ("/cdx?url=x&from=soon", "from"),
        ("/cdx?url=x&filter=~status:(", "filter"),
        ("/cdx?url=x&sort=closest", "closest"),
        ("/cdx?url=x&sort=up", "sort"),
        ("/cdx?url=x&page=-1", "page"),
        ("/cdx?url=x&page=0&pageSize=0", "pageSize"),
        ("/cdx?url=x&collapseTime=day", "collapseTime"),
        ("/cdx/search/cdx?url=x&filter=status", "filter"),
        ("/cdx/search/cdx?url=x&collapse=:1", "collapse"),
        ("/cdx/search/cdx?url=x&resumeKey=1", "resumeKey"),
        ("/cdx/search/cdx?url=x&output=csv", "output"),
        ("/wayback/available?timestamp=2020", "url"),
        ("/wayback/available?url=x&timestamp=x", "timestamp"),
        ("/timemap/link/page-0/http://x/", "page"),
        ("/timegate/", "url"),
    ] {
        let answer = running.own(target);
        let told: Value = serde_json::from_str(&answer.text()).unwrap_or_default();
        assert_eq!(
            (answer.status, &told["parameter"]),
            (400, &json!(parameter)),
            "{target}"
        );
    }
}

#[test]
fn mementos_tell_of_those_around_them() {
    let running = archive();
    let relations = |time: &str| {
        let links = running
            .get_at(URL, time, "document")
            .header("link")
            .to_owned();
        let of = |year: &str| {
            let link = links
                .split(", <")
                .find(|link| link.contains(&format!("/{year}")));
            let relation = link.and_then(|link| link.split('"').nth(1));
            relation.unwrap_or("none").to_owned()
        };
        ["2020", "2021", "2022"].map(of).join(", ")
    };
    assert_eq!(
        relations("20200101000000"),
        "first memento, next memento, last memento"
    );
    assert_eq!(
        relations("20210101000000"),
        "first prev memento, memento, next last memento"
    );
    assert_eq!(
        relations("20220101000000"),
        "first memento, prev memento, last memento"
    );
}

#[test]
fn of_many_mementos_the_same_is_told() {
    let time = |number: usize| format!("2020010100{:02}{:02}", number / 60, number % 60);
    let many: Vec<_> = (0..100)
        .map(|at| Saved::page(URL, "x").at(&time(at)))
        .collect();
    let running = Running::path(&many);
    for path in ["document", ""] {
        let links = running
            .get_at(URL, &time(50), path)
            .header("link")
            .to_owned();
        for (at, relation) in [
            (0, "first memento"),
            (49, "prev memento"),
            (50, "memento"),
            (51, "next memento"),
            (99, "last memento"),
        ] {
            let url = running.url(URL, &time(at));
            let expected = format!("<{url}>; rel=\"{relation}\"");
            assert!(links.contains(&expected), "{expected} in {links}");
        }
    }
}

#[test]
fn a_timegate_leads_to_the_nearest_memento() {
    let running = archive();
    let ask = |fields: &str| running.own_with(&format!("/timegate/{URL}"), fields);
    let near = ask("Accept-Datetime: Fri, 05 Feb 2021 00:00:00 GMT\r\n");
    assert_eq!(near.status, 302);
    assert_eq!(near.header("location"), running.url(URL, "20210101000000"));
    assert_eq!(near.header("vary"), "accept-datetime");
    assert_eq!(near.header("memento-datetime"), "");
    for relation in ["original", "timemap", "first memento", "last memento"] {
        let wanted = format!("rel=\"{relation}\"");
        assert!(
            near.header("link").contains(&wanted),
            "{}",
            near.header("link")
        );
    }
    assert_eq!(
        ask("").header("location"),
        running.url(URL, "20220101000000")
    );
    assert_eq!(ask("Accept-Datetime: yesterday\r\n").status, 400);
    assert_eq!(running.own("/timegate/https://h.test/none").status, 404);
}

#[test]
fn timemaps_in_three_forms_name_mementos_that_answer() {
    let running = archive();
    let links = running.own(&format!("/timemap/link/{URL}"));
    assert_eq!(links.header("content-type"), "application/link-format");
    let text = links.text();
    let mementos: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("memento\""))
        .collect();
    assert_eq!(mementos.len(), 3, "{text}");
    assert!(
        mementos[0].contains("rel=\"first memento\"; datetime=\"Wed, 01 Jan 2020 00:00:00 GMT\"")
    );
    assert!(mementos[2].contains("rel=\"last memento\""));
    assert!(text.contains(
        "from=\"Wed, 01 Jan 2020 00:00:00 GMT\"; until=\"Sat, 01 Jan 2022 00:00:00 GMT\""
    ));
    let uri = &mementos[1][1..mementos[1].find('>').unwrap()];
    let memento = running.send("GET", uri, "", "");
    assert_eq!(
        memento.header("memento-datetime"),
        "Fri, 01 Jan 2021 00:00:00 GMT"
    );
    let back = memento.header("link");
    assert!(
        back.contains("rel=\"timegate\"") && back.contains("rel=\"timemap\""),
        "{back}"
    );
    let told: Value =
        serde_json::from_str(&running.own(&format!("/web/timemap/json/{URL}")).text()).unwrap();
    assert_eq!(told["mementos"]["list"].as_array().unwrap().len(), 3);
    assert_eq!(told["mementos"]["last"]["datetime"], "2022-01-01T00:00:00Z");
    let lines = running.own(&format!("/timemap/cdxj/{URL}")).text();
    assert!(
        lines.starts_with("!context [\"http://tools.ietf.org/html/rfc7089\"]\n!id "),
        "{lines}"
    );
    assert!(lines.contains("\n20200101000000 {"), "{lines}");
    assert_eq!(running.own("/timemap/link/https://h.test/none").status, 404);
}

#[test]
fn a_url_is_available_or_not() {
    let running = archive();
    let ask = |query: &str| -> Value {
        let text = running.own(&format!("/wayback/available?{query}")).text();
        serde_json::from_str(&text).unwrap()
    };
    let near = ask("url=h.test/a&timestamp=2021");
    let closest = &near["archived_snapshots"]["closest"];
    // The capture of 2021 shows nothing.
    assert_eq!(closest["timestamp"], "20220101000000");
    assert_eq!(closest["available"], true);
    assert_eq!(ask("url=h.test/none")["archived_snapshots"], json!({}));
}

#[test]
fn answers_are_counted() {
    let running = archive();
    running.get(URL, "document");
    running.own("/cdx");
    let text = running.own("/metrics").text();
    for line in [
        "varve_answers_total{for=\"replay\",status=\"3xx\"} 1",
        "varve_answers_total{for=\"own\",status=\"4xx\"} 1",
        "varve_collections 1",
        "varve_layers 1",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    assert_eq!(running.own("/healthz").text(), "ok\n");
}

#[test]
fn what_is_described_can_be_asked() {
    let running = archive();
    let described: Value = serde_json::from_str(&running.own("/openapi.json").text()).unwrap();
    let paths = described["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 17);
    // Those for administrators are tried where there are some.
    let (_, paths): (Vec<_>, Vec<_>) = paths.keys().partition(|path| path.starts_with("/admin"));
    for path in paths {
        let known = &described["paths"][path.as_str()];
        let path = path.replace("{form}", "link").replace("{url}", URL);
        let path = path.replace("{timestamp}", "2020");
        let answer = running.own(&format!("{path}?url=h.test/a"));
        assert!(
            matches!(answer.status, 200 | 302 | 404),
            "{path}: {}",
            answer.status
        );
        let told = &known["get"]["responses"][answer.status.to_string()];
        assert!(told.is_object(), "{path}: {}", answer.status);
    }
}
