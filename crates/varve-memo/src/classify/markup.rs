//! What the markup of a page tells about its scripts.

use varve_page::{Inventory, Page, Role};

/// Attributes in which lazy loaders keep what they will load.
const LAZY: [&str; 10] = [
    "data-src",
    "data-srcset",
    "data-lazy",
    "data-lazy-src",
    "data-original",
    "data-bg",
    "data-background",
    "data-background-image",
    "data-echo",
    "data-url",
];

/// Words in the names of classes that lazy loaders look for.
const LAZY_CLASSES: [&str; 3] = ["lazyload", "lazy", "lozad"];

/// Elements that applications are put into.
const ROOTS: [&str; 8] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "__docusaurus",
    "main",
    "container",
    "swagger-ui",
];

/// How many values wait in attributes to be loaded.
pub(super) fn lazy(inventory: &Inventory) -> usize {
    let waits = |name: &str| LAZY.iter().any(|lazy| name.ends_with(&format!("@{lazy}")));
    let values = inventory.values.iter().filter(|(name, _)| waits(name));
    let classes = LAZY_CLASSES.iter();
    let classes = classes.filter(|class| inventory.marks.contains(&format!(".{class}")));
    values.map(|(_, values)| values.len()).sum::<usize>() + classes.count()
}

/// How many values of `data-` attributes look like names of files or URLs.
pub(super) fn data_names(inventory: &Inventory) -> usize {
    let data = inventory
        .values
        .iter()
        .filter(|(name, _)| name.contains("@data-"));
    data.flat_map(|(_, values)| values)
        .filter(|value| is_name(value))
        .count()
}

/// How many kinds of event handlers stand in attributes.
pub(super) fn handlers(inventory: &Inventory) -> usize {
    let marks = inventory.marks.iter();
    marks.filter(|mark| mark.starts_with("[on")).count()
}

/// How many kinds of custom elements there are.
pub(super) fn custom_elements(inventory: &Inventory) -> usize {
    let custom = |mark: &&String| {
        mark.as_bytes().first().is_some_and(u8::is_ascii_lowercase) && mark.contains('-')
    };
    inventory.marks.iter().filter(custom).count()
}

/// Whether frameworks left a mark.
pub(super) fn framework(inventory: &Inventory) -> bool {
    let has = |mark: &str| inventory.marks.contains(mark);
    let by_name = |prefix: &str| inventory.marks.iter().any(|mark| mark.starts_with(prefix));
    has("#__NEXT_DATA__")
        || has("#__nuxt")
        || has("#__docusaurus")
        || has("[ng-version]")
        || has("[ng-app]")
        || has("[data-reactroot]")
        || has("[data-server-rendered]")
        || has("[data-main]")
        || by_name("[data-v-")
        || by_name("[ng-")
}

/// Whether there is an element with nothing in it that waits for an application.
pub(super) fn empty_root(html: &str) -> bool {
    ROOTS.iter().any(|root| {
        let quoted = [
            format!("id=\"{root}\""),
            format!("id='{root}'"),
            format!("id={root}>"),
        ];
        quoted.iter().any(|id| is_empty(html, id))
    })
}

fn is_empty(html: &str, id: &str) -> bool {
    let Some((_, after)) = html.split_once(id) else {
        return false;
    };
    let inside = match id.ends_with('>') {
        true => after,
        false => match after.split_once('>') {
            Some((_, inside)) => inside,
            None => return false,
        },
    };
    inside.trim_start().starts_with("</")
}

/// Bytes in `<noscript>`.
pub(super) fn noscript(html: &str) -> usize {
    let mut total = 0;
    let mut rest = html;
    while let Some((_, after)) = rest.split_once("<noscript") {
        let Some((inside, behind)) = after.split_once("</noscript") else {
            break;
        };
        total += inside.len();
        rest = behind;
    }
    total
}

/// Bytes of JSON in the page, and names and URLs in it.
pub(super) fn json(inventory: &Inventory) -> (usize, usize) {
    let bytes = inventory.json.values().map(String::len).sum();
    let strings = inventory.json.values().flat_map(|text| text.split('"'));
    (bytes, strings.filter(|text| is_name(text)).count())
}

/// Hosts that the page wants to be connected to, and hosts of others that its scripts are on.
pub(super) fn hosts(page: &Page, inventory: &Inventory) -> (usize, usize) {
    let own = page.base.host_str();
    let mut foreign: Vec<&str> = page
        .references
        .iter()
        .filter(|reference| reference.context.starts_with("script"))
        .filter_map(|reference| reference.url.host_str())
        .filter(|host| Some(*host) != own)
        .collect();
    foreign.sort_unstable();
    foreign.dedup();
    let hints = page.references.iter();
    let hints = hints
        .filter(|reference| reference.role == Role::Hint)
        .count();
    (
        hints + usize::from(inventory.marks.contains("[crossorigin]")),
        foreign.len(),
    )
}

/// Whether a text is a URL, or ends like the name of a file.
fn is_name(text: &str) -> bool {
    if text.len() > 500 || text.contains([' ', '\n', '<']) {
        return false;
    }
    let ending = || {
        let file = text.rsplit('/').next().unwrap_or(text);
        let file = file.split(['?', '#']).next().unwrap_or(file);
        file.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (2..=5).contains(&ending.len())
                && ending
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'2')
        })
    };
    text.starts_with("https://") || text.starts_with("http://") || ending()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_told_from_words() {
        for (text, expected) in [
            ("https://h/x", true),
            ("a/b.png", true),
            ("chunk.js?v=1", true),
            ("e.g.", false),
            ("1.5", false),
            ("some words.txt here", false),
            ("", false),
        ] {
            assert_eq!(is_name(text), expected, "{text}");
        }
    }

    #[test]
    fn empty_roots_wait_for_applications() {
        for (html, expected) in [
            ("<div id=\"root\"></div>", true),
            ("<div id='app' class=x> \n</div>", true),
            ("<div id=root></div>", true),
            ("<div id=\"root\"><p>text</p></div>", false),
            ("<div id=\"root\"", false),
            ("", false),
        ] {
            assert_eq!(empty_root(html), expected, "{html}");
        }
    }

    #[test]
    fn what_stands_in_for_scripts_is_measured() {
        assert_eq!(noscript("<noscript>abc</noscript>x<noscript>"), 4);
    }
}
