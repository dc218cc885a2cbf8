//! Rules: what lessons come to. Which URLs scripts ask for, on which pages.
//!
//! A URL that was asked for on every page with its script is asked for on the next one, too. One
//! that was asked for on some of them has its reason in something that just these have (`guard`),
//! or in a value that they share (`keyed`), or it is made of what the page gives ([`Template`]). What
//! differs in times and random names alone is as good as the one that is there ([`Shape`]). What
//! is left differs from page to page for reasons unknown: it *varies*, and only a browser can tell.

mod guard;
mod kin;

use crate::census::Census;
use crate::lesson::Lesson;
use crate::sketch::Sketch;
use crate::template::{Expansion, Observed, Shape, Template, learn, volatile};
use guard::Guard;
use kin::{Keyed, Kin};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Most URLs of all lessons that are compared with each other for times and random names.
const MAX_COMPARED: usize = 300;

/// Something that a page needs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foretold {
    /// Where it is.
    pub url: Url,
    /// What for.
    pub what_for: String,
}

/// Why nobody can say what a page needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A script asks for something else on each page.
    Varies,
    /// A value on which requests depend was never visited.
    Value,
    /// The page lacks what URLs are made of.
    Input,
}

/// What lessons come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    constants: Vec<Constant>,
    keyed: Vec<Keyed>,
    templates: Vec<Made>,
    shapes: Vec<Shape>,
    /// Scripts that ask for something else on each page, and what share of a page's bytes that is.
    varying: BTreeMap<Option<String>, f64>,
    /// Whether pages load what their bundlers name.
    uses_chunks: bool,
}

/// A URL that is the same wherever it is asked for.
#[derive(Clone, Debug)]
struct Constant {
    what: Foretold,
    cause: Option<String>,
    guard: Guard,
}

/// A URL that is made of what a page gives.
#[derive(Clone, Debug)]
struct Made {
    template: Template,
    cause: Option<String>,
    what_for: String,
}

/// A URL in the lessons.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) url: Url,
    what_for: String,
    pub(super) cause: Option<String>,
    pub(super) bytes: u64,
    pub(super) lessons: BTreeSet<usize>,
}

impl Rules {
    /// What these lessons come to; `make` is whether URLs may be made of what pages give.
    pub(crate) fn of(
        lessons: &[Lesson],
        census: &Census,
        selectors: &BTreeSet<String>,
        make: bool,
    ) -> Rules {
        let mut rules = Rules {
            uses_chunks: lessons.iter().any(|lesson| lesson.uses_chunks),
            ..Rules::default()
        };
        let (always, sometimes): (Vec<Seen>, Vec<Seen>) = seen(lessons)
            .into_values()
            .partition(|seen| seen.lessons == with(lessons, seen.cause.as_deref()));
        for seen in always {
            rules.add(seen, Guard::Always);
        }
        let sometimes = rules.take_volatile(sometimes);
        let sometimes = match make {
            true => rules.take_made(sometimes, lessons),
            false => sometimes,
        };
        for kin in Kin::of(sometimes) {
            rules.take_kin(kin, lessons, census, selectors);
        }
        rules
    }

    fn add(&mut self, seen: Seen, guard: Guard) {
        self.constants.push(Constant {
            what: Foretold {
                url: seen.url,
                what_for: seen.what_for,
            },
            cause: seen.cause,
            guard,
        });
    }

    /// Takes out what differs in times and random names alone. One of each is enough.
    fn take_volatile(&mut self, seen: Vec<Seen>) -> Vec<Seen> {
        let mut left: Vec<Seen> = Vec::new();
        for seen in seen {
            if self.is_shaped(&seen.url) {
                continue;
            }
            let alike = left.iter().take(MAX_COMPARED).find_map(|other| {
                let shape = volatile(&other.url, &seen.url)?;
                (other.cause == seen.cause).then_some(shape)
            });
            match alike {
                None => left.push(seen),
                Some(shape) => {
                    let (one, rest): (Vec<_>, _) =
                        left.into_iter().partition(|it| shape.matches(&it.url));
                    left = rest;
                    one.into_iter()
                        .take(1)
                        .for_each(|it| self.add(it, Guard::Always));
                    self.shapes.push(shape);
                }
            }
        }
        left
    }

    /// Takes out what is made of what pages give.
    fn take_made(&mut self, seen: Vec<Seen>, lessons: &[Lesson]) -> Vec<Seen> {
        let of_lesson = |at: usize| -> Vec<Url> {
            let here = seen.iter().filter(|seen| seen.lessons.contains(&at));
            here.map(|seen| seen.url.clone()).collect()
        };
        let urls: Vec<Vec<Url>> = (0..lessons.len()).map(of_lesson).collect();
        let observed: Vec<Observed<'_>> = (lessons.iter().zip(&urls))
            .map(|(lesson, urls)| Observed {
                inputs: &lesson.sketch.inputs,
                urls,
            })
            .collect();
        let templates = learn(&observed);
        if templates.is_empty() {
            return seen;
        }
        let (made, left): (Vec<Seen>, Vec<Seen>) = seen.into_iter().partition(|seen| {
            templates
                .iter()
                .any(|template| is_made(template, seen, lessons))
        });
        for template in templates {
            let like = made.iter().find(|seen| is_made(&template, seen, lessons));
            if let Some(like) = like {
                self.templates.push(Made {
                    template,
                    cause: like.cause.clone(),
                    what_for: like.what_for.clone(),
                });
            }
        }
        left
    }

    /// URLs that are alike, of which some pages ask for one and some for another.
    fn take_kin(
        &mut self,
        kin: Kin,
        lessons: &[Lesson],
        census: &Census,
        selectors: &BTreeSet<String>,
    ) {
        let with = with(lessons, kin.cause.as_deref());
        if kin.varies() {
            if let Some(keyed) = kin.keyed(lessons, &with, census) {
                self.keyed.push(keyed);
                return;
            }
            let all: u64 = lessons.iter().map(|lesson| lesson.bytes).sum();
            let share = kin.bytes() as f64 / all.max(1) as f64;
            *self.varying.entry(kin.cause.clone()).or_default() += share;
        }
        for seen in kin.seen {
            let guard = Guard::of(&seen.lessons, &with, lessons, census, selectors);
            self.add(seen, guard);
        }
    }

    /// What a page needs by these rules, and why that may not be all.
    pub(crate) fn foretell(&self, sketch: &Sketch) -> (BTreeSet<Foretold>, Option<Obstacle>) {
        let mut needs = BTreeSet::new();
        let mut obstacle = self.varies(sketch).then_some(Obstacle::Varies);
        let here = |cause: &Option<String>| is_here(cause.as_deref(), sketch);
        for constant in self.constants.iter().filter(|it| here(&it.cause)) {
            if constant.guard.admits(sketch) {
                needs.insert(constant.what.clone());
            }
        }
        for keyed in self.keyed.iter().filter(|it| here(&it.cause)) {
            match keyed.needs(sketch) {
                Some(found) => needs.extend(found.iter().cloned()),
                None => drop(obstacle.get_or_insert(Obstacle::Value)),
            }
        }
        for made in self.templates.iter().filter(|it| here(&it.cause)) {
            match made.template.expand(&sketch.inputs) {
                Expansion::Urls(urls) => needs.extend(urls.into_iter().map(|url| Foretold {
                    url,
                    what_for: made.what_for.clone(),
                })),
                _ => drop(obstacle.get_or_insert(Obstacle::Input)),
            }
        }
        if self.uses_chunks {
            needs.extend(crate::chunks::wanted(sketch));
        }
        (needs, obstacle)
    }

    /// Whether so much of what the page's scripts ask for varies that it matters.
    fn varies(&self, sketch: &Sketch) -> bool {
        /// Less than this share of the bytes is not worth a browser.
        const NOTHING: f64 = 0.001;
        let mut shares = self.varying.iter();
        shares.any(|(cause, share)| *share > NOTHING && is_here(cause.as_deref(), sketch))
    }

    /// Whether a URL is as good as one that was seen.
    pub(crate) fn is_shaped(&self, url: &Url) -> bool {
        self.shapes.iter().any(|shape| shape.matches(url))
    }

    /// The places whose values requests depend on.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.keyed.iter().map(|keyed| keyed.slot.as_str())
    }

    /// The scripts that cause requests.
    pub(crate) fn causes(&self) -> BTreeSet<&str> {
        let constants = self.constants.iter().map(|it| &it.cause);
        let keyed = self.keyed.iter().map(|it| &it.cause);
        let made = self.templates.iter().map(|it| &it.cause);
        let all = constants
            .chain(keyed)
            .chain(made)
            .chain(self.varying.keys());
        all.flatten().map(String::as_str).collect()
    }

    /// How many rules there are of each kind, for people.
    pub(crate) fn counts(&self) -> RuleCounts {
        RuleCounts {
            constants: self.constants.len(),
            keyed: self.keyed.len(),
            templates: self
                .templates
                .iter()
                .map(|it| it.template.to_string())
                .collect(),
            volatile: self.shapes.len(),
            varying: self.varying.keys().flatten().cloned().collect(),
        }
    }
}

/// What is known of a site's scripts, in numbers.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct RuleCounts {
    /// URLs that are the same on all pages that need them.
    pub constants: usize,
    /// Groups of URLs that depend on a value.
    pub keyed: usize,
    /// How URLs are made of what pages give.
    pub templates: Vec<String>,
    /// Shapes of URLs that have times or random names in them.
    pub volatile: usize,
    /// Scripts that ask for something else on each page.
    pub varying: Vec<String>,
}

fn is_here(cause: Option<&str>, sketch: &Sketch) -> bool {
    cause.is_none_or(|cause| sketch.scripts.contains(cause))
}

/// The lessons whose pages have a script; all for what nobody caused.
fn with(lessons: &[Lesson], cause: Option<&str>) -> BTreeSet<usize> {
    let has = |lesson: &Lesson| cause.is_none_or(|cause| lesson.has(cause));
    (0..lessons.len()).filter(|at| has(&lessons[*at])).collect()
}

fn seen(lessons: &[Lesson]) -> BTreeMap<Url, Seen> {
    let mut all: BTreeMap<Url, Seen> = BTreeMap::new();
    for (at, lesson) in lessons.iter().enumerate() {
        for asked in &lesson.asked {
            let cause = asked.causes.iter().find(|cause| lesson.has(cause));
            let seen = all.entry(asked.url.clone()).or_insert_with(|| Seen {
                url: asked.url.clone(),
                what_for: asked.what_for.clone(),
                cause: cause.cloned(),
                bytes: asked.bytes,
                lessons: BTreeSet::new(),
            });
            // What different scripts ask for belongs to none of them.
            if seen.cause.as_ref() != cause {
                seen.cause = None;
            }
            seen.lessons.insert(at);
        }
    }
    all
}

/// Whether a template gives this URL on one of the pages that asked for it.
fn is_made(template: &Template, seen: &Seen, lessons: &[Lesson]) -> bool {
    template.matches(&seen.url)
        && seen.lessons.iter().any(|at| {
            let inputs = lessons.get(*at).map(|lesson| &lesson.sketch.inputs);
            let made = inputs.map(|inputs| template.expand(inputs));
            matches!(made, Some(Expansion::Urls(urls)) if urls.contains(&seen.url))
        })
}

#[cfg(test)]
mod tests;
