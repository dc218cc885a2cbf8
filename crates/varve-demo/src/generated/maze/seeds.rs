//! A list that can be narrowed down in any order.

use super::super::words::{mix, name};
use super::super::{Generated, list};

/// What seeds can be narrowed down by.
const FACETS: [(&str, &[&str]); 5] = [
    ("colour", &["red", "white", "blue", "yellow", "pink"]),
    ("season", &["spring", "summer", "autumn", "winter"]),
    ("height", &["low", "middling", "tall"]),
    ("light", &["sun", "half-shade", "shade"]),
    ("soil", &["clay", "sand", "chalk"]),
];

/// Seed packets, narrowed down by what was chosen, in the order in which it was chosen.
pub(super) fn seeds(query: &str) -> Generated {
    let chosen: Vec<(&str, &str)> = query
        .split('&')
        .filter_map(|parameter| parameter.split_once('='))
        .collect();
    let value_of = |facet: &str| {
        chosen
            .iter()
            .find(|(name, _)| *name == facet)
            .map(|(_, value)| *value)
    };
    let packets: String = (0..60usize)
        .filter(|packet| {
            let has = |(at, (facet, values)): (usize, &(&str, &[&str]))| {
                let own = values[(mix((packet * 8 + at) as u64) % values.len() as u64) as usize];
                value_of(facet).is_none_or(|wanted| wanted == own)
            };
            FACETS.iter().enumerate().all(has)
        })
        .map(|packet| format!("<li>A packet of {}, organic</li>\n", name(20_000 + packet)))
        .collect();
    let content = format!(
        "<p>Choose what you like.</p>\n<ul>\n{packets}</ul>\n{}",
        list(choices(&chosen))
    );
    Generated::page("Seeds", "", &content)
}

/// One more choice, or one less.
fn choices(chosen: &[(&str, &str)]) -> Vec<(String, String)> {
    let query = |choices: &[(&str, &str)]| -> String {
        let parameters: Vec<String> = choices
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("/seeds?{}", parameters.join("&"))
    };
    let mut links = Vec::new();
    for (facet, values) in FACETS {
        if let Some(at) = chosen.iter().position(|(name, _)| *name == facet) {
            let mut fewer = chosen.to_vec();
            fewer.remove(at);
            links.push((query(&fewer), format!("Any {facet}")));
            continue;
        }
        for value in values {
            let mut more = chosen.to_vec();
            more.push((facet, value));
            links.push((query(&more), (*value).to_owned()));
        }
    }
    links
}
