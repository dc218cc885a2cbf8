//! One connection of the browser: its requests one after the other, or a tunnel.

use super::asked::{self, Asked, Place};
use super::delivery::Fate;
use super::gauge::Flight;
use super::port::{Patience, Port};
use super::refusal::unreadable;
use super::relay::Relay;
use super::sink::{Failure, REQUEST_LIMIT};
use super::wire::{BrowserStream, ReadError, Wire};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(120);
/// How long a request may take to be read. It comes from this machine.
const REQUEST: Duration = Duration::from_secs(60);
/// How long a tunnel may take to say what is spoken in it.
const TUNNEL: Duration = Duration::from_secs(20);
/// How TLS begins: the type of a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;

/// Serves a connection to its end.
pub(super) async fn serve(port: Arc<Port>, stream: TcpStream) {
    // Without it small pieces would wait for one another; nothing depends on it.
    let _ = stream.set_nodelay(true);
    if let Some(tunnel) = requests(&port, Wire::new(stream), Place::Proxy).await {
        tunnel.serve(&port).await;
    }
}

/// Answers requests until the connection ends or becomes a tunnel.
async fn requests<S: BrowserStream>(
    port: &Port,
    mut wire: Wire<S>,
    place: Place,
) -> Option<Tunnel<S>> {
    while waits(port, &mut wire).await {
        let mut flight = port.gauge.begin();
        let fate = match next(port, &mut wire, &place).await {
            Ok(Asked::Tunnel(authority)) => {
                wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    .await
                    .ok()?;
                return Some(Tunnel {
                    wire,
                    authority,
                    flight,
                });
            }
            Ok(Asked::Resource(wanted)) => {
                flight.is_request();
                Relay::new(port, &mut wire, &mut flight)
                    .answer(wanted)
                    .await
            }
            Err(error) => {
                refuse(port, &mut wire, &error).await;
                Fate::Close
            }
        };
        match fate {
            Fate::KeepAlive => {}
            Fate::Close => break,
            Fate::Reset => {
                wire.reset();
                return None;
            }
        }
    }
    close(wire).await;
    None
}

/// Waits for the first byte of a request; whether there is one.
async fn waits<S: BrowserStream>(port: &Port, wire: &mut Wire<S>) -> bool {
    tokio::select! {
        first = timeout(IDLE, wire.first_byte()) => matches!(first, Ok(Ok(_))),
        () = port.ends(Patience::None) => false,
    }
}

/// Reads the request whose first byte is there.
async fn next<S: BrowserStream>(
    port: &Port,
    wire: &mut Wire<S>,
    place: &Place,
) -> Result<Asked, ReadError> {
    tokio::select! {
        asked = timeout(REQUEST, asked::read(wire, place)) => asked.unwrap_or(Err(ReadError::Gone)),
        () = port.ends(Patience::Grace) => Err(ReadError::Gone),
    }
}

/// Says what is wrong, and reads on a little: closing before all is read would be a reset, which
/// overtakes the answer.
async fn refuse<S: BrowserStream>(port: &Port, wire: &mut Wire<S>, error: &ReadError) {
    if let ReadError::TooMuch { url, method } = error {
        port.tally(|sum| sum.requests += 1);
        port.fail(Failure {
            url: (**url).clone(),
            method: method.clone(),
            reason: REQUEST_LIMIT,
            message: error.to_string(),
        });
    }
    if let Some(answer) = unreadable(error)
        && wire.send(&answer).await.is_ok()
    {
        let _ = timeout(Duration::from_secs(1), wire.drain()).await;
    }
}

/// Closes in good order, without waiting long for a browser that takes nothing any more.
async fn close<S: BrowserStream>(wire: Wire<S>) {
    let _ = timeout(Duration::from_secs(1), wire.close()).await;
}

/// A connection that leads to a server, by way of us.
struct Tunnel<S> {
    wire: Wire<S>,
    authority: String,
    flight: Flight,
}

impl Tunnel<TcpStream> {
    /// Serves what is spoken in it: TLS, or plain HTTP as for `ws:` URLs.
    async fn serve(mut self, port: &Port) {
        let first = tokio::select! {
            first = timeout(TUNNEL, self.wire.first_byte()) => first,
            () = port.ends(Patience::None) => return,
        };
        match first {
            Ok(Ok(TLS_HANDSHAKE)) => self.serve_tls(port).await,
            Ok(Ok(_)) => {
                let place = Place::Tunnel {
                    scheme: "http",
                    authority: self.authority,
                };
                drop(self.flight);
                requests(port, self.wire, place).await;
            }
            Ok(Err(_)) | Err(_) => {}
        }
    }

    async fn serve_tls(self, port: &Port) {
        let host = self.authority.rsplit_once(':').map_or("", |(host, _)| host);
        let Ok(config) = port.shared.authority.server(host) else {
            return;
        };
        let accepting = TlsAcceptor::from(config).accept(self.wire.rewind());
        let accepted = tokio::select! {
            accepted = timeout(TUNNEL, accepting) => accepted,
            () = port.ends(Patience::Grace) => return,
        };
        drop(self.flight);
        let Ok(Ok(stream)) = accepted else { return };
        let place = Place::Tunnel {
            scheme: "https",
            authority: self.authority,
        };
        requests(port, Wire::new(stream), place).await;
    }
}
