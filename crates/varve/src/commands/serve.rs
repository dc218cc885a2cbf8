//! `varve serve`: archived pages in the browser.

use crate::cli::{LayoutArg, ServeArgs};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::Output;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::time::Duration;
use varve_serve::{AdminOptions, LayoutChoice, ProxyOptions, ServeOptions, Server};

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

pub(crate) fn run(args: ServeArgs, output: &Output) -> Result<Exit> {
    warn(&args, output);
    for collection in &args.collections {
        // Says what had to be recovered, once, before there are requests.
        super::open(collection, output)?;
    }
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    let exit = runtime.block_on(async {
        let server = Server::start(options(args)?).await?;
        introduce(&server, output)?;
        while !interrupt.is_requested() {
            tokio::time::sleep(LOOK).await;
        }
        server.stop().await;
        Ok(Exit::Done)
    });
    // Whoever still reads is not waited for.
    runtime.shutdown_background();
    exit
}

/// What was typed, as what is meant.
fn options(args: ServeArgs) -> Result<ServeOptions> {
    check_public(&args)?;
    Ok(ServeOptions {
        public: args.public_url,
        public_replay: args.public_replay_url,
        layout: match args.layout {
            LayoutArg::Host => LayoutChoice::Host(args.replay_host),
            LayoutArg::Path => LayoutChoice::Path(args.replay_listen),
        },
        access: args.access,
        admin: args.admin_token.map(|token| AdminOptions {
            upload_limit: args.upload_limit.0,
            ..AdminOptions::new(token)
        }),
        proxy: args.proxy_listen.map(|listen| ProxyOptions {
            authority: args.proxy_ca,
            time: args.proxy_time,
            ..ProxyOptions::new(listen)
        }),
        ..ServeOptions::new(args.collections, args.listen)
    })
}

/// Archived content must have an origin of its own, also for who sees us from elsewhere.
fn check_public(args: &ServeArgs) -> Result<()> {
    match (args.layout, &args.public_url, &args.public_replay_url) {
        (LayoutArg::Host, _, Some(_)) => bail!("--public-replay-url is for --layout path"),
        (LayoutArg::Path, Some(_), None) => {
            bail!(
                "--public-url needs --public-replay-url, too: archived content is on another origin"
            )
        }
        (LayoutArg::Path, Some(own), Some(replay)) if own == replay => {
            bail!("--public-url and --public-replay-url must be different origins")
        }
        _ => Ok(()),
    }
}

fn warn(args: &ServeArgs, output: &Output) {
    let path = matches!(args.layout, LayoutArg::Path);
    let replay = path.then_some(args.replay_listen);
    let addresses = [Some(args.listen), replay, args.proxy_listen];
    for address in addresses.into_iter().flatten() {
        if !address.ip().is_loopback() {
            output.warning(&format!(
                "{address} is not loopback: whoever reaches this machine can read the archive"
            ));
        }
    }
    if args.admin_token.is_some() && !args.listen.ip().is_loopback() {
        output.warning(
            "/admin is in reach of others, and the token passes unencrypted: put a server that \
             speaks TLS before this one, or listen on loopback and come through ssh",
        );
    }
}

fn introduce(server: &Server, output: &Output) -> Result<()> {
    let (url, layout) = (server.url(), server.layout());
    let proxy = server.proxy().map(|proxy| proxy.address);
    if output.json {
        let mut place = json!({"url": url, "layout": layout.name(), "replay": layout.place()});
        if server.is_behind() {
            place["listen"] = server.address().to_string().into();
        }
        if let Some(address) = proxy {
            place["proxy"] = address.to_string().into();
        }
        if server.is_administered() {
            place["admin"] = format!("{url}admin").into();
        }
        return Ok(output.announce(&place.to_string())?);
    }
    let mut words = format!("open {url} (Ctrl-C ends it)");
    if server.is_behind() {
        words += &format!(
            "\nwhich leads to {}, where this server listens",
            server.address()
        );
    }
    if let Some(address) = proxy {
        words += &format!("\nor use the proxy {address}, after a look at http://{address}/");
    }
    if server.is_administered() {
        words += &format!("\nadministration is at {url}admin");
    }
    output.announce(&words)?;
    Ok(())
}
