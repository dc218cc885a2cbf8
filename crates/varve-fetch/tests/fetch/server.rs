//! Servers that do exactly what a test tells them, and fetchers that may talk to them.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;
use varve_fetch::{
    AddressPolicy, Exchange, FetchError, FetchOptions, Fetcher, Limits, Request, RequestRules,
    Trust,
};

/// A server that runs one function per connection, which is told how many came before.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) async fn start<F, Fut>(serve: F) -> Server
    where
        F: Fn(TcpStream, usize) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            for number in 0.. {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, number));
            }
        });
        Server { address }
    }

    /// Reads a request, answers these bytes, closes.
    pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::start(move |mut stream, _| {
            let answer = answer.clone();
            async move {
                read_head(&mut stream).await;
                let _ = stream.write_all(&answer).await;
                finish(stream).await;
            }
        })
        .await
    }

    pub(crate) fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).unwrap()
    }
}

/// Closes for writing and waits for the other side, so that nothing sent is lost to a reset.
pub(crate) async fn finish(mut stream: TcpStream) {
    let _ = stream.shutdown().await;
    let mut rest = [0; 1024];
    while matches!(stream.read(&mut rest).await, Ok(1..)) {}
}

/// Everything up to a blank line; what was read of it if the connection ended.
pub(crate) async fn read_head(stream: &mut TcpStream) -> Vec<u8> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte).await {
            Ok(1) => head.push(byte[0]),
            _ => break,
        }
    }
    head
}

/// Small heads, and time enough for a busy machine.
fn limits() -> Limits {
    Limits {
        head_bytes: 16 * 1024,
        head_fields: 100,
        body_bytes: 1 << 30,
        connect: Duration::from_secs(20),
        tls: Duration::from_secs(20),
        first_byte: Duration::from_secs(20),
        stall: Duration::from_secs(20),
        total: Duration::from_secs(60),
    }
}

/// Waits only a little for anything.
pub(crate) fn make_impatient(limits: &mut Limits) {
    limits.connect = Duration::from_secs(2);
    limits.tls = Duration::from_secs(2);
    limits.first_byte = Duration::from_secs(2);
    limits.stall = Duration::from_secs(2);
}

/// Loopback allowed, certificates not looked at.
pub(crate) fn options(dir: &TempDir) -> FetchOptions {
    FetchOptions {
        policy: AddressPolicy::allowing(["127.0.0.0/8".parse().unwrap()]),
        map_hosts: Vec::new(),
        trust: Trust::AcceptInvalid,
        limits: limits(),
        per_host: 200,
        rules: RequestRules::default(),
        spool_dir: dir.path().into(),
    }
}

/// A fetcher and the directory it needs.
pub(crate) struct Client {
    pub(crate) fetcher: Fetcher,
    _dir: TempDir,
}

impl Client {
    pub(crate) fn new() -> Client {
        Client::with(|_| {})
    }

    /// For servers that will keep it waiting.
    pub(crate) fn impatient() -> Client {
        Client::with(|options| make_impatient(&mut options.limits))
    }

    pub(crate) fn with(change: impl FnOnce(&mut FetchOptions)) -> Client {
        let dir = TempDir::new().unwrap();
        let mut options = options(&dir);
        change(&mut options);
        let fetcher = Fetcher::new(options).unwrap();
        Client { fetcher, _dir: dir }
    }

    pub(crate) async fn get(&self, url: Url) -> Result<Exchange, FetchError> {
        self.send(Request::get(url)).await
    }

    pub(crate) async fn send(&self, request: Request) -> Result<Exchange, FetchError> {
        Ok(self.fetcher.send(request).await?.complete().await)
    }
}

/// The whole body.
pub(crate) fn body(exchange: &Exchange) -> Vec<u8> {
    let length = exchange.body.len() as usize;
    exchange.body.read_at(0, length).unwrap().to_vec()
}

/// Fetches what a server answers that says just this.
pub(crate) async fn answer(answer: impl Into<Vec<u8>>) -> Result<Exchange, FetchError> {
    let server = Server::answering(answer).await;
    Client::new().get(server.url("/")).await
}
