//! Why there is no browser.

use std::path::PathBuf;

/// Why there is no browser. What happens to a page is not an error but its
/// [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// None is installed.
    #[error(
        "no Chromium found; install the package chromium-headless-shell (Debian, Ubuntu), or chromium"
    )]
    NoBrowser,
    /// The one that was asked for is not there.
    #[error("there is no browser at {0}")]
    NoSuchBrowser(PathBuf),
    /// Its directory could not be made.
    #[error("cannot make a directory for Chromium in {path}: {cause}")]
    Scratch {
        /// Where.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The user's own profile could not be copied.
    #[error("cannot copy the profile {}: {cause}", path.display())]
    Profile {
        /// The profile.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The process could not be started.
    #[error("cannot start {path}: {cause}")]
    Spawn {
        /// The program.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// It started and could not make its sandbox.
    #[error(
        "Chromium cannot start its sandbox. Allow unprivileged user namespaces \
         (sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0), \
         or set VARVE_BROWSER_SANDBOX=off to run pages without it, which is dangerous. \
         Chromium said: {0}"
    )]
    Sandbox(String),
    /// It started and did not answer.
    #[error("{path} started but does not answer: {said}")]
    NoAnswer {
        /// The program.
        path: PathBuf,
        /// The end of what it wrote to its standard error.
        said: String,
    },
    /// It started and died, several times.
    #[error("{path} died as soon as it was started: {said}")]
    Died {
        /// The program.
        path: PathBuf,
        /// The end of what it wrote to its standard error.
        said: String,
    },
    /// It was stopped.
    #[error("the browser was stopped")]
    Stopped,
}
