//! `javascript:` URLs: percent-encoded code.

use super::ScriptUse;
use super::mapping::Mapping;
use crate::data_url::percent_decoded;

/// The whole URL with its code rewritten, if that changes.
pub(super) fn url(code: &str, mapping: &mut Mapping<'_>) -> Option<String> {
    let decoded = String::from_utf8(percent_decoded(code.as_bytes())).ok()?;
    let new = mapping.script(&decoded, ScriptUse::JavascriptUrl)?;
    let mut url = String::with_capacity("javascript:".len() + new.len());
    url.push_str("javascript:");
    for c in new.chars() {
        match c {
            '%' => url.push_str("%25"),
            // Line breaks and tabs in a URL would be lost, as would blanks at its end.
            '\0'..='\x1f' => url.push_str(&format!("%{:02X}", u32::from(c))),
            c => url.push(c),
        }
    }
    let end = url.trim_end_matches(' ').len();
    let blanks = url.len() - end;
    url.truncate(end);
    url.push_str(&"%20".repeat(blanks));
    Some(url)
}
