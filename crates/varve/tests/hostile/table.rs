//! The table of hostile behaviours.
//!
//! Traps for a crawl that follows links (calendars, session ids, soft 404s, facets, sitemap bombs,
//! endless `robots.txt`) have no rows here, since `--scope page` never meets them: see `traps.rs`.

use crate::authority::Authority;
use crate::{bodies, connections, content, framing, http2, names, redirects, unruly};
use crate::{name_server, unruly_traffic};
use std::net::TcpStream;

/// One thing that a server or a page does, and what a crawl says about it.
#[derive(Clone, Copy)]
pub(crate) struct Behaviour {
    /// Also the name of its host, below `hostile.test`.
    pub(crate) name: &'static str,
    /// What it does, in words.
    pub(crate) does: &'static str,
    pub(crate) serve: Serve,
    /// Reasons that are right in the HTTP tier.
    pub(crate) http: &'static [&'static str],
    /// Reasons that are right in the browser tier; where there are several, it depends on how much
    /// of the machine the others leave.
    pub(crate) browser: &'static [&'static str],
    /// Something that was sent, and so must be in the archive.
    pub(crate) kept: Option<&'static str>,
    /// Why less of it is there than was sent: the values of `WARC-Truncated` that are right, an
    /// empty one if it may be whole. None of them: it is whole.
    pub(crate) cut: &'static [&'static str],
    pub(crate) runs: Runs,
}

/// Who serves it.
#[derive(Clone, Copy)]
pub(crate) enum Serve {
    /// This, for each connection.
    Http(fn(TcpStream)),
    /// This, for each connection to `https:`. The handshake is its own to make.
    Https(fn(TcpStream, &Authority)),
    /// Nobody: the name server says this about its name.
    Name(name_server::Answer),
    /// Nobody: nothing listens there.
    Nobody,
}

/// When it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// In every test run.
    Always,
    /// With `VARVE_SOAK=1`.
    Soak,
}

/// Behaviours of one kind.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) behaviours: &'static [Behaviour],
}

/// All of them.
pub(crate) const GROUPS: [Group; 9] = [
    group("Names", names::TABLE),
    group("Connections", connections::TABLE),
    group("HTTP/2", http2::TABLE),
    group("Framing", framing::TABLE),
    group("Redirects", redirects::TABLE),
    group("Bodies", bodies::TABLE),
    group("Content", content::TABLE),
    group("Unruly pages", unruly::TABLE),
    group("Unruly traffic", unruly_traffic::TABLE),
];

const fn group(name: &'static str, behaviours: &'static [Behaviour]) -> Group {
    Group { name, behaviours }
}

/// All behaviours that are served at an address, or not served; those of names are apart.
pub(crate) fn served() -> impl Iterator<Item = &'static Behaviour> {
    let all = GROUPS.iter().flat_map(|group| group.behaviours);
    all.filter(|behaviour| !matches!(behaviour.serve, Serve::Name(_)))
}

impl Behaviour {
    /// A behaviour after which all is well, and that runs in soak tests only.
    pub(crate) const fn new(name: &'static str, does: &'static str, serve: Serve) -> Behaviour {
        Behaviour {
            name,
            does,
            serve,
            http: &["ok"],
            browser: &["ok"],
            kept: None,
            cut: &[],
            runs: Runs::Soak,
        }
    }

    pub(crate) const fn http(self, http: &'static [&'static str]) -> Behaviour {
        Behaviour { http, ..self }
    }

    pub(crate) const fn browser(self, browser: &'static [&'static str]) -> Behaviour {
        Behaviour { browser, ..self }
    }

    /// The same in both tiers.
    pub(crate) const fn both(self, reasons: &'static [&'static str]) -> Behaviour {
        self.http(reasons).browser(reasons)
    }

    pub(crate) const fn keeps(self, words: &'static str) -> Behaviour {
        Behaviour {
            kept: Some(words),
            ..self
        }
    }

    pub(crate) const fn cut(self, cut: &'static [&'static str]) -> Behaviour {
        Behaviour { cut, ..self }
    }

    pub(crate) const fn always(self) -> Behaviour {
        Behaviour {
            runs: Runs::Always,
            ..self
        }
    }

    pub(crate) fn url(&self) -> String {
        let scheme = match self.serve {
            Serve::Https(_) => "https",
            _ => "http",
        };
        format!("{scheme}://{}.hostile.test/", self.name)
    }

    pub(crate) fn expected(&self, tier: &str) -> &'static [&'static str] {
        match tier {
            "http" => self.http,
            _ => self.browser,
        }
    }
}

/// The table as it stands in the guide.
fn as_markdown() -> String {
    let mut text = String::new();
    for group in &GROUPS {
        text += &format!("\n## {}\n", group.name);
        text += "| name | does | HTTP tier | browser tier | kept |\n|---|---|---|---|---|\n";
        for behaviour in group.behaviours {
            let words = |reasons: &[&str]| format!("`{}`", reasons.join("`, `"));
            let kept = match (behaviour.kept, behaviour.cut) {
                (None, _) => String::new(),
                (Some(_), []) => "all".to_owned(),
                (Some(_), ["", cut @ ..]) => format!("all, or cut: {}", words(cut)),
                (Some(_), cut) => format!("cut: {}", words(cut)),
            };
            text += &format!(
                "| {} | {} | {} | {} | {kept} |\n",
                behaviour.name,
                behaviour.does,
                words(behaviour.http),
                words(behaviour.browser),
            );
        }
    }
    text
}

#[test]
fn the_guide_has_this_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hostile-servers.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let intro = guide.split("\n## ").next().unwrap().trim_end();
    let expected = format!("{intro}\n{}", as_markdown());
    if std::env::var_os("VARVE_UPDATE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
    } else if guide != expected {
        panic!(
            "docs/hostile-servers.md is not the table in the code: run this test again with VARVE_UPDATE_DOCS=1"
        );
    }
}

#[test]
fn names_tell_behaviours_apart() {
    let mut names: Vec<_> = GROUPS
        .iter()
        .flat_map(|group| group.behaviours.iter().map(|behaviour| behaviour.name))
        .collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(all >= 56, "{all}");
}
