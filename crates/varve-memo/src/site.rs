//! What is known of one site: what was visited, what it came to, and whether that can be relied on.
//!
//! A page need not be visited when everything about it was seen on visited pages that could make
//! its scripts ask for something else: its scripts, the values that they are given, what they look
//! for in it. Visits that bring nothing which was not foretold are the proof; the first few pages of
//! a site, and some of the others, are visited for it.

use crate::census::Census;
use crate::classify::{Around, Model};
use crate::leads::Leads;
use crate::lesson::{Asked, Lesson, Teaching};
use crate::news::News;
use crate::recall::Recall;
use crate::rules::{Foretold, Obstacle, RuleCounts, Rules};
use crate::selector::is_telling;
use crate::shared::Shared;
use crate::sketch::Sketch;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// So many visits are remembered, the newest.
const MAX_LESSONS: usize = 32;
/// So many visits in a row must have been foretold before a page goes without.
const PROVEN: u32 = 2;
/// After so many failures no more is asked for than after this many.
const MAX_FAILURES: u32 = 5;
/// After so many visits in a row that something new in a page was the reason for, and that brought
/// nothing, what is new in pages no longer counts (but for scripts that can ask for something, and for
/// what requests depend on).
const BORED: u32 = 4;
/// Most selectors, values and links of a site that are remembered.
const MAX_KNOWN: usize = 20_000;
/// From so many visits on pages are judged by their looks: before, nobody can tell.
const GUESSED_AFTER: usize = 2;
/// A script that causes requests must have been seen so often.
const TWICE: u32 = 2;

/// What becomes of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It needs this beside what reading it tells, and no browser.
    Without(BTreeSet<Foretold>),
    /// It has a new script, but by its looks, and by what visits to other pages came to, it needs no
    /// browser, and this.
    Guessed(BTreeSet<Foretold>),
    /// It must be visited.
    Browser(Why),
}

/// What decisions may make use of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    /// URLs may be made of what pages give.
    pub(crate) makes: bool,
    /// Pages may be judged by their looks.
    pub(crate) guesses: bool,
    /// The share of its bytes that such a page may lack, by all expectation.
    pub(crate) may_lack: f64,
}

/// Why a page must be visited in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// It is the first page of its site.
    First,
    /// It has a script that was never, or not often enough, seen at work.
    Script,
    /// It has a value that its scripts may depend on, and that no visited page had.
    Value,
    /// Its scripts look for something that it has and no visited page had.
    Element,
    /// One of its scripts asks for something else on each page.
    Varies,
    /// It lacks something of which URLs are made on other pages.
    Input,
    /// Too little was foretold so far to rely on it.
    Unproven,
}

impl Why {
    /// A stable word.
    pub fn name(self) -> &'static str {
        match self {
            Why::First => "first",
            Why::Script => "script",
            Why::Value => "value",
            Why::Element => "element",
            Why::Varies => "varies",
            Why::Input => "input",
            Why::Unproven => "unproven",
        }
    }
}

/// What a visit said about what had been foretold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Bytes that the browser asked for.
    pub bytes: u64,
    /// Those among them that neither reading the page nor the memo had named.
    pub missed_bytes: u64,
    /// The URLs of those.
    pub missed: Vec<Url>,
}

impl Outcome {
    /// The share of what the browser asked for that was named.
    pub fn recall(&self) -> f64 {
        match self.bytes {
            0 => 1.0,
            bytes => 1.0 - self.missed_bytes as f64 / bytes as f64,
        }
    }
}

/// What is known of one site.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Site {
    lessons: Vec<Lesson>,
    census: Census,
    /// What scripts look for that not every page has.
    selectors: BTreeSet<String>,
    covered: Covered,
    /// Visits in a row that were foretold.
    quiet: u32,
    /// Visits in a row that were made for something new and brought nothing.
    boring: u32,
    /// Links that scripts made.
    links: BTreeSet<String>,
    recall: Recall,
    /// Looks that found too much missing.
    failures: u32,
    /// One at a page that was judged by its looks did.
    #[serde(default)]
    was_misjudged: bool,
    #[serde(skip)]
    leads: Leads,
    #[serde(skip)]
    changes: u64,
    #[serde(skip)]
    rules: Option<Rules>,
}

/// What visited pages had.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Covered {
    scripts: BTreeMap<String, u32>,
    values: BTreeSet<(String, String)>,
    selectors: BTreeSet<String>,
}

impl Site {
    /// Notes that a page is there, whatever becomes of it.
    pub fn meet(&mut self, sketch: &Sketch) {
        self.census.count(&sketch.slots);
        self.leads.add(sketch);
    }

    /// What becomes of a page.
    pub(crate) fn decide(&mut self, sketch: &Sketch, shared: &Shared, means: Means) -> Decision {
        if self.lessons.is_empty() {
            return Decision::Browser(Why::First);
        }
        let (mut needs, obstacle) = self.rules(means.makes).foretell(sketch);
        needs.extend(shared.needs(&sketch.scripts));
        let is_open = obstacle.is_none();
        match self.reason(sketch, obstacle, shared) {
            None => Decision::Without(needs),
            // Of all other news there is an end: they count for nothing once they bore.
            Some(Why::Script)
                if means.guesses
                    && is_open
                    && self.has_able_news(sketch, shared)
                    && self.seems_known(sketch, means.may_lack) =>
            {
                Decision::Guessed(needs)
            }
            Some(why) => Decision::Browser(why),
        }
    }

    /// Whether a page with a new script seems to need no visit all the same. Whether that is right is
    /// found out by looks.
    fn seems_known(&self, sketch: &Sketch, may_lack: f64) -> bool {
        let Some(looks) = sketch.looks else {
            return false;
        };
        let is_odd = self.was_misjudged || self.failures > 0;
        if self.lessons.len() < GUESSED_AFTER || is_odd || self.has_new_key(sketch) {
            return false;
        }
        let scripts = &sketch.scripts;
        let on_lessons = |is_so: fn(&Lesson, &str) -> bool| {
            let is_one = |script: &&String| self.lessons.iter().any(|it| is_so(it, script));
            scripts.iter().filter(is_one).count() as u32
        };
        let around = Around {
            visited: self.lessons.len() as u32,
            deferred: self.lessons.iter().filter(|it| it.is_deferred()).count() as u32,
            known: on_lessons(Lesson::has),
            fetching: on_lessons(Lesson::caused),
            ..Around::default()
        };
        let features = looks.beside(around, scripts.len());
        let model = Model::embedded();
        let missed = model.missed(&features);
        let bytes: u64 = self.lessons.iter().map(|lesson| lesson.bytes).sum();
        let may_miss = may_lack * bytes as f64 / self.lessons.len() as f64;
        missed.probability < model.threshold(&features) && f64::from(missed.bytes) <= may_miss
    }

    fn reason(&self, sketch: &Sketch, obstacle: Option<Obstacle>, shared: &Shared) -> Option<Why> {
        if self.has_able_news(sketch, shared) {
            return Some(Why::Script);
        }
        match obstacle {
            Some(Obstacle::Varies) => return Some(Why::Varies),
            Some(Obstacle::Value) => return Some(Why::Value),
            Some(Obstacle::Input) => return Some(Why::Input),
            None => {}
        }
        if self.has_new_key(sketch) {
            return Some(Why::Value);
        }
        let curious = self.boring < BORED;
        if curious && self.new_scripts(sketch, shared).next().is_some() {
            return Some(Why::Script);
        }
        if curious && self.new_values(sketch).next().is_some() {
            return Some(Why::Value);
        }
        if curious && self.new_elements(sketch).next().is_some() {
            return Some(Why::Element);
        }
        (self.proofs_missing() > 0).then_some(Why::Unproven)
    }

    /// Whether it has new scripts that can ask for something by themselves.
    fn has_able_news(&self, sketch: &Sketch, shared: &Shared) -> bool {
        let is_able = |script: &String| !sketch.mild.contains(script);
        self.new_scripts(sketch, shared).any(is_able)
    }

    /// Scripts that were never, or not often enough, seen at work, here or elsewhere.
    fn new_scripts<'a>(
        &'a self,
        sketch: &'a Sketch,
        shared: &'a Shared,
    ) -> impl Iterator<Item = &'a String> {
        let causes = self.rules.as_ref().map(Rules::causes).unwrap_or_default();
        let is_new = move |script: &&String| {
            let seen = self.covered.scripts.get(*script).copied().unwrap_or(0);
            let is_new = seen == 0 || (seen < TWICE && causes.contains(script.as_str()));
            is_new && !shared.knows(script)
        };
        sketch.scripts.iter().filter(is_new)
    }

    /// Whether a value is new on which requests are known to depend.
    fn has_new_key(&self, sketch: &Sketch) -> bool {
        let mut keys = self.rules.iter().flat_map(Rules::keys);
        keys.any(|key| {
            let value = sketch.slots.get(key);
            value.is_some_and(|value| !self.covered.has_value(key, value))
        })
    }

    fn new_values<'a>(
        &'a self,
        sketch: &'a Sketch,
    ) -> impl Iterator<Item = (&'a String, &'a String)> {
        let is_new = |(slot, value): &(&'a String, &'a String)| {
            self.census.is_choice(slot) && !self.covered.has_value(slot, value)
        };
        sketch.slots.iter().filter(is_new)
    }

    fn new_elements<'a>(&'a self, sketch: &'a Sketch) -> impl Iterator<Item = &'a String> {
        let is_new = |selector: &&String| {
            !self.covered.selectors.contains(*selector) && sketch.shows(selector)
        };
        self.selectors.iter().filter(is_new)
    }

    /// What a visit to this page would show that none has shown.
    pub(crate) fn news(&self, sketch: &Sketch, shared: &Shared) -> News {
        let mut news = News::default();
        let scripts = self.new_scripts(sketch, shared);
        scripts.for_each(|name| news.add_script(name));
        for (slot, value) in self.new_values(sketch) {
            news.add_value(slot, value);
        }
        let elements = self.new_elements(sketch);
        elements.for_each(|selector| news.add_element(selector));
        news
    }

    /// How many more visits must be foretold before pages go without.
    pub fn proofs_missing(&self) -> u32 {
        let proof = PROVEN << self.failures.min(MAX_FAILURES);
        proof.saturating_sub(self.quiet)
    }

    /// Counts up whenever something is learned of the site.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Learns from a visit, and says how well it had been foretold.
    pub(crate) fn learn(&mut self, teaching: Teaching, shared: &Shared, make: bool) -> Outcome {
        self.changes += 1;
        let outcome = self.compare(&teaching, shared, make);
        let brings_links = self.add_links(&teaching.links);
        let news = !outcome.missed.is_empty() || brings_links;
        let sketch = &teaching.sketch;
        let was_new = self.new_scripts(sketch, shared).next().is_some()
            || self.new_values(sketch).next().is_some()
            || self.new_elements(sketch).next().is_some();
        self.judge(news, was_new);
        let lesson = self.lesson(teaching, outcome.bytes);
        self.covered.add(&lesson);
        self.lessons.push(lesson);
        if self.lessons.len() > MAX_LESSONS {
            self.lessons.remove(0);
        }
        self.rules = None;
        outcome
    }

    fn judge(&mut self, news: bool, was_new: bool) {
        match (news, was_new) {
            (false, false) => self.quiet += 1,
            (false, true) => {
                self.quiet += 1;
                self.boring += 1;
            }
            // That it could not be foretold was known.
            (true, true) => self.boring = 0,
            (true, false) => (self.quiet, self.boring) = (0, 0),
        }
    }

    /// How well a visit was foretold.
    fn compare(&mut self, teaching: &Teaching, shared: &Shared, make: bool) -> Outcome {
        let Teaching {
            sketch,
            asked,
            read,
            ..
        } = teaching;
        let rules = self.rules(make);
        let (mut needs, _) = rules.foretell(sketch);
        needs.extend(shared.needs(&sketch.scripts));
        let needs: BTreeSet<&Url> = needs.iter().map(|need| &need.url).collect();
        let mut outcome = Outcome::default();
        for Asked { url, bytes, .. } in asked {
            outcome.bytes += bytes;
            if !read.contains(url) && !needs.contains(url) && !rules.is_shaped(url) {
                outcome.missed_bytes += bytes;
                outcome.missed.push(url.clone());
            }
        }
        outcome
    }

    fn lesson(&mut self, teaching: Teaching, bytes: u64) -> Lesson {
        let Teaching {
            mut sketch,
            mut asked,
            read,
            selectors,
            links,
        } = teaching;
        let chunks = crate::chunks::wanted(&sketch);
        let chunks: BTreeSet<&Url> = chunks.iter().map(|chunk| &chunk.url).collect();
        asked.retain(|asked| !read.contains(&asked.url));
        let uses_chunks = asked.iter().any(|asked| chunks.contains(&asked.url));
        asked.retain(|asked| !chunks.contains(&asked.url));
        self.add_selectors(sketch.selectors.iter().chain(&selectors));
        let shown = self.selectors.iter().filter(|it| sketch.shows(it));
        let shown: BTreeSet<String> = shown.cloned().collect();
        // They are many, and what they tell has been told.
        sketch.marks.clear();
        sketch.inline.clear();
        sketch.chunks.clear();
        sketch.links.clear();
        Lesson {
            sketch,
            asked,
            selectors,
            shown,
            uses_chunks,
            links,
            bytes,
        }
    }

    fn add_selectors<'a>(&mut self, new: impl Iterator<Item = &'a String>) {
        for selector in new.filter(|selector| is_telling(selector)) {
            if self.selectors.len() < MAX_KNOWN {
                self.selectors.insert(selector.clone());
            }
        }
    }

    /// Whether scripts made links that no page had before; those of the first page are its own.
    fn add_links(&mut self, links: &BTreeSet<String>) -> bool {
        let before = self.links.len();
        let room = MAX_KNOWN.saturating_sub(before);
        let new = links.iter().filter(|link| !self.leads.have(link));
        self.links.extend(new.take(room).cloned());
        self.links.len() > before && !self.lessons.is_empty()
    }

    /// A page that went without a browser was visited all the same: this is what it lacked. A site
    /// that was trusted too early has to prove more each time.
    pub fn audited(&mut self, outcome: &Outcome, min_recall: f64) {
        self.changes += 1;
        self.recall.add(outcome.bytes, outcome.missed_bytes);
        if outcome.missed_bytes > 0 {
            (self.quiet, self.boring) = (0, 0);
        }
        if outcome.recall() < min_recall {
            self.failures += 1;
        }
    }

    /// The same of a page that was judged by its looks, and that lacked too much: of this site they tell
    /// nothing. What is foretold there is as good as it was.
    pub fn misjudged(&mut self, outcome: &Outcome) {
        self.changes += 1;
        self.recall.add(outcome.bytes, outcome.missed_bytes);
        self.was_misjudged = true;
    }

    /// Whether a look has found too much missing.
    pub fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// How much of what browsers ask for pages have that went without one.
    pub fn recall(&self) -> &Recall {
        &self.recall
    }

    /// How many visits are remembered.
    pub fn visits(&self) -> usize {
        self.lessons.len()
    }

    /// What the visits came to, in numbers.
    pub fn counts(&mut self) -> RuleCounts {
        self.rules(true).counts()
    }

    /// The newest lesson.
    pub(crate) fn last(&self) -> Option<&Lesson> {
        self.lessons.last()
    }

    /// What the lessons come to; `make` is whether URLs may be made of what pages give.
    fn rules(&mut self, make: bool) -> &Rules {
        let Site {
            rules,
            lessons,
            census,
            selectors,
            ..
        } = self;
        rules.get_or_insert_with(|| Rules::of(lessons, census, selectors, make))
    }
}

impl Covered {
    fn has_value(&self, slot: &str, value: &str) -> bool {
        let pair = (slot.to_owned(), value.to_owned());
        self.values.contains(&pair)
    }

    fn add(&mut self, lesson: &Lesson) {
        for script in &lesson.sketch.scripts {
            if self.scripts.len() < MAX_KNOWN || self.scripts.contains_key(script) {
                *self.scripts.entry(script.clone()).or_default() += 1;
            }
        }
        let room = MAX_KNOWN.saturating_sub(self.values.len());
        let values = lesson.sketch.slots.iter().take(room);
        let values = values.map(|(slot, value)| (slot.clone(), value.clone()));
        self.values.extend(values);
        self.selectors.extend(lesson.shown.iter().cloned());
    }
}

#[cfg(test)]
mod tests;
