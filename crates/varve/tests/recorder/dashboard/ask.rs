//! A plain HTTP client, which says exactly what a test wants said.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Whatever takes longer does not come.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a server answered.
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (had, value) = line.split_once(':')?;
            had.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }
}

/// Asks for something.
#[track_caller]
pub(crate) fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut stream = connect(address);
    let length = body.len();
    let mut request =
        format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {length}\r\n");
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    request += &format!("\r\n{body}");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(&answer)));
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    Answer {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head,
        body: answer[end + 4..].to_vec(),
    }
}

/// Asks again and again until there is an answer.
#[track_caller]
pub(crate) fn poll<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} never came");
}

/// An event stream.
pub(crate) struct Stream(BufReader<TcpStream>);

/// Watches a dashboard.
pub(crate) fn watch(address: &str) -> Stream {
    let mut stream = connect(address);
    write!(
        stream,
        "GET /api/events HTTP/1.1\r\nhost: {address}\r\n\r\n"
    )
    .unwrap();
    let mut stream = Stream(BufReader::new(stream));
    let mut line = String::new();
    stream.0.read_line(&mut line).unwrap();
    assert!(line.contains(" 200 "), "{line}");
    stream
}

impl Stream {
    /// The next event, if there is one.
    pub(crate) fn next_event(&mut self) -> Option<Value> {
        let mut line = String::new();
        while self.0.read_line(&mut line).ok()? > 0 {
            if let Some(event) = line.strip_prefix("data: ") {
                return serde_json::from_str(event.trim_end()).ok();
            }
            line.clear();
        }
        None
    }
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}
