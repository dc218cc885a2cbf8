//! Records made-up pages into a collection until it is stopped, and tells each one that is saved:
//! `cargo run --example record_many -- DIR PREFIX`. The crash tests kill it at random moments.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use varve_store::collection::{Collection, Exchange, Known, Message, RecordOptions};
use varve_store::fs::OsFileSystem;
use varve_store::world::{RealWorld, World};

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: record_many DIR PREFIX";
    let (dir, prefix) = (args.next().context(usage)?, args.next().context(usage)?);
    let world = Arc::new(RealWorld);
    let collection =
        Collection::open_or_create(Arc::new(OsFileSystem), Path::new(&dir), world.clone())?;
    let options = RecordOptions {
        rotate_at: 100_000,
        ..RecordOptions::default()
    };
    let mut recorder = collection.record(options)?;
    for number in 0_u64.. {
        for part in 0..number % 5 {
            let url = format!("http://{prefix}.example/{number}/{part}");
            recorder.append(&page(&url, world.as_ref()))?;
        }
        for capture in recorder.commit()? {
            let digest = capture.digest.as_deref().unwrap_or_default();
            writeln!(std::io::stdout(), "saved {} {digest}", capture.url)?;
        }
    }
    Ok(())
}

fn page(url: &str, world: &dyn World) -> Exchange {
    let noise: Vec<u8> = (0..200).flat_map(|_| world.random()).collect();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        noise.len()
    );
    Exchange {
        url: url.to_owned(),
        date: world.now(),
        peer: None,
        protocols: Vec::new(),
        request: None,
        response: Message::new(head, noise),
        known: Known::ByDigest,
        metadata: Vec::new(),
    }
}
