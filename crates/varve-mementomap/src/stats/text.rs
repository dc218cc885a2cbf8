//! A profile for people.

use super::{Depth, FitReport, Holdings};
use std::fmt::Write;

/// How many top-level domains are told.
const TLDS: usize = 20;

/// The profile as tables.
pub fn text(holdings: &Holdings) -> String {
    let mut out = String::new();
    let total = &holdings.total;
    let _ = write!(
        out,
        "mementos (URI-M)   {}\noriginals (URI-R)  {}\nkeys (HxPx)        {}\n\
         mementos for each original: mean {:.2}, median {}\n\
         Gini coefficient   {:.3}\nPareto point       {:.1}% of the originals have {:.1}% of the mementos\n",
        total.mementos,
        total.originals,
        holdings.keys,
        holdings.mean,
        holdings.median,
        holdings.gini,
        100.0 * holdings.pareto,
        100.0 * (1.0 - holdings.pareto),
    );
    if holdings.skipped > 0 {
        let _ = writeln!(
            out,
            "lines without a host, not counted: {}",
            holdings.skipped
        );
    }
    let top = holdings
        .top
        .iter()
        .map(|(surt, count)| vec![count.to_string(), surt.clone()]);
    table(&mut out, "Most captured", &["mementos", "original"], top);
    let tlds = holdings.tlds.iter().take(TLDS).map(|(tld, held)| {
        vec![
            held.originals.to_string(),
            held.mementos.to_string(),
            tld.clone(),
        ]
    });
    table(
        &mut out,
        "Top-level domains",
        &["originals", "mementos", "domain"],
        tlds,
    );
    let statuses = holdings
        .statuses
        .iter()
        .map(|(status, count)| vec![count.to_string(), status.clone()]);
    table(&mut out, "Status codes", &["mementos", "status"], statuses);
    let years = holdings.years.iter().map(|(year, of)| {
        let numbers = [
            of.originals,
            of.mementos,
            of.duplicates,
            of.cumulative_originals,
            of.cumulative_mementos,
        ];
        [
            vec![year.clone()],
            numbers.map(|number| number.to_string()).to_vec(),
        ]
        .concat()
    });
    let head = [
        "year",
        "originals",
        "mementos",
        "duplicates",
        "originals so far",
        "mementos so far",
    ];
    table(&mut out, "Years", &head, years);
    depths(&mut out, "Hosts", &holdings.host_depths, holdings.host_fit);
    depths(&mut out, "Paths", &holdings.path_depths, holdings.path_fit);
    out
}

fn depths(out: &mut String, title: &str, depths: &[Depth], fit: Option<FitReport>) {
    let rows = depths.iter().map(|depth| {
        vec![
            depth.depth.to_string(),
            depth.nodes.to_string(),
            depth.parents.to_string(),
            format!("{:.3}", depth.mean_children),
            format!("{:.4}", depth.reduction),
        ]
    });
    table(
        out,
        title,
        &[
            "depth",
            "nodes",
            "with children",
            "mean children",
            "reduction",
        ],
        rows,
    );
    if let Some(FitReport { a, k, r_squared }) = fit {
        let _ = writeln!(
            out,
            "children by depth: {a:.3} x depth^-{k:.3} (R squared {r_squared:.3})"
        );
    }
}

/// Columns below each other, the last one to the left.
fn table(out: &mut String, title: &str, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut lines: Vec<Vec<String>> = vec![head.iter().map(|word| word.to_string()).collect()];
    lines.extend(rows);
    if lines.len() == 1 {
        return;
    }
    let width = |at: usize| lines.iter().map(|line| line[at].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let _ = writeln!(out, "\n{title}");
    for line in lines {
        let cells = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| match at + 1 == widths.len() {
                true => cell.clone(),
                false => format!("{cell:>width$}"),
            });
        let _ = writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}
