//! Which captures may be shown: the access list, read anew when its file changes.
//!
//! It is a gate in front of the index: what it does not admit is in no list, no answer and no
//! page. A list that cannot be read leaves the one before it in force.

use super::looked::Looked;
use super::rules_file;
use crate::error::ServeError;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use varve_model::{Access, AccessList, Capture, Surt, Timestamp};
use varve_store::collection::PartsKey;
use varve_store::index::Gate;
use varve_store::world::World;

/// The rules that are in force.
#[derive(Debug)]
pub(crate) struct Rules {
    file: Option<PathBuf>,
    held: RwLock<Arc<Held>>,
    looked: Looked,
    /// Held while the file is changed, or read again.
    changing: Mutex<()>,
    world: Arc<dyn World>,
}

/// What is to become of a rule, which is a line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is written down.
    Add,
    /// It is taken back.
    Remove,
}

/// Why a list stays as it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unchanged {
    /// The server was started without one.
    #[error("there is no access list: start the server with --access FILE")]
    NoList,
    /// Somebody has to mend the file first.
    #[error("the access list has a mistake and is not changed: {0}")]
    Mistake(String),
    /// The new rule makes no sense.
    #[error("this is no rule: {0}")]
    NoRule(String),
    #[error("this rule is in the access list already")]
    AlreadyThere,
    #[error("this rule is not in the access list any more")]
    NotThere,
    #[error("the access list cannot be written: {0}")]
    Io(#[from] std::io::Error),
}

/// A list as it was read.
#[derive(Debug, Default)]
struct Held {
    list: AccessList,
    /// The file's time and length then.
    version: Option<(SystemTime, u64)>,
    /// Why what the file says now is not in force.
    trouble: Option<String>,
}

impl Rules {
    /// Reads a list, if there is one.
    pub(crate) fn open(file: Option<PathBuf>, world: &Arc<dyn World>) -> Result<Rules, ServeError> {
        let mut held = Held::default();
        if let Some(file) = &file {
            let failed = |reason| ServeError::Access {
                file: file.clone(),
                reason,
            };
            held.version = version(file);
            held.list = read(file).map_err(failed)?;
        }
        Ok(Rules {
            file,
            held: RwLock::new(Arc::new(held)),
            looked: Looked::now(),
            changing: Mutex::new(()),
            world: world.clone(),
        })
    }

    /// The rules as they stand in the file; `None` without one.
    pub(crate) fn written(&self) -> Option<std::io::Result<Vec<String>>> {
        let text = std::fs::read_to_string(self.file.as_ref()?);
        Some(text.map(|text| rules_file::rules(&text).map(str::to_owned).collect()))
    }

    /// Changes the file, which is in force when this returns.
    pub(crate) fn change(&self, change: Change, rule: &str) -> Result<(), Unchanged> {
        let file = self.file.as_ref().ok_or(Unchanged::NoList)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::fs::read_to_string(file)?;
        AccessList::parse(&text).map_err(|error| Unchanged::Mistake(error.to_string()))?;
        let is_there = rules_file::rules(&text).any(|known| known == rule.trim());
        let text = match change {
            Change::Add if is_there => return Err(Unchanged::AlreadyThere),
            Change::Add => rules_file::with(&text, rule),
            Change::Remove => rules_file::without(&text, rule).ok_or(Unchanged::NotThere)?,
        };
        AccessList::parse(&text).map_err(|error| Unchanged::NoRule(error.reason))?;
        rules_file::replace(file, &text)?;
        self.look(file);
        Ok(())
    }

    /// What is said of a URL at a time.
    pub(crate) fn access(&self, url: &str, time: Timestamp) -> Access {
        let key = Surt::from_url(subject(url).unwrap_or(url));
        self.held().list.access(&key, time, self.world.now())
    }

    /// Whether there is nothing that may not be shown.
    pub(crate) fn allow_everything(&self) -> bool {
        self.held().list.allows_everything()
    }

    /// Why the list that is in force is not the one in the file.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.held().trouble.clone()
    }

    /// A number that tells what may be shown from what might be at other times: embargoes change
    /// it once in a span.
    pub(super) fn state(&self, span: Duration) -> u64 {
        let held = self.held();
        let mut hasher = DefaultHasher::new();
        held.version.hash(&mut hasher);
        if held.list.depends_on_now() {
            let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX).max(1);
            (self.world.now().unix_millis() / span).hash(&mut hasher);
        }
        hasher.finish()
    }

    fn held(&self) -> Arc<Held> {
        if let Some(file) = &self.file
            && self.looked.is_time()
            // What is read while somebody changes the file would be out of date.
            && let Ok(_changing) = self.changing.try_lock()
        {
            self.look(file);
        }
        self.current()
    }

    fn current(&self) -> Arc<Held> {
        self.held
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn look(&self, file: &Path) {
        let (now, current) = (version(file), self.current());
        if now == current.version && current.trouble.is_none() {
            return;
        }
        let held = match read(file) {
            Ok(list) => Held {
                list,
                version: now,
                trouble: None,
            },
            Err(reason) => Held {
                list: current.list.clone(),
                version: current.version,
                trouble: Some(format!("{}: {reason}", file.display())),
            },
        };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(held);
    }
}

impl Gate for Rules {
    fn admits(&self, capture: &Capture) -> bool {
        // Parts of bodies are of URLs that the record alone knows. They are nobody's but ours.
        if PartsKey::is_in_urn(&capture.url) {
            return false;
        }
        let held = self.held();
        let now = self.world.now();
        let about = |key: &Surt| held.list.access(key, capture.timestamp, now);
        let access = match subject(&capture.url) {
            Some(url) => about(&Surt::from_url(url)),
            None => about(&capture.key),
        };
        access == Access::Allow
    }
}

/// The page that a record of ours is about, such as its picture: `urn:thumbnail:https://...`.
fn subject(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("urn:")?;
    ["http", "ws"]
        .iter()
        .find_map(|scheme| rest.find(&format!(":{scheme}")).map(|at| &rest[at + 1..]))
}

fn version(file: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(file).ok()?;
    Some((about.modified().ok()?, about.len()))
}

fn read(file: &Path) -> Result<AccessList, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    AccessList::parse(&text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::subject;

    #[test]
    fn what_is_said_of_a_page_holds_for_what_is_kept_about_it() {
        let check = |name, expected| assert_eq!(subject(name), expected, "{name}");
        check("urn:thumbnail:https://h/a:b", Some("https://h/a:b"));
        check("urn:varve:websocket:wss://h/", Some("wss://h/"));
        check("urn:varve:client", None);
        check("https://h/", None);
    }
}
