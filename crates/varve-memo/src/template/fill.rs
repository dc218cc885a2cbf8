//! Holes filled with the values of a page.
//!
//! The candidates of a hole may give different values on a new page. Each way to choose among
//! them is a *reading* of the pattern; the first is the one that is believed most.

use std::collections::BTreeSet;

use super::inputs::Inputs;
use super::pieces::{Extractor, Pattern, Piece};
use super::shape::{MAX_URL, Part, Shape};
use super::token::Volatile;

/// Most readings of a pattern that are looked at.
const MAX_READINGS: usize = 16;
/// Most candidates of a hole that are looked at.
pub(super) const MAX_CANDIDATES: usize = 32;

/// A value that a hole may have on a page, and which of its candidates say so.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) by: Vec<usize>,
}

/// What a page has for the holes of a pattern.
pub(super) struct Filling<'t> {
    pattern: &'t Pattern,
    /// For each hole its values, which differ.
    pub(super) holes: Vec<Vec<Value>>,
    /// The values of its list, if it has one.
    each: Option<Vec<String>>,
}

/// One URL that a pattern gives.
pub(super) struct Filled {
    /// With what volatile tokens were once.
    pub(super) text: String,
    /// What else it may be, if it has volatile tokens.
    pub(super) shape: Option<Shape>,
}

impl<'t> Filling<'t> {
    /// Fails with the name of an input that the page lacks.
    pub(super) fn new(pattern: &'t Pattern, inputs: &Inputs) -> Result<Filling<'t>, &'t str> {
        let holes = pattern.holes().map(|candidates| values(candidates, inputs));
        Ok(Filling {
            pattern,
            holes: holes.collect::<Result<_, _>>()?,
            each: pattern.list().map(|list| list_values(list, inputs)),
        })
    }

    /// All readings: for each hole, which of its values is taken.
    pub(super) fn readings(&self) -> Vec<Vec<usize>> {
        let mut readings = vec![Vec::new()];
        for values in &self.holes {
            let longer = |reading: &Vec<usize>| {
                let reading = reading.clone();
                (0..values.len()).map(move |nth| [reading.as_slice(), &[nth]].concat())
            };
            readings = readings
                .iter()
                .flat_map(longer)
                .take(MAX_READINGS)
                .collect();
        }
        readings
    }

    /// The URLs of one reading: one, or as many as the list has values.
    pub(super) fn write(&self, reading: &[usize]) -> Vec<Filled> {
        match &self.each {
            None => self.write_one(reading, "").into_iter().collect(),
            Some(each) => each
                .iter()
                .filter_map(|value| self.write_one(reading, value))
                .collect(),
        }
    }

    fn write_one(&self, reading: &[usize], each: &str) -> Option<Filled> {
        let mut values = self.holes.iter().zip(reading);
        let mut written = Written::default();
        for piece in &self.pattern.pieces {
            match piece {
                Piece::Literal(literal) => written.push(literal),
                Piece::Value(_) => {
                    let (values, nth) = values.next()?;
                    written.push(&values.get(*nth)?.text);
                }
                Piece::Each(_) => written.push(each),
                Piece::Volatile { kind, sample } => written.push_volatile(*kind, sample),
            }
            if written.text.len() > MAX_URL {
                return None;
            }
        }
        Some(written.end())
    }
}

/// A URL that is being written.
#[derive(Default)]
struct Written {
    text: String,
    /// What it is made of so far, up to the last volatile token.
    parts: Vec<Part>,
    /// What came since.
    literal: String,
}

impl Written {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.literal.push_str(text);
    }

    fn push_volatile(&mut self, kind: Volatile, sample: &str) {
        self.text.push_str(sample);
        let literal = std::mem::take(&mut self.literal);
        self.parts.push(Part::Literal(literal));
        self.parts.push(Part::Volatile(kind));
    }

    fn end(mut self) -> Filled {
        let shape = (!self.parts.is_empty()).then(|| {
            self.parts.push(Part::Literal(self.literal));
            Shape::new(self.parts)
        });
        Filled {
            text: self.text,
            shape,
        }
    }
}

/// The different values that the candidates of a hole have on a page.
fn values<'t>(candidates: &'t [Extractor], inputs: &Inputs) -> Result<Vec<Value>, &'t str> {
    let mut values: Vec<Value> = Vec::new();
    for (nth, candidate) in candidates.iter().take(MAX_CANDIDATES).enumerate() {
        let Some(text) = value(candidate, inputs) else {
            continue;
        };
        match values.iter_mut().find(|value| value.text == text) {
            Some(value) => value.by.push(nth),
            None => values.push(Value {
                text,
                by: vec![nth],
            }),
        }
    }
    match values.is_empty() {
        true => Err(candidates.first().map_or("", |first| &first.input)),
        false => Ok(values),
    }
}

/// What an extractor gives on a page.
pub(super) fn value(extractor: &Extractor, inputs: &Inputs) -> Option<String> {
    extractor
        .form
        .apply(&inputs.single(&extractor.input)?, inputs)
}

/// What an extractor over a list gives on a page, each once.
pub(super) fn list_values(list: &Extractor, inputs: &Inputs) -> Vec<String> {
    let mut seen = BTreeSet::new();
    inputs
        .list(&list.input)
        .into_iter()
        .filter_map(|value| list.form.apply(value, inputs))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}
