//! The token of administrators: one word in a file that nobody else may read.

use crate::error::ServeError;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use subtle::ConstantTimeEq;

/// A shorter token could be guessed.
const SHORTEST: usize = 16;
/// A file that is longer is not one with a token.
const LONGEST: u64 = 4096;
/// Those who are neither the owner of the file nor root.
const OTHERS: u32 = 0o077;

/// What administrators know. It is never shown, not even to those who debug.
pub(super) struct Secret(String);

impl Secret {
    /// Reads the token in a file.
    pub(super) fn read(file: &Path) -> Result<Secret, ServeError> {
        let wrong = |reason| ServeError::AdminToken {
            file: file.to_owned(),
            reason,
        };
        let text = text(file).map_err(wrong)?;
        let token = text.trim();
        match token.bytes().all(|byte| byte.is_ascii_graphic()) {
            true if token.len() >= SHORTEST => Ok(Secret(token.to_owned())),
            true => Err(wrong(format!(
                "the token has {} characters and needs at least {SHORTEST}; {}",
                token.len(),
                how_to_make(file)
            ))),
            false => Err(wrong(format!(
                "a token is one word of visible ASCII characters; {}",
                how_to_make(file)
            ))),
        }
    }

    /// Whether this is the token, in a time that does not tell how much of it is.
    pub(super) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

fn text(file: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot read: {error}; {}", how_to_make(file));
    let opened = File::open(file).map_err(failed)?;
    let mode = opened.metadata().map_err(failed)?.permissions().mode() & 0o777;
    if mode & OTHERS != 0 {
        return Err(format!(
            "others may read or write it (mode {mode:03o}); forbid it with `chmod 600 {}`",
            file.display()
        ));
    }
    let mut text = String::new();
    let read = opened.take(LONGEST).read_to_string(&mut text);
    read.map_err(failed)?;
    Ok(text)
}

fn how_to_make(file: &Path) -> String {
    format!(
        "make one with `(umask 077; head -c 24 /dev/urandom | base64 > {})`",
        file.display()
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str, mode: u32) -> Result<Secret, String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("token");
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).unwrap();
        Secret::read(&file).map_err(|error| error.to_string())
    }

    #[test]
    fn a_token_is_one_long_word() {
        let secret = read("  0123456789abcdef\n", 0o600).ok().unwrap();
        assert!(secret.is("0123456789abcdef"));
        for other in ["", "0123456789abcdeF", "0123456789abcdef0"] {
            assert!(!secret.is(other), "{other}");
        }
        let check = |text: &str, mode: u32, expected: &str| {
            let error = read(text, mode).err().unwrap();
            assert!(error.contains(expected), "{error}");
            assert!(error.contains("/token: "), "{error}");
            assert!(text.is_empty() || !error.contains(text), "{error}");
        };
        check("0123456789abcde", 0o600, "15 characters");
        check("", 0o600, "head -c 24");
        check("0123456789 abcdef", 0o600, "one word");
        check("0123456789abcdef", 0o640, "mode 640");
        check("0123456789abcdef", 0o604, "chmod 600");
        let error = Secret::read(Path::new("/nowhere/token")).err().unwrap();
        assert!(error.to_string().contains("umask 077"), "{error}");
    }
}
