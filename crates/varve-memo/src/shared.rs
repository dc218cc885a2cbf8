//! What is known of scripts wherever they are: many sites have the same ones.

use crate::lesson::Lesson;
use crate::rules::Foretold;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most scripts that are remembered. When there are more, those seen least go.
const MAX_SCRIPTS: usize = 20_000;
/// Most URLs of one script; with more it is not the same everywhere.
const MAX_URLS: usize = 16;
/// A script must have been seen so often, on so many sites.
const ENOUGH_LESSONS: u32 = 2;
const ENOUGH_SITES: usize = 2;

/// What scripts ask for that are on several sites.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shared(BTreeMap<String, Script>);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Script {
    lessons: u32,
    /// The first sites that had it.
    sites: BTreeSet<String>,
    /// What it asked for each time.
    always: BTreeMap<url::Url, String>,
    /// Whether it ever asked for something else.
    varies: bool,
}

impl Script {
    fn is_known(&self) -> bool {
        let is_common = self.lessons >= ENOUGH_LESSONS && self.sites.len() >= ENOUGH_SITES;
        is_common && !self.varies
    }
}

impl Shared {
    /// Notes what the scripts of a page did.
    pub(crate) fn learn(&mut self, site: &str, lesson: &Lesson) {
        for name in &lesson.sketch.scripts {
            let asked = lesson.asked.iter();
            let asked = asked.filter(|asked| asked.causes.first() == Some(name));
            let asked = asked.map(|asked| (asked.url.clone(), asked.what_for.clone()));
            self.note(site, name, asked.take(MAX_URLS + 1).collect());
        }
        while self.0.len() > MAX_SCRIPTS {
            let least = self.0.iter().min_by_key(|(_, script)| script.lessons);
            let Some(name) = least.map(|(name, _)| name.clone()) else {
                return;
            };
            self.0.remove(&name);
        }
    }

    fn note(&mut self, site: &str, name: &str, asked: BTreeMap<url::Url, String>) {
        let script = self.0.entry(name.to_owned()).or_default();
        let is_first = script.lessons == 0;
        script.lessons = script.lessons.saturating_add(1);
        if script.sites.len() < ENOUGH_SITES {
            script.sites.insert(site.to_owned());
        }
        if is_first && asked.len() <= MAX_URLS {
            script.always = asked;
        } else if script.always != asked {
            script.varies = true;
        }
    }

    /// Whether a script does the same everywhere, as far as anybody knows.
    pub(crate) fn knows(&self, script: &str) -> bool {
        self.0.get(script).is_some_and(Script::is_known)
    }

    /// What these scripts ask for wherever they are.
    pub(crate) fn needs(&self, scripts: &BTreeSet<String>) -> BTreeSet<Foretold> {
        let known = scripts.iter().filter_map(|name| self.0.get(name));
        let known = known.filter(|script| script.is_known());
        let urls = known.flat_map(|script| &script.always);
        urls.map(|(url, what_for)| Foretold {
            url: url.clone(),
            what_for: what_for.clone(),
        })
        .collect()
    }
}
