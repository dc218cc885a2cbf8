//! Where a profile is, whether somebody uses it, and a copy of what matters of it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};

use rustix::process::{Flock, FlockType, fcntl_getlk};

use super::{Profile, ProfileError};
use crate::chromium::User;

/// The name of the profile that Chromium uses when none is named.
const DEFAULT: &str = "Default";
/// Where the cookies are: today, and on some systems.
const COOKIES: [&str; 2] = ["Cookies", "Network/Cookies"];
/// What SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["", "-journal", "-wal"];
/// Where local storage is, and the file in it that a running browser holds locked.
const STORAGE: &str = "Local Storage/leveldb";
const LOCK: &str = "LOCK";
/// A link whose target names the host and the process that has the directory open.
const SINGLETON: &str = "SingletonLock";

impl Profile {
    /// The profile in a directory: one that was given to Chromium as `--user-data-dir`, or a
    /// profile within such a one.
    pub fn open(given: &Path) -> Result<Profile, ProfileError> {
        let places = [given.join(DEFAULT), given.to_owned()];
        let Some(dir) = places.into_iter().find(|dir| holds_something(dir)) else {
            return Err(ProfileError::NotAProfile(given.to_owned()));
        };
        let profile = Profile {
            given: given.to_owned(),
            dir,
        };
        profile.check_unused()?;
        Ok(profile)
    }

    /// Whether a browser has it open: what it holds may not be written down yet.
    pub(super) fn check_unused(&self) -> Result<(), ProfileError> {
        let above = self.dir.parent().unwrap_or(&self.dir);
        let by = [&self.dir, above]
            .iter()
            .find_map(|dir| owner(&dir.join(SINGLETON)))
            .or_else(|| holder(&self.dir.join(STORAGE).join(LOCK)));
        match by {
            None => Ok(()),
            Some(by) => Err(ProfileError::InUse {
                dir: self.given.clone(),
                by,
            }),
        }
    }

    /// Copies cookies and local storage to where a new Chromium looks for them. Its caches and
    /// service workers stay behind: what they answered would never be asked of a server, and so
    /// would be missing in the archive.
    pub(crate) fn copy_into(&self, home: &Path, user: Option<User>) -> io::Result<()> {
        let to = home.join(DEFAULT);
        let storage = to.join(STORAGE);
        fs::create_dir_all(&storage)?;
        if let Some(cookies) = self.cookies() {
            for end in BESIDE {
                let name = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
                copy(&name(&cookies), &name(&to.join(COOKIES[0])))?;
            }
        }
        if let Ok(files) = fs::read_dir(self.dir.join(STORAGE)) {
            for file in files {
                let file = file?;
                if file.file_name() != LOCK && file.file_type()?.is_file() {
                    copy(&file.path(), &storage.join(file.file_name()))?;
                }
            }
        }
        match user {
            Some(user) => give_to(home, user),
            None => Ok(()),
        }
    }

    fn cookies(&self) -> Option<PathBuf> {
        let places = COOKIES.iter().map(|place| self.dir.join(place));
        places.into_iter().find(|place| place.is_file())
    }
}

fn holds_something(dir: &Path) -> bool {
    let files = COOKIES.iter().any(|place| dir.join(place).is_file());
    files || dir.join(STORAGE).is_dir()
}

/// Copies a file, if it is there.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    match fs::copy(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        copied => copied.map(drop),
    }
}

/// Who has a directory open, by a link `HOST-PID`. One that a dead process of this machine left
/// says nothing.
fn owner(link: &Path) -> Option<String> {
    let target = fs::read_link(link).ok()?.to_string_lossy().into_owned();
    let this = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match target.rsplit_once('-') {
        Some((host, pid)) if host == this.trim() => {
            let alive = Path::new("/proc").join(pid).exists();
            alive.then(|| format!("process {pid}"))
        }
        _ => Some(target),
    }
}

/// The process that holds a file locked.
fn holder(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let lock = fcntl_getlk(&file, &Flock::from(FlockType::WriteLock)).ok()??;
    Some(match lock.pid {
        Some(pid) => format!("process {}", pid.as_raw_nonzero()),
        None => "another process".to_owned(),
    })
}

fn give_to(path: &Path, user: User) -> io::Result<()> {
    chown(path, Some(user.uid), Some(user.gid))?;
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            give_to(&entry?.path(), user)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn profile(cookies: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(cookies);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "cookies").unwrap();
        dir
    }

    #[test]
    fn a_profile_is_found_where_browsers_put_it() {
        for cookies in ["Default/Cookies", "Cookies", "Default/Network/Cookies"] {
            let dir = profile(cookies);
            let copy = tempfile::tempdir().unwrap();
            let found = Profile::open(dir.path()).unwrap();
            found.copy_into(copy.path(), None).unwrap();
            let copied = fs::read_to_string(copy.path().join("Default/Cookies"));
            assert_eq!(copied.unwrap(), "cookies", "{cookies}");
        }
        let empty = tempfile::tempdir().unwrap();
        for none in [empty.path(), Path::new("/no/such/profile")] {
            let error = Profile::open(none).unwrap_err().to_string();
            assert!(error.contains(&none.display().to_string()), "{error}");
        }
    }

    #[test]
    fn a_profile_in_use_is_refused() {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        let host = host.trim();
        let check = |target: String, expected: Option<&str>| {
            let dir = profile("Default/Cookies");
            symlink(&target, dir.path().join(SINGLETON)).unwrap();
            let refused = Profile::open(dir.path()).err().map(|e| e.to_string());
            let told = refused
                .as_deref()
                .map(|text| text.contains(expected.unwrap()));
            assert_eq!(told, expected.map(|_| true), "{target}: {refused:?}");
        };
        let ours = std::process::id();
        check(format!("{host}-{ours}"), Some(&format!("process {ours}")));
        check(format!("{host}-999999999"), None);
        check("elsewhere.example-12".to_owned(), Some("elsewhere.example"));
    }
}
