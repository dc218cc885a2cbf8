//! How fast pages are understood and rewritten: `throughput DIR [FILES]` takes the HTML files and
//! the style sheets below a directory, several times over, and prints what one of them costs, in
//! CPU time.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;
use std::{env, fs, io};

use url::Url;
use varve_page::{
    Destination, Document, Reach, Rewriting, Targets, UrlMap, Use, Viewport, analyse, reach,
    rewrite,
};

const ROUNDS: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let directory = arguments.next().ok_or("usage: throughput DIR [FILES]")?;
    let most: usize = arguments.next().map_or(Ok(1000), |files| files.parse())?;
    for (extensions, content_type, destination) in [
        (
            &["html", "htm"][..],
            "text/html; charset=utf-8",
            Destination::Document,
        ),
        (&["css"][..], "text/css", Destination::Style),
    ] {
        let mut files = Vec::new();
        collect(Path::new(&directory), extensions, most, &mut files)?;
        let bodies: Vec<Vec<u8>> = files.iter().map(fs::read).collect::<io::Result<_>>()?;
        let bytes: usize = bodies.iter().map(Vec::len).sum();
        println!(
            "{} files of {content_type}, {:.1} KB each",
            bodies.len(),
            bytes as f64 / bodies.len().max(1) as f64 / 1e3
        );
        let url = Url::parse("https://example.com/a/b/c.html")?;
        let documents: Vec<Document<'_>> = bodies
            .iter()
            .map(|body| Document {
                content_type: Some(content_type),
                destination,
                ..Document::new(&url, body)
            })
            .collect();
        measure(&documents);
    }
    Ok(())
}

fn measure(documents: &[Document<'_>]) {
    let viewport = Viewport::default();
    report("analysed", documents, |document| {
        analyse(document, &viewport).references.len()
    });
    for (words, map) in [
        ("rewritten, an origin for each", &Hosts as &dyn UrlMap),
        ("rewritten, all below one path", &Paths),
    ] {
        let how = Rewriting {
            insert: "<script src=\"/shim.js\"></script>",
            client: Some(&viewport),
            targets: Targets::TOPMOST,
            ..Rewriting::new(map)
        };
        report(words, documents, |document| {
            rewrite(document, &how).counts.urls
        });
    }
}

fn report(words: &str, documents: &[Document<'_>], work: impl Fn(&Document<'_>) -> usize) {
    let mut urls = 0;
    let start = cpu_seconds();
    for _ in 0..ROUNDS {
        urls = documents.iter().map(&work).sum();
    }
    let seconds = (cpu_seconds() - start) / f64::from(ROUNDS);
    let bytes: usize = documents.iter().map(|document| document.bytes.len()).sum();
    let count = documents.len().max(1) as f64;
    println!(
        "  {words}: {:.0} URLs, {:.3} ms each, {:.0} MB/s",
        urls as f64 / count,
        seconds * 1e3 / count,
        bytes as f64 / seconds / 1e6
    );
}

/// The time that this thread has had, where the system tells; the time that has passed elsewhere.
fn cpu_seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.elapsed().as_secs_f64(), |time| time / 1e9)
}

/// Each archived origin has a host of its own; relative URLs work as they are.
struct Hosts;

impl UrlMap for Hosts {
    fn concerns(&self, written: &str) -> bool {
        matches!(reach(written), Reach::Host | Reach::Scheme)
    }

    fn map(&self, _: &str, url: &Url, _: Use) -> Option<String> {
        let (host, scheme) = (url.host_str()?, url.scheme());
        let rest = &url[url::Position::BeforePath..];
        Some(format!(
            "http://{host}.{scheme}.20260101000000.replay.localhost:8080{rest}"
        ))
    }
}

/// Archived URLs are below one path; URLs from the root on are changed.
struct Paths;

impl UrlMap for Paths {
    fn concerns(&self, written: &str) -> bool {
        reach(written) != Reach::Path
    }

    fn map(&self, _: &str, url: &Url, _: Use) -> Option<String> {
        Some(format!("/web/20260101000000mp_/{url}"))
    }
}

/// Files in the order of their names, depth first.
fn collect(
    directory: &Path,
    extensions: &[&str],
    most: usize,
    files: &mut Vec<PathBuf>,
) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|e| e.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if files.len() >= most {
            break;
        }
        let extension = path.extension().and_then(|e| e.to_str());
        if path.is_dir() {
            collect(&path, extensions, most, files)?;
        } else if extension.is_some_and(|e| extensions.contains(&e)) {
            files.push(path);
        }
    }
    Ok(())
}
