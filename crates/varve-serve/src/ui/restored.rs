//! What pages called although it had been taken out of their scripts.

use super::shell::framed_path;
use super::words::grouped;
use crate::archive::Opened;
use crate::layout::When;
use crate::markup::Markup;
use crate::respond::Restored;
use std::collections::BTreeMap;
use varve_store::collection::PartsKey;
use varve_store::index::Query;

/// Rows that are shown.
const ROWS: usize = 50;

/// A table of what was asked for since the server was started; nothing if nothing was.
pub(super) fn restored(opened: &Opened, asked: &[Restored]) -> Markup {
    let mut rows: BTreeMap<(Option<&str>, &PartsKey), (u64, u64)> = BTreeMap::new();
    for restored in asked.iter().filter(|it| is_from(opened, it)) {
        let row = rows.entry((restored.page.as_deref(), &restored.key));
        let (found, missed) = row.or_default();
        match restored.found {
            true => *found += 1,
            false => *missed += 1,
        }
    }
    if rows.is_empty() {
        return Markup::new("");
    }
    let mut out = Markup::new("<section><h2>Functions called after all</h2><p class=\"facts\">They had been taken out of scripts because they never ran. The next crawl that is pruned has them at hand.</p>")
        .html("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Functions called after all\"><table class=\"list\"><thead><tr>")
        .html("<th scope=\"col\">Page<th scope=\"col\">Script<th class=\"number\" scope=\"col\">Restored<th class=\"number\" scope=\"col\">Missed</thead><tbody>");
    for ((page, key), (found, missed)) in rows.iter().take(ROWS) {
        out = out.html("<tr><td>");
        out = match page {
            None => out.text("unknown"),
            Some(page) => out
                .html("<a href=\"")
                .text(framed_path(When::Latest, page))
                .html("\">")
                .text(page)
                .html("</a>"),
        };
        out = out
            .html("<td>")
            .text(script(opened, key))
            .html("<td class=\"number\">")
            .text(grouped(*found))
            .html("<td class=\"number\">")
            .text(grouped(*missed));
    }
    out.html("</table></div></section>")
}

/// Whether the page is one of this collection; who does not say which it is counts by its script.
fn is_from(opened: &Opened, restored: &Restored) -> bool {
    let Some(page) = &restored.page else {
        let index = opened.everything();
        let has = opened.collection().has_parts_of(index, &restored.key);
        return has.unwrap_or(false);
    };
    let query = Query {
        url: page.clone(),
        limit: Some(1),
        ..Query::default()
    };
    Opened::hits(opened.index(), &query).is_ok_and(|hits| !hits.is_empty())
}

/// What the script is called, as far as that is known.
fn script(opened: &Opened, key: &PartsKey) -> String {
    let parts = opened.collection().parts(opened.everything(), key);
    match parts {
        Ok(Some(parts)) => parts.url,
        _ => format!("{key} (removed)"),
    }
}
