//! `varve crawl`: pages of the live web into a collection.

use super::open_or_create;
use crate::cli::{CrawlArgs, Scope, TierArg};
use crate::dashboard::{self, Dashboard};
use crate::display::Display;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, count, human_bytes};
use anyhow::{Context, Result, bail};
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;
use varve_crawl::live::{Control, Live, pulse};
use varve_crawl::{AddressPolicy, Client, Limits, MapHost, Trust, Url};
use varve_crawl::{CrawlOptions, Summary, Tier, TierChoice, crawl};

pub(crate) fn run(args: CrawlArgs, output: &Output) -> Result<Exit> {
    let Scope::Page = args.scope;
    args.dashboard.map_or(Ok(()), dashboard::check_address)?;
    let collection = open_or_create(&args.collection, output)?;
    let options = options(&args)?;
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let live = Live::new();
    let control = Arc::new(Control::new(interrupt.flag()));
    let shown = show(&args, &live, &control, output)?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let crawled = runtime.block_on(crawl(&collection, options, live, control));
    drop(shown);
    let summary = crawled?;
    report(&summary, &args, output)?;
    if interrupt.is_requested() {
        return Ok(Exit::Interrupted);
    }
    if summary.is_empty() {
        bail!(
            "not a single response was recorded: the collection holds nothing of this crawl \
             (see the reasons above)"
        );
    }
    Ok(match summary.failed_pages().next() {
        None => Exit::Done,
        Some(_) => Exit::FailedPages,
    })
}

/// Whatever shows the crawl, until it is dropped.
fn show(
    args: &CrawlArgs,
    live: &Arc<Live>,
    control: &Arc<Control>,
    output: &Output,
) -> Result<(Option<Dashboard>, Display)> {
    pulse(live).context("cannot start a thread")?;
    let start = |address| Dashboard::start(address, live.clone(), control.clone());
    let dashboard = args.dashboard.map(start).transpose()?;
    if let Some(dashboard) = &dashboard {
        output.note(&format!("dashboard at http://{}/", dashboard.address()));
    }
    let display = Display::start(live.clone(), control.clone(), output.display())
        .context("cannot start a thread")?;
    Ok((dashboard, display))
}

fn options(args: &CrawlArgs) -> Result<CrawlOptions> {
    let (width, height) = viewport(&args.viewport)?;
    let page_timeout = Duration::from_secs(args.page_timeout.max(1));
    Ok(CrawlOptions {
        seeds: seeds(args)?,
        tier: match args.tier {
            TierArg::Auto => TierChoice::Auto,
            TierArg::Http => TierChoice::Always(Tier::Http),
            TierArg::Browser => TierChoice::Always(Tier::Browser),
        },
        workers: args.workers,
        page_timeout,
        screenshots: !args.no_screenshots,
        client: Client {
            width,
            height,
            user_agent: args.user_agent.clone(),
            ..Client::default()
        },
        policy: AddressPolicy {
            allow: (args.allow_net.iter())
                .map(|net| net.parse().with_context(|| format!("--allow-net {net}")))
                .collect::<Result<_>>()?,
        },
        map_hosts: (args.map_host.iter())
            .map(|rule| rule.parse::<MapHost>().context("--map-host"))
            .collect::<Result<_>>()?,
        trust: match args.accept_invalid_certificates {
            true => Trust::AcceptInvalid,
            false => Trust::Verify {
                extra_roots: args.ca_file.clone(),
            },
        },
        limits: Limits {
            body_bytes: args.max_body,
            ..Limits::within(page_timeout)
        },
        // On the disk that the bodies end up on, which has room for them or for nothing.
        spool_dir: args.collection.clone(),
    })
}

/// The URLs given and those of the file, each once, in order.
fn seeds(args: &CrawlArgs) -> Result<Vec<Url>> {
    let mut text = String::new();
    if let Some(file) = &args.seeds {
        let name = file.display();
        match file.as_os_str() == "-" {
            true => std::io::stdin().read_to_string(&mut text).map(drop),
            false => std::fs::read_to_string(file).map(|read| text = read),
        }
        .with_context(|| format!("cannot read the seeds from {name}"))?;
    }
    let listed = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'));
    let mut seeds = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for word in args.urls.iter().map(String::as_str).chain(listed) {
        if word.is_empty() {
            continue;
        }
        let url = seed(word)?;
        if seen.insert(url.clone()) {
            seeds.push(url);
        }
    }
    if seeds.is_empty() {
        bail!("there is no URL to crawl");
    }
    Ok(seeds)
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

fn viewport(text: &str) -> Result<(u32, u32)> {
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width @ 1..=10_000, height @ 1..=10_000)) => Ok((width, height)),
        _ => bail!("--viewport {text}: expected width and height such as 1366x900"),
    }
}

fn report(summary: &Summary, args: &CrawlArgs, output: &Output) -> Result<()> {
    if output.json {
        return Ok(output.result(&serde_json::to_string(summary)?)?);
    }
    let account = &summary.account;
    let saved = summary.pages.iter().filter(|page| page.is_saved()).count();
    output.result(&format!(
        "{} of {} saved in {:.1} s",
        saved,
        count(summary.pages.len() as u64, "page"),
        summary.seconds
    ))?;
    for page in summary.failed_pages() {
        output.result(&format!("  not saved: {} ({})", page.url, page.reason))?;
    }
    output.result(&format!(
        "{} requested: {} recorded ({}), {} reused, {} failed",
        account.requested,
        account.recorded.count,
        human_bytes(account.recorded.bytes),
        account.reused,
        account.failed
    ))?;
    let kinds: Vec<String> = (account.by_kind.iter())
        .map(|(kind, amount)| format!("{kind} {} ({})", amount.count, human_bytes(amount.bytes)))
        .collect();
    if !kinds.is_empty() {
        output.result(&format!("  {}", kinds.join(", ")))?;
    }
    for (reason, count) in &account.by_reason {
        output.result(&format!("  failed: {count} {reason}"))?;
    }
    if let Some(layer) = &summary.layer {
        output.result(&format!(
            "layer {layer} in {}: {} on disk",
            args.collection.display(),
            human_bytes(summary.stored_bytes)
        ))?;
    }
    Ok(())
}
