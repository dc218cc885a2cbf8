//! The `srcset` attribute: candidates, and the one that Chromium would choose.

use std::ops::Range;

/// Most candidates that are looked at.
const MAX_CANDIDATES: usize = 1000;

/// One image of a `srcset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Where its URL stands in the attribute.
    pub span: Range<usize>,
    /// What it is good for.
    pub descriptor: Descriptor,
}

/// What a candidate is good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Descriptor {
    /// Nothing was said.
    None,
    /// `2x`: a pixel density.
    Density(f64),
    /// `400w`: its own width in pixels.
    Width(u32),
}

/// Parses a `srcset` attribute after the HTML standard. Candidates with bad descriptors are left
/// out.
pub fn parse_srcset(srcset: &str) -> Vec<Candidate> {
    let bytes = srcset.as_bytes();
    let mut candidates = Vec::new();
    let mut at = 0;
    while candidates.len() < MAX_CANDIDATES {
        let Some((span, after)) = next_url(bytes, at) else {
            break;
        };
        let (descriptor, after) = match after == span.end {
            true => descriptors(srcset, after),
            false => (Some(Descriptor::None), after),
        };
        at = after;
        if let Some(descriptor) = descriptor {
            candidates.push(Candidate { span, descriptor });
        }
    }
    candidates
}

/// Where a candidate stands in a `srcset` attribute, be its descriptors good or bad.
pub(crate) struct Written {
    pub(crate) url: Range<usize>,
    /// Where its descriptors end.
    pub(crate) end: usize,
}

/// All candidates of a `srcset` attribute.
pub(crate) fn written(srcset: &str) -> Vec<Written> {
    let bytes = srcset.as_bytes();
    let mut candidates = Vec::new();
    let mut at = 0;
    while let Some((url, after)) = next_url(bytes, at) {
        let end = match after == url.end {
            true => {
                at = descriptors(srcset, after).1;
                at - usize::from(bytes[after..at].ends_with(b","))
            }
            false => {
                at = after;
                url.end
            }
        };
        candidates.push(Written { url, end });
    }
    candidates
}

/// The next URL after `at`, and where to go on: behind the commas that end a candidate.
fn next_url(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let start = skip(bytes, at, |b| is_space(b) || b == b',');
    let after = skip(bytes, start, |b| !is_space(b));
    let commas = bytes[start..after].iter().rev();
    let commas = commas.take_while(|&&b| b == b',').count();
    (start < after).then_some((start..after - commas, after))
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

fn skip(bytes: &[u8], from: usize, mut while_true: impl FnMut(u8) -> bool) -> usize {
    let rest = &bytes[from..];
    from + rest
        .iter()
        .position(|&b| !while_true(b))
        .unwrap_or(rest.len())
}

/// The descriptors from `at` to the next comma outside of parentheses, and where that ends.
fn descriptors(srcset: &str, at: usize) -> (Option<Descriptor>, usize) {
    let bytes = srcset.as_bytes();
    let mut in_parentheses = false;
    let end = skip(bytes, at, |byte| {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return false,
            _ => {}
        }
        true
    });
    let after = (end + 1).min(bytes.len());
    (combine(&srcset[at..end]), after)
}

/// What some descriptors mean together; `None` if they contradict each other.
fn combine(text: &str) -> Option<Descriptor> {
    let mut found = Descriptor::None;
    let mut height = false;
    for word in text
        .split(|c: char| c.is_ascii() && is_space(c as u8))
        .filter(|w| !w.is_empty())
    {
        let (number, unit) = word.split_at(word.len() - word.chars().next_back()?.len_utf8());
        // Rust reads more spellings of numbers than HTML does.
        if !number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')) {
            return None;
        }
        match (unit, found) {
            ("x", Descriptor::None) if !height => {
                let density: f64 = number.parse().ok().filter(|d: &f64| d.is_finite())?;
                found = Descriptor::Density(density).valid()?;
            }
            ("w", Descriptor::None) => {
                found = Descriptor::Width(number.parse().ok().filter(|&w| w > 0)?)
            }
            ("h", Descriptor::None | Descriptor::Width(_)) if !height => {
                number.parse::<u32>().ok().filter(|&h| h > 0)?;
                height = true;
            }
            _ => return None,
        }
    }
    let height_alone = height && !matches!(found, Descriptor::Width(_));
    (!height_alone).then_some(found)
}

impl Descriptor {
    fn valid(self) -> Option<Descriptor> {
        match self {
            Descriptor::Density(density) if density < 0.0 => None,
            valid => Some(valid),
        }
    }
}

/// Which image is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The candidate with this index.
    Candidate(usize),
    /// The `src` attribute.
    Src,
    /// None.
    Nothing,
}

/// Chooses as Chromium does, for an image that will be `source_size` CSS pixels wide.
pub(crate) fn choose(
    candidates: &[Candidate],
    has_src: bool,
    source_size: f64,
    pixel_ratio: f64,
) -> Chosen {
    let widths = candidates
        .iter()
        .any(|c| matches!(c.descriptor, Descriptor::Width(_)));
    let mut densities: Vec<(f64, Chosen)> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| {
            let density = match candidate.descriptor {
                Descriptor::None => 1.0,
                Descriptor::Density(density) => density,
                Descriptor::Width(width) => f64::from(width) / source_size,
            };
            (density, Chosen::Candidate(index))
        })
        .collect();
    if has_src {
        densities.push((1.0, Chosen::Src));
    }
    densities.sort_by(|a, b| a.0.total_cmp(&b.0));
    densities.dedup_by(|later, earlier| later.0 == earlier.0);
    // Where widths are given, `src` is only for browsers that do not know `srcset`.
    densities.retain(|(_, chosen)| !(widths && *chosen == Chosen::Src));
    nearest(&densities, pixel_ratio)
}

/// The first candidate that is dense enough, or the densest.
fn nearest(densities: &[(f64, Chosen)], pixel_ratio: f64) -> Chosen {
    let enough = densities
        .iter()
        .find(|(density, _)| *density >= pixel_ratio);
    enough
        .or(densities.last())
        .map_or(Chosen::Nothing, |found| found.1)
}

#[cfg(test)]
mod tests;
