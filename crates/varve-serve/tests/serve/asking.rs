//! A server under test, and a client that sends exactly what it is told.

use crate::archive::{Saved, TIME, add_layer};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use varve_page::Use;
use varve_serve::{Layout, LayoutChoice, ServeOptions, Server};

/// The layout that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum In {
    Host,
    Path,
}

pub(crate) const BOTH: [In; 2] = [In::Host, In::Path];

/// A server with a collection of its own.
pub(crate) struct Running {
    server: Option<Server>,
    runtime: Runtime,
    pub(crate) dir: TempDir,
    replay: SocketAddr,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The first value of a header; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// What the shim is told.
    pub(crate) fn config(&self) -> serde_json::Value {
        let text = self.text();
        let start = text.find("data-varve='").unwrap() + "data-varve='".len();
        let end = start + text[start..].find('\'').unwrap();
        let json = text[start..end]
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        serde_json::from_str(&json).unwrap()
    }
}

impl Running {
    /// Serves these in the host layout.
    pub(crate) fn host(saved: &[Saved]) -> Running {
        Running::new(&[saved], In::Host)
    }

    /// Serves these in the path layout.
    pub(crate) fn path(saved: &[Saved]) -> Running {
        Running::new(&[saved], In::Path)
    }

    pub(crate) fn new(layers: &[&[Saved]], place: In) -> Running {
        let dir = TempDir::new().unwrap();
        for layer in layers {
            add_layer(dir.path(), layer);
        }
        Running::over(dir, place)
    }

    /// Serves what a directory holds.
    pub(crate) fn over(dir: TempDir, place: In) -> Running {
        let roots = [dir.path().to_owned()];
        Running::by(dir, &roots, place, None)
    }

    /// Serves several collections.
    pub(crate) fn over_all(dir: TempDir, roots: &[PathBuf]) -> Running {
        Running::by(dir, roots, In::Host, None)
    }

    /// Serves these in the path layout, but for what a list says. It lies in `access.aclj`.
    pub(crate) fn within(saved: &[Saved], rules: &str) -> Running {
        let dir = TempDir::new().unwrap();
        add_layer(dir.path(), saved);
        Running::over_within(dir, rules)
    }

    /// Serves what a directory holds like that.
    pub(crate) fn over_within(dir: TempDir, rules: &str) -> Running {
        let list = dir.path().join("access.aclj");
        std::fs::write(&list, rules).unwrap();
        let roots = [dir.path().to_owned()];
        Running::by(dir, &roots, In::Path, Some(list))
    }

    fn by(dir: TempDir, roots: &[PathBuf], place: In, access: Option<PathBuf>) -> Running {
        let options = ServeOptions {
            access,
            ..options(roots, place)
        };
        Running::start(dir, options)
    }

    /// Serves what a directory holds, in the path layout, with whatever else is chosen.
    pub(crate) fn chosen(dir: TempDir, choose: impl FnOnce(&mut ServeOptions)) -> Running {
        let mut options = options(&[dir.path().to_owned()], In::Path);
        choose(&mut options);
        Running::start(dir, options)
    }

    fn start(dir: TempDir, options: ServeOptions) -> Running {
        let runtime = Runtime::new().unwrap();
        let server = runtime.block_on(Server::start(options)).unwrap();
        let replay = match server.layout() {
            Layout::Host(_) => server.address(),
            Layout::Path(layout) => layout.origin()["http://".len()..].parse().unwrap(),
        };
        Running {
            server: Some(server),
            runtime,
            dir,
            replay,
        }
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.server.as_ref().unwrap().layout()
    }

    /// The address of the archive's own pages.
    pub(crate) fn ui(&self) -> SocketAddr {
        self.server.as_ref().unwrap().address()
    }

    pub(crate) fn replay_address(&self) -> SocketAddr {
        self.replay
    }

    /// The replay URL of an archived URL.
    pub(crate) fn url(&self, url: &str, time: &str) -> String {
        let (url, time) = (url.parse().unwrap(), time.parse_time());
        self.layout().url(&url, time, Use::Navigate).unwrap()
    }

    /// Asks for an archived URL as `purpose` (a `Sec-Fetch-Dest`; empty for none).
    pub(crate) fn get(&self, url: &str, purpose: &str) -> Answer {
        self.get_at(url, TIME, purpose)
    }

    pub(crate) fn get_at(&self, url: &str, time: &str, purpose: &str) -> Answer {
        let fields = match purpose {
            "" => String::new(),
            purpose => format!("Sec-Fetch-Dest: {purpose}\r\n"),
        };
        self.send("GET", &self.url(url, time), &fields, "")
    }

    /// Sends a request to a replay URL.
    pub(crate) fn send(&self, method: &str, replay: &str, fields: &str, body: &str) -> Answer {
        let rest = replay.strip_prefix("http://").unwrap();
        let (host, path) = rest.split_once('/').unwrap();
        let length = match body {
            "" => String::new(),
            body => format!("Content-Length: {}\r\n", body.len()),
        };
        let request = format!(
            "{method} /{path} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}Connection: close\r\n\r\n{body}"
        );
        answer(&raw(self.replay, request.as_bytes())).unwrap()
    }

    /// Ends the server; what it served is given back.
    pub(crate) fn stop(mut self) -> TempDir {
        let server = self.server.take().unwrap();
        self.runtime.block_on(server.stop());
        std::mem::replace(&mut self.dir, TempDir::new().unwrap())
    }

    /// Asks for one of the archive's own pages.
    pub(crate) fn own(&self, target: &str) -> Answer {
        self.own_with(target, "")
    }

    /// The same with more header fields.
    pub(crate) fn own_with(&self, target: &str, fields: &str) -> Answer {
        let host = self.ui();
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{fields}Connection: close\r\n\r\n");
        answer(&raw(host, request.as_bytes())).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

pub(crate) async fn start(root: &Path, place: In) -> Result<Server, varve_serve::ServeError> {
    Server::start(options(&[root.to_owned()], place)).await
}

fn options(roots: &[PathBuf], place: In) -> ServeOptions {
    let anywhere: SocketAddr = "127.0.0.1:0".parse().unwrap();
    let mut options = ServeOptions::new(roots.to_vec(), anywhere);
    if place == In::Path {
        options.layout = LayoutChoice::Path(anywhere);
    }
    options
}

/// Sends bytes and takes what comes until the server closes or is silent.
pub(crate) fn raw(to: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    // A server that refuses may close before it has read everything.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// The same for bytes that may be no whole request: no more will come.
pub(crate) fn raw_and_hang_up(to: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).unwrap();
    let _ = stream.write_all(request);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// Reads an answer; `None` if it is none.
pub(crate) fn answer(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .map(|line| {
            line.split_once(": ")
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
        })
        .collect::<Option<Vec<_>>>()?;
    let mut answer = Answer {
        status,
        headers,
        body: bytes[end + 4..].to_vec(),
    };
    if answer.header("transfer-encoding") == "chunked" {
        answer.body = unchunked(&answer.body)?;
    }
    Some(answer)
}

/// A body without the lengths of its chunks; `None` if its end is missing.
fn unchunked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = bytes.windows(2).position(|two| two == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).ok()?, 16).ok()?;
        if length == 0 {
            return Some(body);
        }
        body.extend_from_slice(bytes.get(end + 2..end + 2 + length)?);
        bytes = bytes.get(end + 2 + length + 2..)?;
    }
}

trait ParseTime {
    fn parse_time(&self) -> varve_model::Timestamp;
}

impl ParseTime for str {
    fn parse_time(&self) -> varve_model::Timestamp {
        varve_model::Timestamp::parse(self).unwrap()
    }
}
