//! `api.garden.example`: JSON for scripts of other origins.

use super::{cors, everything, files, preflight};
use crate::reply::Reply;
use crate::request::Request;

/// The journal's pages; there is an end.
const JOURNAL_PAGES: usize = 12;
const ENTRIES_PER_PAGE: usize = 6;

pub(super) fn answer(request: &Request) -> Reply {
    if request.method == "OPTIONS" {
        return preflight(request);
    }
    let path = request.path();
    let reply = everything::api(&path, request).unwrap_or_else(|| match path.as_str() {
        "/journal" => journal(request),
        _ => files(request),
    });
    cors(reply, request)
}

/// A page of the gardeners' journal: `{"page", "entries": [{"title", "text", "date", "picture"}], "next"}`.
fn journal(request: &Request) -> Reply {
    let page = request.query("page").and_then(|page| page.parse().ok());
    let page: usize = page.unwrap_or(1);
    if !(1..=JOURNAL_PAGES).contains(&page) {
        let error = r#"{"error":"there is no such page"}"#;
        return Reply::with(404, "application/json", error);
    }
    let first = (page - 1) * ENTRIES_PER_PAGE;
    let entries: Vec<String> = (first..first + ENTRIES_PER_PAGE).map(entry).collect();
    let next = match page {
        JOURNAL_PAGES => "null".to_owned(),
        _ => format!("\"/journal?page={}\"", page + 1),
    };
    Reply::json(format!(
        "{{\"page\":{page},\"entries\":[{}],\"next\":{next}}}",
        entries.join(",")
    ))
}

/// One day's note, put together from what gardeners write.
fn entry(number: usize) -> String {
    const WEATHER: [&str; 5] = [
        "A still, grey morning.",
        "Rain until noon, then sun.",
        "First frost on the upper terrace.",
        "Warm wind from the valley.",
        "Clear and cold; ice on the lily tank.",
    ];
    const WORK: [&str; 7] = [
        "Cut back the asters and left the seed heads for the finches.",
        "Divided the Siberian irises; two barrows for the plant sale.",
        "Repaired the misting line in the fern house.",
        "Lifted the dahlias and labelled every one, at last.",
        "Pricked out the blue poppies into leaf mould.",
        "Washed the north panes of the palm house, all 412 of them.",
        "Turned the compost; a slow-worm moved house with good grace.",
    ];
    const PICTURES: [&str; 4] = ["fern", "iris", "maple", "poppy"];
    format!(
        "{{\"title\":\"Day {}\",\"text\":\"{} {}\",\"date\":\"2025-{:02}-{:02}\",\"picture\":\"//static.garden.example/img/journal/{}.svg?entry={number}\"}}",
        365 - number * 3,
        WEATHER[number * 3 % WEATHER.len()],
        WORK[number * 5 % WORK.len()],
        12 - number / 6,
        28 - number % 6 * 4,
        PICTURES[number % PICTURES.len()],
    )
}
