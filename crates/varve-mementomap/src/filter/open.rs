//! The wildcards below which a filter knows nothing.
//!
//! They are named one by one as long as there are few. When their names are too much, the deepest
//! give way to those of what they are in: less is known then, and nothing false is said.

use crate::key::speakers;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many bytes the names may have.
const MOST: usize = 256 << 10;

/// Wildcards that were there before the filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Open {
    names: BTreeSet<String>,
    #[serde(skip)]
    bytes: usize,
}

impl Open {
    /// Adds a wildcard.
    pub(super) fn add(&mut self, name: &str) {
        self.add_within(name, MOST);
    }

    fn add_within(&mut self, name: &str, most: usize) {
        if self.speaks_for(name.as_bytes()) {
            return;
        }
        self.insert(name);
        if self.bytes > most {
            // By half, so that this is seldom done.
            self.widen(most / 2);
        }
    }

    fn insert(&mut self, name: &str) {
        if self.names.insert(name.to_owned()) {
            self.bytes += name.len();
        }
    }

    /// Names what the deepest wildcards are in instead of them, until all fit.
    fn widen(&mut self, most: usize) {
        while self.bytes > most {
            let deepest = self.names.iter().map(|name| depth(name)).max();
            let (deep, kept) = std::mem::take(&mut self.names)
                .into_iter()
                .partition::<BTreeSet<_>, _>(|name| Some(depth(name)) == deepest);
            self.names = kept;
            self.bytes = self.names.iter().map(String::len).sum();
            for name in deep {
                self.insert(&around(&name));
            }
        }
    }

    /// Whether one of them speaks for a key.
    pub(super) fn speaks_for(&self, key: &[u8]) -> bool {
        let named = |speaker: &[u8], _| {
            let speaker = std::str::from_utf8(speaker).ok()?;
            self.names.contains(speaker).then_some(())
        };
        !self.names.is_empty() && speakers(key, &mut Vec::new(), named).is_some()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// How many wildcards are around one.
fn depth(name: &str) -> usize {
    match name.split_once(')') {
        // The host itself is one, and the root of its paths another.
        Some((host, path)) => host.matches(',').count() + 1 + path.matches('/').count(),
        None => name.matches(',').count(),
    }
}

/// The next wildcard around one: `com,a)/*` around `com,a)/x/*`, and `com,a,*` around that.
fn around(name: &str) -> String {
    let node = name
        .strip_suffix("/*")
        .or_else(|| name.strip_suffix(",*"))
        .unwrap_or_default();
    match node.split_once(')') {
        Some((host, path)) => match path.rsplit_once('/') {
            Some((above, _)) => format!("{host}){above}/*"),
            None => format!("{host},*"),
        },
        None => match node.rsplit_once(',') {
            Some((above, _)) => format!("{above},*"),
            None => "*".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_lie_in_wildcards_up_to_the_one_over_all() {
        let mut name = "com,b,a)/x/y/*".to_owned();
        let mut all = Vec::new();
        while depth(&name) > 0 {
            let next = around(&name);
            assert!(depth(&next) < depth(&name), "{next} is around {name}");
            all.push(next.clone());
            name = next;
        }
        assert_eq!(
            all,
            [
                "com,b,a)/x/*",
                "com,b,a)/*",
                "com,b,a,*",
                "com,b,*",
                "com,*",
                "*"
            ]
        );
    }

    #[test]
    fn too_many_names_become_wider_ones_that_speak_for_the_same() {
        let names: Vec<String> = (0..500)
            .map(|n| format!("com,s{})/d{}/e{n}/*", n / 100, n / 10))
            .collect();
        let mut open = Open::default();
        for name in &names {
            open.add_within(name, 2000);
            assert!(open.bytes <= 2000);
            assert_eq!(open.bytes, open.names().map(str::len).sum::<usize>());
        }
        for name in &names {
            let below = name.replace('*', "page");
            assert!(open.speaks_for(below.as_bytes()), "{below}");
        }
        assert!(!open.speaks_for(b"org,other)/d0/e0/page"));
    }

    #[test]
    fn a_few_are_named_as_they_are() {
        let mut open = Open::default();
        for name in ["com,a)/x/*", "com,a)/x/y/*", "com,b,*"] {
            open.add(name);
        }
        assert_eq!(open.names().collect::<Vec<_>>(), ["com,a)/x/*", "com,b,*"]);
    }
}
