//! A request, whatever protocol it came in.

use crate::log::Scheme;
use bytes::Bytes;

/// A request with its whole body.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) scheme: Scheme,
    /// The host asked for, without port, in lower case.
    pub(crate) host: String,
    pub(crate) method: String,
    /// Path and query.
    pub(crate) target: String,
    /// As they came; bytes beyond ASCII as Latin-1.
    pub(crate) fields: Vec<(String, String)>,
    /// Without framing.
    pub(crate) body: Bytes,
}

impl Request {
    /// The path alone, percent-decoded as far as that gives UTF-8.
    pub(crate) fn path(&self) -> String {
        let path = self.target.split(['?', '#']).next().unwrap_or_default();
        decode(path, false)
    }

    /// A value from the query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let (_, query) = self.target.split_once('?')?;
        pair(query, name)
    }

    /// A value from a form in the body.
    pub(crate) fn form(&self, name: &str) -> Option<String> {
        pair(&String::from_utf8_lossy(&self.body), name)
    }

    /// The first field of a name.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// Whether a field's comma-separated list has this word (parameters aside).
    pub(crate) fn lists(&self, name: &str, word: &str) -> bool {
        self.fields
            .iter()
            .filter(|(field, _)| field.eq_ignore_ascii_case(name))
            .flat_map(|(_, value)| value.split(','))
            .filter_map(|item| item.split(';').next())
            .any(|item| item.trim().eq_ignore_ascii_case(word))
    }

    /// A cookie's value.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.fields
            .iter()
            .filter(|(field, _)| field.eq_ignore_ascii_case("cookie"))
            .flat_map(|(_, value)| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// One value of `a=1&b=2`.
fn pair(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| decode(key, true) == name)?;
    Some(decode(value, true))
}

/// Takes percent-encoding off (and `+`, in forms). What is not UTF-8 afterwards stays as it was.
fn decode(text: &str, form: bool) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(hex_pair);
        match (bytes[at], digits) {
            (b'%', Some(byte)) => {
                decoded.push(byte);
                at += 3;
                continue;
            }
            (b'+', _) if form => decoded.push(b' '),
            (byte, _) => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

fn hex_pair(digits: &[u8]) -> Option<u8> {
    let high = char::from(digits[0]).to_digit(16)?;
    let low = char::from(digits[1]).to_digit(16)?;
    u8::try_from(high * 16 + low).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(target: &str) -> Request {
        Request {
            scheme: Scheme::Http,
            host: "garden.example".into(),
            method: "GET".into(),
            target: target.into(),
            fields: vec![
                ("Cookie".into(), "a=1; bed=rose".into()),
                ("Accept-Encoding".into(), "gzip;q=1, br".into()),
            ],
            body: Bytes::from_static(b"plant=Tree+fern&note=50%25"),
        }
    }

    #[test]
    fn paths_and_queries_are_decoded() {
        let request = request("/plants/caf%C3%A9?q=red+%26%20green&bad=%zz%");
        assert_eq!(request.path(), "/plants/café");
        assert_eq!(request.query("q").as_deref(), Some("red & green"));
        assert_eq!(request.query("bad").as_deref(), Some("%zz%"));
        assert_eq!(request.query("none"), None);
    }

    #[test]
    fn fields_are_found_in_any_case() {
        let request = request("/");
        assert_eq!(request.cookie("bed"), Some("rose"));
        assert!(request.lists("ACCEPT-ENCODING", "br"));
        assert!(request.lists("accept-encoding", "GZIP"));
        assert!(!request.lists("accept-encoding", "zstd"));
        assert_eq!(request.form("plant").as_deref(), Some("Tree fern"));
        assert_eq!(request.form("note").as_deref(), Some("50%"));
    }
}
