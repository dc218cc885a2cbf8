//! The parameters of a request, and what is said about those that make no sense.

use crate::respond::Reply;
use axum::http::StatusCode;
use axum::http::header;
use std::fmt::Display;
use url::form_urlencoded;
use varve_model::Timestamp;

/// More parameters than this are not looked at.
const MAX_PARAMETERS: usize = 200;

/// The parameters of a request.
pub(crate) struct Parameters(Vec<(String, String)>);

/// A request that cannot be answered: which parameter, and why.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bad {
    pub(crate) parameter: &'static str,
    pub(crate) why: String,
}

impl Bad {
    pub(crate) fn new(parameter: &'static str, why: impl Into<String>) -> Bad {
        let why = why.into();
        Bad { parameter, why }
    }

    /// Tells it to a program.
    pub(crate) fn reply(&self) -> Reply {
        let message = format!("{}: {}", self.parameter, self.why);
        let told = serde_json::json!({"message": message, "parameter": self.parameter});
        Reply::new(StatusCode::BAD_REQUEST, told.to_string())
            .with(header::CONTENT_TYPE, "application/json")
            .with(header::CACHE_CONTROL, "no-store")
    }
}

impl Parameters {
    pub(crate) fn parse(query: &str) -> Parameters {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        Parameters(pairs.take(MAX_PARAMETERS).collect())
    }

    /// A parameter that says something. Of one that is repeated the first counts.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).find(|value| !value.is_empty())
    }

    /// All parameters of this name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.0.iter().filter(move |(other, _)| other == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The URL that is asked about.
    pub(crate) fn url(&self) -> Result<&str, Bad> {
        self.get("url").ok_or_else(|| {
            let why = "it is missing; say which URL is asked for, as in ?url=example.com";
            Bad::new("url", why)
        })
    }

    /// Whether a switch is on.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|value| !matches!(value, "0" | "false" | "no" | "off"))
    }

    /// A number of this or that kind.
    pub(crate) fn number<N: std::str::FromStr>(
        &self,
        name: &'static str,
    ) -> Result<Option<N>, Bad> {
        let wrong =
            |value: &str| Bad::new(name, format!("{value:?} is not a number that it can be"));
        self.get(name)
            .map(|value| value.trim().parse().map_err(|_| wrong(value)))
            .transpose()
    }

    /// A moment, by 4 to 17 digits, read like this.
    pub(crate) fn moment<E: Display>(
        &self,
        name: &'static str,
        read: fn(&str) -> Result<Timestamp, E>,
    ) -> Result<Option<Timestamp>, Bad> {
        let wrong =
            |value: &str, error: E| Bad::new(name, format!("{value:?} is no time: {error}"));
        self.get(name)
            .map(|value| read(value).map_err(|error| wrong(value, error)))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn parameters_by_name() {
        let asked =
            Parameters::parse("url=a%20b&filter=x&filter=y&limit=5&page=-1&on=1&off=0&url=c");
        assert_eq!(asked.url().unwrap(), "a b");
        assert_eq!(asked.all("filter").collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(asked.number::<usize>("limit").unwrap(), Some(5));
        assert_eq!(asked.number::<usize>("page").unwrap_err().parameter, "page");
        assert!(asked.flag("on") && !asked.flag("off") && !asked.flag("none"));
        assert!(Parameters::parse("").url().is_err());
    }
}
