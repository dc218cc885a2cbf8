//! `srcset`: candidates for an image, of which browsers choose one by the window and its pixels.
//!
//! Who replays may have another window, or look at it before it is as large as it will be, and ask
//! for a candidate that was not the choice at capture. So what was not captured gets a descriptor
//! that means nothing, and browsers pass it over. The shim does not show that word to the page.

use super::super::Use;
use super::super::edits::Edits;
use super::Editor;
use crate::html::Value;
use crate::srcset::{Written, is_space, written};

/// A descriptor that no browser knows, after a candidate that was not captured.
const ABSENT: &str = " varve-absent";

impl Editor<'_, '_, '_> {
    /// Candidates for an image: blanks end a URL, and commas at its end do not belong to it.
    /// `instead` is what is shown if there are none.
    pub(super) fn srcset_value(
        &mut self,
        value: &Value<'_>,
        instead: Option<&Value<'_>>,
        used_for: Use,
    ) {
        let candidates = written(&value.text);
        let is_left_out = self.left_out(value, &candidates, instead);
        let mut edits = Edits::default();
        for (candidate, left_out) in candidates.into_iter().zip(is_left_out) {
            if let Some(url) = self
                .mapping
                .url(&value.text[candidate.url.clone()], used_for)
            {
                edits.replace(candidate.url, encoded(url));
            }
            if left_out {
                edits.insert(candidate.end, ABSENT);
            }
        }
        self.edits.within(self.text, value, edits);
    }

    /// Which candidates were not captured. If nothing was, the choice is as good as any.
    fn left_out(
        &self,
        value: &Value<'_>,
        candidates: &[Written],
        instead: Option<&Value<'_>>,
    ) -> Vec<bool> {
        if candidates.len() + usize::from(instead.is_some()) < 2 {
            return vec![false; candidates.len()];
        }
        let was_captured = |written: &str| {
            let meant = self.mapping.resolve(written);
            meant.is_none_or(|url| self.mapping.how.map.is_captured(&url))
        };
        let is_absent = |candidate: &Written| {
            // Twice would be no better.
            let told = value.text[candidate.url.end..candidate.end].ends_with(ABSENT);
            !told && !was_captured(&value.text[candidate.url.clone()])
        };
        let absent: Vec<bool> = candidates.iter().map(is_absent).collect();
        let nothing = absent.iter().all(|absent| *absent)
            && !instead.is_some_and(|instead| was_captured(&instead.text));
        match nothing {
            true => vec![false; candidates.len()],
            false => absent,
        }
    }
}

/// A URL as a candidate of a `srcset`.
fn encoded(url: String) -> String {
    let mut out = match url.bytes().any(is_space) {
        true => url
            .split(|c: char| c.is_ascii() && is_space(c as u8))
            .collect::<Vec<_>>()
            .join("%20"),
        false => url,
    };
    if out.ends_with(',') {
        out.pop();
        out.push_str("%2C");
    }
    if let Some(rest) = out.strip_prefix(',') {
        out = format!("%2C{rest}");
    }
    out
}
