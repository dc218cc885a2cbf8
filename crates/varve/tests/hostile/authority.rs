//! Certificates, good and bad.

use crate::serving::send;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::net::TcpStream;
use std::sync::Arc;

/// What is spoken after a handshake.
pub(crate) type Secure = StreamOwned<ServerConnection, TcpStream>;

/// An authority that the crawl believes.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) pem: String,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Authority {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    /// Shakes hands with a good certificate for a host below `hostile.test`.
    pub(crate) fn greet(&self, stream: TcpStream, protocol: &[u8]) -> Option<Secure> {
        self.show(stream, params("*.hostile.test"), protocol)
    }

    /// Shows a certificate that is no longer valid.
    pub(crate) fn greet_expired(&self, stream: TcpStream) {
        let mut params = params("*.hostile.test");
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.tell_secrets(stream, params);
    }

    /// Shows a certificate of somebody else.
    pub(crate) fn greet_as_another(&self, stream: TcpStream) {
        self.tell_secrets(stream, params("another.test"));
    }

    /// Shows a certificate that nobody vouches for.
    pub(crate) fn greet_self_signed(&self, stream: TcpStream) {
        Authority::new().tell_secrets(stream, params("*.hostile.test"));
    }

    /// To whoever accepts the certificate.
    fn tell_secrets(&self, stream: TcpStream, params: CertificateParams) {
        if let Some(mut stream) = self.show(stream, params, b"http/1.1") {
            send(
                &mut stream,
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret",
            );
        }
    }

    fn show(
        &self,
        mut stream: TcpStream,
        params: CertificateParams,
        protocol: &[u8],
    ) -> Option<Secure> {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )
            .unwrap();
        config.alpn_protocols = vec![protocol.to_vec()];
        let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
        connection.complete_io(&mut stream).ok()?;
        Some(StreamOwned::new(connection, stream))
    }
}

fn params(name: &str) -> CertificateParams {
    CertificateParams::new(vec![name.to_owned()]).unwrap()
}
