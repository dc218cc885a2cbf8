//! The table of leak vectors, and the pages that are made of it.
//!
//! `vectors/*.txt` hold them. `## name` begins one; `page` after the name gives it a document of its
//! own (because it leaves the page, or has headers), `alone` also a frame of its own (because it
//! reaches for the frame around it), `silent` says that this Chromium is not heard even outside of
//! replay, so that only replay is asserted, `walled` that no script can hold it, only browsers that
//! know `Connection-Allowlist`. Then come lines `@field Name: value`, `@type T`, and
//! files from `@file NAME TYPE` to `@end`; the rest is the page.

use super::trap::{Live, Trap};

const TABLES: [&str; 7] = [
    include_str!("vectors/elements.txt"),
    include_str!("vectors/styles.txt"),
    include_str!("vectors/scripts.txt"),
    include_str!("vectors/workers.txt"),
    include_str!("vectors/borrowed.txt"),
    include_str!("vectors/navigation.txt"),
    include_str!("vectors/headers.txt"),
];

/// One way in which a page can make a browser send something.
#[derive(Clone, Debug)]
pub(crate) struct Vector {
    pub(crate) name: String,
    /// It has a document of its own.
    pub(crate) is_page: bool,
    /// It has a frame of its own.
    pub(crate) is_alone: bool,
    /// It is not heard outside of replay either.
    pub(crate) is_silent: bool,
    /// Only a wall of the browser's holds it.
    pub(crate) is_walled: bool,
    document: Document,
    files: Vec<(String, Document)>,
}

#[derive(Clone, Debug, Default)]
struct Document {
    kind: String,
    fields: Vec<(String, String)>,
    text: String,
}

impl Document {
    fn new(kind: &str) -> Document {
        Document {
            kind: kind.to_owned(),
            ..Document::default()
        }
    }
}

/// All of them.
pub(crate) fn vectors() -> Vec<Vector> {
    TABLES.iter().flat_map(|table| read(table)).collect()
}

fn read(table: &str) -> Vec<Vector> {
    let blocks = table.split("\n## ").skip(1);
    blocks.map(read_one).collect()
}

fn read_one(block: &str) -> Vector {
    let (head, body) = block.split_once('\n').unwrap_or((block, ""));
    let mut words = head.split(' ');
    let mut vector = Vector {
        name: words.next().unwrap().to_owned(),
        is_page: false,
        is_alone: false,
        is_silent: false,
        is_walled: false,
        document: Document::new("text/html; charset=utf-8"),
        files: Vec::new(),
    };
    for word in words {
        match word {
            "page" => vector.is_page = true,
            "alone" => vector.is_alone = true,
            "silent" => vector.is_silent = true,
            "walled" => vector.is_walled = true,
            _ => panic!("{head}: what is {word}?"),
        }
    }
    let mut in_file = false;
    for line in body.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let current = match in_file {
            true => &mut vector.files.last_mut().unwrap().1,
            false => &mut vector.document,
        };
        match word {
            "@file" => {
                let (name, kind) = rest.split_once(' ').unwrap();
                vector.files.push((name.to_owned(), Document::new(kind)));
                in_file = true;
            }
            "@end" => in_file = false,
            "@type" => current.kind = rest.to_owned(),
            "@field" => {
                let (name, value) = rest.split_once(": ").unwrap();
                current.fields.push((name.to_owned(), value.to_owned()));
            }
            _ => current.text += &format!("{line}\n"),
        }
    }
    vector
}

/// How a run of vectors is set up: as what, and at what it aims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Two letters, before the names of its vectors.
    pub(crate) mark: &'static str,
    /// The host of its pages.
    pub(crate) host: &'static str,
    /// Whether the trap is named or given by its address.
    pub(crate) by_name: bool,
}

/// As top page and in a frame of another site, by name and by address.
pub(crate) const RUNS: [Run; 4] = [
    run("tn", "site.localhost", true),
    run("tl", "site.localhost", false),
    run("fn", "frame.localhost", true),
    run("fl", "frame.localhost", false),
];
/// The two in which vectors with documents of their own run.
pub(crate) const TOP: Run = RUNS[0];
pub(crate) const FRAMED: Run = RUNS[3];

const fn run(mark: &'static str, host: &'static str, by_name: bool) -> Run {
    Run {
        mark,
        host,
        by_name,
    }
}

impl Run {
    /// The path of a vector's own document, or of the one with all parts (`parts`).
    pub(crate) fn path(&self, name: &str) -> String {
        format!("/{}/{name}", self.mark)
    }

    /// The name under which a vector arrives.
    pub(crate) fn name(&self, vector: &Vector) -> String {
        format!("{}-{}", self.mark, vector.name)
    }

    /// The document in which all parts are.
    pub(crate) fn parts(&self, vectors: &[Vector], trap: &Trap) -> Vec<Live> {
        let mut html =
            String::from("<!doctype html><meta charset=\"utf-8\"><title>x</title><body>\n");
        let mut files = Vec::new();
        for vector in vectors.iter().filter(|vector| !vector.is_page) {
            html += &self.expand(&vector.document.text, vector, trap);
            files.extend(self.files(vector, trap));
        }
        let document = Document {
            text: html,
            ..Document::new("text/html; charset=utf-8")
        };
        files.push(live(self.host, &self.path("parts"), &document, |text| {
            text.to_owned()
        }));
        files
    }

    /// The documents of a vector that has its own.
    pub(crate) fn page(&self, vector: &Vector, trap: &Trap) -> Vec<Live> {
        let expand = |text: &str| self.expand(text, vector, trap);
        let mut files = self.files(vector, trap);
        files.push(live(
            self.host,
            &self.path(&vector.name),
            &vector.document,
            expand,
        ));
        files
    }

    fn files(&self, vector: &Vector, trap: &Trap) -> Vec<Live> {
        let expand = |text: &str| self.expand(text, vector, trap);
        let files = vector.files.iter();
        files
            .map(|(name, document)| live(self.host, &self.file(vector, name), document, expand))
            .collect()
    }

    fn file(&self, vector: &Vector, name: &str) -> String {
        self.path(&format!("{}/{name}", vector.name))
    }

    /// A text with what it aims at put in.
    fn expand(&self, text: &str, vector: &Vector, trap: &Trap) -> String {
        let name = self.name(vector);
        let host = match self.by_name {
            true => format!("{name}.trap.localhost:{}", trap.port()),
            false => format!("127.0.0.1:{}", trap.port()),
        };
        let mut text = text.to_owned();
        for (file, _) in &vector.files {
            text = text.replace(&format!("{{file:{file}}}"), &self.file(vector, file));
        }
        if text.contains("{door") {
            let port = trap.door(&name);
            text = text.replace("{door.port}", &port.to_string());
            text = text.replace("{door}", &format!("127.0.0.1:{port}"));
        }
        let fallback = format!("https://{host}/trap/{name}");
        let length = char::from(u8::try_from(fallback.len()).unwrap());
        text.replace("{sxg}", &format!("\0\0{length}{fallback}\0\0\0\0\0\0"))
            .replace("{trap}", &format!("http://{host}/trap/{name}"))
            .replace(
                "{TRAP}",
                &format!("HTTP://{}/trap/{name}", host.to_uppercase()),
            )
            .replace("{https}", &format!("https://{host}/trap/{name}"))
            .replace("{host}", &host)
            .replace("{name}", &name)
    }
}

fn live(host: &str, path: &str, document: &Document, expand: impl Fn(&str) -> String) -> Live {
    let mut fields = Vec::new();
    if !document.kind.is_empty() {
        fields.push(("Content-Type".to_owned(), document.kind.clone()));
    }
    for (name, value) in &document.fields {
        fields.push((name.clone(), expand(value)));
    }
    let text = expand(&document.text);
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let body = match (text.strip_prefix("{utf16}"), text.strip_prefix("{bom16}")) {
        (Some(text), _) => utf16(text),
        (_, Some(text)) => utf16(&format!("\u{feff}{text}")),
        _ => text.into_bytes(),
    };
    Live {
        host: host.to_owned(),
        path: path.to_owned(),
        fields,
        body,
    }
}

/// A page that shows others in frames.
pub(crate) fn framing(path: &str, inner: &[String]) -> Live {
    let mut document = Document::new("text/html; charset=utf-8");
    document.text = "<!doctype html><title>x</title>\n".to_owned();
    for url in inner {
        document.text += &format!("<iframe src=\"{url}\"></iframe>\n");
    }
    live("site.localhost", path, &document, |text| text.to_owned())
}
