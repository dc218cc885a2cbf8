//! `varve demo-site`: the example web, on loopback.

use crate::cli::DemoSiteArgs;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::Output;
use anyhow::{Context, Result, bail};
use std::time::Duration;
use varve_demo::{DemoOptions, DemoWeb};

pub(crate) fn run(args: &DemoSiteArgs, output: &Output) -> Result<Exit> {
    if !args.listen.ip().is_loopback() {
        bail!(
            "{} is not loopback; the example web stays on this machine",
            args.listen
        );
    }
    let interrupt = Interrupt::listen().context("cannot listen for Ctrl-C")?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start")?;
    runtime.block_on(async {
        let options = DemoOptions {
            listen: args.listen,
            ..DemoOptions::default()
        };
        let web = DemoWeb::start(options)
            .await
            .with_context(|| format!("cannot listen on {}", args.listen))?;
        std::fs::write(&args.ca_file, web.ca_pem())
            .with_context(|| format!("cannot write {}", args.ca_file.display()))?;
        introduce(&web, args, output)?;
        while !interrupt.is_requested() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        web.stop().await;
        Ok(Exit::Done)
    })
}

fn introduce(web: &DemoWeb, args: &DemoSiteArgs, output: &Output) -> Result<()> {
    output.result(&format!("serving on {} (Ctrl-C ends it):", web.address()))?;
    for (host, what) in DemoWeb::hosts() {
        output.result(&format!("  http://{host}/  {what}"))?;
    }
    output.result("in another terminal:")?;
    output.result(&format!(
        "  varve crawl https://garden.example/ --map-host '*={}' --allow-net 127.0.0.0/8 --ca-file {}",
        web.address(),
        args.ca_file.display()
    ))?;
    Ok(())
}
