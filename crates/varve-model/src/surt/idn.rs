//! International host names: Unicode to punycode, as IDNA 2003 has it.
//!
//! Keys follow Python's codec, which is IDNA 2003. The `idna` crate is UTS 46, made to give the
//! same answer for nearly every name in use; what the two do differently on purpose is put
//! right here, before and after. `docs/surt.md` says what is left.

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// The ASCII form of a host; `None` if it has none. Bytes that are not UTF-8 are dropped.
pub(super) fn to_ascii(host: &[u8]) -> Option<Vec<u8>> {
    let host: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
    if host.is_empty() {
        return Some(Vec::new());
    }
    // One empty label at the end is the root; any other makes the name impossible.
    let (labels, root) = match host.strip_suffix(is_dot) {
        Some(labels) => (labels, "."),
        None => (host.as_str(), ""),
    };
    let mut ascii = Vec::with_capacity(host.len() + 8);
    for (i, label) in labels.split(is_dot).enumerate() {
        if i > 0 {
            ascii.push(b'.');
        }
        ascii.extend_from_slice(label_to_ascii(label)?.as_bytes());
    }
    ascii.extend_from_slice(root.as_bytes());
    Some(ascii)
}

/// The full stops that IDNA takes for a dot.
fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

fn label_to_ascii(label: &str) -> Option<String> {
    let ascii = match label.is_ascii() {
        true => label.to_owned(),
        false => international_to_ascii(&map_deviations(label))?,
    };
    (1..64).contains(&ascii.len()).then_some(ascii)
}

fn international_to_ascii(label: &str) -> Option<String> {
    if !ends_right_to_left(label) {
        return None;
    }
    let (any, hyphens) = (AsciiDenyList::EMPTY, Hyphens::Allow);
    let ascii = Uts46::new().to_ascii(label.as_bytes(), any, hyphens, DnsLength::Ignore);
    ascii.ok().map(|ascii| ascii.into_owned())
}

/// What IDNA 2003 does to the characters that UTS 46 keeps, and to those that it drops.
///
/// The latter must be gone before the ends of the label are looked at.
fn map_deviations(label: &str) -> String {
    let mut mapped = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            'ß' | 'ẞ' => mapped.push_str("ss"),
            'ς' => mapped.push('σ'),
            '\u{ad}' | '\u{34f}' | '\u{1806}' | '\u{180b}'..='\u{180d}' => {}
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => {}
            _ => mapped.push(c),
        }
    }
    mapped
}

/// Whether a label with a right-to-left letter starts and ends with one, as IDNA 2003 asks.
/// (Its successors allow digits and marks at the end.)
fn ends_right_to_left(label: &str) -> bool {
    let ends = [label.chars().next(), label.chars().next_back()];
    let all = ends.into_iter().flatten().all(is_right_to_left);
    all || !label.chars().any(is_right_to_left)
}

/// The right-to-left letters of Unicode 3.2, which IDNA 2003 goes by.
fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5d0}'..='\u{5ea}' | '\u{5f0}'..='\u{5f4}'
        | '\u{61b}' | '\u{61f}' | '\u{621}'..='\u{63a}' | '\u{640}'..='\u{64a}'
        | '\u{66d}'..='\u{66f}' | '\u{671}'..='\u{6d5}' | '\u{6dd}' | '\u{6e5}' | '\u{6e6}'
        | '\u{6fa}'..='\u{6fe}' | '\u{700}'..='\u{70d}' | '\u{710}' | '\u{712}'..='\u{72c}'
        | '\u{780}'..='\u{7a5}' | '\u{7b1}' | '\u{fb1d}' | '\u{fb1f}'..='\u{fb28}'
        | '\u{fb2a}'..='\u{fdfc}' | '\u{fe70}'..='\u{fefc}')
}
