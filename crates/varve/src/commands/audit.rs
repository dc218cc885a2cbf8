//! `varve audit`: every byte checked, everything wrong named.

use crate::cli::AuditArgs;
use crate::exit::Exit;
use crate::output::{Output, count, human_bytes};
use anyhow::Result;
use indicatif::ProgressBar;
use serde_json::json;
use std::path::Path;
use varve_store::audit::{
    AuditObserver, Finding, Tally, audit_collection, audit_file, audit_manifest, rebuild_index,
};
use varve_store::collection::MANIFEST;

pub(crate) fn run(args: AuditArgs, output: &Output) -> Result<Exit> {
    let mut damaged = false;
    for target in &args.targets {
        let tally = audit(target, args.rebuild_index, output)?;
        damaged |= tally.damage > 0;
        tell(target, &tally, output)?;
    }
    Ok(if damaged {
        Exit::VerificationFailed
    } else {
        Exit::Done
    })
}

fn audit(target: &Path, rebuild: bool, output: &Output) -> Result<Tally> {
    let fs = super::file_system();
    let is_collection = target.is_dir();
    if is_collection
        && target.join(MANIFEST).exists()
        && let Some(finding) = audit_manifest(fs.as_ref(), target)
    {
        tell_finding(&finding, output);
        return Ok(Tally {
            files: 1,
            damage: 1,
            ..Tally::default()
        });
    }
    if !is_collection {
        let total = target.metadata().map_or(0, |data| data.len());
        let mut observer = Observer {
            bar: output.bar(total, "auditing"),
            output,
        };
        let tally = audit_file(&fs, target, &mut observer);
        observer.bar.finish_and_clear();
        return Ok(tally?);
    }
    let mut collection = super::open(target, output)?;
    if rebuild {
        for layer in 0..collection.layers().len() {
            let changed = rebuild_index(&collection, layer)?;
            let what = if changed {
                "index rebuilt"
            } else {
                "index rebuilt, the same as before"
            };
            output.note(&format!("layer {}: {what}", collection.layers()[layer].id));
        }
        collection = super::open(target, output)?;
    }
    let total = collection.layers().iter().map(|layer| layer.bytes).sum();
    let mut observer = Observer {
        bar: output.bar(total, "auditing"),
        output,
    };
    let tally = audit_collection(&collection, &mut observer);
    observer.bar.finish_and_clear();
    Ok(tally?)
}

struct Observer<'a> {
    bar: ProgressBar,
    output: &'a Output,
}

impl AuditObserver for Observer<'_> {
    fn found(&mut self, finding: &Finding) {
        self.bar.suspend(|| tell_finding(finding, self.output));
    }

    fn advanced(&mut self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

fn tell_finding(finding: &Finding, output: &Output) {
    if !finding.is_damage && !output.verbose {
        return;
    }
    if output.json {
        let line = json!({
            "file": finding.file.display().to_string(), "offset": finding.offset,
            "what": finding.what, "damage": finding.is_damage,
        });
        let _ = output.result(&line.to_string());
        return;
    }
    let place = match finding.offset {
        Some(offset) => format!("{}: offset {offset}", finding.file.display()),
        None => finding.file.display().to_string(),
    };
    let text = format!("{place}: {}", finding.what);
    if finding.is_damage {
        output.failure(&text)
    } else {
        output.warning(&text)
    }
}

fn tell(target: &Path, tally: &Tally, output: &Output) -> Result<()> {
    let name = target.display();
    if output.json {
        let line = json!({
            "target": name.to_string(), "files": tally.files, "bytes": tally.bytes, "records": tally.records,
            "captures": tally.captures, "damage": tally.damage, "notes": tally.notes,
        });
        output.result(&line.to_string())?;
        return Ok(());
    }
    let verdict = match tally.damage {
        0 => "sound".to_owned(),
        damage => format!("DAMAGED: {}", count(damage, "finding")),
    };
    let checked = [
        count(tally.files, "file"),
        count(tally.records, "record"),
        human_bytes(tally.bytes),
    ]
    .join(", ");
    let notes = if tally.notes > 0 {
        format!("; {} shown by -v", count(tally.notes, "note"))
    } else {
        String::new()
    };
    output.result(&format!("{name}: {verdict} ({checked}{notes})"))?;
    Ok(())
}
