//! From a URL to a connection: map, resolve, check every address, connect to a checked one,
//! encrypt.

mod failures;
mod map_host;
mod names;
mod origin;
mod policy;
mod resolve;
mod stream;
mod tls;

pub use map_host::{MapHost, MapHostError};
pub(crate) use origin::Origin;
pub use policy::AddressPolicy;
pub use resolve::{Resolve, ResolveError, Resolving, SystemResolver};
pub(crate) use stream::Stream;
pub use tls::{FetchSetupError, Trust};

use crate::error::FetchError;
use crate::limits::Limits;
use failures::Failures;
use names::Names;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use tls::TlsSetup;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// A name may have any number of addresses; this many are tried.
const TRIED: usize = 8;

/// What may be spoken on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offer {
    /// HTTP/2 if the server wants it.
    Any,
    /// HTTP/1.1 only.
    Http1,
}

/// A connection to a server.
pub(crate) struct Connected {
    /// Its bytes.
    pub(crate) stream: Stream,
    /// Who answered.
    pub(crate) peer: SocketAddr,
    /// Whether both sides agreed on HTTP/2.
    pub(crate) http2: bool,
}

/// Makes connections.
pub(crate) struct Dialer {
    policy: AddressPolicy,
    maps: Vec<MapHost>,
    names: Names,
    failures: Failures,
    tls: TlsSetup,
    limits: Limits,
}

impl Dialer {
    /// A dialer with the given rules.
    pub(crate) fn new(
        policy: AddressPolicy,
        maps: Vec<MapHost>,
        trust: &Trust,
        limits: Limits,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Dialer, FetchSetupError> {
        Ok(Dialer {
            policy,
            maps,
            names: Names::new(resolver, limits.connect),
            failures: Failures::default(),
            tls: TlsSetup::new(trust)?,
            limits,
        })
    }

    /// A new connection to where an origin is served. Where there was none a moment ago, nobody
    /// tries again.
    pub(crate) async fn dial(
        &self,
        origin: &Origin,
        offer: Offer,
    ) -> Result<Connected, FetchError> {
        if let Some(error) = self.failures.recent(origin) {
            return Err(error);
        }
        let dialled = self.try_to_dial(origin, offer).await;
        if let Err(error) = &dialled {
            self.failures.note(origin, error);
        }
        dialled
    }

    async fn try_to_dial(&self, origin: &Origin, offer: Offer) -> Result<Connected, FetchError> {
        let addresses = self.addresses(origin).await?;
        let (stream, peer) = match self.connect(origin, &addresses).await {
            Ok(connected) => connected,
            Err(error) => {
                self.names.forget(origin.name());
                return Err(error);
            }
        };
        if !origin.encrypted() {
            return Ok(Connected {
                stream: Stream::Plain(stream),
                peer,
                http2: false,
            });
        }
        self.encrypt(origin, stream, peer, offer).await
    }

    /// Where to connect to: every address there is, all of them checked.
    async fn addresses(&self, origin: &Origin) -> Result<Vec<SocketAddr>, FetchError> {
        let mapped = self
            .maps
            .iter()
            .find_map(|map| map.target(origin.host(), origin.port()));
        let addresses = match (mapped, origin.address()) {
            (Some(to), _) => vec![to],
            (None, Some(literal)) => vec![SocketAddr::new(literal, origin.port())],
            (None, None) if is_localhost(origin.name()) => self.localhost(origin.port()),
            (None, None) => self.resolve(origin).await?,
        };
        let refused = addresses.iter().find(|to| !self.policy.allows(to.ip()));
        match refused {
            Some(to) => Err(FetchError::Blocked {
                host: origin.host().into(),
                address: to.ip(),
            }),
            None => Ok(addresses),
        }
    }

    /// The loopback addresses that are allowed; where none is, one that is not. Nobody else can
    /// say what `localhost` is, so an address of it that was not allowed says nothing about the
    /// other.
    fn localhost(&self, port: u16) -> Vec<SocketAddr> {
        let both = [
            IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::LOCALHOST),
        ];
        let mut addresses: Vec<_> = both.map(|ip| SocketAddr::new(ip, port)).into();
        if both.iter().any(|ip| self.policy.allows(*ip)) {
            addresses.retain(|to| self.policy.allows(to.ip()));
        }
        addresses
    }

    async fn resolve(&self, origin: &Origin) -> Result<Vec<SocketAddr>, FetchError> {
        let host = origin.host().to_owned();
        match self.names.addresses(origin.name()).await {
            Ok(addresses) if addresses.is_empty() => Err(FetchError::NoSuchHost(host)),
            Ok(addresses) => Ok(addresses
                .iter()
                .map(|ip| SocketAddr::new(*ip, origin.port()))
                .collect()),
            Err(ResolveError::NoSuchHost) => Err(FetchError::NoSuchHost(host)),
            Err(error) => Err(FetchError::Dns {
                host,
                cause: error.to_string(),
                timeout: error == ResolveError::Timeout,
            }),
        }
    }

    /// Tries the addresses in order.
    async fn connect(
        &self,
        origin: &Origin,
        addresses: &[SocketAddr],
    ) -> Result<(TcpStream, SocketAddr), FetchError> {
        let mut last = None;
        for to in addresses.iter().take(TRIED) {
            match timeout(self.limits.connect, TcpStream::connect(to)).await {
                Ok(Ok(stream)) => {
                    // Requests are written whole; waiting for more would only cost time.
                    let _ = stream.set_nodelay(true);
                    return Ok((stream, *to));
                }
                Ok(Err(error)) => last = Some(connect_error(origin, &error)),
                Err(_) => last = Some(too_long(origin, "connect")),
            }
        }
        Err(last.unwrap_or_else(|| FetchError::NoSuchHost(origin.host().into())))
    }

    async fn encrypt(
        &self,
        origin: &Origin,
        stream: TcpStream,
        peer: SocketAddr,
        offer: Offer,
    ) -> Result<Connected, FetchError> {
        let config = match offer {
            Offer::Any => &self.tls.any,
            Offer::Http1 => &self.tls.http1,
        };
        let stream = timeout(self.limits.tls, handshake(origin, stream, config))
            .await
            .map_err(|_| too_long(origin, "tls"))??;
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok(Connected {
            stream: Stream::Tls(Box::new(stream)),
            peer,
            http2,
        })
    }
}

async fn handshake(
    origin: &Origin,
    stream: TcpStream,
    config: &Arc<ClientConfig>,
) -> Result<tokio_rustls::client::TlsStream<TcpStream>, FetchError> {
    let name = match origin.address() {
        Some(address) => ServerName::from(address),
        None => {
            ServerName::try_from(origin.name().to_owned()).map_err(|error| FetchError::Tls {
                host: origin.host().into(),
                kind: "handshake",
                cause: error.to_string(),
            })?
        }
    };
    let connecting = TlsConnector::from(Arc::clone(config)).connect(name, stream);
    connecting.await.map_err(|error| {
        let (kind, cause) = tls::describe(&error);
        FetchError::Tls {
            host: origin.host().into(),
            kind,
            cause,
        }
    })
}

/// RFC 6761: these names are loopback, whatever a resolver says.
fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

fn connect_error(origin: &Origin, error: &io::Error) -> FetchError {
    FetchError::Connect {
        host: origin.host().into(),
        cause: error.to_string(),
        refused: error.kind() == io::ErrorKind::ConnectionRefused,
    }
}

fn too_long(origin: &Origin, phase: &'static str) -> FetchError {
    FetchError::Timeout {
        url: origin.to_string(),
        phase,
    }
}
