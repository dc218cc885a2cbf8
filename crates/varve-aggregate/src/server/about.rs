//! A page about the archives: what was asked of each, and what came of it.

use crate::aggregator::PeerFacts;
use std::fmt::Write;

const STYLE: &str = "<style>:root{color-scheme:light dark}\
    body{font:16px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em}\
    table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\
    th,td{padding:.3em .6em;text-align:right;border-bottom:1px solid #8886}\
    th:first-child,td:first-child{text-align:left}code{overflow-wrap:anywhere}\
    .scroll{overflow-x:auto}</style>";

/// The page, as HTML. `base` is where the aggregator is.
pub(super) fn page(peers: &[PeerFacts], base: &str) -> String {
    let mut out = String::from("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">");
    out += "<meta name=\"viewport\" content=\"width=device-width\"><title>Archives asked as one – Varve</title>";
    out += STYLE;
    out += "<h1>Archives asked as one</h1><p>TimeMaps, TimeGates and mementos of many archives at \
        one address, after RFC 7089:</p><ul>";
    for path in [
        "timemap/{link|json|cdxj}/URL",
        "timegate/URL",
        "memento/TIME/URL",
        "memento/{link|json|cdxj|proxy}/TIME/URL",
        "metrics",
    ] {
        // Writing to memory does not fail.
        let _ = write!(
            out,
            "<li><code>{}</code></li>",
            escaped(&format!("{base}{path}"))
        );
    }
    out +=
        "</ul><div class=\"scroll\"><table><caption>Look-ups since the start</caption><thead><tr>";
    for name in [
        "archive",
        "asked",
        "skipped by map",
        "hits",
        "misses",
        "errors",
        "mean answer",
        "map",
        "state",
    ] {
        let _ = write!(out, "<th scope=\"col\">{name}</th>");
    }
    out += "</tr></thead><tbody>";
    for peer in peers {
        row(&mut out, peer);
    }
    out += "</tbody></table></div><p>Varve ";
    out += env!("CARGO_PKG_VERSION");
    out += "</p>";
    out
}

fn row(out: &mut String, peer: &PeerFacts) {
    let counts = &peer.counts;
    let answers: u64 = counts.steps.iter().sum();
    let mean = match answers {
        0 => "–".to_owned(),
        answers => format!("{:.0} ms", counts.time.as_secs_f64() * 1e3 / answers as f64),
    };
    let map = match (peer.map_lines, &peer.map_trouble) {
        (Some(1), None) => "1 line".to_owned(),
        (Some(lines), None) => format!("{lines} lines"),
        (Some(lines), Some(trouble)) => format!("{lines} lines, not renewed: {trouble}"),
        (None, Some(trouble)) => format!("none: {trouble}"),
        (None, None) => "none".to_owned(),
    };
    let cells = [
        counts.asked.to_string(),
        counts.skipped_by_map.to_string(),
        counts.hits.to_string(),
        counts.misses.to_string(),
        counts.errors().to_string(),
        mean,
        map,
        (if peer.dormant { "dormant" } else { "asked" }).to_owned(),
    ];
    let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&peer.name));
    for cell in cells {
        let _ = write!(out, "<td>{}</td>", escaped(&cell));
    }
    *out += "</tr>";
}

/// A text that is never markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Counts;

    #[test]
    fn names_and_errors_are_never_markup() {
        let peer = PeerFacts {
            id: "x".into(),
            name: "<script>'&\"".to_owned(),
            counts: Counts::default(),
            dormant: true,
            map_lines: None,
            map_trouble: Some("<b>".to_owned()),
        };
        let html = page(&[peer], "http://us/");
        assert!(
            html.contains("&lt;script&gt;&#39;&amp;&quot;") && html.contains("none: &lt;b&gt;")
        );
        assert!(!html.contains("<script") && !html.contains("<b>"));
    }
}
