//! How fast scripts are rewritten: `rewrite_speed FILE...` prints MB/s over all files, each read
//! first and rewritten once, and the ones that were left as they are with the reason.

use std::time::{Duration, Instant};

use varve_js::{Form, rewrite};

fn main() -> std::io::Result<()> {
    let (mut bytes, mut changed, mut files) = (0, 0, 0);
    let mut time = Duration::ZERO;
    for path in std::env::args_os().skip(1) {
        let source = std::fs::read(&path)?;
        let source = String::from_utf8_lossy(&source);
        let start = Instant::now();
        let rewritten = rewrite(&source, Form::Unknown, &mut |_| None);
        time += start.elapsed();
        files += 1;
        bytes += source.len();
        changed += usize::from(rewritten.text != source);
        if let Some(note) = rewritten.note {
            println!("{}: {note:?}", path.display());
        }
    }
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{files} files, {changed} changed, {megabytes:.1} MB in {:.3} s: {:.0} MB/s",
        time.as_secs_f64(),
        megabytes / time.as_secs_f64()
    );
    Ok(())
}
