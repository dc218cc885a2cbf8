//! `varve aggregate`: many archives as one.

use crate::cli::{AggregateArgs, FormArg};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::Output;
use anyhow::{Context, Result};
use serde_json::json;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use varve_aggregate::{
    AddressPolicy, AggregateOptions, Aggregator, Archive, MapHost, MapOptions, Original, Patience,
    Question, Rendering, Server, ServerOptions, TimeMapForm, Trust, View, read_archives,
};

/// Where MemGator listens.
const PORT: u16 = 1208;
/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: AggregateArgs, output: &Output) -> Result<Exit> {
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let exit = runtime.block_on(async {
        let mut options = options(&args)?;
        options.archives = archives(&args.archives, &options).await?;
        let aggregator = Arc::new(Aggregator::new(options)?);
        for error in aggregator.read_maps() {
            output.warning(&error.to_string());
        }
        match (place(&args), &args.url) {
            (None, Some(url)) => look_up(&args, url, &aggregator, output).await,
            (place, _) => serve(&args, place.unwrap_or_else(usual), aggregator, output).await,
        }
    });
    // Whoever still reads is not waited for.
    runtime.shutdown_background();
    exit
}

/// Where to listen, if that is what is wanted.
fn place(args: &AggregateArgs) -> Option<SocketAddr> {
    let like_memgator = args.url.as_deref() == Some("server") && args.time.is_none();
    args.listen.or_else(|| like_memgator.then(usual))
}

fn usual() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, PORT))
}

/// The list of archives, from a file or from the network.
async fn archives(place: &str, options: &AggregateOptions) -> Result<Vec<Archive>> {
    let remote = place.starts_with("http://") || place.starts_with("https://");
    let text = match remote {
        true => {
            let fetched = options.fetch_list(place).await;
            fetched.with_context(|| format!("cannot fetch {place}"))?
        }
        false => std::fs::read_to_string(place).with_context(|| {
            format!("cannot read {place}; docs/aggregate.md says what stands in it")
        })?,
    };
    let mut archives = read_archives(&text).with_context(|| place.to_owned())?;
    if remote {
        // Others do not say which of our files are read.
        for archive in &mut archives {
            let named = archive.mementomap.take();
            archive.mementomap = named.filter(|written| written.starts_with("http"));
        }
    }
    Ok(archives)
}

/// What was typed, as what is meant; without the archives.
fn options(args: &AggregateArgs) -> Result<AggregateOptions> {
    let defaults = AggregateOptions::new(Vec::new());
    let agent = args.agent.clone().unwrap_or(defaults.agent);
    let agent = match &args.contact {
        Some(contact) => format!("{agent} (+{contact})"),
        None => agent,
    };
    if agent.contains(['\r', '\n', '\0']) {
        anyhow::bail!("--agent and --contact: a line break cannot stand in a request");
    }
    Ok(AggregateOptions {
        archives: Vec::new(),
        topk: usize::try_from(args.topk).ok(),
        patience: Patience {
            tolerance: u32::try_from(args.tolerance).ok(),
            dormant: args.dormant.0,
        },
        deadline: args.restimeout.0,
        connect_time: args.contimeout.0,
        header_time: args.hdrtimeout.0,
        body_bytes: args.max_body.into(),
        per_peer: args.per_archive,
        cache_time: args.cache.0,
        maps: MapOptions {
            dir: args.maps.clone(),
            fetch: !args.no_fetched_maps,
            ..MapOptions::default()
        },
        agent,
        policy: AddressPolicy {
            allow: (args.allow_net.iter())
                .map(|net| net.parse().with_context(|| format!("--allow-net {net}")))
                .collect::<Result<_>>()?,
        },
        map_hosts: (args.map_host.iter())
            .map(|rule| rule.parse::<MapHost>().context("--map-host"))
            .collect::<Result<_>>()?,
        trust: Trust::Verify {
            extra_roots: args.ca_file.clone(),
        },
        spool_dir: defaults.spool_dir,
    })
}

/// The path below which everything is, with slashes around it.
fn root(args: &AggregateArgs) -> String {
    match args.root.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}

async fn look_up(
    args: &AggregateArgs,
    url: &str,
    aggregator: &Aggregator,
    output: &Output,
) -> Result<Exit> {
    let original = Original::parse(url).with_context(|| format!("cannot look up \"{url}\""))?;
    let (question, view) = match args.time {
        Some(time) => (Question::Around(time), View::Around(time)),
        None => (Question::TimeMap, View::All),
    };
    let answer = aggregator.look_up(&original, question).await?;
    for missing in &answer.missing {
        output.warning(&format!("{}: {}", missing.archive, missing.trouble));
    }
    if answer.is_nobodys() {
        anyhow::bail!("no archive could be asked about {original}");
    }
    if answer.mementos.is_empty() {
        output.note(&format!("no archive has {original}"));
        return Ok(Exit::Done);
    }
    let base = args.proxy.clone();
    let base = base.unwrap_or_else(|| format!("http://localhost:{PORT}"));
    let base = base + &root(args);
    let form = match (output.json, args.format) {
        (true, _) | (_, FormArg::Json) => TimeMapForm::Json,
        (_, FormArg::Link) => TimeMapForm::Link,
        (_, FormArg::Cdxj) => TimeMapForm::Cdxj,
    };
    let mut out = std::io::stdout().lock();
    for piece in Rendering::new(answer, &base, form, view).pieces() {
        match out.write_all(piece.as_bytes()) {
            // A reader that went away (`| head`) is not an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    Ok(Exit::Done)
}

async fn serve(
    args: &AggregateArgs,
    listen: SocketAddr,
    aggregator: Arc<Aggregator>,
    output: &Output,
) -> Result<Exit> {
    if !listen.ip().is_loopback() {
        output.warning(&format!(
            "{listen} is not loopback: whoever reaches this machine can have archives asked"
        ));
    }
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let options = ServerOptions {
        root: root(args),
        public: args.proxy.clone(),
        monitor: args.monitor,
        ..ServerOptions::new(listen)
    };
    let server = Server::start(aggregator, options).await?;
    match output.json {
        true => {
            let place = json!({"url": server.url(), "listen": server.address().to_string()});
            output.announce(&place.to_string())?;
        }
        false => output.announce(&format!("open {} (Ctrl-C ends it)", server.url()))?,
    }
    while !interrupt.is_requested() {
        tokio::time::sleep(LOOK).await;
    }
    server.stop().await;
    Ok(Exit::Done)
}
