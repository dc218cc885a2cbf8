//! From words to what they mean: the options of a crawl.

use crate::cli::{CrawlArgs, ScopeArg, Size, TechniqueArg, TierArg};
use crate::commands::filter::lists;
use anyhow::{Context, Result, bail};
use regex::RegexSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use varve_crawl::live::CrawlLimits;
use varve_crawl::rules::scope::{Reach, Scope, ScopeRules};
use varve_crawl::{AddressPolicy, Client, Limits, MapHost, Trust, Url};
use varve_crawl::{
    CrawlOptions, LocalStorage, RobotsPolicy, Session, SitemapPolicy, Technique, Tier, TierChoice,
    Variants, read_cookies,
};
use varve_filter::Filter;

const PAGE_TIMEOUT: u64 = 90;
const MAX_BODY: u64 = 20 << 30;
const DISK_WAIT: u64 = 300;
const DELAY: u64 = 250;
const PER_HOST: usize = 12;
const WORKERS: usize = 4;
const RETRIES: u32 = 2;
const SAMPLE: u32 = 50;
const MIN_RECALL: f64 = 0.995;

/// What was meant.
pub(super) fn options(args: &CrawlArgs, seeds: Vec<Url>, root: &Path) -> Result<CrawlOptions> {
    let page_timeout = Duration::from_secs(args.page_timeout.unwrap_or(PAGE_TIMEOUT).max(1));
    Ok(CrawlOptions {
        scope: scope(args, &seeds)?,
        seeds,
        sitemaps: match args.no_sitemaps {
            true => SitemapPolicy::Ignored,
            false => SitemapPolicy::Followed,
        },
        robots: match args.ignore_robots {
            true => RobotsPolicy::Ignored,
            false => RobotsPolicy::Obeyed,
        },
        delay: Duration::from_millis(args.delay.unwrap_or(DELAY)),
        per_host: args.per_host.unwrap_or(PER_HOST),
        ends: CrawlLimits {
            pages: args.max_pages,
            bytes: args.max_size.map(u64::from),
            seconds: args.max_time,
        },
        retries: args.retries.unwrap_or(RETRIES),
        disk_wait: Duration::from_secs(args.disk_wait.unwrap_or(DISK_WAIT)),
        tier: match args.tier.unwrap_or(TierArg::Auto) {
            TierArg::Auto => TierChoice::Auto,
            TierArg::Http => TierChoice::Always(Tier::Http),
            TierArg::Browser => TierChoice::Always(Tier::Browser),
        },
        min_recall: min_recall(args)?,
        without: args.memo_without.iter().map(technique).collect(),
        variants: match args.all_variants {
            true => Variants::All,
            false => Variants::Viewport,
        },
        workers: args.workers.unwrap_or(WORKERS),
        page_timeout,
        screenshots: !args.no_screenshots,
        learn: args.prune || args.learn,
        client: client(args)?,
        session: session(args)?,
        block: RegexSet::new(&args.block).context("--block")?,
        filter: filter(args)?,
        sample: args.sample.unwrap_or(SAMPLE),
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
            body_bytes: args.max_body.unwrap_or(Size(MAX_BODY)).into(),
            ..Limits::within(page_timeout)
        },
        // On the disk that the bodies end up on, which has room for them or for nothing.
        spool_dir: root.to_owned(),
    })
}

fn technique(part: &TechniqueArg) -> Technique {
    match part {
        TechniqueArg::Templates => Technique::Templates,
        TechniqueArg::Cover => Technique::Cover,
        TechniqueArg::Sharing => Technique::Sharing,
        TechniqueArg::Classifier => Technique::Classifier,
    }
}

fn min_recall(args: &CrawlArgs) -> Result<f64> {
    match args.min_recall.unwrap_or(MIN_RECALL) {
        share @ 0.0..=1.0 => Ok(share),
        other => bail!("--min-recall {other}: expected a share between 0 and 1"),
    }
}

fn filter(args: &CrawlArgs) -> Result<Option<Arc<Filter>>> {
    if args.no_filter {
        return Ok(None);
    }
    let lists = lists(&args.filter)?;
    Ok(Some(Arc::new(Filter::new(lists))))
}

fn scope(args: &CrawlArgs, seeds: &[Url]) -> Result<Scope> {
    let rules = ScopeRules {
        reach: match args.scope.unwrap_or(ScopeArg::Prefix) {
            ScopeArg::Page => Reach::Page,
            ScopeArg::Prefix => Reach::Prefix,
            ScopeArg::Host => Reach::Host,
            ScopeArg::Domain => Reach::Domain,
            ScopeArg::Any => Reach::Any,
        },
        include: args.include.clone(),
        exclude: args.exclude.clone(),
        depth: args.depth,
        extra_hops: args.extra_hops.unwrap_or(0),
    };
    Ok(Scope::new(&rules, seeds)?)
}

fn client(args: &CrawlArgs) -> Result<Client> {
    let client = Client {
        user_agent: args.user_agent.clone(),
        ..Client::default()
    };
    let Some(text) = &args.viewport else {
        return Ok(Client {
            width: 1366,
            height: 900,
            ..client
        });
    };
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width @ 1..=10_000, height @ 1..=10_000)) => Ok(Client {
            width,
            height,
            ..client
        }),
        _ => bail!("--viewport {text}: expected width and height such as 1366x900"),
    }
}

fn session(args: &CrawlArgs) -> Result<Session> {
    let cookies = match &args.cookies {
        None => Vec::new(),
        Some(file) => {
            let name = file.display();
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            read_cookies(&text).with_context(|| format!("{name} is no cookies file"))?
        }
    };
    Ok(Session {
        cookies: cookies.into(),
        storage: LocalStorage::default(),
        fields: args
            .header
            .iter()
            .map(|field| header(field))
            .collect::<Result<_>>()?,
    })
}

/// `Name: value`. The value may be a secret, so that errors do not repeat it.
fn header(field: &str) -> Result<(Vec<u8>, Vec<u8>)> {
    let (name, value) = field
        .split_once(':')
        .context("--header: expected 'Name: value'")?;
    let name = name.trim();
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(token) || value.contains(['\r', '\n', '\0']) {
        bail!("--header {name}: this cannot stand in a request");
    }
    Ok((name.into(), value.trim().into()))
}
