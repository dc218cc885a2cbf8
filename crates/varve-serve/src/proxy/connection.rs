//! Connections to the proxy: requests one after the other, or a tunnel with requests in it,
//! encrypted or not.

use super::Proxy;
use super::answer::{Answered, answer};
use super::asked::Place;
use crate::seats::Seats;
use axum::body::Body;
use axum::response::Response;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::Cursor;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, join, split};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

/// How long a tunnel may take to say what is spoken in it, and to agree on keys.
const TUNNEL: Duration = Duration::from_secs(20);
/// How TLS begins: the type of a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;

/// Answers whoever connects, until it is over.
pub(crate) fn serve_proxy(
    listener: TcpListener,
    proxy: Arc<Proxy>,
    mut over: watch::Receiver<bool>,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut seats = Seats::new(listener);
        // Those that are open end with it.
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                _ = over.wait_for(|over| *over) => break,
                (stream, _) = seats.accept() => {
                    connections.spawn(serve(proxy.clone(), stream));
                }
                Some(_) = connections.join_next() => {}
            }
        }
    })
}

/// Serves a connection to its end.
async fn serve<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(proxy: Arc<Proxy>, stream: S) {
    if let Some(tunnel) = requests(&proxy, stream, Place::Front).await {
        tunnel.serve(&proxy).await;
    }
}

/// Answers requests until the connection ends or becomes a tunnel.
async fn requests<S: AsyncRead + AsyncWrite + Send + Unpin + 'static>(
    proxy: &Arc<Proxy>,
    stream: S,
    place: Place,
) -> Option<Tunnel> {
    let opened = Arc::new(Mutex::new(None));
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let (proxy, place, opened) = (proxy.clone(), place.clone(), opened.clone());
        async move {
            let response = respond(&proxy, &place, request, &opened).await;
            Ok::<Response, Infallible>(response)
        }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // Whoever breaks it off has what there was.
    let _ = connection.with_upgrades().await;
    let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
    opened.take()
}

async fn respond(
    proxy: &Arc<Proxy>,
    place: &Place,
    mut request: hyper::Request<Incoming>,
    opened: &Mutex<Option<Tunnel>>,
) -> Response {
    let upgrade = hyper::upgrade::on(&mut request);
    match answer(proxy, place, request.map(Body::new)).await {
        Answered::With(response) => response,
        Answered::ByTunnel(authority) => {
            let tunnel = Tunnel { upgrade, authority };
            *opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(tunnel);
            Response::new(Body::empty())
        }
    }
}

/// A connection that leads to a host and port, in the archive.
struct Tunnel {
    upgrade: OnUpgrade,
    authority: String,
}

impl Tunnel {
    /// Serves what is spoken in it: TLS, or plain HTTP as for `ws:` URLs. Anything else is not
    /// answered.
    async fn serve(self, proxy: &Arc<Proxy>) {
        let Ok(Ok(upgraded)) = timeout(TUNNEL, self.upgrade).await else {
            return;
        };
        let Some((first, stream)) = begun(upgraded).await else {
            return;
        };
        let place = |scheme| Place::Tunnel {
            scheme,
            authority: self.authority.clone(),
        };
        match first {
            b'A'..=b'Z' => {
                requests(proxy, stream, place("http")).await;
            }
            TLS_HANDSHAKE => {
                let host = self.authority.rsplit_once(':').map_or("", |(host, _)| host);
                // No certificate can hold some names.
                let Ok(config) = proxy.authority.server(host) else {
                    return;
                };
                let accepting = TlsAcceptor::from(config).accept(stream);
                if let Ok(Ok(stream)) = timeout(TUNNEL, accepting).await {
                    requests(proxy, stream, place("https")).await;
                }
            }
            _ => {}
        }
    }
}

/// The first byte of a connection, and all of it.
async fn begun(upgraded: Upgraded) -> Option<(u8, impl AsyncRead + AsyncWrite + Send + Unpin)> {
    let mut stream = TokioIo::new(upgraded);
    let mut first = [0];
    match timeout(TUNNEL, stream.read_exact(&mut first)).await {
        Ok(Ok(_)) => {}
        _ => return None,
    }
    let (read, write) = split(stream);
    let stream = join(Cursor::new(first).chain(read), write);
    Some((first[0], stream))
}
