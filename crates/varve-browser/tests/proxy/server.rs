//! Servers that do exactly what a test tells them.

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Both directions of a connection, whatever is below.
pub(crate) trait Io: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Io for T {}

/// A server's end of a connection.
pub(crate) struct Peer(pub(crate) Box<dyn Io>);

impl Peer {
    /// Everything up to a blank line; less if the connection ended.
    pub(crate) async fn head(&mut self) -> Vec<u8> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match self.0.read_u8().await {
                Ok(byte) => head.push(byte),
                Err(_) => break,
            }
        }
        head
    }

    pub(crate) async fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.0.read_exact(&mut bytes).await.unwrap();
        bytes
    }

    /// Sends; the other side may have gone.
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.0.write_all(bytes.as_ref()).await;
        let _ = self.0.flush().await;
    }

    /// Waits until the other side has closed.
    pub(crate) async fn wait_for_end(&mut self) {
        let mut rest = [0; 1024];
        while matches!(self.0.read(&mut rest).await, Ok(1..)) {}
    }

    /// Closes in good order: nothing that was sent is lost to a reset.
    pub(crate) async fn close(mut self) {
        let _ = self.0.shutdown().await;
        self.wait_for_end().await;
    }
}

/// A server that runs one function per connection.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    accepting: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start<F, Fut>(serve: F) -> Server
    where
        F: Fn(Peer) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Server::listen(None, serve).await
    }

    pub(crate) async fn start_tls<F, Fut>(serve: F) -> Server
    where
        F: Fn(Peer) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Server::listen(Some(acceptor(b"http/1.1")), serve).await
    }

    pub(crate) async fn start_h2<F, Fut>(serve: F) -> Server
    where
        F: Fn(Peer) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        Server::listen(Some(acceptor(b"h2")), serve).await
    }

    async fn listen<F, Fut>(tls: Option<TlsAcceptor>, serve: F) -> Server
    where
        F: Fn(Peer) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        let accepting = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let io: Box<dyn Io> = match &tls {
                    None => Box::new(stream),
                    Some(tls) => match tls.accept(stream).await {
                        Ok(stream) => Box::new(stream),
                        Err(_) => continue,
                    },
                };
                tokio::spawn(serve(Peer(io)));
            }
        });
        Server {
            address,
            connections,
            accepting,
        }
    }

    /// Answers every request of every connection with the same bytes.
    pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> Server {
        let answer: Vec<u8> = answer.into();
        Server::start(move |mut peer| {
            let answer = answer.clone();
            async move {
                while !peer.head().await.is_empty() {
                    peer.send(&answer).await;
                }
            }
        })
        .await
    }

    /// How many connections came so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

fn acceptor(protocol: &[u8]) -> TlsAcceptor {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["a.test".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![protocol.to_vec()];
    TlsAcceptor::from(Arc::new(config))
}
