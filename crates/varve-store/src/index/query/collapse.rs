//! Collapsing: of captures that follow each other and agree in a field, only the first is kept.

use super::field::Field;
use super::{Hit, HitSource};
use crate::{Result, StoreError};

/// Which neighbours count as one: those with the same field, or the same start of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collapse {
    /// The field that is compared.
    pub field: Field,
    /// How many characters of it, if not all.
    pub chars: Option<usize>,
}

impl Collapse {
    /// Reads `field` or `field:N`, as in `timestamp:10`: at most one capture an hour.
    pub fn parse(text: &str) -> Result<Collapse> {
        let (name, chars) = match text.split_once(':') {
            None => (text, None),
            Some((name, digits)) => {
                let wrong =
                    |_| StoreError::Query(format!("collapse {text:?}: no number after ':'"));
                (name, Some(digits.parse().map_err(wrong)?))
            }
        };
        match name {
            "" => Err(StoreError::Query(
                "collapse needs the name of a field".to_owned(),
            )),
            _ => Ok(Collapse {
                field: Field::named(name),
                chars,
            }),
        }
    }

    fn token(&self, hit: &Hit) -> Option<String> {
        let text = self.field.text(&hit.capture)?;
        Some(match self.chars {
            Some(chars) => text.chars().take(chars).collect(),
            None => text.into_owned(),
        })
    }
}

/// Collapses hits that come in order.
pub(super) fn keep_first(hits: HitSource, collapse: Collapse) -> HitSource {
    let mut last = None;
    Box::new(hits.filter(move |hit| {
        let Ok(hit) = hit else { return true };
        let token = Some(collapse.token(hit));
        let differs = token != last;
        last = token;
        differs
    }))
}

/// Collapses hits that come in reverse order, to the same captures as [`keep_first`].
pub(super) fn keep_last(mut hits: HitSource, collapse: Collapse) -> HitSource {
    let mut held: Option<(Option<String>, Hit)> = None;
    Box::new(std::iter::from_fn(move || {
        loop {
            let hit = match hits.next() {
                None => return held.take().map(|(_, hit)| Ok(hit)),
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(hit)) => hit,
            };
            let token = collapse.token(&hit);
            let same = held.as_ref().is_none_or(|(last, _)| *last == token);
            let before = held.replace((token, hit));
            if !same {
                return before.map(|(_, hit)| Ok(hit));
            }
        }
    }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let all = Collapse::parse("digest").unwrap();
        assert_eq!((all.field, all.chars), (Field::Digest, None));
        let hour = Collapse::parse("timestamp:10").unwrap();
        assert_eq!((hour.field, hour.chars), (Field::Timestamp, Some(10)));
        for wrong in ["", ":4", "timestamp:", "timestamp:x", "timestamp:-1"] {
            assert!(Collapse::parse(wrong).is_err(), "{wrong}");
        }
    }
}
