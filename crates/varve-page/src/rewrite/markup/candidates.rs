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
use url::Url;

/// A descriptor that no browser knows, after a candidate that was not captured.
const ABSENT: &str = " varve-absent";

struct Candidate<'v> {
    written: Written,
    url: &'v str,
    descriptors: &'v str,
    /// What it means, if it is of the web.
    meant: Option<Url>,
}

impl Editor<'_, '_, '_> {
    /// Candidates for an image: blanks end a URL, and commas at its end do not belong to it.
    /// `instead` is what is shown if there are none.
    pub(super) fn srcset_value(
        &mut self,
        value: &Value<'_>,
        instead: Option<&Value<'_>>,
        used_for: Use,
    ) {
        let candidates: Vec<Candidate<'_>> = written(&value.text)
            .into_iter()
            .map(|written| self.candidate(&value.text, written))
            .collect();
        let is_left_out = self.left_out(&candidates, instead);
        let mut edits = Edits::default();
        for (candidate, left_out) in candidates.into_iter().zip(is_left_out) {
            let mapped = match &candidate.meant {
                Some(meant) => self.mapping.map_known(candidate.url, meant, used_for),
                None => self.mapping.url(candidate.url, used_for),
            };
            if let Some(url) = mapped {
                edits.replace(candidate.written.url, encoded(url));
            }
            if left_out {
                edits.insert(candidate.written.end, ABSENT);
            }
        }
        self.edits.within(self.text, value, edits);
    }

    fn candidate<'v>(&self, text: &'v str, written: Written) -> Candidate<'v> {
        let url = &text[written.url.clone()];
        Candidate {
            url,
            descriptors: &text[written.url.end..written.end],
            meant: self.mapping.resolve(url),
            written,
        }
    }

    /// Which candidates were not captured. If nothing was, the choice is as good as any.
    fn left_out(&self, candidates: &[Candidate<'_>], instead: Option<&Value<'_>>) -> Vec<bool> {
        if candidates.len() + usize::from(instead.is_some()) < 2 {
            return vec![false; candidates.len()];
        }
        let map = self.mapping.how.map;
        let was_captured = |meant: Option<&Url>| meant.is_none_or(|url| map.is_captured(url));
        let is_absent = |candidate: &Candidate<'_>| {
            // Twice would be no better.
            let told = candidate.descriptors.ends_with(ABSENT);
            !told && !was_captured(candidate.meant.as_ref())
        };
        let absent: Vec<bool> = candidates.iter().map(is_absent).collect();
        let is_shown = |instead: &Value<'_>| {
            let meant = self.mapping.resolve(&instead.text);
            was_captured(meant.as_ref())
        };
        let nothing = absent.iter().all(|absent| *absent) && !instead.is_some_and(is_shown);
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
