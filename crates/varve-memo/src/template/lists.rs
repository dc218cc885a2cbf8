//! Patterns over lists: each value of a list in URLs that are otherwise the same.
//!
//! A *frame* is such a URL with its value taken out. Frames that differ from visit to visit are
//! aligned like URLs: their differences may be values of the pages.

use std::collections::{BTreeMap, BTreeSet};

use super::align::{Shared, align};
use super::fill::list_values;
use super::form::Form;
use super::learn::Habits;
use super::observed::Visit;
use super::pieces::{Extractor, Pattern, Piece};

/// Stands in a frame where the value was. No URL has it.
const VALUE: char = '\0';
/// Values of a list that are looked for in URLs to find frames.
const SAMPLE: usize = 8;
/// Most frames of a list that are kept for a visit.
const MAX_FRAMES: usize = 4;
/// Which share of the values must have been asked for in a frame, in percent.
const ENOUGH: usize = 80;

/// The frames of a visit by list and form.
pub(super) type Frames = BTreeMap<(String, Form), Vec<String>>;

/// Finds the frames in which the lists of a page stand in its URLs.
pub(super) fn frames(visit: &Visit<'_>) -> Frames {
    let mut found = Frames::new();
    let forms: Vec<Form> = Form::of_lists().collect();
    for input in visit.inputs.list_names() {
        for form in &forms {
            let list = Extractor {
                input: input.clone(),
                form: form.clone(),
            };
            let frames = frames_of(&list_values(&list, visit.inputs), visit);
            if !frames.is_empty() {
                found.insert((input.clone(), form.clone()), frames);
            }
        }
    }
    found
}

fn frames_of(values: &[String], visit: &Visit<'_>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for value in values.iter().take(SAMPLE) {
        for url in &visit.urls {
            if let Some(at) = url.rfind(value.as_str()) {
                let frame = format!("{}{VALUE}{}", &url[..at], &url[at + value.len()..]);
                *counts.entry(frame).or_default() += 1;
            }
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let frames = counts.into_iter().take(MAX_FRAMES).map(|(frame, _)| frame);
    frames
        .filter(|frame| {
            let asked = |value: &&String| visit.has(&frame.replace(VALUE, value));
            values.iter().filter(asked).count() * 100 >= values.len() * ENOUGH
        })
        .collect()
}

/// Patterns over lists that stand in frames on one visit or on two.
pub(super) fn candidates(
    a: &Frames,
    b: &Frames,
    shared: &[Shared],
    habits: &Habits,
) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for ((input, form), frames) in a {
        let list = Extractor {
            input: input.clone(),
            form: form.clone(),
        };
        let none = Vec::new();
        let others = b.get(&(input.clone(), form.clone())).unwrap_or(&none);
        let mut found: BTreeSet<Vec<Piece>> = BTreeSet::new();
        for frame in frames {
            found.insert(vec![Piece::Literal(frame.clone())]);
            let allowed = |kind, at| habits.may_vary(kind, frame, at);
            for other in others.iter().filter(|other| *other != frame) {
                found.extend(align(frame, other, shared, &allowed));
            }
        }
        patterns.extend(
            found
                .into_iter()
                .filter_map(|pieces| with_list(pieces, &list)),
        );
    }
    patterns
}

/// Puts the list where the frame has its mark.
fn with_list(pieces: Vec<Piece>, list: &Extractor) -> Option<Pattern> {
    let mut whole = Vec::new();
    let mut placed = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) => match text.split_once(VALUE) {
                Some((before, after)) => {
                    whole.push(Piece::Literal(before.to_owned()));
                    whole.push(Piece::Each(list.clone()));
                    whole.push(Piece::Literal(after.to_owned()));
                    placed = true;
                }
                None => whole.push(Piece::Literal(text)),
            },
            other => whole.push(other),
        }
    }
    placed.then(|| Pattern::new(whole))
}
