//! The certificate authority of one crawl: a certificate for every host the browser asks for.
//!
//! It lives in memory only. All its leaf certificates share one key pair, so that a single pin
//! ([`Authority::key_pin`]) tells Chromium to accept them all, and nothing else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose,
};
use rcgen::{IsCa, KeyPair, KeyUsagePurpose, PublicKeyData, SerialNumber, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ServerSessionMemoryCache, StoresServerSessions};
use rustls::sign::{CertifiedKey, SigningKey, SingleCertAndKey};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use varve_model::{Digest, DigestAlgorithm};

/// Hosts whose certificates are kept; making one again costs less than a millisecond.
const KEPT_HOSTS: usize = 1_024;
/// TLS sessions that can be resumed.
const KEPT_SESSIONS: usize = 1_024;

/// Why there is no proxy, or no certificate for a host.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// The certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    /// The key could not be used.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
}

/// Makes certificates that the browser accepts.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    leaf: KeyPair,
    signing: Arc<dyn SigningKey>,
    provider: Arc<CryptoProvider>,
    sessions: Arc<dyn StoresServerSessions>,
    serial: AtomicU64,
    hosts: Mutex<HashMap<String, Arc<ServerConfig>>>,
}

impl Authority {
    /// A new authority with keys of its own.
    pub(super) fn new() -> Result<Authority, ProxyError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let leaf = KeyPair::generate()?;
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(leaf.serialize_der()));
        Ok(Authority {
            issuer: CertifiedIssuer::self_signed(authority_params(), KeyPair::generate()?)?,
            signing: provider.key_provider.load_private_key(der)?,
            leaf,
            provider,
            sessions: ServerSessionMemoryCache::new(KEPT_SESSIONS),
            serial: AtomicU64::new(1),
            hosts: Mutex::default(),
        })
    }

    /// The base64 SHA-256 of the public key of all leaf certificates.
    pub(super) fn key_pin(&self) -> String {
        let key = self.leaf.subject_public_key_info();
        STANDARD.encode(Digest::of(DigestAlgorithm::Sha256, &key).as_bytes())
    }

    /// How to speak TLS as this host: a name or an address, IPv6 in brackets or not.
    pub(super) fn server(&self, host: &str) -> Result<Arc<ServerConfig>, ProxyError> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if let Some(known) = self.hosts().get(host) {
            return Ok(known.clone());
        }
        let config = Arc::new(self.make(host)?);
        let mut hosts = self.hosts();
        if hosts.len() >= KEPT_HOSTS {
            hosts.clear();
        }
        hosts.insert(host.to_owned(), config.clone());
        Ok(config)
    }

    fn make(&self, host: &str) -> Result<ServerConfig, ProxyError> {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let certificate = leaf_params(host, serial)?.signed_by(&self.leaf, &self.issuer)?;
        let chain = vec![certificate.der().clone(), self.issuer.der().clone()];
        let key = SingleCertAndKey::from(CertifiedKey::new(chain, self.signing.clone()));
        let mut config = ServerConfig::builder_with_provider(self.provider.clone())
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(key));
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.session_storage = self.sessions.clone();
        Ok(config)
    }

    fn hosts(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<ServerConfig>>> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Varve");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    valid(&mut params);
    params
}

fn leaf_params(host: &str, serial: u64) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new([host.to_owned()])?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Varve recording");
    params.serial_number = Some(SerialNumber::from(serial));
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    valid(&mut params);
    Ok(params)
}

/// Dates that hold whatever the clock says: the keys are forgotten with the process.
fn valid(params: &mut CertificateParams) {
    params.not_before = date_time_ymd(2000, 1, 1);
    params.not_after = date_time_ymd(2100, 1, 1);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn certificates_of_a_host_are_made_once() {
        let authority = Authority::new().unwrap();
        let first = authority.server("a.test").unwrap();
        assert!(Arc::ptr_eq(&first, &authority.server("a.test").unwrap()));
        assert!(!Arc::ptr_eq(&first, &authority.server("b.test").unwrap()));
    }

    #[test]
    fn certificates_are_forgotten_when_there_are_too_many() {
        let authority = Authority::new().unwrap();
        for n in 0..KEPT_HOSTS + 3 {
            authority.server(&format!("h{n}.test")).unwrap();
        }
        assert_eq!(authority.hosts().len(), 3);
    }

    #[test]
    fn names_that_no_certificate_can_hold_are_refused() {
        let authority = Authority::new().unwrap();
        assert!(authority.server("ü.test").is_err());
        assert!(authority.server("[::1]").is_ok());
    }
}
