//! An authority in a file: its key and its certificate, in PEM.

use crate::AuthorityError;
use crate::authority::NAME;
use rcgen::{KeyPair, PublicKeyData};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Longer files are none of ours.
const MAX_FILE: u64 = 64 << 10;
/// Only the owner reads and writes.
const OWNER: u32 = 0o600;

/// The key and the certificate in a file; nothing if there is no file.
pub(crate) fn load(file: &Path) -> Result<Option<(KeyPair, String)>, AuthorityError> {
    let mut text = Vec::new();
    match fs::File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(file, "open")(error)),
        Ok(opened) => {
            let read = opened.take(MAX_FILE).read_to_end(&mut text);
            read.map_err(failed(file, "read"))?;
        }
    }
    let known = parse(&text).ok_or_else(|| AuthorityError::Foreign(file.to_owned()))?;
    Ok(Some(known))
}

/// Writes a file that did not exist.
pub(crate) fn store(file: &Path, key: &KeyPair, pem: &str) -> Result<(), AuthorityError> {
    let mut options = OpenOptions::new();
    let created = options.write(true).create_new(true).mode(OWNER).open(file);
    let mut out = created.map_err(failed(file, "create"))?;
    let text = format!("{}{pem}", key.serialize_pem());
    let written = out.write_all(text.as_bytes());
    written
        .and_then(|()| out.sync_all())
        .map_err(failed(file, "write"))
}

fn parse(text: &[u8]) -> Option<(KeyPair, String)> {
    let key = PrivatePkcs8KeyDer::from_pem_slice(text).ok()?;
    let key = KeyPair::try_from(key.secret_pkcs8_der()).ok()?;
    let certificate = CertificateDer::from_pem_slice(text).ok()?;
    // What it signs must be in the name and with the key of the certificate.
    let holds = |part: &[u8]| {
        let mut parts = certificate.windows(part.len());
        parts.any(|other| other == part)
    };
    let ours = holds(&key.subject_public_key_info()) && holds(NAME.as_bytes());
    let text = std::str::from_utf8(text).ok().filter(|_| ours)?;
    let start = text.find("-----BEGIN CERTIFICATE-----")?;
    Some((key, text[start..].to_owned()))
}

fn failed(file: &Path, action: &'static str) -> impl FnOnce(io::Error) -> AuthorityError {
    let path = file.to_owned();
    move |error| AuthorityError::Io {
        path,
        action,
        error,
    }
}
