//! Features and labels of visited pages, as lines of JSON: what `train.py` learns from.
//!
//! `visit.py` has visited each page once over HTTP and twice in the browser. What both visits
//! fetched and no static reading of the page finds was caused by its scripts; a page with any of
//! that is deferred.

mod archive;
mod page;
mod visits;

use anyhow::{Context, Result};
use archive::Archive;
use std::path::Path;

const USAGE: &str = "usage: varve-bench-classifier SITE-DIRECTORY...";

fn main() -> Result<()> {
    let sites: Vec<String> = std::env::args().skip(1).collect();
    anyhow::ensure!(!sites.is_empty(), USAGE);
    for site in sites {
        rows(Path::new(&site)).with_context(|| site.clone())?;
    }
    Ok(())
}

/// Prints a line for each page of a site that has scripts.
fn rows(site: &Path) -> Result<()> {
    let http = Archive::open(&site.join("http"))?;
    let browser = ["browser-1", "browser-2"].map(|name| Archive::open(&site.join(name)));
    let [first, second] = browser;
    let (first, second) = (first?, second?);
    let sizes = first.sizes()?;
    for url in http.pages()? {
        let Some(read) = page::read(&http, &url) else {
            continue;
        };
        let Some(missed) = visits::missed(&first, &second, &url, &read.found) else {
            continue;
        };
        let bytes = |url: &String| sizes.get(url).copied().unwrap_or(0);
        let lost: u64 = missed.urls.iter().map(bytes).sum();
        let all: u64 = missed.all.iter().map(bytes).sum();
        println!(
            "{}",
            serde_json::json!({
                "site": site.file_name().map(|name| name.to_string_lossy()),
                "url": url,
                "features": read.features,
                "scripts": read.scripts,
                "fetching": missed.fetching,
                "missed": missed.urls,
                "lost": lost,
                "bytes": all,
            })
        );
    }
    Ok(())
}
