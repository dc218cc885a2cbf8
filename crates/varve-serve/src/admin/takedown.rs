//! What may not be shown any more: from what was typed to a line of the access list.
//!
//! Nothing is deleted. What is taken down stays in its files, and is there again when the rule is
//! taken back.

use crate::interfaces::{Bad, Parameters};
use serde_json::json;
use url::Url;
use varve_model::{Surt, Timestamp, UrlMatch, key_range};

/// The rule that is asked for: `url`, `match` (`url`, `prefix` or `host`), `access` (`block`,
/// `exclude` or `allow`), `from` and `to` for captures of a time, `newer_days` for an embargo.
pub(super) fn rule(asked: &Parameters) -> Result<String, Bad> {
    let url = url(asked)?;
    let key = match asked.get("match").unwrap_or("url") {
        "url" => format!("{}###", Surt::from_url(&url)),
        "prefix" => key_range(&url, UrlMatch::Prefix).start,
        "host" => key_range(&url, UrlMatch::Host).start,
        other => {
            return Err(Bad::new(
                "match",
                format!("{other:?} is not url, prefix or host"),
            ));
        }
    };
    let access = match asked.get("access").unwrap_or("block") {
        access @ ("block" | "exclude" | "allow") => access,
        other => {
            let why = format!("{other:?} is not block, exclude or allow");
            return Err(Bad::new("access", why));
        }
    };
    let mut said = json!({"access": access, "url": url});
    match asked.number::<u16>("newer_days")? {
        None => {}
        Some(0) => return Err(Bad::new("newer_days", "an embargo lasts at least a day")),
        Some(days) => said["newer"] = json!({"days": days}),
    }
    Ok(format!("{key} {} {said}", when(asked)?))
}

/// A URL of the web; without a scheme it is one of http.
fn url(asked: &Parameters) -> Result<String, Bad> {
    let typed = asked.url()?.trim();
    let url = match typed.contains("://") {
        true => typed.to_owned(),
        false => format!("http://{typed}"),
    };
    let parsed = Url::parse(&url).ok();
    let is_web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let shown: String = typed.chars().take(200).collect();
    match parsed.is_some_and(|url| is_web(&url)) {
        true if typed.ends_with('*') => {
            let why = "leave out the * at its end, and ask for all URLs that begin like it";
            Err(Bad::new("url", why))
        }
        true => Ok(url),
        false => Err(Bad::new(
            "url",
            format!("{shown:?} is not a URL of the web"),
        )),
    }
}

/// Captures of all times, or of some.
fn when(asked: &Parameters) -> Result<String, Bad> {
    asked.moment("from", Timestamp::earliest_of)?;
    asked.moment("to", Timestamp::latest_of)?;
    let end = |name| asked.get(name).unwrap_or("").trim();
    Ok(match (end("from"), end("to")) {
        ("", "") => "-".to_owned(),
        (from, to) => format!("{from}:{to}"),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use varve_model::AccessList;

    #[test]
    fn what_is_typed_becomes_a_rule() {
        let check = |typed: &str, expected: &str| {
            let rule = rule(&Parameters::parse(typed)).unwrap();
            assert_eq!(
                rule.replace("\"url\":\"http://h.test/a\"", "_"),
                expected,
                "{typed}"
            );
            assert!(AccessList::parse(&rule).is_ok(), "{rule}");
        };
        check("url=h.test/a", "test,h)/a### - {\"access\":\"block\",_}");
        check(
            "url=http://h.test/a&match=host&access=exclude",
            "test,h)/ - {\"access\":\"exclude\",_}",
        );
        check(
            "url=h.test/a&match=prefix&from=2014&to=201506",
            "test,h)/a 2014:201506 {\"access\":\"block\",_}",
        );
        check(
            "url=h.test/a&to=2015&newer_days=90",
            "test,h)/a### :2015 {\"access\":\"block\",\"newer\":{\"days\":90},_}",
        );
        let folder = rule(&Parameters::parse("url=https://h.test/b/&match=prefix")).unwrap();
        assert!(folder.starts_with("test,h)/b/ - "), "{folder}");
        let lines = rule(&Parameters::parse("url=h.test/%0Aa%20b")).unwrap();
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert!(AccessList::parse(&lines).is_ok(), "{lines}");
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let check = |typed: &str, parameter: &str| {
            let bad = rule(&Parameters::parse(typed)).unwrap_err();
            assert_eq!(bad.parameter, parameter, "{typed}");
        };
        check("", "url");
        check("url=javascript://x", "url");
        check("url=h.test/*", "url");
        check("url=h.test&match=everything", "match");
        check("url=h.test&access=perhaps", "access");
        check("url=h.test&from=yesterday", "from");
        check("url=h.test&to=20xx", "to");
        check("url=h.test&newer_days=0", "newer_days");
        check("url=h.test&newer_days=x", "newer_days");
    }
}
