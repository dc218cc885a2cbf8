//! How a visit ended.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

/// How a visit ended. [`Outcome::reason`] is stable: it stands in crawl logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The page loaded and became quiet.
    Ok,
    /// The page loaded and never became quiet; what is there is what it had by then.
    NeverQuiet,
    /// The page was not done at the deadline; what is there is what it had by then.
    Timeout,
    /// The page kept navigating, and was stopped.
    NavigationLoop,
    /// The page kept opening dialogs, and was stopped.
    Dialogs,
    /// It was no page but a file to download.
    Download,
    /// The page did not respond at the deadline: its scripts were ended, or all of it.
    Hang,
    /// The page crashed, or all of Chromium did (twice).
    Crash,
    /// The page used more memory than allowed.
    OutOfMemory,
    /// There was no page: Chromium's name for why, such as `ERR_CONNECTION_REFUSED`.
    Navigation(String),
    /// Chromium could not be started.
    NoBrowser(String),
}

impl Outcome {
    /// A stable word for logs.
    pub fn reason(&self) -> Cow<'static, str> {
        let word = match self {
            Outcome::Ok => "ok",
            Outcome::NeverQuiet => "ok.partial",
            Outcome::Timeout => "timeout.page",
            Outcome::NavigationLoop => "redirect.loop",
            Outcome::Dialogs => "browser.dialog",
            Outcome::Download => "browser.download",
            Outcome::Hang => "browser.hang",
            Outcome::Crash => "browser.crash",
            Outcome::OutOfMemory => "browser.oom",
            Outcome::NoBrowser(_) => "browser.launch",
            Outcome::Navigation(error) => return Cow::Owned(navigation_reason(error)),
        };
        Cow::Borrowed(word)
    }

    /// Whether the page is there as far as anyone can tell.
    pub fn is_ok(&self) -> bool {
        matches!(self, Outcome::Ok | Outcome::NeverQuiet)
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.reason())
    }
}

fn navigation_reason(error: &str) -> String {
    let name = error.trim_start_matches("net::").trim_start_matches("ERR_");
    let word: String = name.chars().take(64).map(letter).collect();
    format!("navigation.{word}")
}

fn letter(c: char) -> char {
    match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9') => c,
        _ => '-',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn net_errors_become_words() {
        let check = |error: &str, reason: &str| {
            assert_eq!(Outcome::Navigation(error.to_owned()).reason(), reason);
        };
        check(
            "net::ERR_CONNECTION_REFUSED",
            "navigation.connection-refused",
        );
        check("net::ERR_ABORTED", "navigation.aborted");
        check("some \"thing\"\n", "navigation.some--thing--");
    }
}
