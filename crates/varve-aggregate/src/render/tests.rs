#![allow(clippy::unwrap_used)]
use super::*;
use crate::answer::Missing;
use crate::budget::Reserve;
use crate::original::Original;
use crate::trouble::Trouble;
use varve_model::Links;

fn answer(times: &[&str]) -> Arc<Answer> {
    let mementos = times.iter().map(|time| Memento {
        time: Timestamp::parse(time).unwrap(),
        uri: format!("http://m/\"{time}\"/<x>").into(),
        archive: "one".into(),
    });
    Arc::new(Answer {
        original: Original::parse("http://a.example/?q=\"x\"").unwrap(),
        mementos: mementos.collect(),
        missing: vec![Missing {
            archive: "two".into(),
            trouble: Trouble::Deadline,
        }],
        asked: 2,
        answered: 1,
        skipped_by_map: 0,
        reserve: Reserve::default(),
    })
}

const TIMES: [&str; 5] = [
    "20100101000000",
    "20110101000000",
    "20120101000000",
    "20130101000000",
    "20140101000000",
];

fn text(form: TimeMapForm, view: View, times: &[&str]) -> String {
    let rendering = Rendering::new(answer(times), "http://us/", form, view);
    rendering.pieces().collect()
}

fn around(time: &str) -> View {
    View::Around(Timestamp::earliest_of(time).unwrap())
}

#[test]
fn links_are_read_back() {
    let text = text(TimeMapForm::Link, View::All, &TIMES);
    let mut links = Links::of(&text);
    let told: Vec<_> = links.by_ref().collect();
    assert_eq!(links.skipped(), 0);
    assert!(told[0].is("original") && told[0].target == "http://a.example/?q=%22x%22");
    assert_eq!(
        told[1].target,
        "http://us/timemap/link/http://a.example/?q=%22x%22"
    );
    let mementos: Vec<_> = told.iter().filter(|link| link.is("memento")).collect();
    assert_eq!(mementos.len(), 5);
    assert!(mementos[0].is("first") && mementos[4].is("last"));
    assert_eq!(mementos[0].target, "http://m/%2220100101000000%22/%3Cx%3E");
    assert_eq!(
        mementos[0].get("datetime"),
        Some("Fri, 01 Jan 2010 00:00:00 GMT")
    );
    assert_eq!(told.iter().filter(|link| link.is("timemap")).count(), 3);
    assert!(told.last().unwrap().is("timegate"));
}

#[test]
fn json_is_json_whatever_addresses_hold() {
    let map: Value = serde_json::from_str(&text(TimeMapForm::Json, View::All, &TIMES)).unwrap();
    assert_eq!(map["original_uri"], "http://a.example/?q=%22x%22");
    assert_eq!(map["mementos"]["list"].as_array().unwrap().len(), 5);
    assert_eq!(
        map["mementos"]["first"]["uri"],
        "http://m/\"20100101000000\"/<x>"
    );
    assert_eq!(map["mementos"]["last"]["datetime"], "2014-01-01T00:00:00Z");
    assert_eq!(
        map["missing"],
        json!([{"archive": "two", "reason": "deadline"}])
    );
    assert_eq!(
        map["timegate_uri"],
        "http://us/timegate/http://a.example/?q=%22x%22"
    );
}

#[test]
fn cdxj_has_a_line_for_each() {
    let text = text(TimeMapForm::Cdxj, View::All, &TIMES);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('!')).collect();
    assert_eq!(lines.len(), 5);
    let (time, rest) = lines[4].split_once(' ').unwrap();
    let told: Value = serde_json::from_str(rest).unwrap();
    assert_eq!(
        (time, &told["rel"]),
        ("20140101000000", &json!("last memento"))
    );
    assert!(
        text.contains("!meta {\"missing\":[{\"archive\":\"two\",\"reason\":\"deadline\"}]}\n"),
        "{text}"
    );
}

#[test]
fn around_a_time_there_are_the_nearest_its_neighbours_and_the_ends() {
    let check = |time: &str, times: &[&str], expected: &[&str]| {
        let text = text(TimeMapForm::Link, around(time), times);
        let told = Links::of(&text).filter(|link| link.is("memento"));
        let told: Vec<String> = told
            .map(|link| link.get("rel").unwrap().to_owned())
            .collect();
        assert_eq!(told, expected, "{time}");
    };
    check(
        "2012",
        &TIMES,
        &[
            "first memento",
            "prev memento",
            "memento",
            "next memento",
            "last memento",
        ],
    );
    check(
        "1999",
        &TIMES,
        &["first memento", "next memento", "last memento"],
    );
    check(
        "2030",
        &TIMES,
        &["first memento", "prev memento", "last memento"],
    );
    check("2012", &TIMES[..1], &["first last memento"]);
    let map: Value =
        serde_json::from_str(&text(TimeMapForm::Json, around("2012"), &TIMES)).unwrap();
    assert_eq!(
        map["mementos"]["closest"]["datetime"],
        "2012-01-01T00:00:00Z"
    );
    assert_eq!(map["mementos"]["next"]["datetime"], "2013-01-01T00:00:00Z");
    assert_eq!(
        map["self"],
        "http://us/memento/json/20120101000000/http://a.example/?q=%22x%22"
    );
}

#[test]
fn nothing_is_written_down_too() {
    let map: Value = serde_json::from_str(&text(TimeMapForm::Json, View::All, &[])).unwrap();
    assert_eq!(map["mementos"], json!({"list": []}));
}

#[test]
fn long_answers_come_in_pieces() {
    let times = ["20100101000000"; 5_000];
    let rendering = Rendering::new(answer(&times), "http://us/", TimeMapForm::Cdxj, View::All);
    let pieces: Vec<String> = rendering.pieces().collect();
    assert!(pieces.len() > 10 && pieces.iter().all(|piece| piece.len() < 2 * PIECE));
    let lines = pieces
        .concat()
        .lines()
        .filter(|line| !line.starts_with('!'))
        .count();
    assert_eq!(lines, 5_000);
}
