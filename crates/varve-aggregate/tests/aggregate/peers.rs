//! Peers that do exactly what a test tells them, and aggregators that ask them.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use varve_aggregate::{
    AddressPolicy, AggregateOptions, Aggregator, Answer, Archive, Original, Question,
};

pub(crate) const URL: &str = "http://a.example/";

/// A peer on loopback.
pub(crate) struct Peer {
    pub(crate) address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Peer {
    /// One that treats each request with this function, which is told its path and number.
    pub(crate) async fn start<F, Fut>(serve: F) -> Peer
    where
        F: Fn(TcpStream, String, usize) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let (count, serve) = (asked.clone(), Arc::new(serve));
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (count, serve) = (count.clone(), serve.clone());
                tokio::spawn(async move {
                    let head = read_head(&mut stream).await;
                    let number = count.fetch_add(1, Ordering::SeqCst);
                    serve(stream, head, number).await;
                });
            }
        });
        Peer { address, asked }
    }

    /// One that gives the same answer to everything.
    pub(crate) async fn answering(answer: impl Into<String>) -> Peer {
        let answer: Arc<[u8]> = answer.into().into_bytes().into();
        Peer::start(move |stream, _, _| send(stream, answer.clone())).await
    }

    /// One that has mementos of [`URL`] from these years.
    pub(crate) async fn with(name: &str, years: &[u32]) -> Peer {
        Peer::answering(ok(&timemap(name, years))).await
    }

    /// One that takes requests and says nothing.
    pub(crate) async fn hanging() -> Peer {
        Peer::start(|stream, _, _| async move {
            tokio::time::sleep(Duration::from_secs(3_600)).await;
            drop(stream);
        })
        .await
    }

    /// How many requests there were.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn archive(&self, id: &str) -> Archive {
        Archive {
            id: id.to_owned(),
            name: format!("Archive {id}"),
            timemap: Some(format!("http://{}/timemap/link/", self.address)),
            timegate: None,
            probability: None,
            mementomap: None,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// The path of a request, by its head.
pub(crate) fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or("")
}

/// Sends an answer and closes.
pub(crate) async fn send(mut stream: TcpStream, answer: impl AsRef<[u8]>) {
    let _ = stream.write_all(answer.as_ref()).await;
    let _ = stream.shutdown().await;
    let mut rest = [0; 1024];
    while matches!(stream.read(&mut rest).await, Ok(1..)) {}
}

pub(crate) fn response(status: &str, fields: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

pub(crate) fn ok(body: &str) -> String {
    response("200 OK", "Content-Type: application/link-format\r\n", body)
}

pub(crate) fn not_found() -> String {
    response("404 Not Found", "", "")
}

/// A TimeMap of [`URL`] with a memento of each year.
pub(crate) fn timemap(name: &str, years: &[u32]) -> String {
    let mut lines = vec![format!("<{URL}>; rel=\"original\"")];
    lines.extend(years.iter().map(|year| memento(name, *year)));
    lines.join(",\n")
}

/// A memento on the first of January.
pub(crate) fn memento(name: &str, year: u32) -> String {
    let date = varve_model::Timestamp::parse(&format!("{year}0101000000")).unwrap();
    let date = date.http_date();
    format!("<http://{name}/web/{year}0101000000/{URL}>; rel=\"memento\"; datetime=\"{date}\"")
}

/// Options for peers on loopback, with a short deadline.
pub(crate) fn options(archives: Vec<Archive>) -> AggregateOptions {
    let mut options = AggregateOptions {
        deadline: Duration::from_secs(2),
        policy: AddressPolicy::allowing(["127.0.0.0/8".parse().unwrap()]),
        cache_time: Duration::ZERO,
        ..AggregateOptions::new(archives)
    };
    options.maps.fetch = false;
    options
}

pub(crate) fn aggregator(peers: &[(&str, &Peer)]) -> Aggregator {
    let archives = peers.iter().map(|(id, peer)| peer.archive(id)).collect();
    Aggregator::new(options(archives)).unwrap()
}

pub(crate) async fn look_up(aggregator: &Aggregator) -> Arc<Answer> {
    let original = Original::parse(URL).unwrap();
    aggregator
        .look_up(&original, Question::TimeMap)
        .await
        .unwrap()
}

/// The mementos of an answer, as archive and year.
pub(crate) fn told(answer: &Arc<Answer>) -> Vec<String> {
    let one = |memento: &varve_aggregate::Memento| {
        format!("{} {}", memento.archive, &memento.time.digits14()[..4])
    };
    answer.mementos.iter().map(one).collect()
}

/// Who is missing, and why.
pub(crate) fn missing(answer: &Arc<Answer>) -> Vec<String> {
    let one = |missing: &varve_aggregate::Missing| {
        format!("{}={}", missing.archive, missing.trouble.reason())
    };
    answer.missing.iter().map(one).collect()
}
