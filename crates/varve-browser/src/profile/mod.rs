//! A profile of the user's own: where a person logged in, for a crawl to be logged in too.
//!
//! It is a directory that `chromium --user-data-dir=DIR` made. Visits have contexts of their own,
//! which know nothing of it; so its cookies and local storage are read once, by a Chromium that
//! runs in a copy of it and reaches nobody (`ask.rs`), and given to every visit (`storage.rs`).
//! `place.rs` finds it and copies it. Nothing is ever written to the directory itself.

mod ask;
mod place;
mod storage;

pub use storage::LocalStorage;

use std::path::{Path, PathBuf};

use url::Url;

use crate::cdp::CdpError;
use crate::chromium::launch;
use crate::error::BrowserError;
use crate::options::{BrowserOptions, Cookie};
use crate::proxy::DeadEnd;

/// A profile that is there and that nobody uses at the moment.
#[derive(Clone, Debug)]
pub struct Profile {
    /// What the user named.
    given: PathBuf,
    /// Where cookies and local storage are: below it, or the same.
    dir: PathBuf,
}

/// What a profile holds, as far as visits get it.
#[derive(Clone, Debug)]
pub struct ProfileContents {
    /// Its cookies, those of sessions that ended with the browser excepted.
    pub cookies: Vec<Cookie>,
    /// The local storage of the sites that were asked about, and of those with cookies.
    pub storage: LocalStorage,
    /// What visits do not get, in words.
    pub left_out: Vec<String>,
}

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// It is none.
    #[error(
        "{} is no profile of Chromium: it has no cookies and no local storage. Make one with \
         chromium --user-data-dir=DIR --password-store=basic, log in there, and close it",
        .0.display()
    )]
    NotAProfile(PathBuf),
    /// A browser has it open.
    #[error(
        "the profile {} is in use by a running Chromium ({by}): close that first",
        dir.display()
    )]
    InUse {
        /// The profile.
        dir: PathBuf,
        /// Who has it open.
        by: String,
    },
    /// No port on loopback is to be had.
    #[error("cannot listen on loopback: {0}")]
    Port(std::io::Error),
    /// There is no Chromium to read it.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// Chromium does not tell what it holds.
    #[error("Chromium cannot read the profile {}: {why}", dir.display())]
    Unreadable {
        /// The profile.
        dir: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// It holds nothing that could be of use, or everything is locked with a key of the desktop's.
    #[error(
        "the profile {} holds no cookie and no local storage that can be read. Cookies of a \
         desktop's Chromium may be locked with a key of the desktop's: log in with \
         chromium --user-data-dir=DIR --password-store=basic, and choose to stay logged in",
        .0.display()
    )]
    Empty(PathBuf),
}

impl Profile {
    /// The directory that the user named.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// Reads what it holds, in a copy of it. Local storage is asked for by site: it is read for
    /// the sites of these URLs and for those that have cookies.
    pub async fn read(&self, urls: &[Url]) -> Result<ProfileContents, ProfileError> {
        let dead_end = DeadEnd::open().await.map_err(ProfileError::Port)?;
        let mut options = BrowserOptions::new(dead_end.address(), std::env::temp_dir());
        options.profile = Some(self.clone());
        let process = launch(&options).await?;
        let told = ask::ask(&process, urls).await;
        process.close().await;
        // Somebody may have opened it while it was copied.
        self.check_unused()?;
        let contents = told.map_err(|error: CdpError| ProfileError::Unreadable {
            dir: self.given.clone(),
            why: error.to_string(),
        })?;
        match contents.cookies.is_empty() && contents.storage.is_empty() {
            true => Err(ProfileError::Empty(self.given.clone())),
            false => Ok(contents),
        }
    }
}
