//! The pages that are captured: files of `site/`, one directory for each host, and a few answers
//! that are made when they are asked for.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The servers of the pages, for as long as the tests run.
pub(crate) struct Site {
    address: SocketAddr,
}

/// What is asked of a server.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) host: String,
    pub(crate) target: String,
    pub(crate) fields: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// What it answers.
pub(crate) struct Answer {
    pub(crate) status: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) fields: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Site {
    pub(crate) fn start() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        answering(listener, answer);
        Site { address }
    }

    /// Saves these pages in a browser, with everything that they load.
    pub(crate) fn capture(&self, urls: &[&str], collection: &Path) {
        let output = Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", "--json", "--scope", "page", "--tier", "browser"])
            .args(["--delay", "0", "--retries", "0", "--ignore-robots"])
            .args(["--allow-net", "127.0.0.0/8", "--map-host"])
            .arg(format!("*={}", self.address))
            .arg("-c")
            .arg(collection)
            .args(urls)
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words}");
    }
}

/// Answers everything that comes, for as long as the tests run.
pub(crate) fn answering(
    listener: TcpListener,
    answer: impl Fn(&Asked) -> Answer + Clone + Send + 'static,
) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = answer.clone();
            std::thread::spawn(move || converse(stream, &answer));
        }
    });
}

fn converse(stream: TcpStream, answer: &impl Fn(&Asked) -> Answer) {
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let (mut reader, mut writer) = (BufReader::new(reading), stream);
    while let Some(asked) = read(&mut reader) {
        let answer = answer(&asked);
        let mut head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\n",
            answer.status, answer.kind
        );
        for (name, value) in &answer.fields {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", answer.body.len()));
        let sent = writer.write_all(head.as_bytes()).is_ok()
            && (asked.method == "HEAD" || writer.write_all(&answer.body).is_ok());
        if !sent {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Asked> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut fields = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        fields.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = fields.get("content-length").and_then(|it| it.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let host = fields.get("host").cloned().unwrap_or_default();
    Some(Asked {
        method,
        host,
        target,
        fields,
        body,
    })
}

fn answer(asked: &Asked) -> Answer {
    let path = asked.target.split('?').next().unwrap_or("/");
    match path {
        "/echo" => echo(asked),
        "/redirect" => Answer {
            status: "302 Found",
            fields: vec![("Location", "/data.json?redirected".to_owned())],
            ..text("")
        },
        "/events" => Answer {
            kind: "text/event-stream",
            ..text("retry: 100000\nid: 7\ndata: one\n\ndata: two\n\n")
        },
        "/film.bin" => part(asked),
        "/latin" => Answer {
            kind: "text/html",
            body: b"<meta charset=iso-8859-1><title>latin</title><p id=x>\xe9\xe8".to_vec(),
            ..text("")
        },
        _ => file(asked, path),
    }
}

fn text(body: &str) -> Answer {
    Answer {
        status: "200 OK",
        kind: "text/plain; charset=utf-8",
        fields: vec![
            ("Access-Control-Allow-Origin", "*".to_owned()),
            ("Access-Control-Allow-Headers", "*".to_owned()),
            ("Access-Control-Expose-Headers", "X-Own".to_owned()),
            ("X-Own", "mine".to_owned()),
        ],
        body: body.as_bytes().to_vec(),
    }
}

/// What was sent, sent back.
fn echo(asked: &Asked) -> Answer {
    let kind = asked
        .fields
        .get("content-type")
        .map_or("", |it| it.split(';').next().unwrap_or(""));
    let body = String::from_utf8_lossy(&asked.body).replace("\r\n", "\n");
    text(&format!(
        "{} {} {kind} {}",
        asked.method,
        asked.target,
        body.len()
    ))
}

/// A thousand bytes, whole or in part.
fn part(asked: &Asked) -> Answer {
    let bytes: Vec<u8> = (0..1000u32).map(|n| b'a' + (n % 26) as u8).collect();
    let range = asked.fields.get("range").and_then(|it| {
        let (from, to) = it.strip_prefix("bytes=")?.split_once('-')?;
        let to = to.parse().unwrap_or(999).min(999);
        Some((from.parse::<usize>().ok()?, to))
    });
    let accepts = ("Accept-Ranges", "bytes".to_owned());
    match range {
        Some((from, to)) => Answer {
            status: "206 Partial Content",
            kind: "application/octet-stream",
            fields: vec![
                accepts,
                ("Content-Range", format!("bytes {from}-{to}/1000")),
            ],
            body: bytes[from..=to].to_vec(),
        },
        None => Answer {
            status: "200 OK",
            kind: "application/octet-stream",
            fields: vec![accepts],
            body: bytes,
        },
    }
}

fn file(asked: &Asked, path: &str) -> Answer {
    let host = asked.host.split(':').next().unwrap_or("");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replay/site");
    let path = path.trim_start_matches('/');
    let named: PathBuf = [root.join(host), root.join("any")]
        .into_iter()
        .map(|root| root.join(path))
        .find(|file| file.is_file() && !path.contains(".."))
        .unwrap_or_default();
    match std::fs::read(&named) {
        Ok(body) => Answer {
            kind: kind(path),
            body,
            ..text("")
        },
        Err(_) => Answer {
            status: "404 Not Found",
            ..text("nothing here")
        },
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "vtt" => "text/vtt",
        _ => "application/octet-stream",
    }
}
