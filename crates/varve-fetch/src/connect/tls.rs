//! Encryption: whom to trust, and what went wrong when we did not.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Which certificates are good.
#[derive(Clone, Debug)]
pub enum Trust {
    /// Those that the system's roots vouch for, or roots from these PEM files.
    Verify {
        /// Files with more roots.
        extra_roots: Vec<PathBuf>,
    },
    /// All. What is recorded may then come from anybody on the way.
    AcceptInvalid,
}

impl Default for Trust {
    fn default() -> Trust {
        Trust::Verify {
            extra_roots: Vec::new(),
        }
    }
}

/// Why a fetcher could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FetchSetupError {
    /// A file with roots cannot be used.
    #[error("cannot read certificates from {file}: {cause}")]
    Roots {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// TLS cannot be set up.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] Error),
    /// The directory for large bodies cannot be written to.
    #[error("cannot write to the spool directory {dir}: {cause}")]
    Spool {
        /// The directory.
        dir: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

/// What a client says and believes when it begins TLS.
#[derive(Clone)]
pub(crate) struct TlsSetup {
    /// Offers HTTP/2 and HTTP/1.1.
    pub(crate) any: Arc<ClientConfig>,
    /// Offers HTTP/1.1 only, for connections that will switch protocols.
    pub(crate) http1: Arc<ClientConfig>,
}

impl TlsSetup {
    /// The set-up for a kind of trust.
    pub(crate) fn new(trust: &Trust) -> Result<TlsSetup, FetchSetupError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()?;
        let mut config = match trust {
            Trust::Verify { extra_roots } => builder
                .with_root_certificates(roots(extra_roots)?)
                .with_no_client_auth(),
            Trust::AcceptInvalid => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AcceptAny(provider)))
                .with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        let http1 = Arc::new(config.clone());
        config.alpn_protocols.insert(0, b"h2".to_vec());
        let any = Arc::new(config);
        Ok(TlsSetup { any, http1 })
    }
}

/// One word for what went wrong, and the whole of it.
pub(crate) fn describe(error: &io::Error) -> (&'static str, String) {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    let kind = match inner {
        Some(Error::InvalidCertificate(why)) => match why {
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => "expired",
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "wrong-host"
            }
            _ => "untrusted",
        },
        _ => "handshake",
    };
    (kind, error.to_string())
}

fn roots(extra: &[PathBuf]) -> Result<RootCertStore, FetchSetupError> {
    let mut store = RootCertStore::empty();
    // A system without roots, or with a broken one among them, can still fetch what is not
    // encrypted; certificates are then reported as untrusted.
    store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    for file in extra {
        let fail = |cause: String| FetchSetupError::Roots {
            file: file.clone(),
            cause,
        };
        let certificates: Vec<_> = CertificateDer::pem_file_iter(file)
            .and_then(Iterator::collect)
            .map_err(|error| fail(error.to_string()))?;
        if certificates.is_empty() {
            return Err(fail("there are none in it".into()));
        }
        for certificate in certificates {
            store
                .add(certificate)
                .map_err(|error| fail(error.to_string()))?;
        }
    }
    Ok(store)
}

/// Believes every certificate, but still wants the server to have its key.
#[derive(Debug)]
struct AcceptAny(Arc<CryptoProvider>);

impl ServerCertVerifier for AcceptAny {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(
            message,
            cert,
            dss,
            &self.0.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(
            message,
            cert,
            dss,
            &self.0.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
