//! The live web of these tests, and the trap that it is in replay: every connection is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A file of the live web.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Live {
    pub(crate) fn status(&self) -> u16 {
        let is_redirect = self.fields.iter().any(|(name, _)| name == "Location");
        if is_redirect { 302 } else { 200 }
    }
}

/// Who came, by the names of vectors.
#[derive(Debug, Default)]
struct Came {
    names: BTreeSet<String>,
    connections: usize,
}

/// A server on loopback that serves the pages of the live web and notes all other requests.
pub(crate) struct Trap {
    port: u16,
    came: Arc<Mutex<Came>>,
    files: Arc<Mutex<BTreeMap<String, Live>>>,
}

impl Trap {
    pub(crate) fn set() -> Trap {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let trap = Trap {
            port: listener.local_addr().unwrap().port(),
            came: Arc::default(),
            files: Arc::default(),
        };
        let (came, files) = (trap.came.clone(), trap.files.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                came.lock().unwrap().connections += 1;
                let (came, files) = (came.clone(), files.clone());
                std::thread::spawn(move || meet(stream, &came, &files));
            }
        });
        trap
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The live URL of a file.
    pub(crate) fn url(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port)
    }

    /// Serves these files from now on.
    pub(crate) fn go_live(&self, files: &[Live]) {
        let files = files.iter().map(|file| (file.path.clone(), file.clone()));
        *self.files.lock().unwrap() = files.collect();
    }

    /// A port of its own for something that cannot say its name: datagrams and bare connections.
    pub(crate) fn door(&self, name: &str) -> u16 {
        let (udp, port) = loop {
            let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
            let port = udp.local_addr().unwrap().port();
            if let Ok(tcp) = TcpListener::bind(("127.0.0.1", port)) {
                let (came, name) = (self.came.clone(), name.to_owned());
                std::thread::spawn(move || {
                    for _ in tcp.incoming().flatten() {
                        note(&came, &name);
                    }
                });
                break (udp, port);
            }
        };
        let (came, name) = (self.came.clone(), name.to_owned());
        std::thread::spawn(move || {
            while udp.recv(&mut [0; 64]).is_ok() {
                note(&came, &name);
            }
        });
        port
    }

    /// The vectors that came.
    pub(crate) fn came(&self) -> BTreeSet<String> {
        self.came.lock().unwrap().names.clone()
    }

    /// How many connections there were, whatever came over them.
    pub(crate) fn connections(&self) -> usize {
        self.came.lock().unwrap().connections
    }
}

fn note(came: &Mutex<Came>, name: &str) {
    came.lock().unwrap().names.insert(name.to_owned());
}

/// Answers one request.
fn meet(mut stream: TcpStream, came: &Mutex<Came>, files: &Mutex<BTreeMap<String, Live>>) {
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let Some(head) = head_of(&mut stream) else {
        return;
    };
    let path = head.split(' ').nth(1).unwrap_or("").to_owned();
    let file = files
        .lock()
        .unwrap()
        .get(path.split('?').next().unwrap_or(""))
        .cloned();
    let answer = match file {
        Some(file) => {
            let fields: String = (file.fields.iter())
                .map(|(name, value)| format!("{name}: {value}\r\n"))
                .collect();
            let length = file.body.len();
            let status = file.status();
            let head = format!("HTTP/1.1 {status} As Said\r\n{fields}Content-Length: {length}\r\n");
            [head.as_bytes(), b"Connection: close\r\n\r\n", &file.body].concat()
        }
        None => {
            if let Some(name) = name_in(&head) {
                note(came, &name);
            }
            // It leaves a page that wanted to go there where it is.
            b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n"
                .to_vec()
        }
    };
    // Whoever does not wait for the answer has come all the same.
    let _ = stream.write_all(&answer);
}

/// The head of a request, or the first bytes of whatever else it is.
fn head_of(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut some = [0; 4096];
    loop {
        let length = stream.read(&mut some).ok()?;
        head.extend_from_slice(&some[..length]);
        let is_tls = head.first() == Some(&0x16) && head.len() > 200;
        if length == 0 || is_tls || head.windows(4).any(|four| four == b"\r\n\r\n") {
            return (!head.is_empty()).then(|| String::from_utf8_lossy(&head).into_owned());
        }
    }
}

/// The vector's name: in the path as `/trap/NAME`, or before the host's (also in a TLS hello).
pub(super) fn name_in(head: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if let Some((_, rest)) = head.split_once("/trap/") {
        return Some(rest.split(|c| !is_name(c)).next()?.to_owned());
    }
    let (before, _) = head.split_once(".trap.localhost")?;
    Some(before.rsplit(|c| !is_name(c)).next()?.to_owned())
}
