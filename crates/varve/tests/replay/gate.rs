//! The only way out for the browser of a test: requests for known names are passed on, all others
//! are refused and written down. What is written down has leaked.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use varve_browser::{Activity, Traffic};

/// A head is not longer than this.
const MAX_HEAD: usize = 256 << 10;

/// A proxy to a few servers.
pub(crate) struct Gate {
    address: SocketAddr,
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<()>,
}

struct Seen {
    activity: Activity,
    leaked: Vec<String>,
    asked: Vec<String>,
}

/// Names, or the ends of names, and the servers behind them.
pub(crate) type Known = BTreeMap<String, SocketAddr>;

impl Gate {
    /// A gate to these servers. Names count with their ports.
    pub(crate) async fn open(known: Known) -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let activity = Activity {
            in_flight: 0,
            streams: 0,
            started: 0,
            last_change: Instant::now(),
        };
        let seen = Arc::new(Mutex::new(Seen {
            activity,
            leaked: Vec::new(),
            asked: Vec::new(),
        }));
        let (known, watched) = (Arc::new(known), seen.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, known.clone(), watched.clone()));
            }
        });
        Gate {
            address,
            seen,
            task,
        }
    }

    /// What was asked of servers that are.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.seen.lock().unwrap().asked.clone()
    }

    /// What was asked of servers that are not known.
    pub(crate) fn leaked(&self) -> Vec<String> {
        self.seen.lock().unwrap().leaked.clone()
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Traffic for Gate {
    fn proxy_address(&self) -> SocketAddr {
        self.address
    }

    fn activity(&self) -> Activity {
        self.seen.lock().unwrap().activity
    }
}

/// Passes one request on; the connection ends with it.
async fn pass(mut browser: TcpStream, known: Arc<Known>, seen: Arc<Mutex<Seen>>) {
    let Some((head, rest)) = read_head(&mut browser).await else {
        return;
    };
    let line = head.lines().next().unwrap_or("").to_owned();
    let authority = authority(&line);
    let Some(server) = server_of(&authority, &known) else {
        seen.lock().unwrap().leaked.push(line);
        let refusal = "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = browser.write_all(refusal.as_bytes()).await;
        return;
    };
    let target = line.split(' ').nth(1).unwrap_or("").to_owned();
    seen.lock().unwrap().asked.push(target);
    count(&seen, |activity| {
        activity.started += 1;
        activity.in_flight += 1;
    });
    if let Ok(mut server) = TcpStream::connect(server).await {
        let head = head.replace("Proxy-Connection: keep-alive", "Connection: close");
        let sent = server.write_all(head.as_bytes()).await.is_ok()
            && server.write_all(&rest).await.is_ok();
        if sent {
            let _ = copy_bidirectional(&mut browser, &mut server).await;
        }
    }
    count(&seen, |activity| activity.in_flight -= 1);
}

fn count(seen: &Mutex<Seen>, change: impl FnOnce(&mut Activity)) {
    let activity = &mut seen.lock().unwrap().activity;
    change(activity);
    activity.last_change = Instant::now();
}

/// The head of a request, and what came with it.
async fn read_head(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let rest = bytes.split_off(end + 4);
            return Some((String::from_utf8_lossy(&bytes).into_owned(), rest));
        }
        let read = stream.read_buf(&mut bytes).await.ok()?;
        if read == 0 || bytes.len() > MAX_HEAD {
            return None;
        }
    }
}

/// The host and port that a request line names.
fn authority(line: &str) -> String {
    let target = line.split(' ').nth(1).unwrap_or("");
    let rest = target.split_once("://").map_or(target, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    authority.to_ascii_lowercase()
}

fn server_of(authority: &str, known: &Known) -> Option<SocketAddr> {
    let fits = |name: &str| {
        let below = authority.strip_suffix(name);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    };
    let mut servers = known.iter().filter(|(name, _)| fits(name));
    servers.next().map(|(_, server)| *server)
}
