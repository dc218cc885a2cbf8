//! The files of `examples/site/web`, built into the program: one directory per host.

use crate::hosts::OLD;
use crate::pages;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{LazyLock, OnceLock};

static WEB: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../examples/site/web");

static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let mut files = BTreeMap::new();
    collect(&WEB, &mut files);
    files
});

/// A file as it is served.
#[derive(Debug)]
pub(crate) struct File {
    /// Its `Content-Type`.
    pub(crate) kind: &'static str,
    pub(crate) bytes: Bytes,
    /// With its quotes.
    pub(crate) etag: String,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

/// What there is at a path.
pub(crate) enum Found {
    File(&'static File),
    /// A directory, asked for without its slash.
    Directory,
    Nothing,
}

/// Looks for a path on a host.
pub(crate) fn find(host: &str, path: &str) -> Found {
    let mut key = format!("{host}{path}");
    if path.ends_with('/') {
        key.push_str("index.html");
    }
    if let Some(file) = FILES.get(&key) {
        return Found::File(file);
    }
    if FILES.contains_key(&format!("{key}/index.html")) {
        return Found::Directory;
    }
    Found::Nothing
}

/// A file that lies beside the hosts, such as the layout.
pub(crate) fn source(path: &str) -> &'static str {
    WEB.get_file(path)
        .and_then(|file| file.contents_utf8())
        .unwrap_or_default()
}

impl File {
    fn new(path: &str, bytes: &'static [u8]) -> File {
        let rendered = std::str::from_utf8(bytes).ok().and_then(pages::render);
        let bytes = rendered.map_or(Bytes::from_static(bytes), Bytes::from);
        let hash: String = Sha1::digest(&bytes)[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        File {
            kind: kind(path),
            bytes,
            etag: format!("\"{hash}\""),
            gzip: OnceLock::new(),
            brotli: OnceLock::new(),
        }
    }

    /// Whether it gains by compression.
    pub(crate) fn is_text(&self) -> bool {
        self.kind.starts_with("text/")
            || ["javascript", "json", "xml", "vnd.microsoft.icon"]
                .iter()
                .any(|word| self.kind.contains(word))
    }

    /// Compressed by gzip.
    pub(crate) fn gzip(&self) -> Bytes {
        self.gzip.get_or_init(|| gzip(&self.bytes)).clone()
    }

    /// Compressed by Brotli.
    pub(crate) fn brotli(&self) -> Bytes {
        self.brotli.get_or_init(|| brotli(&self.bytes)).clone()
    }
}

/// Compresses by gzip. Writing to memory does not fail.
pub(crate) fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default().into()
}

/// Compresses by Brotli. Writing to memory does not fail.
pub(crate) fn brotli(bytes: &[u8]) -> Bytes {
    let mut compressed = Vec::new();
    let mut encoder = brotli::CompressorWriter::new(&mut compressed, 4096, 5, 20);
    let _ = encoder.write_all(bytes);
    drop(encoder);
    compressed.into()
}

fn collect(dir: &'static Dir, files: &mut BTreeMap<String, File>) {
    for file in dir.files() {
        let path = file.path().to_string_lossy().into_owned();
        files.insert(path.clone(), File::new(&path, file.contents()));
    }
    for dir in dir.dirs() {
        collect(dir, files);
    }
}

/// The `Content-Type` of a path. The old site's pages are in what its years wrote in.
fn kind(path: &str) -> &'static str {
    if let Some(path) = path.strip_prefix(OLD) {
        match path {
            "/1998/index.html" => return "text/html; charset=windows-1252",
            "/kyoto/index.html" => return "text/html; charset=Shift_JIS",
            // These say themselves what they are in.
            _ if path.ends_with(".html") => return "text/html",
            _ if path.ends_with(".css") => return "text/css",
            _ => {}
        }
    }
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "gif" => "image/gif",
        "ico" => "image/vnd.microsoft.icon",
        "woff2" => "font/woff2",
        "webm" => "video/webm",
        "ogg" => "audio/ogg",
        "vtt" => "text/vtt; charset=utf-8",
        "xml" => "application/xml",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "ics" => "text/calendar; charset=utf-8",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}
