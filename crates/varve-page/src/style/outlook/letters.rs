//! Which faces of fonts something on a page can be written in at most.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use super::super::font::{self, Face, RARE, Wish};
use super::super::sheet::StyleSheet;
use super::super::value::Weight;
use super::marks::{Needed, Said, Vocabulary};
use super::offers::Written;

/// Most answers that are remembered.
const MAX_REMEMBERED: usize = 1000;

/// Most that families, weights, slants, faces and letters may come to; of more, everything is
/// possible.
const MAX_STEPS: usize = 5_000_000;

/// What sheets say about fonts.
#[derive(Debug, Default)]
pub(super) struct Letters {
    sheets: Vec<Arc<StyleSheet>>,
    written: Vec<(Written, Needed)>,
    /// All that decides about it.
    marks: Said,
    /// What custom properties say, in lower case.
    customs: String,
    /// Where the ranges of faces begin and end.
    bounds: Vec<u32>,
    /// The faces that may be used, by what decides about them.
    known: Mutex<HashMap<Deciding, Faces>>,
}

/// The marks of a page, and the parts of Unicode that its letters are of.
type Deciding = (Said, Vec<usize>);

/// Places among the faces; `None` for all of them.
type Faces = Option<Arc<HashSet<usize>>>;

impl Letters {
    pub(super) fn of(sheets: &[&Arc<StyleSheet>], vocabulary: &mut Vocabulary) -> Letters {
        let mut letters = Letters {
            sheets: sheets.iter().map(|sheet| Arc::clone(sheet)).collect(),
            written: Vec::new(),
            marks: Said::default(),
            customs: String::new(),
            bounds: vec![u32::from(RARE)],
            known: Mutex::default(),
        };
        if letters.faces().next().is_none() {
            return letters;
        }
        for offers in sheets.iter().map(|sheet| sheet.offers()) {
            for (written, marks) in &offers.written {
                let marks = vocabulary.numbers(marks);
                marks.iter().for_each(|number| letters.marks.add(*number));
                letters.written.push((written.clone(), marks));
            }
            for value in &offers.customs {
                letters.customs.push_str(&value.to_lowercase());
                letters.customs.push('\n');
            }
        }
        let ranges = sheets.iter().flat_map(|sheet| &sheet.faces);
        let ranges = ranges.flat_map(|face| face.ranges.iter());
        let bounds = ranges.flat_map(|(from, to)| [*from, to.saturating_add(1)]);
        letters.bounds.extend(bounds);
        letters.bounds.sort_unstable();
        letters.bounds.dedup();
        letters
    }

    fn faces(&self) -> impl Iterator<Item = &Face> {
        self.sheets.iter().flat_map(|sheet| &sheet.faces)
    }

    /// The faces that are not there.
    pub(super) fn lacking(&self, is_there: &dyn Fn(&Url) -> bool) -> Vec<usize> {
        let lacks = |face: &Face| face.url.as_ref().is_some_and(|url| !is_there(url));
        let faces = self.faces().enumerate();
        faces
            .filter(|(_, face)| lacks(face))
            .map(|(at, _)| at)
            .collect()
    }

    /// Those of the faces that may be used on a page that says this. `None` if it cannot be told.
    pub(super) fn used<'t>(
        &self,
        mut faces: Vec<usize>,
        said: &Said,
        text: &dyn Fn() -> &'t str,
        attributes: &[Written],
    ) -> Option<Vec<&Url>> {
        if faces.is_empty() {
            return Some(Vec::new());
        }
        let parts = self.parts(text());
        let deciding = (said.common(&self.marks), parts.keys().copied().collect());
        let remembered = attributes.is_empty();
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&deciding).filter(|_| remembered).cloned();
        let possible = known.unwrap_or_else(|| {
            let found = self.possible(said, parts, attributes).map(Arc::new);
            let mut known = lock();
            if remembered && known.len() < MAX_REMEMBERED {
                known.insert(deciding, found.clone());
            }
            found
        })?;
        faces.retain(|face| possible.contains(face));
        let all: Vec<&Face> = self.faces().collect();
        let urls = faces.iter().filter_map(|face| all[*face].url.as_ref());
        Some(urls.collect())
    }

    /// The parts of Unicode that letters of a text are of, between the bounds of the faces, with
    /// a letter of each. All of ASCII counts as there.
    fn parts(&self, text: &str) -> BTreeMap<usize, char> {
        let mut parts = BTreeMap::new();
        let mut add = |letter: char| {
            let part = self.bounds.partition_point(|at| *at <= u32::from(letter));
            parts.entry(part).or_insert(letter);
        };
        (' '..='~').for_each(&mut add);
        // Those of controls, lists and quotations.
        "•“”‘’".chars().for_each(&mut add);
        text.chars()
            .filter(|letter| !letter.is_ascii())
            .for_each(&mut add);
        if text.contains('&') {
            let text = htmlize::unescape(text);
            text.chars()
                .filter(|letter| !letter.is_ascii())
                .for_each(&mut add);
        }
        parts
    }

    /// The faces that may be used; `None` for all of them.
    fn possible(
        &self,
        said: &Said,
        parts: BTreeMap<usize, char>,
        attributes: &[Written],
    ) -> Option<HashSet<usize>> {
        let faces: Vec<&Face> = self.faces().collect();
        let mut voice = Voice::new(&faces, &self.customs);
        let written = self.written.iter();
        let written = written.filter(|(_, marks)| said.has(marks));
        let written = written.map(|(written, _)| written);
        written.chain(attributes).for_each(|it| voice.hear(it));
        let mut letters = parts;
        for letter in std::mem::take(&mut voice.text).chars() {
            let part = self.bounds.partition_point(|at| *at <= u32::from(letter));
            letters.entry(part).or_insert(letter);
        }
        let wishes = voice.wishes(letters.len())?;
        let used = wishes.iter().flat_map(|wish| {
            let letters = letters.values().copied();
            font::used(wish, true, letters, &faces)
        });
        Some(used.collect())
    }
}

/// Everything that may be asked of fonts.
struct Voice<'v> {
    faces: &'v [&'v Face],
    customs: &'v str,
    families: HashSet<Arc<[Box<str>]>>,
    weights: HashSet<u16>,
    slants: HashSet<bool>,
    text: String,
}

impl<'v> Voice<'v> {
    fn new(faces: &'v [&'v Face], customs: &'v str) -> Voice<'v> {
        Voice {
            faces,
            customs,
            families: HashSet::new(),
            weights: [400].into(),
            slants: [false].into(),
            text: String::new(),
        }
    }

    fn hear(&mut self, written: &Written) {
        match written {
            Written::Families(families) => {
                self.families.insert(families.clone());
            }
            Written::AnyFamily(value) => self.any_family(value),
            Written::Weight(Weight::Number(number)) => {
                self.weights.insert(*number);
            }
            Written::Weight(Weight::Bolder) => self.weights.extend([400, 700, 900]),
            Written::Weight(Weight::Lighter) => self.weights.extend([100, 400, 700]),
            Written::AnyWeight => {
                let weights = self.faces.iter().map(|face| face.weight.0);
                self.weights.extend(weights);
            }
            Written::Slanted => {
                self.slants.insert(true);
            }
            Written::Text(text) => {
                self.text.push_str(text);
                if text.contains("var(") {
                    self.text.push_str(self.customs);
                }
            }
        }
    }

    /// Any of the families that custom properties or this value name.
    fn any_family(&mut self, value: &str) {
        let value = value.to_lowercase();
        // What is escaped could be any of them.
        let all = value.contains('\\') || self.customs.contains('\\');
        for face in self.faces {
            let name = &*face.family;
            if all || value.contains(name) || self.customs.contains(name) {
                self.families.insert([face.family.clone()].into());
            }
        }
    }

    /// All of it together; `None` if that is too much for so many letters.
    fn wishes(&self, letters: usize) -> Option<Vec<Wish>> {
        let known = |families: &&Arc<[Box<str>]>| {
            let mut faces = self.faces.iter();
            faces.any(|face| families.contains(&face.family))
        };
        let families: Vec<_> = self.families.iter().filter(known).collect();
        let count = families.len() * self.weights.len() * self.slants.len();
        if count.saturating_mul(self.faces.len() + letters) > MAX_STEPS {
            return None;
        }
        let mut wishes = Vec::with_capacity(count);
        for families in families {
            for weight in &self.weights {
                for slanted in &self.slants {
                    wishes.push(Wish {
                        families: Arc::clone(families),
                        weight: *weight,
                        slanted: *slanted,
                    });
                }
            }
        }
        Some(wishes)
    }
}
