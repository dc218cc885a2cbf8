//! `--dry-run`: what would be done, without asking any server.

use crate::exit::Exit;
use crate::output::{Output, count, human_bytes};
use anyhow::Result;
use std::path::Path;
use varve_crawl::rules::scope::Verdict;
use varve_crawl::{CrawlOptions, RobotsPolicy, SitemapPolicy, is_interrupted};

/// So many URLs are named.
const NAMED: usize = 20;

/// Says what a crawl with these options would do.
pub(super) fn tell(options: &CrawlOptions, root: &Path, output: &Output) -> Result<Exit> {
    let say = |line: String| output.result(&line);
    if is_interrupted(root) {
        say(format!(
            "goes on with the crawl that was interrupted in {}",
            root.display()
        ))?;
    }
    say(format!(
        "begins with {}:",
        count(options.seeds.len() as u64, "page")
    ))?;
    for seed in options.seeds.iter().take(NAMED) {
        match options.scope.admits(seed, 0, 0) {
            Verdict::Out(reason) => say(format!("  {seed} (links of it do not belong: {reason})"))?,
            Verdict::In | Verdict::Hop => say(format!("  {seed}"))?,
        }
    }
    if options.seeds.len() > NAMED {
        say(format!("  and {} more", options.seeds.len() - NAMED))?;
    }
    say(format!("follows links: {}", options.scope))?;
    say(politeness(options))?;
    say(filter(options))?;
    say(limits(options))
        .map(|()| Exit::Done)
        .map_err(Into::into)
}

fn politeness(options: &CrawlOptions) -> String {
    let robots = match options.robots {
        RobotsPolicy::Obeyed => "robots.txt is obeyed",
        RobotsPolicy::Ignored => "robots.txt is ignored",
    };
    let sitemaps = match options.sitemaps {
        SitemapPolicy::Followed => "sitemaps are followed",
        SitemapPolicy::Ignored => "sitemaps are ignored",
    };
    format!(
        "politeness: {} ms between two pages of a host, {} requests at once, {robots}, {sitemaps}",
        options.delay.as_millis(),
        options.per_host
    )
}

fn filter(options: &CrawlOptions) -> String {
    match &options.filter {
        None => "third parties: all scripts are asked for".to_owned(),
        Some(filter) => {
            let lists = filter.lists().collect::<Vec<_>>().join(", ");
            format!("third parties: no scripts that these lists are against: {lists}")
        }
    }
}

fn limits(options: &CrawlOptions) -> String {
    let ends = options.ends;
    let mut limits = vec![
        ends.pages.map(|pages| count(pages, "page")),
        ends.bytes.map(human_bytes),
        ends.seconds.map(|seconds| count(seconds, "second")),
    ];
    limits.retain(Option::is_some);
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    match limits.is_empty() {
        true => "ends when everything is saved".to_owned(),
        false => format!("ends after {}", limits.join(", ")),
    }
}
