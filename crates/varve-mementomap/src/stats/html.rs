//! A profile as a page with charts, in one file.

use super::{Depth, Holdings, text};
use crate::chart::{Axes, Series, chart, escaped};

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
 svg{max-width:100%;height:auto;margin:1em 0}pre{overflow-x:auto;background:#f6f6f4;padding:1em}";

/// The profile as a page; `title` stands above it.
pub fn html(holdings: &Holdings, title: &str) -> String {
    let title = escaped(title);
    let charts = [tree(holdings), lorenz(holdings), growth(holdings)].concat();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{charts}<pre>{}</pre>\n</body></html>\n",
        escaped(&text(holdings))
    )
}

fn tree(holdings: &Holdings) -> String {
    let series = |name: &str, depths: &[Depth]| Series {
        name: name.to_owned(),
        points: depths
            .iter()
            .map(|depth| (depth.depth as f64, depth.nodes as f64))
            .collect(),
    };
    let axes = Axes {
        title: "Shape of the tree of keys",
        x: "depth",
        y: "hosts or directories",
    };
    chart(
        &axes,
        &[
            series("hosts", &holdings.host_depths),
            series("paths", &holdings.path_depths),
        ],
    )
}

fn lorenz(holdings: &Holdings) -> String {
    let even = Series {
        name: "evenly spread".to_owned(),
        points: vec![(0.0, 0.0), (1.0, 1.0)],
    };
    let held = Series {
        name: format!("held (Gini {:.3})", holdings.gini),
        points: holdings.lorenz.clone(),
    };
    let axes = Axes {
        title: "How mementos are spread over originals (Lorenz curve)",
        x: "part of the originals, the least captured first",
        y: "part of the mementos",
    };
    chart(&axes, &[held, even])
}

fn growth(holdings: &Holdings) -> String {
    let series = |name: &str, of: fn(&super::Year) -> u64| Series {
        name: name.to_owned(),
        points: holdings
            .years
            .iter()
            .map(|(year, counts)| (year.parse().unwrap_or(0.0), of(counts) as f64))
            .collect(),
    };
    let all = [
        series("mementos", |year| year.cumulative_mementos),
        series("originals", |year| year.cumulative_originals),
    ];
    let first = all[0].points.first().map_or(0.0, |point| point.0);
    let since = all.map(|one| Series {
        points: one
            .points
            .iter()
            .map(|(year, count)| (year - first, *count))
            .collect(),
        ..one
    });
    let below = format!("years since {first}");
    let axes = Axes {
        title: "Growth",
        x: &below,
        y: "held up to the end of the year",
    };
    chart(&axes, &since)
}
