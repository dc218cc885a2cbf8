//! Files of the archive for other tools, whole or in part: records, archive files, and collections
//! as WACZ, on the origin of the archive's own pages.
//!
//! | path | what |
//! |---|---|
//! | `/record/TIMESTAMP/URL` | the WARC record of the capture nearest to a time |
//! | `/collections.json` | the collections that are served |
//! | `/collections/NAME/files.json` | the files of one |
//! | `/collections/NAME/NAME.wacz` | all of it as one WACZ |
//! | `/collections/NAME/archive/FILE` | one of its archive files |

mod download;
mod files;
mod names;
mod record;
mod wacz;

pub(crate) use download::Download;
pub(crate) use wacz::Downloads;

use crate::archive::Opened;
use crate::cors;
use crate::replay::in_turn;
use crate::respond::{Notice, Reply, without_directories};
use crate::serving::Serving;
use axum::http::{HeaderMap, StatusCode};
use std::sync::Arc;
use varve_store::StoreError;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The record of a time and URL, as they are written.
    Record(String),
    Collections,
    /// What the collection of this name has.
    Files(String),
    Wacz(String),
    /// A file of the collection of this name.
    File(String, String),
    /// Nothing that there is.
    Nothing,
}

/// What a request asks for, if it is a download.
pub(crate) fn wanted(target: &str) -> Option<Wanted> {
    if let Some(written) = target.strip_prefix("/record/") {
        return Some(Wanted::Record(written.to_owned()));
    }
    let path = target.split('?').next().unwrap_or("");
    if path == "/collections.json" {
        return Some(Wanted::Collections);
    }
    let rest = path.strip_prefix("/collections/")?;
    let parts: Vec<String> = rest.split('/').map(names::decoded).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match parts.as_slice() {
        [name, "files.json"] => Some(Wanted::Files((*name).to_owned())),
        [name, "archive", file] => Some(Wanted::File((*name).to_owned(), (*file).to_owned())),
        [_, "archive", ..] => Some(Wanted::Nothing),
        [name, file] if file.ends_with(".wacz") => match file.strip_suffix(".wacz") == Some(name) {
            true => Some(Wanted::Wacz((*name).to_owned())),
            false => Some(Wanted::Nothing),
        },
        // The pages of ours about collections.
        _ => None,
    }
}

/// Answers a request for a download.
pub(crate) async fn answer(serving: &Arc<Serving>, wanted: Wanted, headers: HeaderMap) -> Reply {
    let mut reply = match wanted {
        Wanted::Wacz(name) => wacz::wacz(serving, &name, &headers).await,
        wanted => {
            let shared = serving.clone();
            in_turn(serving, move || read(&shared, &wanted, &headers)).await
        }
    };
    cors::open_to_all(&mut reply.headers);
    reply
}

/// Answers what needs nothing but a look at the disk.
fn read(serving: &Serving, wanted: &Wanted, headers: &HeaderMap) -> Reply {
    let replied = match wanted {
        Wanted::Record(written) => record::record(serving, written, headers),
        Wanted::Collections => Ok(files::collections(serving)),
        Wanted::Files(name) => files::files(serving, name),
        Wanted::File(name, file) => files::file(serving, name, file, headers),
        Wanted::Wacz(_) | Wanted::Nothing => Ok(Notice::nothing().page()),
    };
    replied.unwrap_or_else(|error| unreadable(&without_directories(&error)))
}

/// The collection of this name, for those who may take its files.
fn collection(serving: &Serving, name: &str) -> Result<Arc<Opened>, Notice> {
    let (_, opened) = serving.archive.named(name).ok_or_else(Notice::nothing)?;
    match opened.may_be_taken_whole() {
        true => Ok(opened),
        false => Err(Notice::refused(
            "Not all of this archive may be shown, so its files are not given out.",
        )),
    }
}

fn unreadable(why: &str) -> Reply {
    let title = "This cannot be downloaded";
    Notice::new(StatusCode::BAD_GATEWAY, title, why).page()
}

type Read = Result<Reply, StoreError>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        let name = || "a b".to_owned();
        for (target, expected) in [
            (
                "/record/2020/http://h/?a",
                Some(Wanted::Record("2020/http://h/?a".into())),
            ),
            ("/collections.json?x", Some(Wanted::Collections)),
            ("/collections/a%20b", None),
            ("/collections/a%20b/files.json", Some(Wanted::Files(name()))),
            ("/collections/a%20b/a%20b.wacz", Some(Wanted::Wacz(name()))),
            ("/collections/a%20b/b.wacz", Some(Wanted::Nothing)),
            (
                "/collections/a%20b/archive/x%2Fy?z",
                Some(Wanted::File(name(), "x/y".into())),
            ),
            ("/collections/a/archive/x/y", Some(Wanted::Nothing)),
            ("/collectionsx", None),
            ("/records", None),
            ("/", None),
        ] {
            assert_eq!(wanted(target), expected, "{target}");
        }
    }
}
