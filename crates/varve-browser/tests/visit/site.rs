//! A site and the proxy in front of it in one: it answers whatever is asked, under any host name,
//! and counts as [`Traffic`].

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use varve_browser::{Activity, Traffic};

/// What is asked: `http://host/path?query`, and the head as it came.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) url: String,
    pub(crate) headers: Vec<String>,
}

/// What is answered.
pub(crate) enum Reply {
    /// A page.
    Html(String),
    /// Anything: status, head lines, body.
    Full(u16, Vec<String>, Vec<u8>),
    /// Nothing, ever.
    Never,
    /// The first reply, after a while.
    Late(Duration, Box<Reply>),
    /// An event stream that never ends.
    Events,
    /// The end of the connection.
    Broken,
}

impl Reply {
    pub(crate) fn html(html: impl Into<String>) -> Reply {
        Reply::Html(html.into())
    }

    pub(crate) fn of_type(mime: &str, body: impl Into<Vec<u8>>) -> Reply {
        Reply::Full(200, vec![format!("content-type: {mime}")], body.into())
    }
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A running site.
pub(crate) struct Site {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    answer: Box<Answer>,
    log: Mutex<Vec<Asked>>,
    activity: Mutex<Activity>,
}

impl Site {
    pub(crate) async fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let activity = Activity {
            in_flight: 0,
            streams: 0,
            started: 0,
            last_change: Instant::now(),
        };
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            log: Mutex::default(),
            activity: Mutex::new(activity),
        });
        let accepting = shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, accepting.clone()));
            }
        });
        Site { address, shared }
    }

    /// A site of one page.
    pub(crate) async fn of(html: &'static str) -> Site {
        Site::start(move |asked| match asked.url.ends_with("/") {
            true => Reply::html(html),
            false => Reply::of_type("text/plain", "something"),
        })
        .await
    }

    /// The URLs that were asked for.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.requests().into_iter().map(|asked| asked.url).collect()
    }

    pub(crate) fn requests(&self) -> Vec<Asked> {
        self.shared.log.lock().unwrap().clone()
    }

    pub(crate) fn was_asked(&self, part: &str) -> bool {
        self.asked().iter().any(|url| url.contains(part))
    }
}

impl Traffic for Site {
    fn proxy_address(&self) -> SocketAddr {
        self.address
    }

    fn activity(&self) -> Activity {
        *self.shared.activity.lock().unwrap()
    }
}

impl Shared {
    fn change(&self, change: impl FnOnce(&mut Activity)) {
        let mut activity = self.activity.lock().unwrap();
        change(&mut activity);
        activity.last_change = Instant::now();
    }
}

async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let mut stream = BufReader::new(stream);
    while let Some(asked) = read_request(&mut stream).await {
        shared.log.lock().unwrap().push(asked.clone());
        shared.change(|activity| {
            activity.started += 1;
            activity.in_flight += 1;
        });
        let sent = reply(&mut stream, (shared.answer)(&asked), &shared).await;
        shared.change(|activity| activity.in_flight -= 1);
        if sent.is_none() {
            return;
        }
    }
}

async fn read_request(stream: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        stream
            .read_line(&mut line)
            .await
            .ok()
            .filter(|read| *read > 0)?;
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header = |name: &str| {
        lines.iter().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name)
                .then(|| value.trim().to_owned())
        })
    };
    let length = header("content-length").map_or(0, |length| length.parse().unwrap());
    stream.read_exact(&mut vec![0; length]).await.ok()?;
    let mut words = lines.first()?.split(' ');
    let url = words.nth(1)?.to_owned();
    Some(Asked {
        url,
        headers: lines,
    })
}

async fn reply(stream: &mut BufReader<TcpStream>, reply: Reply, shared: &Shared) -> Option<()> {
    let (status, head, body) = match reply {
        Reply::Html(html) => (
            200,
            vec!["content-type: text/html".to_owned()],
            html.into_bytes(),
        ),
        Reply::Full(status, head, body) => (status, head, body),
        Reply::Late(delay, late) => {
            tokio::time::sleep(delay).await;
            return Box::pin(self::reply(stream, *late, shared)).await;
        }
        Reply::Never => {
            // Until the other side has had enough.
            let _ = stream.read(&mut [0; 1]).await;
            return None;
        }
        Reply::Broken => return None,
        Reply::Events => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n";
            stream.write_all(head.as_bytes()).await.ok()?;
            shared.change(|activity| activity.in_flight -= 1);
            let _ = stream.read(&mut [0; 1]).await;
            shared.change(|activity| activity.in_flight += 1);
            return None;
        }
    };
    let mut bytes = format!(
        "HTTP/1.1 {status} Fine\r\ncontent-length: {}\r\n",
        body.len()
    );
    for line in head {
        bytes += &format!("{line}\r\n");
    }
    stream.write_all((bytes + "\r\n").as_bytes()).await.ok()?;
    stream.write_all(&body).await.ok()
}
