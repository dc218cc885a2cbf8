//! Names to addresses, by the system's configuration.

use hickory_resolver::config::{
    ConnectionConfig, LookupIpStrategy, NameServerConfig, ResolveHosts, ResolverConfig,
};
use hickory_resolver::lookup_ip::LookupIp;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::{Query, ResponseCode};
use hickory_resolver::proto::rr::{Name, RecordType};
use hickory_resolver::{Hosts, ResolverBuilder, TokioResolver};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::OnceLock;

/// What a resolver will say: all addresses of a host, or why there are none.
pub type Resolving<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<IpAddr>, ResolveError>> + Send + 'a>>;

/// Something that knows the addresses of hosts.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a host, in the order in which they are to be tried. The name is in ASCII
    /// and lower case, without a dot at its end. The caller limits the time.
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a>;
}

/// Why a name has no addresses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is no such name, or it has no addresses.
    #[error("there is no such host")]
    NoSuchHost,
    /// Nobody answered in time.
    #[error("no answer in time")]
    Timeout,
    /// The resolver could not answer.
    #[error("{0}")]
    Failed(String),
}

/// The system's resolver: `/etc/hosts`, then the name servers of `/etc/resolv.conf`.
pub struct SystemResolver {
    hosts: Hosts,
    server: Option<SocketAddr>,
    resolver: OnceLock<Result<TokioResolver, ResolveError>>,
}

impl SystemResolver {
    /// The resolver as the system is configured.
    pub fn new() -> SystemResolver {
        SystemResolver {
            hosts: Hosts::from_system().unwrap_or_default(),
            server: None,
            resolver: OnceLock::new(),
        }
    }

    /// Asks one name server, and looks nowhere else.
    pub fn asking(server: SocketAddr) -> SystemResolver {
        SystemResolver {
            hosts: Hosts::default(),
            server: Some(server),
            resolver: OnceLock::new(),
        }
    }

    /// What the hosts file says. Names that stand there are not asked for elsewhere, not even
    /// for the other kind of address.
    fn hosts(&self, host: &str) -> Option<Vec<IpAddr>> {
        let name = Name::from_ascii(host).ok()?;
        let addresses: Vec<IpAddr> = [RecordType::A, RecordType::AAAA]
            .into_iter()
            .filter_map(|kind| {
                let query = Query::query(name.clone(), kind);
                self.hosts.lookup_static_host(&query)
            })
            .flat_map(|found| LookupIp::from(found).iter().collect::<Vec<_>>())
            .collect();
        (!addresses.is_empty()).then_some(addresses)
    }

    /// Made at the first question: where every host is mapped, none may be configured.
    fn resolver(&self) -> Result<&TokioResolver, ResolveError> {
        let made = self.resolver.get_or_init(|| {
            let mut builder = match self.server {
                Some(server) => asking_only(server),
                None => TokioResolver::builder_tokio().map_err(failed)?,
            };
            let options = builder.options_mut();
            // What is kept, and for how long, is decided in one place: `names.rs`.
            options.cache_size = 0;
            options.use_hosts_file = ResolveHosts::Never;
            options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
            builder.build().map_err(failed)
        });
        made.as_ref().map_err(Clone::clone)
    }

    async fn ask(&self, host: &str) -> Result<Vec<IpAddr>, ResolveError> {
        // A dot at the end keeps search domains away: an unknown public name must not become a
        // name in somebody's network.
        let whole = host.contains('.').then(|| format!("{host}."));
        let name = whole.as_deref().unwrap_or(host);
        let answer = self.resolver()?.lookup_ip(name).await.map_err(failed)?;
        let addresses: Vec<IpAddr> = answer.iter().collect();
        match addresses.is_empty() {
            true => Err(ResolveError::NoSuchHost),
            false => Ok(addresses),
        }
    }
}

impl Default for SystemResolver {
    fn default() -> SystemResolver {
        SystemResolver::new()
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, host: &'a str) -> Resolving<'a> {
        match self.hosts(host) {
            Some(addresses) => Box::pin(std::future::ready(Ok(addresses))),
            None => Box::pin(self.ask(host)),
        }
    }
}

fn asking_only(server: SocketAddr) -> ResolverBuilder<TokioRuntimeProvider> {
    let mut connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()];
    for connection in &mut connections {
        connection.port = server.port();
    }
    let server = NameServerConfig::new(server.ip(), true, connections.into());
    let config = ResolverConfig::from_parts(None, Vec::new(), vec![server]);
    TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
}

fn failed(error: NetError) -> ResolveError {
    match error {
        NetError::Timeout => ResolveError::Timeout,
        NetError::Dns(DnsError::NoRecordsFound(none)) => match none.response_code {
            ResponseCode::NXDomain | ResponseCode::NoError => ResolveError::NoSuchHost,
            code => ResolveError::Failed(code.to_string()),
        },
        error => ResolveError::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn names_in_the_hosts_file_are_not_asked_for() {
        // Nobody answers there; asking would take long and fail.
        let mut resolver = SystemResolver::asking(([127, 0, 0, 1], 9).into());
        let file = "127.0.0.1 here.test www.here.test\n::1 both\n10.0.0.1 both # private\n";
        let read = resolver.hosts.read_hosts_conf(file.as_bytes());
        read.expect("it is a hosts file");
        for (host, expected) in [
            ("here.test", vec!["127.0.0.1"]),
            ("www.here.test", vec!["127.0.0.1"]),
            ("both", vec!["10.0.0.1", "::1"]),
        ] {
            let got = resolver.resolve(host).await.expect("it is in the file");
            let got: Vec<String> = got.iter().map(ToString::to_string).collect();
            assert_eq!(got, expected, "{host}");
        }
        assert!(resolver.hosts("other.test").is_none());
    }
}
