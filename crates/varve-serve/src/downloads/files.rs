//! What there is to be downloaded, and archive files as they are.

use super::download::{Download, type_of};
use super::names::encoded;
use super::{Read, collection};
use crate::respond::{Notice, Reply};
use crate::serving::Serving;
use axum::http::header;
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use varve_store::export::archive_files;

/// The collections that are served, with the URLs of what can be had of them.
pub(super) fn collections(serving: &Serving) -> Reply {
    let named = serving.archive.collections();
    let open = named.filter(|(_, opened)| opened.may_be_taken_whole());
    let told: Vec<Value> = open
        .map(|(name, opened)| {
            let name = &name.path;
            let layers = opened.collection().layers();
            json!({
                "name": name,
                "layers": layers.len(),
                "captures": layers.iter().map(|layer| layer.captures).sum::<u64>(),
                "bytes": layers.iter().map(|layer| layer.bytes).sum::<u64>(),
                "files": at(serving, name, "/files.json"),
                "wacz": at(serving, name, &format!("/{}.wacz", encoded(name))),
            })
        })
        .collect();
    tell(&json!({"collections": told}))
}

/// The archive files of a collection.
pub(super) fn files(serving: &Serving, name: &str) -> Read {
    let opened = match collection(serving, name) {
        Ok(opened) => opened,
        Err(notice) => return Ok(notice.page()),
    };
    let files = archive_files(opened.collection())?;
    let files: Vec<Value> = files
        .iter()
        .map(|file| {
            json!({
                "name": file.name,
                "bytes": file.bytes,
                "hash": file.hash.to_string(),
                "url": at(serving, name, &format!("/archive/{}", encoded(&file.name))),
            })
        })
        .collect();
    let wacz = at(serving, name, &format!("/{}.wacz", encoded(name)));
    Ok(tell(&json!({"name": name, "wacz": wacz, "files": files})))
}

/// One archive file.
pub(super) fn file(serving: &Serving, name: &str, file: &str, headers: &HeaderMap) -> Read {
    let opened = match collection(serving, name) {
        Ok(opened) => opened,
        Err(notice) => return Ok(notice.page()),
    };
    let files = archive_files(opened.collection())?;
    let Some(found) = files.into_iter().find(|known| known.name == file) else {
        return Ok(Notice::nothing().page());
    };
    let download = Download {
        file: found.open(),
        length: found.bytes,
        content_type: type_of(&found.name),
        tag: found.hash.to_string(),
        name: Some(found.name),
        modified: None,
    };
    Ok(download.reply(headers))
}

/// The URL of something of a collection.
fn at(serving: &Serving, name: &str, rest: &str) -> String {
    let origin = serving.names.origin();
    format!("{origin}/collections/{}{rest}", encoded(name))
}

fn tell(value: &Value) -> Reply {
    Reply::new(StatusCode::OK, format!("{value}\n"))
        .with(header::CONTENT_TYPE, "application/json")
        .with(header::CACHE_CONTROL, "no-store")
}
