//! Bodies without end, and bodies that are a thousand times as long as they look.

use crate::serving::{HEAD, asked, drip, send};
use crate::table::Behaviour;
use crate::table::Serve::Http;
use flate2::{Compress, Compression, FlushCompress};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new(
        "endless-chunks",
        "sends chunks without end",
        Http(endless_chunks),
    )
    .http(&["truncated.length"])
    .browser(&[
        "truncated.length",
        "timeout.page",
        "browser.hang",
        "browser.oom",
    ])
    .keeps("endless chunks ")
    .cut(&["length", "time"])
    .always(),
    Behaviour::new(
        "endless",
        "sends a body without end or length",
        Http(endless),
    )
    .http(&["truncated.length"])
    .browser(&[
        "truncated.length",
        "timeout.page",
        "browser.hang",
        "browser.oom",
    ])
    .keeps("endless body ")
    .cut(&["length", "time"]),
    Behaviour::new(
        "endless-parts",
        "replaces its picture without end (`multipart/x-mixed-replace`)",
        Http(endless_parts),
    )
    .http(&["truncated.time"])
    .browser(&["timeout.page", "ok.partial", "truncated.time", "ok"])
    .keeps("endless parts")
    .cut(&["time"]),
    Behaviour::new(
        "download",
        "sends a file of 10 GB to download",
        Http(download),
    )
    .both(&["truncated.length"])
    .keeps("download of 10 GB ")
    .cut(&["length"])
    .always(),
    Behaviour::new(
        "gzip-bomb",
        "sends 4 MB that are 4 GB when decoded, as gzip",
        Http(gzip_bomb),
    )
    .http(&["decode.limit"])
    .browser(BOMB)
    .keeps("X-Coded: gzip")
    .cut(&["", "time"])
    .always(),
    Behaviour::new(
        "brotli-bomb",
        "the same as brotli: 128 MB in 24 kB",
        Http(brotli_bomb),
    )
    .http(&["decode.limit"])
    .browser(BOMB)
    .keeps("X-Coded: br")
    .cut(&["", "time"]),
    Behaviour::new(
        "zstd-bomb",
        "the same as zstd: 4 GB in 137 kB",
        Http(zstd_bomb),
    )
    .http(&["decode.limit"])
    .browser(BOMB)
    .keeps("X-Coded: zstd")
    .cut(&["", "time"]),
    Behaviour::new(
        "not-gzip",
        "says that its body is gzip, which it is not",
        Http(not_gzip),
    )
    .browser(&["ok", "navigation.content-decoding-failed"])
    .keeps("not gzip"),
];

/// Chromium decodes it all. How far it comes before its time or memory is over depends.
const BOMB: &[&str] = &[
    "timeout.page",
    "browser.oom",
    "browser.hang",
    "browser.crash",
    "ok.partial",
    "navigation.content-decoding-failed",
];

/// What a bomb is when decoded.
const BOMB_BYTES: usize = 4 << 30;
const PIECE: usize = 8 << 20;

fn endless_chunks(mut stream: TcpStream) {
    asked(&mut stream);
    send(
        &mut stream,
        format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"),
    );
    let chunk = format!("f000\r\n{}\r\n", "endless chunks ".repeat(4096));
    while send(&mut stream, &chunk) {}
}

fn endless(mut stream: TcpStream) {
    asked(&mut stream);
    send(&mut stream, format!("{HEAD}\r\n"));
    let piece = "endless body ".repeat(4096) + "<p>";
    while send(&mut stream, &piece) {}
}

fn endless_parts(mut stream: TcpStream) {
    asked(&mut stream);
    send(
        &mut stream,
        "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n--b\r\n",
    );
    let part = "Content-Type: text/html\r\n\r\n<p>endless parts\r\n--b\r\n";
    drip(&mut stream, part, Duration::from_millis(50));
}

fn download(mut stream: TcpStream) {
    asked(&mut stream);
    let length: u64 = 10 << 30;
    send(
        &mut stream,
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\
         Content-Disposition: attachment; filename=film.mkv\r\nContent-Length: {length}\r\n\r\n"
        ),
    );
    let piece = "download of 10 GB ".repeat(4096);
    while send(&mut stream, &piece) {}
}

fn coded(mut stream: TcpStream, coding: &str, body: &[u8]) {
    asked(&mut stream);
    let length = body.len();
    send(
        &mut stream,
        format!(
            "{HEAD}Content-Encoding: {coding}\r\nX-Coded: {coding}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        ),
    );
    send(&mut stream, body);
}

/// Deflated zeros can be repeated where the compressor was flushed.
fn gzip_bomb(stream: TcpStream) {
    let mut compress = Compress::new(Compression::best(), false);
    let mut piece = Vec::with_capacity(PIECE / 100);
    compress
        .compress_vec(&vec![b' '; PIECE], &mut piece, FlushCompress::Full)
        .unwrap();
    let mut bomb = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for _ in 0..BOMB_BYTES / PIECE {
        bomb.extend_from_slice(&piece);
    }
    coded(stream, "gzip", &bomb);
}

fn brotli_bomb(stream: TcpStream) {
    let mut bomb = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut bomb, 1 << 16, 1, 24);
    for _ in 0..BOMB_BYTES / PIECE / 32 {
        writer.write_all(&vec![b' '; PIECE]).unwrap();
    }
    drop(writer);
    coded(stream, "br", &bomb);
}

/// Frames of zstd can be repeated.
fn zstd_bomb(stream: TcpStream) {
    let frame = zstd::encode_all(&vec![b' '; PIECE][..], 3).unwrap();
    coded(stream, "zstd", &frame.repeat(BOMB_BYTES / PIECE));
}

fn not_gzip(stream: TcpStream) {
    coded(stream, "gzip", b"<p>not gzip");
}
