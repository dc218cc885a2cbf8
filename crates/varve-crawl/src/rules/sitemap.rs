//! Sitemaps: which to ask for, and when to stop asking.
//!
//! What a sitemap says is read by `varve_page`. Here is the bookkeeping of one host: sitemaps name
//! sitemaps, some without end, so that nesting, files and URLs are counted, and a site whose files
//! bring nothing new is believed to have said everything. `lastmod` is ignored.

use super::robots::Robots;
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;
use url::Url;
use varve_model::HttpHead;
use varve_store::http::{BodyReader, DecodeLimits};

/// How deep indexes of sitemaps may nest: an index, its index, and sitemaps.
const MAX_NESTING: u8 = 3;

/// URLs that count of one file: the protocol's own limit.
const MAX_URLS_PER_FILE: usize = 50_000;

/// URLs that count of one host.
const MAX_URLS: usize = 1_000_000;

/// Files that are asked for on one host.
const MAX_FILES: usize = 1_000;

/// Files in a row that may bring nothing new.
const MAX_BARREN: usize = 50;

/// The longest sitemap, unpacked: the protocol's own limit.
const MAX_UNPACKED: u64 = 50 << 20;

/// A sitemap to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapFile {
    /// Where it is.
    pub url: Url,
    /// How many indexes lead to it.
    pub nesting: u8,
}

/// The sitemaps of one host.
#[derive(Debug, Default)]
pub struct Sitemaps {
    asked: HashSet<Url>,
    urls: usize,
    barren: usize,
}

impl Sitemaps {
    /// The files to begin with: those that robots.txt names, else the usual place.
    pub fn begin(&mut self, origin: &Url, robots: &Robots) -> Vec<SitemapFile> {
        let named = robots.sitemaps().to_vec();
        let usual = || origin.join("/sitemap.xml").into_iter().collect();
        let first: Vec<Url> = match named.is_empty() {
            true => usual(),
            false => named,
        };
        first
            .into_iter()
            .filter_map(|url| self.ask(url, 0))
            .collect()
    }

    /// A file that a sitemap names, if it should be asked for.
    pub fn nested(&mut self, within: &SitemapFile, url: &Url) -> Option<SitemapFile> {
        self.ask(url.clone(), within.nesting.checked_add(1)?)
    }

    /// How many of a file's URLs count.
    pub fn allowance(&self) -> usize {
        MAX_URLS.saturating_sub(self.urls).min(MAX_URLS_PER_FILE)
    }

    /// A file was read: how many of its URLs counted, and how many of these were new to the crawl.
    pub fn read(&mut self, counted: usize, new: usize) {
        self.urls = self.urls.saturating_add(counted);
        self.barren = match new {
            0 => self.barren + 1,
            _ => 0,
        };
    }

    /// Whether nothing more should be asked for, also of what was promised before.
    pub fn is_over(&self) -> bool {
        self.barren >= MAX_BARREN || self.urls >= MAX_URLS
    }

    fn ask(&mut self, url: Url, nesting: u8) -> Option<SitemapFile> {
        let wanted = nesting <= MAX_NESTING && self.asked.len() < MAX_FILES && !self.is_over();
        (wanted && self.asked.insert(url.clone())).then_some(SitemapFile { url, nesting })
    }
}

/// Whether a URL in a sitemap index is a sitemap, as its name says. (What it is, only its content
/// tells: a page that turns out to be a sitemap is one too.)
pub fn is_named_like_a_sitemap(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let plain = path.strip_suffix(".gz").unwrap_or(&path);
    let name = plain.rsplit('/').next().unwrap_or(plain);
    plain.ends_with(".xml") || (name.contains("sitemap") && plain.ends_with(".txt"))
}

/// A sitemap as it is to be read: files that are packed (`.xml.gz`) are unpacked, as far as they are
/// sound and not too long.
pub fn unpack(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Cow::Borrowed(bytes);
    }
    let head = HttpHead::from_parts("HTTP/1.1 200 OK", &[("Content-Encoding", "gzip")]);
    let limits = DecodeLimits {
        bytes: MAX_UNPACKED,
        ..DecodeLimits::default()
    };
    let mut unpacked = Vec::new();
    // What came before a fault or the limit is still a sitemap.
    let _ = BodyReader::new(&head, bytes, limits).read_to_end(&mut unpacked);
    Cow::Owned(unpacked)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("http://a.com").unwrap().join(path).unwrap()
    }

    fn begin(sitemaps: &mut Sitemaps, robots: &str) -> Vec<SitemapFile> {
        sitemaps.begin(&url("/x/y"), &Robots::parse(robots.as_bytes()))
    }

    #[test]
    fn robots_lines_come_before_the_usual_place() {
        let usual = begin(&mut Sitemaps::default(), "");
        assert_eq!(usual[0].url, url("/sitemap.xml"));
        let named = begin(
            &mut Sitemaps::default(),
            "Sitemap: http://a.com/1\nSitemap: http://b.com/2",
        );
        assert_eq!(named.len(), 2);
        assert_eq!(named[1].url.as_str(), "http://b.com/2");
    }

    #[test]
    fn nesting_ends() {
        let mut sitemaps = Sitemaps::default();
        let mut file = begin(&mut sitemaps, "").remove(0);
        for n in 1.. {
            match sitemaps.nested(&file, &url(&format!("/{n}.xml"))) {
                Some(next) => file = next,
                None => break,
            }
        }
        assert_eq!(file.url, url("/3.xml"));
    }

    #[test]
    fn a_file_is_asked_for_once_and_files_have_a_limit() {
        let mut sitemaps = Sitemaps::default();
        let index = begin(&mut sitemaps, "").remove(0);
        assert_eq!(sitemaps.nested(&index, &url("/sitemap.xml")), None);
        let asked = (0..5_000)
            .filter_map(|n| sitemaps.nested(&index, &url(&format!("/{n}.xml"))))
            .count();
        assert_eq!(asked, MAX_FILES - 1);
    }

    #[test]
    fn files_that_bring_nothing_end_the_search() {
        let mut sitemaps = Sitemaps::default();
        for _ in 1..MAX_BARREN {
            sitemaps.read(100, 0);
        }
        assert!(!sitemaps.is_over());
        sitemaps.read(100, 1);
        sitemaps.read(100, 0);
        assert!(!sitemaps.is_over());
        (0..MAX_BARREN).for_each(|_| sitemaps.read(1, 0));
        assert!(sitemaps.is_over());
        assert!(begin(&mut sitemaps, "").is_empty());
    }

    #[test]
    fn urls_have_a_limit() {
        let mut sitemaps = Sitemaps::default();
        let mut counted = 0;
        while sitemaps.allowance() > 0 {
            counted += sitemaps.allowance();
            sitemaps.read(sitemaps.allowance(), 1);
        }
        assert_eq!(counted, MAX_URLS);
        assert!(sitemaps.is_over());
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn packed_files_are_unpacked() {
        let text = b"<urlset></urlset>".repeat(100);
        assert_eq!(*unpack(&text), text);
        let packed_text = packed(&text);
        assert_eq!(*unpack(&packed_text), text);
        assert_eq!(*unpack(&packed(&packed_text)), packed_text, "once only");
        assert!(text.starts_with(&unpack(&packed_text[..packed_text.len() - 9])));
        assert!(unpack(&[0x1f, 0x8b]).is_empty());
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let bomb = packed(&vec![b' '; MAX_UNPACKED as usize + (1 << 20)]);
        assert!(unpack(&bomb).len() as u64 <= MAX_UNPACKED);
    }

    #[test]
    fn names_of_sitemaps() {
        for (path, expected) in [
            ("/sitemap.xml", true),
            ("/a/Sitemap-2.XML.gz", true),
            ("/sitemap.txt", true),
            ("/news.xml?page=2", true),
            ("/article.html", false),
            ("/notes.txt", false),
            ("/", false),
        ] {
            assert_eq!(is_named_like_a_sitemap(&url(path)), expected, "{path}");
        }
    }
}
