//! `varve export`: a collection as one standard file.

use crate::cli::ExportArgs;
use crate::exit::Exit;
use crate::output::{Output, human_bytes};
use anyhow::{Result, bail};
use indicatif::ProgressBar;
use serde_json::json;
use varve_store::export::{ExportObserver, export_wacz, export_warc};

pub(crate) fn run(args: ExportArgs, output: &Output) -> Result<Exit> {
    let name = args.out.to_string_lossy().into_owned();
    let is_warc = [".warc", ".warc.gz", ".warc.zst"]
        .iter()
        .any(|ending| name.ends_with(ending));
    if !is_warc && !name.ends_with(".wacz") {
        bail!("{name}: the name must end in .wacz, .warc.gz, .warc.zst or .warc");
    }
    let collection = super::open(&args.collection, output)?;
    if collection.layers().is_empty() {
        bail!(
            "{}: the collection is empty; import something first",
            args.collection.display()
        );
    }
    let total = collection.layers().iter().map(|layer| layer.bytes).sum();
    let mut bar = Bar(output.bar(total, "exporting"));
    let written = match is_warc {
        true => export_warc(&collection, &args.out, &mut bar),
        false => export_wacz(&collection, &args.out, &mut bar),
    };
    bar.0.finish_and_clear();
    written?;
    let bytes = args.out.metadata().map_or(0, |data| data.len());
    if output.json {
        output.result(&json!({"file": name, "bytes": bytes}).to_string())?;
    } else {
        output.result(&format!("{name}: {}", human_bytes(bytes)))?;
    }
    Ok(Exit::Done)
}

struct Bar(ProgressBar);

impl ExportObserver for Bar {
    fn advanced(&mut self, bytes: u64) {
        self.0.inc(bytes);
    }
}
