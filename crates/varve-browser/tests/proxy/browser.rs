//! A browser's end of a connection to the proxy, byte by byte.

use crate::server::Io;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use varve_model::{Digest, DigestAlgorithm};

/// A connection of the browser.
pub(crate) struct Browser(Box<dyn Io>);

impl Browser {
    pub(crate) async fn connect(proxy: SocketAddr) -> Browser {
        Browser(Box::new(TcpStream::connect(proxy).await.unwrap()))
    }

    /// Asks for a tunnel.
    pub(crate) async fn tunnel(proxy: SocketAddr, authority: &str) -> Browser {
        let mut browser = Browser::connect(proxy).await;
        browser
            .send(format!(
                "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n"
            ))
            .await;
        browser
            .expect("HTTP/1.1 200 Connection established\r\n\r\n")
            .await;
        browser
    }

    /// Asks for a tunnel and begins TLS in it, trusting the pin alone.
    pub(crate) async fn secure(proxy: SocketAddr, authority: &str, pin: &str) -> Browser {
        let Browser(stream) = Browser::tunnel(proxy, authority).await;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .unwrap()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Pinned {
                pin: pin.into(),
                provider,
            }))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let host = authority.rsplit_once(':').unwrap().0;
        let host = host.trim_matches(['[', ']']).to_owned();
        let stream = TlsConnector::from(Arc::new(config))
            .connect(ServerName::try_from(host).unwrap(), stream)
            .await
            .unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
        Browser(Box::new(stream))
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
        self.0.flush().await.unwrap();
    }

    /// Exactly these bytes come next.
    pub(crate) async fn expect(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        let mut got = vec![0; bytes.len()];
        let mut length = 0;
        while length < got.len() {
            match self.0.read(&mut got[length..]).await {
                Ok(0) | Err(_) => break,
                Ok(more) => length += more,
            }
        }
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&got[..length]), text(bytes));
        assert_eq!(&got[..length], bytes);
    }

    /// The connection ends in good order, without another byte.
    pub(crate) async fn expect_end(&mut self) {
        assert_eq!(self.rest().await, Ok(Vec::new()));
    }

    /// Everything up to the end, or the word for how it broke.
    pub(crate) async fn rest(&mut self) -> Result<Vec<u8>, std::io::ErrorKind> {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest).await {
            Ok(_) => Ok(rest),
            Err(error) => Err(error.kind()),
        }
    }

    /// The content of a body in chunks.
    pub(crate) async fn chunks(&mut self) -> Vec<u8> {
        let mut content = Vec::new();
        loop {
            let mut line = Vec::new();
            while !line.ends_with(b"\r\n") {
                line.push(self.0.read_u8().await.unwrap());
            }
            let size = String::from_utf8(line).unwrap();
            let size = usize::from_str_radix(size.trim(), 16).unwrap();
            let mut chunk = vec![0; size + 2];
            self.0.read_exact(&mut chunk).await.unwrap();
            assert!(chunk.ends_with(b"\r\n"));
            content.extend_from_slice(&chunk[..size]);
            if size == 0 {
                return content;
            }
        }
    }

    /// A head and as much of a body as its length says.
    pub(crate) async fn response(&mut self) -> String {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.unwrap());
        }
        let text = String::from_utf8(head).unwrap();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("Content-Length: "))
            .map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.unwrap();
        text + &String::from_utf8(body).unwrap()
    }
}

/// Trusts a certificate for its key, as Chromium does with `--ignore-certificate-errors-spki-list`;
/// the name must be right too.
#[derive(Debug)]
struct Pinned {
    pin: String,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let parsed = ParsedCertificate::try_from(certificate)?;
        verify_server_name(&parsed, name)?;
        let key = parsed.subject_public_key_info();
        let pin = STANDARD.encode(Digest::of(DigestAlgorithm::Sha256, &key).as_bytes());
        match pin == self.pin {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, schemes)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let schemes = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, schemes)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let schemes = &self.provider.signature_verification_algorithms;
        schemes.supported_schemes()
    }
}
