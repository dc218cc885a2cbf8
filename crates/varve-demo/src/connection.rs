//! One connection: in the clear or over TLS, HTTP/1.1 or HTTP/2. Its first byte tells.

use crate::http1;
use crate::http2;
use crate::log::Scheme;
use crate::web::Shared;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

/// The first byte of a TLS connection: a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;
/// For the first byte (browsers open connections in advance), and for the TLS handshake.
const FIRST_BYTE: Duration = Duration::from_secs(60);
const HANDSHAKE: Duration = Duration::from_secs(15);

/// Serves a connection to its end. How it ends concerns nobody but the log's entries.
pub(crate) async fn serve(stream: TcpStream, tls: TlsAcceptor, shared: Arc<Shared>) {
    let _ = try_serve(stream, tls, &shared).await;
}

async fn try_serve(stream: TcpStream, tls: TlsAcceptor, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut first = [0];
    tokio::time::timeout(FIRST_BYTE, stream.peek(&mut first)).await??;
    if first[0] != TLS_HANDSHAKE {
        return http1::serve(stream, Scheme::Http, shared).await;
    }
    let stream = tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await??;
    match stream.get_ref().1.alpn_protocol() {
        Some(b"h2") => http2::serve(stream, shared).await,
        _ => http1::serve(stream, Scheme::Https, shared).await,
    }
}
