//! The authority and its certificates.

use crate::kept;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer};
use rcgen::{KeyPair, KeyUsagePurpose, PublicKeyData, SerialNumber, date_time_ymd};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ServerSessionMemoryCache, StoresServerSessions};
use rustls::sign::{CertifiedKey, SigningKey, SingleCertAndKey};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use varve_model::{Digest, DigestAlgorithm};

/// Hosts whose certificates are kept; making one again costs less than a millisecond.
const KEPT_HOSTS: usize = 1_024;
/// TLS sessions that can be resumed.
const KEPT_SESSIONS: usize = 1_024;

/// What an authority is called in its certificate.
pub(crate) const NAME: &str = "Varve";

/// Why there is no authority, or no certificate for a host.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// The certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    /// The key could not be used.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// The file cannot be read or written.
    #[error("{}: cannot {action}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        error: std::io::Error,
    },
    /// The file is of somebody else, or damaged.
    #[error("{}: this is no authority that Varve wrote; name a file that does not exist yet", .0.display())]
    Foreign(PathBuf),
}

/// Makes certificates that the browser accepts.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    pem: String,
    leaf: KeyPair,
    signing: Arc<dyn SigningKey>,
    provider: Arc<CryptoProvider>,
    sessions: Arc<dyn StoresServerSessions>,
    serial: AtomicU64,
    hosts: Mutex<HashMap<String, Arc<ServerConfig>>>,
}

impl Authority {
    /// A new authority with keys of its own, which are forgotten with it.
    pub fn new() -> Result<Authority, AuthorityError> {
        let key = KeyPair::generate()?;
        let pem = authority_params().self_signed(&key)?.pem();
        Authority::with(key, pem)
    }

    /// The authority that a file holds; a new one, if there is no such file yet. Only its owner
    /// can read the file, for it has the key.
    pub fn kept(file: &Path) -> Result<Authority, AuthorityError> {
        if let Some((key, pem)) = kept::load(file)? {
            return Authority::with(key, pem);
        }
        let key = KeyPair::generate()?;
        let pem = authority_params().self_signed(&key)?.pem();
        kept::store(file, &key, &pem)?;
        Authority::with(key, pem)
    }

    /// The authority with this key and certificate.
    fn with(key: KeyPair, pem: String) -> Result<Authority, AuthorityError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let leaf = KeyPair::generate()?;
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(leaf.serialize_der()));
        Ok(Authority {
            issuer: Issuer::new(authority_params(), key),
            certificate: CertificateDer::from_pem_slice(pem.as_bytes())
                .map_err(|error| rustls::Error::General(error.to_string()))?,
            pem,
            signing: provider.key_provider.load_private_key(der)?,
            leaf,
            provider,
            sessions: ServerSessionMemoryCache::new(KEPT_SESSIONS),
            serial: AtomicU64::new(1),
            hosts: Mutex::default(),
        })
    }

    /// The base64 SHA-256 of the public key of all leaf certificates.
    pub fn key_pin(&self) -> String {
        pin_of(&self.leaf)
    }

    /// The same of the authority's own key, which is the same as long as the authority is.
    pub fn own_key_pin(&self) -> String {
        pin_of(self.issuer.key())
    }

    /// The certificate of the authority itself, as users import it.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// How to speak TLS as this host: a name or an address, IPv6 in brackets or not.
    pub fn server(&self, host: &str) -> Result<Arc<ServerConfig>, AuthorityError> {
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

    fn make(&self, host: &str) -> Result<ServerConfig, AuthorityError> {
        let serial = self.serial.fetch_add(1, Ordering::Relaxed);
        let certificate = leaf_params(host, serial)?.signed_by(&self.leaf, &self.issuer)?;
        let chain = vec![certificate.der().clone(), self.certificate.clone()];
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

fn pin_of(key: &KeyPair) -> String {
    let key = key.subject_public_key_info();
    STANDARD.encode(Digest::of(DigestAlgorithm::Sha256, &key).as_bytes())
}

fn authority_params() -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, NAME);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    valid(&mut params);
    params
}

fn leaf_params(host: &str, serial: u64) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new([host.to_owned()])?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Varve proxy");
    params.serial_number = Some(SerialNumber::from(serial));
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    valid(&mut params);
    Ok(params)
}

/// Dates that hold whatever the clock says: it is the key that decides.
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

    #[test]
    fn a_kept_authority_is_the_same_again_and_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ca.pem");
        let first = Authority::kept(&file).unwrap();
        let again = Authority::kept(&file).unwrap();
        assert_eq!(first.pem(), again.pem());
        assert_eq!(first.own_key_pin(), again.own_key_pin());
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(!first.pem().contains("PRIVATE"));
    }

    #[test]
    fn files_that_are_no_authority_are_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ca.pem");
        let (ours, other) = (Authority::new().unwrap(), Authority::new().unwrap());
        let key = ours.issuer.key().serialize_pem();
        for text in [
            String::new(),
            "something else".to_owned(),
            key.clone(),
            ours.pem().to_owned(),
            format!("{key}{}", other.pem()),
            format!("{}{}", &key[..100], ours.pem()),
        ] {
            std::fs::write(&file, &text).unwrap();
            let refused = Authority::kept(&file).err();
            assert!(
                matches!(refused, Some(AuthorityError::Foreign(_))),
                "{text}"
            );
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
}
