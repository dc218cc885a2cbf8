//! Rules that hold for every request, whoever makes it: what is never asked for, and what some
//! hosts are told besides.

use crate::error::FetchError;
use crate::request::Request;
use regex::RegexSet;
use std::collections::HashSet;
use url::Url;

/// What is never asked for, and what is always said.
#[derive(Clone, Debug, Default)]
pub struct RequestRules {
    /// URLs that match any of these are not asked for.
    pub block: RegexSet,
    /// Fields that are added to requests...
    pub extra_fields: Vec<(Vec<u8>, Vec<u8>)>,
    /// ...to these hosts alone: they may be secrets.
    pub extra_hosts: HashSet<String>,
}

impl RequestRules {
    /// Adds what is to be said, or refuses to ask.
    pub(crate) fn apply(&self, request: &mut Request) -> Result<(), FetchError> {
        if self.block.is_match(request.url.as_str()) {
            return Err(FetchError::Ruled(request.url.to_string()));
        }
        if self.is_own(&request.url) {
            for (name, value) in &self.extra_fields {
                request
                    .fields
                    .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                request.fields.push((name.clone(), value.clone()));
            }
        }
        Ok(())
    }

    fn is_own(&self, url: &Url) -> bool {
        let host = url.host_str();
        host.is_some_and(|host| self.extra_hosts.contains(host))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rules() -> RequestRules {
        RequestRules {
            block: RegexSet::new(["^https?://ads\\.", "\\.exe$"]).unwrap(),
            extra_fields: vec![(b"X-Key".to_vec(), b"secret".to_vec())],
            extra_hosts: ["own.example".to_owned()].into(),
        }
    }

    #[test]
    fn what_matches_is_not_asked_for() {
        let check = |url: &str, asked: bool| {
            let mut request = Request::get(Url::parse(url).unwrap());
            let applied = rules().apply(&mut request);
            assert_eq!(applied.is_ok(), asked, "{url}");
            let reason = applied.err().map_or("", |error| error.reason());
            assert_eq!(reason, if asked { "" } else { "blocked.rule" });
        };
        check("https://ads.example/a", false);
        check("https://own.example/a.exe", false);
        check("https://own.example/ads.", true);
    }

    #[test]
    fn only_own_hosts_are_told_and_once() {
        let check = |url: &str, told: usize| {
            let mut request = Request::get(Url::parse(url).unwrap());
            let from_the_page = (b"x-key".to_vec(), b"other".to_vec());
            request.fields.push(from_the_page);
            rules().apply(&mut request).unwrap();
            let values = request.fields.iter().map(|(_, value)| value.as_slice());
            assert_eq!(values.filter(|value| *value == b"secret").count(), told);
            assert_eq!(request.fields.len(), 1);
        };
        check("https://own.example/", 1);
        check("https://own.example:8443/x", 1);
        check("https://other.example/", 0);
        check("https://own.example.evil.example/", 0);
    }
}
