//! As whom Chromium runs, and where it may write.
//!
//! Chromium refuses its sandbox as root, and pages of strangers should not run as root anyway: then
//! the user `nobody` runs it, with a directory of its own.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// `nobody` by convention, where the user database does not tell.
const NOBODY: u32 = 65534;

/// An unprivileged user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct User {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// Whom to become: `None` when we are unprivileged already.
pub(super) fn unprivileged() -> Option<User> {
    let passwd = || std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    rustix::process::geteuid()
        .is_root()
        .then(|| nobody(&passwd()))
}

fn nobody(passwd: &str) -> User {
    let line = passwd.lines().find_map(|line| line.strip_prefix("nobody:"));
    let mut ids = line.unwrap_or_default().split(':').skip(1).map(str::parse);
    match (ids.next(), ids.next()) {
        (Some(Ok(uid)), Some(Ok(gid))) if uid != 0 => User { uid, gid },
        _ => User {
            uid: NOBODY,
            gid: NOBODY,
        },
    }
}

/// A directory for one Chromium, which nobody else can look into.
pub(super) fn profile(scratch: &Path, user: Option<User>) -> io::Result<TempDir> {
    std::fs::create_dir_all(scratch)?;
    let scratch = scratch.canonicalize()?;
    let parent = match user {
        // A scratch directory below /root, say, is out of reach for `nobody`.
        Some(_) if !reachable_by_all(&scratch) => std::env::temp_dir(),
        _ => scratch,
    };
    let profile = tempfile::Builder::new()
        .prefix("varve-chromium-")
        .tempdir_in(parent)?;
    std::fs::set_permissions(profile.path(), PermissionsExt::from_mode(0o700))?;
    if let Some(user) = user {
        chown(profile.path(), Some(user.uid), Some(user.gid))?;
    }
    Ok(profile)
}

fn reachable_by_all(path: &Path) -> bool {
    let directories: Vec<PathBuf> = path.ancestors().map(Path::to_owned).collect();
    let passable = |d: &PathBuf| std::fs::metadata(d).is_ok_and(|d| d.mode() & 0o001 != 0);
    directories.iter().all(passable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_database_knows_nobody() {
        let check = |passwd: &str, uid, gid| assert_eq!(nobody(passwd), User { uid, gid });
        check(
            "root:x:0:0::/root:/bin/sh\nnobody:x:99:98:nobody:/:/bin/false\n",
            99,
            98,
        );
        check("", NOBODY, NOBODY);
        check("nobody:x:zero:\n", NOBODY, NOBODY);
        check("nobody:x:0:0::/:\n", NOBODY, NOBODY);
    }
}
