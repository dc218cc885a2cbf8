//! Where Chromium is.

use std::path::{Path, PathBuf};

use crate::error::BrowserError;

/// The headless shell is a Chromium without a user interface: a third of the CPU and memory.
/// (Debian's commands in `/usr/bin` are wrappers that would stand between us and the process.)
const SHELLS: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium-browser/headless_shell",
    "/usr/lib64/chromium-browser/headless_shell",
];
const SHELL_COMMANDS: &[&str] = &[
    "chromium-headless-shell",
    "chrome-headless-shell",
    "headless_shell",
];
const BROWSERS: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
];
const BROWSER_COMMANDS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// A Chromium that can be started.
#[derive(Debug, PartialEq)]
pub(super) enum Executable {
    /// The headless shell.
    Shell(PathBuf),
    /// The whole browser, which must be told to be headless.
    Browser(PathBuf),
}

impl Executable {
    pub(super) fn path(&self) -> &Path {
        match self {
            Executable::Shell(path) | Executable::Browser(path) => path,
        }
    }
}

/// The one that was asked for, or the best there is.
pub(super) fn find(wanted: Option<&Path>) -> Result<Executable, BrowserError> {
    if let Some(path) = wanted {
        return match path.is_file() {
            true => Ok(by_name(path.to_owned())),
            false => Err(BrowserError::NoSuchBrowser(path.to_owned())),
        };
    }
    let shell = first_file(SHELLS)
        .or_else(|| in_path(SHELL_COMMANDS))
        .map(Executable::Shell);
    let browser = || {
        first_file(BROWSERS)
            .or_else(|| in_path(BROWSER_COMMANDS))
            .map(Executable::Browser)
    };
    shell.or_else(browser).ok_or(BrowserError::NoBrowser)
}

fn by_name(path: PathBuf) -> Executable {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.contains("headless") {
        true => Executable::Shell(path),
        false => Executable::Browser(path),
    }
}

fn first_file(paths: &[&str]) -> Option<PathBuf> {
    paths.iter().map(PathBuf::from).find(|path| path.is_file())
}

fn in_path(commands: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let directories: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let candidates = commands
        .iter()
        .flat_map(|name| directories.iter().map(move |d| d.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_was_asked_for_must_be_there() {
        let missing = find(Some(Path::new("/no/such/chromium"))).unwrap_err();
        assert!(
            missing.to_string().contains("/no/such/chromium"),
            "{missing}"
        );
    }

    #[test]
    fn the_name_tells_the_shell_from_the_browser() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, "").unwrap();
            path
        };
        let shell = file("chrome-headless-shell");
        let browser = file("chrome");
        assert_eq!(find(Some(&shell)).unwrap(), Executable::Shell(shell));
        assert_eq!(find(Some(&browser)).unwrap(), Executable::Browser(browser));
    }
}
