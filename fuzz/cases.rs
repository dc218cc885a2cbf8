//! What each fuzz target does with arbitrary bytes: read them and be done. Used by the fuzzers
//! and, over the committed corpora, by the ordinary tests.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use url::Url;
use varve_js::{Form, Goal};
use varve_mementomap::{Counter, Input, KeyFilter, Map, Records, RollUp, compact};
use varve_model::{Capture, HttpHead, Surt, UrlMatch, key_range};
use varve_page::{
    Destination, Document, Kind, Rewriting, Targets, UrlMap, Use, Viewport, analyse, link_header,
    parse_srcset, refresh_header, rename_jsonp, rewrite, rewrite_link_header, rewrite_location,
    rewrite_refresh,
};
use varve_store::collection::StoredRecord;
use varve_store::fs::sim::SimDisk;
use varve_store::fs::{FileSystem, Fs};
use varve_store::http::{BodyReader, DecodeLimits};
use varve_store::index::ZipNum;
use varve_store::wacz::WaczReader;
use varve_store::warc::{Scanner, Step, Verify, Wanted};

fn disk(files: &[(&str, &[u8])]) -> Option<SimDisk> {
    let disk = SimDisk::new();
    for (name, bytes) in files {
        disk.create(Path::new(name)).ok()?.append(bytes).ok()?;
    }
    Some(disk)
}

/// Walks the bytes as an archive file, to the end whatever stands in it.
pub(crate) fn warc(bytes: &[u8]) {
    let Some(disk) = disk(&[("file", bytes)]) else {
        return;
    };
    let Ok(file) = disk.open(Path::new("file")) else {
        return;
    };
    let Ok(mut scanner) = Scanner::new(file, Verify::Digests) else {
        return;
    };
    let mut covered = 0;
    while let Ok(Some(step)) = scanner.next_step() {
        let (from, until) = match step {
            Step::Record(record) => {
                let _ = record.capture("file").map(|capture| capture.to_line());
                (record.place.offset, record.next)
            }
            Step::Damage { from, until, .. } => (from, until),
        };
        assert!(until >= covered && from <= until, "a walk goes forward");
        covered = until;
    }
    // The first record by itself, as replay reads it.
    for wanted in [Wanted::Whole(bytes.len() as u64), Wanted::Start] {
        if let Ok(mut record) = StoredRecord::open(&disk, Path::new("file"), 0, wanted) {
            let _ = std::io::copy(&mut record, &mut std::io::sink());
            let _ = record.finish();
        }
    }
}

/// The same behind a gzip header, so that the fuzzer need not find one; then as an HTTP body.
pub(crate) fn gzip(bytes: &[u8]) {
    let header = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    warc(&[&header[..], bytes].concat());
    let fields = [
        ("Transfer-Encoding", "chunked"),
        ("Content-Encoding", "gzip"),
    ];
    let limits = DecodeLimits {
        bytes: 1 << 20,
        ..DecodeLimits::default()
    };
    for fields in [&fields[..], &fields[..1], &fields[1..]] {
        let head = HttpHead::from_parts("HTTP/1.1 200 OK", fields);
        let _ = std::io::copy(
            &mut BodyReader::new(&head, bytes, limits),
            &mut std::io::sink(),
        );
    }
}

/// An index line that parses says the same when it is written and parsed again.
pub(crate) fn cdxj(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Ok(capture) = Capture::parse(line) {
        let written = capture.to_line();
        assert!(!written.contains('\n'));
        assert_eq!(Capture::parse(&written).ok().as_ref(), Some(&capture));
    }
}

/// The first part is the secondary index, the rest the compressed blocks.
pub(crate) fn zipnum(bytes: &[u8]) {
    let at = bytes
        .iter()
        .position(|byte| *byte == 0xff)
        .unwrap_or(bytes.len());
    let (idx, data) = bytes.split_at(at);
    let data = data.get(1..).unwrap_or_default();
    let Some(disk) = disk(&[("index.idx", idx), ("index.cdx.gz", data)]) else {
        return;
    };
    let fs: Fs = Arc::new(disk);
    let Ok(index) = ZipNum::open(&fs, Path::new("index.idx")) else {
        return;
    };
    let _ = index.verify(&mut |_| ());
    for key in ["", "com,example)/", "\u{10ffff}"] {
        let Ok(mut cursor) = index.seek(key.as_bytes()) else {
            continue;
        };
        for _ in 0..1_000 {
            if !matches!(cursor.next_line(), Ok(Some(_))) {
                break;
            }
        }
    }
}

/// Opens the bytes as a WACZ and reads all that an import would.
pub(crate) fn wacz(bytes: &[u8]) {
    let Some(disk) = disk(&[("x.wacz", bytes)]) else {
        return;
    };
    let Ok(file) = disk.open(Path::new("x.wacz")) else {
        return;
    };
    let path = Path::new("x.wacz");
    let Ok(mut wacz) = WaczReader::open(path, file) else {
        return;
    };
    let fs: Fs = Arc::new(disk.clone());
    for (number, name) in wacz.archives().into_iter().take(4).enumerate() {
        let scratch = std::path::PathBuf::from(format!("scratch{number}"));
        let _ = disk.create_dir_all(&scratch);
        let _ = wacz.open_member(&fs, &scratch, &name);
    }
    let _ = wacz.check_hashes(path);
    let _ = wacz.pages(|_| Ok(()));
}

/// A key is one word, and canonicalising it as a key of its own changes nothing that matters.
pub(crate) fn surt(bytes: &[u8]) {
    let key = Surt::from_url_bytes(bytes);
    assert!(!key.as_str().contains([' ', '\n', '\0']));
    if let Ok(url) = std::str::from_utf8(bytes) {
        assert_eq!(Surt::from_url(url), key);
        let (url, how) = UrlMatch::infer(url);
        let range = key_range(&url, how);
        assert!(range.end.is_none_or(|end| range.start <= end));
    }
}

/// The first byte chooses what the rest is: a map that is rolled up and asked, an index that a map
/// is made of, or a filter. What is written is in order, and can be read again.
pub(crate) fn mementomap(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let weight = f64::from(first >> 2) / 32.0;
    let roll_up = RollUp::default().weighing(weight, weight);
    let mut out = Vec::new();
    let input = || Input::new("input", std::io::Cursor::new(rest.to_vec()));
    let written = match first % 3 {
        0 => {
            if let Ok(map) = Map::from_bytes("map", rest.to_vec()) {
                let _ = map.answer("com,example)/a/b");
            }
            let mut records = match input().and_then(Records::new) {
                Ok(records) => records,
                Err(_) => return,
            };
            compact(&mut records, &roll_up, &mut out).is_ok()
        }
        1 => {
            let mut counter = Counter::new(varve_mementomap::Wanted::default());
            let read = input().and_then(|input| counter.read(input));
            read.is_ok() && counter.finish(&roll_up, &mut out).is_ok()
        }
        _ => {
            if let Some(filter) = KeyFilter::from_bytes(rest) {
                let _ = filter.may_contain(b"com,example)/");
            }
            false
        }
    };
    if !written {
        return;
    }
    let key = |line: &[u8]| line.split(|byte| *byte == b' ').next().map(<[u8]>::to_vec);
    let lines: Vec<_> = out
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(key)
        .collect();
    assert!(
        lines.is_sorted_by(|one, other| one < other),
        "keys in order, each once"
    );
    let again = Input::new("written", std::io::Cursor::new(out)).and_then(Records::new);
    let Ok(mut again) = again else {
        panic!("what is written is a map");
    };
    while let Some(_record) = again.next_record().expect("what is written can be read") {}
}

/// The first byte chooses what the rest is declared to be; whatever it is, a page comes out whose
/// URLs stand where they are said to stand.
pub(crate) fn page(bytes: &[u8]) {
    const DECLARED: [(&str, Destination); 12] = [
        ("text/html", Destination::Document),
        ("application/xhtml+xml", Destination::Document),
        ("text/css", Destination::Style),
        ("text/javascript", Destination::Script),
        ("text/javascript", Destination::Module),
        ("application/ld+json", Destination::Other),
        ("application/manifest+json", Destination::Manifest),
        ("image/svg+xml", Destination::Image),
        ("application/rss+xml", Destination::Document),
        ("application/xml", Destination::Document),
        ("text/plain", Destination::Document),
        ("", Destination::Document),
    ];
    let (Some((first, rest)), Ok(url)) = (bytes.split_first(), Url::parse("https://a.example/b/"))
    else {
        return;
    };
    let (declared, destination) = DECLARED[usize::from(*first) % DECLARED.len()];
    let document = Document {
        content_type: Some(declared).filter(|declared| !declared.is_empty()),
        destination,
        ..Document::new(&url, rest)
    };
    let page = analyse(&document, &Viewport::default());
    for reference in &page.references {
        if let Some(span) = &reference.span {
            assert!(span.start <= span.end, "a span goes forward");
        }
    }
}

/// A map that knows its own answers.
struct Elsewhere;

impl UrlMap for Elsewhere {
    fn map(&self, _written: &str, resolved: &Url, _used_for: Use) -> Option<String> {
        let own = resolved.host_str() == Some("replay");
        (!own).then(|| format!("http://replay/{resolved}"))
    }

    fn is_captured(&self, url: &Url) -> bool {
        url.as_str().len().is_multiple_of(2)
    }
}

/// The first byte chooses what the rest is declared to be; whatever it is, it is rewritten, and
/// what has been rewritten stays as it is.
pub(crate) fn rewriting(bytes: &[u8]) {
    const DECLARED: [(&str, Destination); 9] = [
        ("text/html; charset=utf-8", Destination::Document),
        ("text/css; charset=utf-8", Destination::Style),
        ("application/xhtml+xml", Destination::Document),
        ("image/svg+xml", Destination::Document),
        ("text/html; charset=shift_jis", Destination::Document),
        ("text/html; charset=gb18030", Destination::Document),
        ("text/html; charset=utf-16le", Destination::Document),
        ("application/vnd.apple.mpegurl", Destination::Other),
        ("application/dash+xml", Destination::Other),
    ];
    let (Some((first, rest)), Ok(url)) = (bytes.split_first(), Url::parse("https://a.example/b/"))
    else {
        return;
    };
    let (declared, destination) = DECLARED[usize::from(*first) % DECLARED.len()];
    let viewport = Viewport::default();
    let how = Rewriting {
        insert: "<script src=\"http://replay/s\"></script>",
        insert_srcdoc: "<script src=\"http://replay/d\"></script>",
        client: Some(&viewport),
        targets: Targets::TOPMOST,
        ..Rewriting::new(&Elsewhere)
    };
    let document = |bytes| Document {
        content_type: Some(declared),
        destination,
        ..Document::new(&url, bytes)
    };
    let once = rewrite(&document(rest), &how);
    let stable = matches!(once.kind, Kind::Html | Kind::Css) && once.charset == "UTF-8";
    if stable && std::str::from_utf8(rest).is_ok() {
        let twice = rewrite(&document(&once.body), &how);
        assert_eq!(
            String::from_utf8_lossy(&twice.body),
            String::from_utf8_lossy(&once.body)
        );
    }
}

/// Values of `Link`, `Refresh` and `srcset`.
pub(crate) fn fields(bytes: &[u8]) {
    let (Ok(value), Ok(url)) = (
        std::str::from_utf8(bytes),
        Url::parse("https://a.example/b/"),
    ) else {
        return;
    };
    let _ = link_header(value, &url, &Viewport::default());
    let _ = refresh_header(value, &url);
    let written = [
        rewrite_link_header(value, &url, &Elsewhere).unwrap_or_default(),
        rewrite_refresh(value, &url, &Elsewhere).unwrap_or_default(),
        rewrite_location(value, &url, &Elsewhere, Use::Navigate).unwrap_or_default(),
    ];
    for new in written {
        let breaks = |text: &str| text.contains(['\r', '\n', '\0']);
        assert!(!breaks(&new) || breaks(value), "a header stays one line");
    }
    if let Ok(asked) = Url::parse(&format!("https://a.example/?callback={value}")) {
        let _ = rename_jsonp(bytes, &asked, &url);
    }
    for candidate in parse_srcset(value) {
        let url = value.get(candidate.span);
        assert!(url.is_some_and(|url| !url.is_empty()));
    }
}

/// The first byte chooses what the rest is run as; what has been rewritten is not rewritten again.
pub(crate) fn js(bytes: &[u8]) {
    const FORMS: [Form; 7] = [
        Form::Unknown,
        Form::Classic,
        Form::Module,
        Form::ClassicWorker,
        Form::ModuleWorker,
        Form::Handler,
        Form::Eval,
    ];
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(source) = std::str::from_utf8(rest) else {
        return;
    };
    let form = FORMS[usize::from(*first) % FORMS.len()];
    let once = varve_js::rewrite(source, form, &mut |_| None);
    let twice = varve_js::rewrite(&once.text, form, &mut |_| None);
    assert_eq!(twice.text, once.text);
}

/// The first byte chooses how the rest is parsed; whatever it is, it is the same script with other
/// spaces around it, no two values have one path, and chunks are what they are said to be.
pub(crate) fn scripts(bytes: &[u8]) {
    const GOALS: [Goal; 3] = [Goal::Script, Goal::Module, Goal::Either];
    let Some((first, rest)) = bytes.split_first() else {
        return;
    };
    let Ok(source) = std::str::from_utf8(rest) else {
        return;
    };
    let goal = GOALS[usize::from(*first) % GOALS.len()];
    let identity = varve_js::identity(source, goal);
    let paths: BTreeSet<&str> = identity
        .literals
        .iter()
        .map(|it| it.path.as_str())
        .collect();
    assert_eq!(paths.len(), identity.literals.len());
    if identity.note.is_none() {
        let spaced = varve_js::identity(&format!("  {source}\n"), goal);
        assert_eq!(spaced.code, identity.code);
    }
    let triage = varve_js::triage(source, goal);
    assert!(!triage.is_inert() || triage.sinks.total() == 0);
    for chunk in varve_js::chunks(source, goal) {
        assert!(!chunk.url.is_empty());
    }
    let _ = varve_js::json_values(source);
}
