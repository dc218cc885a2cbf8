//! `varve memo`: what crawls of a collection learned of its sites' scripts.

use crate::cli::{MemoArgs, MemoClearArgs, MemoCommand, MemoLsArgs, MemoShowArgs};
use crate::exit::Exit;
use crate::output::{Output, count};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::path::Path;
use varve_crawl::memo_file;
use varve_memo::{Memo, Recall, Site};

pub(crate) fn run(args: MemoArgs, output: &Output) -> Result<Exit> {
    match args.command {
        MemoCommand::Ls(args) => list(&args, output),
        MemoCommand::Show(args) => show(&args, output),
        MemoCommand::Clear(args) => clear(&args, output),
    }
}

fn list(args: &MemoLsArgs, output: &Output) -> Result<Exit> {
    let mut memo = read(&args.collection)?;
    for (name, site) in memo.sites() {
        output.result(&match output.json {
            true => as_json(name, site).to_string(),
            false => format!("{name}: {}", in_short(site)),
        })?;
    }
    Ok(Exit::Done)
}

fn show(args: &MemoShowArgs, output: &Output) -> Result<Exit> {
    let mut memo = read(&args.collection)?;
    let mut sites = memo.sites();
    let Some((name, site)) = sites.find(|(name, _)| *name == args.site) else {
        bail!(
            "nothing is known of {} (`varve memo ls {}` names the sites)",
            args.site,
            args.collection.display()
        );
    };
    if output.json {
        output.result(&as_json(name, site).to_string())?;
        return Ok(Exit::Done);
    }
    output.result(&format!("{name}: {}", in_short(site)))?;
    let counts = site.counts();
    output.result(&format!(
        "  {} of scripts that are the same wherever they are asked for",
        count(counts.constants as u64, "URL")
    ))?;
    output.result(&format!(
        "  {} that depend on a value of the page",
        counts.keyed
    ))?;
    output.result(&format!("  {} with times or random names", counts.volatile))?;
    for template in &counts.templates {
        output.result(&format!("  made of what pages give: {template}"))?;
    }
    for script in &counts.varying {
        output.result(&format!(
            "  asks for something else on each page: script {script}"
        ))?;
    }
    Ok(Exit::Done)
}

fn clear(args: &MemoClearArgs, output: &Output) -> Result<Exit> {
    let file = memo_file(&args.collection);
    let Some(site) = &args.site else {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", file.display()));
            }
            _ => output.note("all is forgotten"),
        }
        return Ok(Exit::Done);
    };
    let mut memo = read(&args.collection)?;
    if !memo.forget(site) {
        bail!("nothing is known of {site}");
    }
    std::fs::write(&file, memo.write())
        .with_context(|| format!("cannot write {}", file.display()))?;
    output.note(&format!("{site} is forgotten"));
    Ok(Exit::Done)
}

fn read(collection: &Path) -> Result<Memo> {
    if !collection.is_dir() {
        bail!("{} is no collection", collection.display());
    }
    let file = memo_file(collection);
    match std::fs::read(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Memo::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        Ok(bytes) => Memo::read(&bytes).with_context(|| {
            let name = file.display();
            format!("{name} is no memo of this version (`varve memo clear` forgets it)")
        }),
    }
}

fn in_short(site: &Site) -> String {
    let visits = count(site.visits() as u64, "visit");
    let recall: &Recall = site.recall();
    match recall.of_bytes() {
        None => visits,
        Some(share) => format!(
            "{visits}; {} looked at had {:.2} % of what a browser asks for",
            count(recall.pages, "page"),
            share * 100.0
        ),
    }
}

fn as_json(name: &str, site: &mut Site) -> serde_json::Value {
    json!({
        "site": name,
        "visits": site.visits(),
        "rules": site.counts(),
        "looked_at": site.recall().pages,
        "recall": site.recall().of_bytes(),
        "recall_at_least": site.recall().at_least(),
    })
}
