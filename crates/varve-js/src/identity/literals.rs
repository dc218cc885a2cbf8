//! The list of values, within limits, each with a path of its own.

use std::collections::HashMap;

use serde_json::Value;

use super::Literal;
use super::canon::short;

/// Most literals of one script.
const MAX_LITERALS: usize = 4_096;

/// Longest value that is kept whole, in bytes.
const MAX_VALUE: usize = 1_024;

/// Longest path. What lies deeper has none.
pub(super) const MAX_PATH: usize = 256;

/// Most elements of an array that are listed; and most that can be one value.
const MAX_ELEMENTS: usize = 256;

/// Longest element of an array that is one value, in bytes.
const MAX_ELEMENT: usize = 128;

/// Collects literals.
#[derive(Default)]
pub(super) struct Literals {
    list: Vec<Literal>,
    /// How many have wanted each path.
    paths: HashMap<String, u32>,
    full: bool,
}

impl Literals {
    /// The literals, and whether there were more than the limits allow.
    pub(super) fn into_parts(self) -> (Vec<Literal>, bool) {
        (self.list, self.full)
    }

    /// Adds a value with all that it holds. Values come from parsers that bound their depth.
    pub(super) fn add(&mut self, slot: u32, path: &str, value: &Value) {
        match value {
            Value::Array(elements) if elements.is_empty() => self.push(slot, path, "[]"),
            Value::Array(elements) => match joined(elements) {
                Some(joined) => self.push(slot, path, &joined),
                None => self.add_elements(slot, path, elements),
            },
            Value::Object(map) if map.is_empty() => self.push(slot, path, "{}"),
            Value::Object(map) => {
                for (key, value) in map {
                    self.add_below(slot, path, key, value);
                }
            }
            Value::String(text) => self.push(slot, path, text),
            scalar => self.push(slot, path, &scalar.to_string()),
        }
    }

    fn add_elements(&mut self, slot: u32, path: &str, elements: &[Value]) {
        for (index, element) in elements.iter().enumerate().take(MAX_ELEMENTS) {
            self.add_below(slot, path, &index.to_string(), element);
        }
        self.full |= elements.len() > MAX_ELEMENTS;
    }

    fn add_below(&mut self, slot: u32, path: &str, key: &str, value: &Value) {
        match below(path, key) {
            Some(path) if self.list.len() < MAX_LITERALS => self.add(slot, &path, value),
            _ => self.full = true,
        }
    }

    fn push(&mut self, slot: u32, path: &str, value: &str) {
        if self.list.len() >= MAX_LITERALS {
            self.full = true;
            return;
        }
        let path = self.own(path);
        self.list.push(Literal {
            slot,
            path,
            value: clipped(value),
        });
    }

    /// The path, with a number if others had it before.
    fn own(&mut self, path: &str) -> String {
        let mut own = path.to_owned();
        loop {
            let times = self.paths.entry(own.clone()).or_default();
            *times += 1;
            if *times == 1 {
                return own;
            }
            own = format!("{path}~{times}");
        }
    }
}

/// The path of what stands under a key; `None` if it is too long.
pub(super) fn below(path: &str, key: &str) -> Option<String> {
    if path.len() + key.len() > MAX_PATH {
        return None;
    }
    Some(match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    })
}

/// An array as one value, if its elements are few and short.
fn joined(elements: &[Value]) -> Option<String> {
    if elements.len() > MAX_ELEMENTS {
        return None;
    }
    let words: Option<Vec<String>> = elements.iter().map(word).collect();
    words.map(|words| words.join(","))
}

fn word(element: &Value) -> Option<String> {
    match element {
        Value::String(text) => (text.len() <= MAX_ELEMENT).then(|| text.clone()),
        Value::Array(_) | Value::Object(_) => None,
        scalar => Some(scalar.to_string()),
    }
}

fn clipped(value: &str) -> String {
    if value.len() <= MAX_VALUE {
        return value.to_owned();
    }
    let start = &value[..value.floor_char_boundary(MAX_VALUE)];
    format!("{start}…{:032x}", short(value.as_bytes()))
}
