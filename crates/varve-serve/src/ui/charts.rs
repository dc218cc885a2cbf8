//! Amounts as bars, in tables that say the same in words.

use crate::markup::Markup;

/// One bar.
pub(super) struct Bar {
    pub(super) name: String,
    /// Where its name leads.
    pub(super) leads: Option<String>,
    /// Its length, in whatever unit.
    pub(super) amount: u64,
    /// What stands beside it, a column each.
    pub(super) said: Vec<String>,
    /// Bars of things that went wrong look otherwise.
    pub(super) tone: Tone,
}

/// How a bar looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Bad,
}

/// A table with a bar in each row.
pub(super) fn bars(caption: &'static str, columns: &[&'static str], bars: &[Bar]) -> Markup {
    let most = bars.iter().map(|bar| bar.amount).max().unwrap_or(0).max(1);
    let mut out = Markup::new("<table class=\"chart\"><caption>")
        .html(caption)
        .html("</caption><thead class=\"unseen\"><tr><th scope=\"col\">Name");
    for column in columns {
        out = out.html("<th scope=\"col\">").html(column);
    }
    out = out.html("<th scope=\"col\">Bar</thead><tbody>");
    for bar in bars {
        out = out.markup(&row(bar, most));
    }
    out.html("</table>")
}

fn row(bar: &Bar, most: u64) -> Markup {
    let mut out = Markup::new("<tr><th scope=\"row\">");
    out = match &bar.leads {
        Some(path) => out
            .html("<a href=\"")
            .text(path)
            .html("\">")
            .text(&bar.name)
            .html("</a>"),
        None => out.text(&bar.name),
    };
    for said in &bar.said {
        out = out.html("<td class=\"number\">").text(said);
    }
    // Even the least can be seen.
    let width = (bar.amount as f64 / most as f64 * 200.0).clamp(1.0, 200.0);
    let width = if bar.amount == 0 { 0.0 } else { width };
    out.html("<td class=\"drawn\"><svg viewBox=\"0 0 200 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"")
        .html(match bar.tone {
            Tone::Plain => "plain",
            Tone::Bad => "bad",
        })
        .html("\" width=\"")
        .text(format!("{width:.1}"))
        .html("\" height=\"10\" rx=\"2\"/></svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_fills_its_place_and_the_others_follow() {
        let bar = |name: &str, amount| Bar {
            name: name.to_owned(),
            leads: None,
            amount,
            said: vec![amount.to_string()],
            tone: Tone::Plain,
        };
        let html = bars("By type", &["Bytes"], &[bar("<a>", 400), bar("b", 100)]).into_string();
        assert!(html.contains("width=\"200.0\"") && html.contains("width=\"50.0\""));
        assert!(html.contains("&lt;a&gt;") && !html.contains("<a>"));
    }
}
