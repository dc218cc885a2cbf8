//! Why there was no response.

use std::net::IpAddr;

/// Why a request got no response. [`FetchError::reason`] is stable: it stands in crawl logs.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL is not one that can be fetched.
    #[error("{0} cannot be fetched: only http and https can")]
    Scheme(String),
    /// The request cannot be written: a line break in a field, or the like.
    #[error("cannot ask for {url}: {cause}")]
    Request {
        /// The URL.
        url: String,
        /// What is wrong.
        cause: String,
    },
    /// The name does not exist.
    #[error("the host {0} does not exist")]
    NoSuchHost(String),
    /// The name could not be resolved in time, or the resolver failed.
    #[error("the host {host} could not be resolved: {cause}")]
    Dns {
        /// The name.
        host: String,
        /// What the resolver said.
        cause: String,
        /// Whether it was a matter of time.
        timeout: bool,
    },
    /// An address that is not public and was not allowed.
    #[error("{host} is at {address}, which is not a public address (allow it with --allow-net)")]
    Blocked {
        /// The host as in the URL.
        host: String,
        /// The address.
        address: IpAddr,
    },
    /// A rule of the crawl says not to ask for it.
    #[error("{0} is not asked for: a rule of the crawl blocks it")]
    Ruled(String),
    /// Nobody was to be asked for it, and it is not at hand.
    #[error("{0} was not fetched before")]
    NotAtHand(String),
    /// A list says that it cannot work in an archive.
    #[error("{url} is not asked for: it cannot work in an archive by the rule {rule}")]
    Filtered {
        /// The URL.
        url: String,
        /// The rule, and where it stands.
        rule: String,
    },
    /// The connection could not be made.
    #[error("cannot connect to {host}: {cause}")]
    Connect {
        /// The host.
        host: String,
        /// What the system said.
        cause: String,
        /// Whether the other side refused.
        refused: bool,
    },
    /// TLS failed.
    #[error("no secure connection to {host}: {cause}")]
    Tls {
        /// The host.
        host: String,
        /// One word: `expired`, `untrusted`, `wrong-host`, `handshake`.
        kind: &'static str,
        /// What is wrong.
        cause: String,
    },
    /// It took too long: `connect`, `tls`, `header`, `total`.
    #[error("{url} took too long ({phase})")]
    Timeout {
        /// The URL.
        url: String,
        /// In which phase.
        phase: &'static str,
    },
    /// The connection ended before a whole head.
    #[error("{url}: the connection ended before a response")]
    Disconnected {
        /// The URL.
        url: String,
    },
    /// What came is no HTTP.
    #[error("{url} did not answer in HTTP: {cause}")]
    Malformed {
        /// The URL.
        url: String,
        /// What is wrong.
        cause: String,
    },
    /// The head was too long or had too many fields.
    #[error("{url} sent a header over the limit ({cause})")]
    HeadLimit {
        /// The URL.
        url: String,
        /// Which limit.
        cause: String,
    },
    /// Our own disk failed while spooling.
    #[error("cannot spool a body: {0}")]
    Spool(String),
}

impl FetchError {
    /// A stable word for logs.
    pub fn reason(&self) -> &'static str {
        match self {
            FetchError::Scheme(_) => "blocked.scheme",
            FetchError::Request { .. } => "request.invalid",
            FetchError::NoSuchHost(_) => "dns.nxdomain",
            FetchError::Dns { timeout: true, .. } => "dns.timeout",
            FetchError::Dns { .. } => "dns.failed",
            FetchError::Blocked { .. } => "blocked.ssrf",
            FetchError::Ruled(_) => "blocked.rule",
            FetchError::NotAtHand(_) => "blocked.unasked",
            FetchError::Filtered { .. } => "blocked.filter",
            FetchError::Connect { refused: true, .. } => "connect.refused",
            FetchError::Connect { .. } => "connect.failed",
            FetchError::Tls { kind, .. } => match *kind {
                "expired" => "tls.expired",
                "untrusted" => "tls.untrusted",
                "wrong-host" => "tls.wrong-host",
                _ => "tls.handshake",
            },
            FetchError::Timeout { phase, .. } => match *phase {
                "connect" => "timeout.connect",
                "tls" => "timeout.tls",
                "header" => "timeout.header",
                _ => "timeout.total",
            },
            FetchError::Disconnected { .. } => "http.disconnected",
            FetchError::Malformed { .. } => "http.malformed",
            FetchError::HeadLimit { .. } => "limit.header",
            FetchError::Spool(_) => "disk.spool",
        }
    }
}
