//! What a crawl did, in words.

use crate::output::{Output, count, human_bytes};
use anyhow::Result;
use std::path::Path;
use varve_crawl::{Account, FoundAndRun, Handlers, Summary, Tiers};

/// Sites of which pages had less than this share are named.
const GOOD: f64 = 0.995;
/// Why scripts were not asked for.
const FILTERED: &str = "blocked.filter";

/// Prints the summary, for people or for programs.
pub(super) fn report(summary: &Summary, collection: &Path, output: &Output) -> Result<()> {
    if output.json {
        return Ok(output.result(&serde_json::to_string(summary)?)?);
    }
    pages(summary, output)?;
    tiers(&summary.tiers, output)?;
    account(&summary.account, output)?;
    if let Some(layer) = &summary.layer {
        output.result(&format!(
            "layer {layer} in {}: {} on disk",
            collection.display(),
            human_bytes(summary.stored_bytes)
        ))?;
    }
    Ok(())
}

fn pages(summary: &Summary, output: &Output) -> Result<()> {
    output.result(&format!(
        "{} of {} saved in {:.1} s",
        summary.saved,
        count(summary.saved + summary.failed, "page"),
        summary.seconds
    ))?;
    if summary.saved_before > 0 {
        let before = count(summary.saved_before, "page");
        output.result(&format!(
            "  {before} more were saved before this crawl went on"
        ))?;
    }
    for page in summary.failed_pages() {
        output.result(&format!("  not saved: {} ({})", page.url, page.reason))?;
    }
    let shown = summary.failed_pages().count() as u64;
    if summary.failed > shown {
        let more = summary.failed - shown;
        output.result(&format!("  and {more} more; see the log of the layer"))?;
    }
    for (reason, number) in &summary.skipped {
        output.result(&format!("  left out: {number} {reason}"))?;
    }
    if summary.waiting > 0 {
        let waiting = count(summary.waiting, "page");
        output.result(&format!("  {waiting} not visited: {}", summary.ended))?;
    }
    Ok(())
}

/// What was decided about pages, and whether that was right.
fn tiers(tiers: &Tiers, output: &Output) -> Result<()> {
    if tiers.foretold + tiers.guessed == 0 {
        return Ok(());
    }
    let why: Vec<String> = (tiers.why.iter())
        .map(|(why, number)| format!("{why} {number}"))
        .collect();
    output.result(&format!(
        "  {} without scripts that matter, {} without a browser ({} of them by their looks), {} in a browser ({})",
        tiers.read,
        tiers.foretold + tiers.guessed,
        tiers.guessed,
        tiers.browser,
        why.join(", ")
    ))?;
    let (Some(recall), Some(at_least)) = (tiers.recall, tiers.recall_at_least) else {
        return Ok(());
    };
    output.result(&format!(
        "  {} of those without a browser looked at: they had {:.2} % of what a browser asks for \
         (at least {:.0} % with 95 % confidence), {} of them all of it",
        tiers.looked_at,
        recall * 100.0,
        at_least * 100.0,
        tiers.complete
    ))?;
    for site in tiers.sites.iter().filter(|site| site.recall < GOOD).take(5) {
        output.result(&format!(
            "  less: {} ({:.2} %)",
            site.site,
            site.recall * 100.0
        ))?;
    }
    Ok(())
}

fn account(account: &Account, output: &Output) -> Result<()> {
    let unchanged = match account.unchanged {
        0 => String::new(),
        some => format!(", {some} unchanged"),
    };
    let left_out = account.by_reason.get(FILTERED).copied().unwrap_or(0);
    output.result(&format!(
        "{} requested: {} recorded ({}{unchanged}), {} reused, {} failed",
        account.requested.saturating_sub(left_out),
        account.recorded.count,
        human_bytes(account.recorded.bytes),
        account.reused,
        account.failed.saturating_sub(left_out)
    ))?;
    let kinds: Vec<String> = (account.by_kind.iter())
        .map(|(kind, amount)| format!("{kind} {} ({})", amount.count, human_bytes(amount.bytes)))
        .collect();
    if !kinds.is_empty() {
        output.result(&format!("  {}", kinds.join(", ")))?;
    }
    for (reason, count) in &account.by_reason {
        if reason != FILTERED {
            output.result(&format!("  failed: {count} {reason}"))?;
        }
    }
    if left_out > 0 {
        let scripts = count(left_out, "script");
        output.result(&format!(
            "  not asked for: {scripts} of third parties that cannot work in an archive (the log \
             has the rules)"
        ))?;
    }
    handlers(&account.handlers, output)
}

/// What was run to learn what can run.
fn handlers(handlers: &Handlers, output: &Output) -> Result<()> {
    if handlers.is_empty() {
        return Ok(());
    }
    let kinds = handlers.0.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, FoundAndRun { found, run, alike })| match alike {
            0 => format!("{kind} {run} of {found}"),
            _ => format!("{kind} {run} of {found} ({alike} like others)"),
        })
        .collect();
    Ok(output.result(&format!("  handlers run: {}", kinds.join(", ")))?)
}
