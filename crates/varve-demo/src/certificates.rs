//! The example web's own certification authority, made anew at every start.

use crate::hosts::HOSTS;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::ResolvesServerCertUsingSni;
use rustls::sign::CertifiedKey;
use std::io;
use std::sync::Arc;

/// What the server shows to clients, and what clients need to believe it.
pub(crate) struct Certificates {
    /// One certificate per host, chosen by SNI; offers HTTP/2 and HTTP/1.1.
    pub(crate) server: Arc<ServerConfig>,
    /// The authority's certificate.
    pub(crate) ca_pem: String,
}

/// Makes an authority and a certificate for every host.
pub(crate) fn make() -> io::Result<Certificates> {
    let (issuer, ca_pem) = authority().map_err(io::Error::other)?;
    let mut resolver = ResolvesServerCertUsingSni::new();
    for (host, _) in HOSTS {
        let certified = leaf(host, &issuer)?;
        resolver.add(host, certified).map_err(io::Error::other)?;
    }
    let mut server = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(resolver));
    server.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Certificates {
        server: Arc::new(server),
        ca_pem,
    })
}

fn authority() -> Result<(Issuer<'static, KeyPair>, String), rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params
        .distinguished_name
        .push(DnType::CommonName, "Varve example web");
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let key = KeyPair::generate()?;
    let pem = params.self_signed(&key)?.pem();
    Ok((Issuer::new(params, key), pem))
}

fn leaf(host: &str, issuer: &Issuer<'static, KeyPair>) -> io::Result<CertifiedKey> {
    let sign = || -> Result<_, rcgen::Error> {
        let mut params = CertificateParams::new([host.to_owned()])?;
        params.distinguished_name.push(DnType::CommonName, host);
        params.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = params.signed_by(&key, issuer)?;
        Ok((certificate.der().clone(), key.serialize_der()))
    };
    let (certificate, key) = sign().map_err(io::Error::other)?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key));
    let key = ring::sign::any_supported_type(&key).map_err(io::Error::other)?;
    Ok(CertifiedKey::new(vec![certificate], key))
}
