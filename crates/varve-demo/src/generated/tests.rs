use super::*;
use crate::log::Scheme;
use std::collections::BTreeSet;

fn links(page: &Generated) -> Vec<String> {
    let parts = page.body.split("href=\"").skip(1);
    parts
        .filter_map(|part| part.split('"').next())
        .map(|link| link.replace("&amp;", "&"))
        .collect()
}

fn sheet(target: &str) -> Generated {
    herbarium(Scheme::Http, target, 40)
}

#[test]
fn the_herbarium_is_connected_and_its_pages_differ() {
    let mut seen = BTreeSet::new();
    let mut texts = BTreeSet::new();
    let mut waiting = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        if !path.ends_with('/') || path == "/drawer/" || !seen.insert(path.clone()) {
            continue;
        }
        let page = sheet(&path);
        assert_eq!(page.status, 200, "{path}");
        waiting.extend(links(&page));
        texts.insert(page.body);
    }
    assert_eq!(seen, herbarium_pages(40).into_iter().collect());
    assert_eq!(texts.len(), 40);
    assert_eq!(sheet("/sheet/40/").status, 404);
    assert_eq!(sheet("/sitemap.xml").body.matches("<loc>").count(), 40);
}

#[test]
fn half_of_the_herbarium_is_filled_in_by_a_script() {
    let scripted = herbarium_pages(40)
        .iter()
        .filter(|path| sheet(path).body.contains("<script"))
        .count();
    assert_eq!(scripted, 20);
    let json = sheet("/sheet/3.json").body;
    assert!(json.contains("\"url\":\"/sheet/16/\""), "{json}");
    assert!(!sheet("/sheet/3/").body.contains("/sheet/16/"));
}

fn answer(target: &str) -> Generated {
    maze(Scheme::Https, target)
}

#[test]
fn every_bed_of_the_maze_is_there() {
    for bed in 1..=BEDS {
        let page = answer(&bed_path(bed));
        assert_eq!(page.status, 200);
        let children = links(&page);
        assert!(
            bed == BEDS || children.contains(&bed_path(bed + 1)),
            "{bed}"
        );
    }
    assert_eq!(answer(&bed_path(BEDS + 1)).status, 404);
    assert_eq!(answer("/bed/5.svg").kind, "image/svg+xml");
    assert_eq!(answer("/").status, 200);
}

/// Whoever follows the first link that is new never comes to an end.
#[test]
fn traps_have_no_end() {
    for start in ["/calendar/2026/11/", "/walk/1/", "/seeds"] {
        let mut seen = BTreeSet::new();
        let mut at = start.to_owned();
        while seen.len() < 50 {
            let page = answer(&at);
            assert_eq!(page.status, 200, "{at}");
            seen.insert(at);
            at = links(&page)
                .into_iter()
                .find(|link| !seen.contains(link))
                .unwrap();
        }
    }
    let here = answer("/way/1/").location.unwrap();
    assert_ne!(answer(&here).location.unwrap(), here);
    assert_eq!(links(&answer("/lost/x/y/"))[0], "hedge/");
    assert!(answer("/sitemaps/0.xml").body.contains("/sitemaps/40.xml"));
    assert!(answer("/sitemaps/4.xml").body.contains("/sitemaps/200.xml"));
    assert!(answer("/sitemaps/7.xml").body.contains("/lots/281/"));
}

#[test]
fn any_target_is_answered() {
    let large = u32::MAX;
    for target in [
        "",
        "?",
        "/bed//",
        "/bed/99999999999999999999/",
        "/calendar/",
        "/walk/0/",
        "/way/",
        "/seeds?x",
        "/bed/5",
    ] {
        let _ = answer(target);
        let _ = sheet(target);
    }
    for target in [
        format!("/calendar/{large}/12/"),
        format!("/sitemaps/{large}.xml"),
        format!("/calendar/{large}/12/28/"),
    ] {
        let _ = answer(&target);
    }
}
