//! What stands in the place of bodies that were taken out, while a script is stored.
//!
//! A stub has to say which script it is of, and which of its bodies it stands for. Said in each of
//! thousands of stubs, that would be a good part of what is left of a script. So all stubs of a
//! stored script are the same short name, which packs to nearly nothing; whoever serves the script
//! puts in the place of each what restores it. They are told apart by their order. Where nobody
//! does, the name is not defined, and says so.

use crate::rewrite::COLD;
use std::ops::Range;

/// Names that are tried first, as short as can be.
const SHORT: [&str; 6] = ["_v", "$v", "_v0", "$v0", "_v1", "$v1"];
/// No name is longer.
const LONGEST: usize = 64;

/// A name that stands nowhere in a script but in the place of what was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark(String);

impl Mark {
    /// One for a script with this text; `key` is a digest of it, which cannot stand in it.
    pub fn for_text(text: &str, key: &str) -> Mark {
        let short = SHORT.into_iter().find(|name| !text.contains(name));
        Mark(short.map_or_else(|| format!("_v{key}"), str::to_owned))
    }

    /// Reads what [`Mark::as_str`] gave.
    pub fn parse(name: &str) -> Option<Mark> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let begins = name.starts_with(['_', '$']);
        let fits = begins && name.len() <= LONGEST && name.bytes().all(is_part);
        fits.then(|| Mark(name.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where it stands in a stored script, in order: in each place what restores the body of that
    /// number is to be put ([`restoring`]).
    pub fn places(&self, stored: &[u8]) -> Vec<Range<usize>> {
        let found = memchr::memmem::find_iter(stored, self.0.as_bytes());
        found.map(|at| at..at + self.0.len()).collect()
    }
}

/// The expression by which a script that is replayed runs a body that was taken out: which script's,
/// and its number.
pub fn restoring(key: &str, number: usize) -> String {
    format!("eval({COLD}\"{key}\",{number}))")
}
