//! Encryption: good and bad certificates, and servers behind them.

use crate::server::{Client, Server, body, finish, read_head};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use std::net::SocketAddr;
use std::sync::Arc;
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use url::Url;
use varve_fetch::{FetchError, FetchSetupError, Limits, MapHost, Trust};

/// A certificate authority of our own.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// Its certificate, as a file.
    pub(crate) file: NamedTempFile,
}

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), certificate.pem()).unwrap();
        let issuer = Issuer::new(params, key);
        Authority { issuer, file }
    }

    /// A certificate for a name, changed as wanted.
    fn acceptor(
        &self,
        name: &str,
        protocols: &[&[u8]],
        change: impl FnOnce(&mut CertificateParams),
    ) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        change(&mut params);
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
        config.alpn_protocols = protocols.iter().map(|it| it.to_vec()).collect();
        TlsAcceptor::from(Arc::new(config))
    }

    pub(crate) fn good(&self, protocols: &[&[u8]]) -> TlsAcceptor {
        self.acceptor("good.test", protocols, |_| {})
    }
}

/// A client that trusts an authority and finds all hosts at an address.
pub(crate) fn client(
    authority: &Authority,
    server: SocketAddr,
    change: impl FnOnce(&mut Limits),
) -> Client {
    Client::with(|options| {
        change(&mut options.limits);
        options.trust = Trust::Verify {
            extra_roots: vec![authority.file.path().into()],
        };
        options.map_hosts = vec![format!("*={server}").parse::<MapHost>().unwrap()];
    })
}

/// A server that answers every connection over TLS once.
async fn answering(acceptor: TlsAcceptor) -> Server {
    Server::start(move |stream, _| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut stream) = acceptor.accept(stream).await else {
                return;
            };
            read_tls_head(&mut stream).await;
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret";
            stream.write_all(answer).await.unwrap();
            let _ = stream.shutdown().await;
        }
    })
    .await
}

async fn read_tls_head(stream: &mut TlsStream<TcpStream>) -> Vec<u8> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && stream.read_buf(&mut head).await.unwrap() > 0 {}
    head
}

async fn fetch(
    authority: &Authority,
    acceptor: TlsAcceptor,
    url: &str,
) -> Result<String, FetchError> {
    let server = answering(acceptor).await;
    let client = client(authority, server.address, |_| {});
    let exchange = client.get(Url::parse(url).unwrap()).await?;
    assert!(exchange.encrypted);
    Ok(String::from_utf8(body(&exchange)).unwrap())
}

#[tokio::test]
async fn what_a_root_vouches_for_is_good() {
    let authority = Authority::new();
    for url in [
        "https://good.test/",
        "https://good.test./",
        "https://GOOD.test:8443/",
    ] {
        let got = fetch(&authority, authority.good(&[b"http/1.1"]), url).await;
        assert_eq!(got.unwrap(), "secret", "{url}");
    }
    let by_address = authority.acceptor("127.0.0.1", &[], |_| {});
    let got = fetch(&authority, by_address, "https://127.0.0.1/").await;
    assert_eq!(got.unwrap(), "secret");
}

#[tokio::test]
async fn bad_certificates_are_told_apart() {
    let authority = Authority::new();
    let other = Authority::new();
    let expired = |params: &mut CertificateParams| {
        params.not_before = date_time_ymd(2019, 1, 1);
        params.not_after = date_time_ymd(2020, 1, 1);
    };
    let too_early = |params: &mut CertificateParams| params.not_before = date_time_ymd(2999, 1, 1);
    let cases = [
        (authority.acceptor("good.test", &[], expired), "tls.expired"),
        (
            authority.acceptor("good.test", &[], too_early),
            "tls.expired",
        ),
        (
            authority.acceptor("other.test", &[], |_| {}),
            "tls.wrong-host",
        ),
        (other.good(&[]), "tls.untrusted"),
        (authority.good(&[b"unknown/9"]), "tls.handshake"),
    ];
    for (acceptor, reason) in cases {
        let error = fetch(&authority, acceptor, "https://good.test/")
            .await
            .unwrap_err();
        assert_eq!(error.reason(), reason, "{error}");
    }
}

#[tokio::test]
async fn bad_certificates_can_be_accepted() {
    let server = answering(Authority::new().good(&[])).await;
    let client = Client::new();
    let url = Url::parse(&format!("https://{}/", server.address)).unwrap();
    assert_eq!(body(&client.get(url).await.unwrap()), b"secret");
}

#[tokio::test]
async fn what_is_no_tls_fails_in_time() {
    let plain = Server::start(|mut stream, _| async move {
        let answer = b"HTTP/1.1 400 Bad Request\r\n\r\n";
        stream.write_all(answer).await.unwrap();
        finish(stream).await;
    })
    .await;
    let silent = Server::start(|mut stream, _| async move {
        read_head(&mut stream).await;
        finish(stream).await;
    })
    .await;
    for (server, reason) in [(plain, "tls.handshake"), (silent, "timeout.tls")] {
        let url = Url::parse(&format!("https://{}/", server.address)).unwrap();
        let error = Client::impatient().get(url).await.unwrap_err();
        assert_eq!(error.reason(), reason, "{error}");
    }
}

#[test]
fn files_without_certificates_are_reported() {
    let empty = NamedTempFile::new().unwrap();
    for file in [empty.path(), "/nonexistent/roots.pem".as_ref()] {
        let dir = tempfile::tempdir().unwrap();
        let mut options = crate::server::options(&dir);
        options.trust = Trust::Verify {
            extra_roots: vec![file.into()],
        };
        let made = varve_fetch::Fetcher::new(options);
        assert!(
            matches!(made.err(), Some(FetchSetupError::Roots { .. })),
            "{file:?}"
        );
    }
}
