//! How fast pages are understood: `throughput DIR [PAGES]` analyses the HTML files below a
//! directory, several times over, and prints what one page costs.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs, io};

use url::Url;
use varve_page::{Document, Viewport, analyse};

const ROUNDS: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let directory = arguments.next().ok_or("usage: throughput DIR [PAGES]")?;
    let most: usize = arguments.next().map_or(Ok(1000), |pages| pages.parse())?;
    let mut files = Vec::new();
    collect(Path::new(&directory), most, &mut files)?;
    let pages: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<io::Result<_>>()?;
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let url = Url::parse("https://example.com/a/b/c.html")?;
    let viewport = Viewport::default();
    let mut references = 0;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        references = 0;
        for page in &pages {
            let document = Document {
                content_type: Some("text/html; charset=utf-8"),
                ..Document::new(&url, page)
            };
            references += analyse(&document, &viewport).references.len();
        }
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(ROUNDS);
    let count = pages.len().max(1) as f64;
    println!(
        "{} pages, {:.1} KB and {:.0} references each",
        pages.len(),
        bytes as f64 / count / 1e3,
        references as f64 / count
    );
    println!(
        "{:.3} ms per page, {:.0} MB/s",
        seconds * 1e3 / count,
        bytes as f64 / seconds / 1e6
    );
    Ok(())
}

/// HTML files in the order of their names, depth first.
fn collect(directory: &Path, most: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|e| e.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if files.len() >= most {
            break;
        }
        if path.is_dir() {
            collect(&path, most, files)?;
        } else if path.extension().is_some_and(|e| e == "html" || e == "htm") {
            files.push(path);
        }
    }
    Ok(())
}
