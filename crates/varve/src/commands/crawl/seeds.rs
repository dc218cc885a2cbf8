//! Where a crawl begins: URLs typed, listed in a file, or saved before.

use crate::cli::CrawlArgs;
use crate::commands::open;
use crate::output::Output;
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use varve_crawl::Url;

/// The URLs given, those of the file and those of the collection, each once, in order.
pub(super) fn seeds(args: &CrawlArgs, output: &Output) -> Result<Vec<Url>> {
    let listed = match &args.seeds {
        Some(file) => listed(file)?,
        None => String::new(),
    };
    let saved = match &args.recrawl {
        Some(dir) => saved(dir, output)?,
        None => Vec::new(),
    };
    let lines = listed.lines().map(str::trim);
    let listed = lines.filter(|line| !line.starts_with('#') && !line.is_empty());
    let typed = args.urls.iter().map(String::as_str);
    let mut seeds = Vec::new();
    let mut seen = HashSet::new();
    for word in typed.chain(listed).chain(saved.iter().map(String::as_str)) {
        let url = seed(word)?;
        if seen.insert(url.clone()) {
            seeds.push(url);
        }
    }
    Ok(seeds)
}

fn listed(file: &Path) -> Result<String> {
    let mut text = String::new();
    match file.as_os_str() == "-" {
        true => std::io::stdin().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(file).map(|read| text = read),
    }
    .with_context(|| format!("cannot read the seeds from {}", file.display()))?;
    Ok(text)
}

/// The pages that a collection has.
fn saved(dir: &Path, output: &Output) -> Result<Vec<String>> {
    let mut urls = Vec::new();
    open(dir, output)?.each_page(|line| {
        let page: Result<Page, _> = serde_json::from_slice(line);
        urls.extend(page.map(|page| page.url));
        Ok(())
    })?;
    if urls.is_empty() {
        bail!("{} has no pages to save again", dir.display());
    }
    Ok(urls)
}

#[derive(serde::Deserialize)]
struct Page {
    url: String,
}

/// A URL as people type it.
fn seed(word: &str) -> Result<Url> {
    let typed = match word.contains("://") {
        true => word.to_owned(),
        false => format!("https://{word}"),
    };
    let mut url = Url::parse(&typed).with_context(|| format!("{word} is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        bail!("{word} cannot be crawled: only http and https can");
    }
    url.set_fragment(None);
    Ok(url)
}
