//! What can go wrong.

use std::io;
use std::path::Path;

/// What comes of working with maps.
pub type Result<T> = std::result::Result<T, MapError>;

/// Why a map could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// A file cannot be read or written.
    #[error("{name}: {error}")]
    Io {
        /// The file, or what stands for it.
        name: String,
        /// What the system says. Not called `source`: it would be told twice.
        error: io::Error,
    },
    /// A line is not what it should be.
    #[error("{name}, line {line}: {reason}")]
    Line {
        /// The file.
        name: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A key comes after a greater one.
    #[error(
        "{name}, line {line}: not in the order of `LC_ALL=C sort`: \"{key}\" comes after a greater key; --sort mends that"
    )]
    Unsorted {
        /// The file.
        name: String,
        /// The line, from 1.
        line: u64,
        /// The key that comes too late.
        key: String,
    },
    /// What was asked for makes no sense.
    #[error("{0}")]
    Request(String),
}

impl MapError {
    /// An error of the system about a file.
    pub fn io(path: &Path, error: io::Error) -> MapError {
        MapError::named(&path.display().to_string(), error)
    }

    pub(crate) fn named(name: &str, error: io::Error) -> MapError {
        MapError::Io {
            name: name.to_owned(),
            error,
        }
    }

    /// What kind of error of the system this is, if it is one.
    pub fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            MapError::Io { error, .. } => Some(error.kind()),
            _ => None,
        }
    }

    /// An error about scratch files, whose names tell nobody anything.
    pub(crate) fn scratch(source: io::Error) -> MapError {
        MapError::named("a scratch file", source)
    }
}
