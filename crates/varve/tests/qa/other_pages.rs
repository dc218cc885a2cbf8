//! Known faults in pages of other sites, among many that are left alone. `scripts/check-qa.sh` makes
//! the archive.

use crate::damage::{Change, copy, open};
use crate::faults::LEAK;
use crate::{qa, report_of};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use varve_store::collection::{Collection, is_revisit};
use varve_store::http::DecodeLimits;
use varve_store::index::{MergedIndex, Query};

/// How many pages are harmed.
const FAULTS: usize = 20;

/// What happens to pages, in turn, and what must be found.
enum Harm {
    LeftOut,
    Damaged,
    /// This stands at the end of the document.
    Added(String),
}

fn harms() -> Vec<(Harm, &'static str)> {
    let added = |html: &str| Harm::Added(html.to_owned());
    let block =
        "position: fixed; z-index: 9999999; top: 99px; left: 9px; width: 60px; height: 60px";
    vec![
        (added("<img src='/nobody/made/this.png' alt=''>"), "missing"),
        (added("<p>Words that nobody wrote.</p>"), "text"),
        (added("<script>nowhere.to.be.found()</script>"), "console"),
        (
            added(&format!("<b style='{block}; background: crimson'></b>")),
            "picture",
        ),
        (
            added("<style>body * { visibility: hidden !important }</style>"),
            "text",
        ),
        (Harm::LeftOut, "page"),
        (added(&format!("<script>{LEAK}</script>")), "leaked"),
        (
            added("<script>fetch('/nobody/asked.json').catch(() => {})</script>"),
            "missing",
        ),
        (Harm::Damaged, "page"),
        (
            added("<script>location.replace('/elsewhere/')</script>"),
            "page",
        ),
    ]
}

/// Some pages and what is done to them.
fn injected(root: &Path) -> BTreeMap<String, (Change, &'static str)> {
    let collection = open(root, false);
    let index = collection.index().unwrap();
    let mut pages = Vec::new();
    let listed = collection.each_page(|line| {
        let page: serde_json::Value = serde_json::from_slice(line).unwrap();
        let url = page["url"].as_str().unwrap().to_owned();
        pages.extend(document(&collection, &index, &url).map(|html| (url, html)));
        Ok(())
    });
    listed.unwrap();
    let step = pages.len() / FAULTS;
    assert!(step > 1, "only {} pages can be harmed", pages.len());
    let mut harms = (0..).flat_map(|_| harms());
    let chosen = pages.into_iter().step_by(step).take(FAULTS);
    let harmed = chosen.map(|(url, html)| {
        let (harm, found) = harms.next().unwrap();
        let change = match harm {
            Harm::LeftOut => Change::LeftOut,
            Harm::Damaged => Change::Damaged,
            Harm::Added(more) => Change::Replaced(200, "text/html; charset=utf-8", html + &more),
        };
        (url, (change, found))
    });
    harmed.collect()
}

/// The document of a page that came without a redirect.
fn document(collection: &Collection, index: &MergedIndex, url: &str) -> Option<String> {
    let query = Query {
        url: url.to_owned(),
        ..Query::default()
    };
    let hits = index.query(&query).unwrap().map(Result::unwrap);
    let hit = hits.into_iter().find(|hit| hit.capture.url == url)?;
    let is_page = hit.capture.status.as_deref() == Some("200") && !is_revisit(&hit.capture);
    let record = collection.read(&hit).unwrap();
    let mut html = Vec::new();
    let mut body = record.decoded(DecodeLimits::default());
    body.read_to_end(&mut html).unwrap();
    is_page.then(|| String::from_utf8(html).ok())?
}

#[test]
#[ignore = "needs an archive of other pages: scripts/check-qa.sh makes one and runs this"]
fn faults_in_other_pages_are_found_and_no_other_page_is_accused() {
    let archive = std::env::var_os("VARVE_QA_ARCHIVE").expect("VARVE_QA_ARCHIVE names an archive");
    let injected = injected(Path::new(&archive));
    let dir = tempfile::tempdir().unwrap();
    let (faulty, report) = (dir.path().join("faulty"), dir.path().join("report"));
    let found: BTreeMap<String, &str> = injected
        .iter()
        .map(|(url, (_, found))| (url.clone(), *found))
        .collect();
    let changes: Vec<(String, Change)> = injected
        .into_iter()
        .map(|(url, (change, _))| (url, change))
        .collect();
    copy(Path::new(&archive), &faulty, &changes);
    let report = report_of(&qa(&faulty, &report, &["--all"]), 5);
    let mut wrong = Vec::new();
    for page in report["pages"].as_array().unwrap() {
        let findings = page["findings"].as_array().unwrap();
        let right = match found.get(page["url"].as_str().unwrap()) {
            Some(kind) => findings.iter().any(|finding| finding["kind"] == *kind),
            None => findings.is_empty(),
        };
        if !right {
            let kind = found.get(page["url"].as_str().unwrap());
            wrong.push(format!("{}, {kind:?}: {}", page["url"], page["findings"]));
        }
    }
    let summary = &report["summary"];
    println!("{} faults among {} pages", found.len(), summary["checked"]);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
