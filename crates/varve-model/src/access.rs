//! `AccessList`: which captures may be shown, by URL and time.
//!
//! The text form is that of pywb's access lists, one rule a line: `key when {json}`. The key is
//! the beginning of a SURT, or with `###` behind it a whole one; `*,` means every URL. Where pywb
//! has a dash for *when*, a moment (`2014`) or a span (`2014:201602`) may stand. Lines may be in
//! any order.
//!
//! ```text
//! com,example)/private - {"access": "exclude"}
//! com,example)/letter### - {"access": "block"}
//! com,news, - {"access": "block", "newer": {"years": 1}}
//! *, - {"access": "allow"}
//! ```
//!
//! Of the rules whose key matches the longest counts, a whole one before all; one that is for
//! other times or for named users leaves it to the next shorter. What no rule is about is allowed.

mod period;
mod read;

use crate::{Surt, Timestamp};
pub use period::Period;

/// Whether a capture may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// It may.
    Allow,
    /// It may not, and those who ask for it are told so.
    Block,
    /// It may not, and nobody is told that it is there.
    Exclude,
}

/// Why a text is no access list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct AccessError {
    /// Which line, from 1 on.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Rules about which captures may be shown.
///
/// ```
/// use varve_model::{Access, AccessList, Surt, Timestamp};
/// let rules = AccessList::parse("com,example)/private - {\"access\": \"block\"}\n")?;
/// let time = Timestamp::parse("20140216050221").unwrap_or_else(|_| unreachable!());
/// let access = |url| rules.access(&Surt::from_url(url), time, time);
/// assert_eq!(access("https://example.com/private/letter"), Access::Block);
/// assert_eq!(access("https://example.com/"), Access::Allow);
/// # Ok::<(), varve_model::AccessError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessList {
    /// Beginnings of keys, sorted.
    prefixes: Vec<Prefix>,
    /// Rules for whole keys, sorted by them.
    exact: Vec<(String, Vec<Rule>)>,
}

/// The rules for keys that begin alike.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Prefix {
    key: String,
    rules: Vec<Rule>,
    /// Where the longest other beginning is that this one begins with.
    shorter: Option<usize>,
}

/// What a rule says, and about which captures.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    access: Access,
    /// Only captures from here on.
    from: Option<Timestamp>,
    /// Only captures up to here.
    to: Option<Timestamp>,
    /// Only captures that are newer than this.
    newer: Option<Period>,
    /// Only captures that are older than this.
    older: Option<Period>,
}

impl Rule {
    fn is_about(&self, time: Timestamp, now: Timestamp) -> bool {
        let time = time.unix_millis();
        let ago = |period: Period| now.before(period).map_or(i64::MIN, Timestamp::unix_millis);
        self.from.is_none_or(|from| time >= from.unix_millis())
            && self.to.is_none_or(|to| time <= to.unix_millis())
            && self.newer.is_none_or(|period| time > ago(period))
            && self.older.is_none_or(|period| time < ago(period))
    }
}

impl AccessList {
    /// Reads a list.
    pub fn parse(text: &str) -> Result<AccessList, AccessError> {
        read::list(text)
    }

    /// Whether it lets everything pass.
    pub fn allows_everything(&self) -> bool {
        let prefixes = self.prefixes.iter().flat_map(|prefix| &prefix.rules);
        let exact = self.exact.iter().flat_map(|(_, rules)| rules);
        let mut all = prefixes.chain(exact);
        all.all(|rule| rule.access == Access::Allow)
    }

    /// Whether what it says changes as time goes on.
    pub fn depends_on_now(&self) -> bool {
        let prefixes = self.prefixes.iter().flat_map(|prefix| &prefix.rules);
        let exact = self.exact.iter().flat_map(|(_, rules)| rules);
        let mut all = prefixes.chain(exact);
        all.any(|rule| rule.newer.is_some() || rule.older.is_some())
    }

    /// Whether a capture of this key and time may be shown now.
    pub fn access(&self, key: &Surt, time: Timestamp, now: Timestamp) -> Access {
        let key = key.as_str();
        let whole = self
            .exact
            .binary_search_by(|(other, _)| other.as_str().cmp(key));
        let whole = whole.ok().and_then(|at| self.exact.get(at));
        if let Some(access) = whole.and_then(|(_, rules)| first(rules, time, now)) {
            return access;
        }
        // The beginnings of a key are the last one that does not sort after it, and those that
        // this one begins with.
        let after = self
            .prefixes
            .partition_point(|prefix| prefix.key.as_str() <= key);
        let mut at = after.checked_sub(1);
        while let Some(prefix) = at.and_then(|at| self.prefixes.get(at)) {
            if key.starts_with(&prefix.key)
                && let Some(access) = first(&prefix.rules, time, now)
            {
                return access;
            }
            at = prefix.shorter;
        }
        Access::Allow
    }
}

/// What the first rule says that is about a capture.
fn first(rules: &[Rule], time: Timestamp, now: Timestamp) -> Option<Access> {
    let rule = rules.iter().find(|rule| rule.is_about(time, now));
    rule.map(|rule| rule.access)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
