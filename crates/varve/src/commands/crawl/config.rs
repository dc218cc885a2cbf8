//! What was typed and what stands in the file, made one: flags count more.

use crate::cli::CrawlArgs;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

/// The words that count.
pub(super) fn resolve(flags: CrawlArgs) -> Result<CrawlArgs> {
    let Some(file) = &flags.config else {
        return Ok(flags);
    };
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let config = parse(&text).with_context(|| format!("{name} is not a crawl"))?;
    let words = over(words(&config)?, words(&flags)?);
    let resolved: CrawlArgs = serde_json::from_value(Value::Object(words))?;
    Ok(CrawlArgs {
        dry_run: flags.dry_run,
        ..resolved
    })
}

fn parse(text: &str) -> Result<CrawlArgs> {
    if text.trim().is_empty() {
        bail!("it is empty");
    }
    Ok(serde_saphyr::from_str(text)?)
}

/// The words that were said: neither absent, nor empty, nor a flag that is not set.
fn words(args: &CrawlArgs) -> Result<Map<String, Value>> {
    let Value::Object(words) = serde_json::to_value(args)? else {
        bail!("a struct is an object");
    };
    let said = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(values) => !values.is_empty(),
        _ => true,
    };
    Ok(words.into_iter().filter(|(_, value)| said(value)).collect())
}

fn over(mut under: Map<String, Value>, upper: Map<String, Value>) -> Map<String, Value> {
    under.extend(upper);
    under
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn resolved(file: &str, flags: CrawlArgs) -> Result<CrawlArgs> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("crawl.yaml");
        std::fs::write(&path, file).unwrap();
        resolve(CrawlArgs {
            config: Some(path),
            ..flags
        })
    }

    #[test]
    fn flags_count_more_than_the_file() {
        let file = "urls: [https://a.example/]\nscope: host\nmax-size: 2GB\nworkers: 3\n";
        let flags = CrawlArgs {
            workers: Some(7),
            ..CrawlArgs::default()
        };
        let args = resolved(file, flags).unwrap();
        assert_eq!(args.urls, ["https://a.example/"]);
        assert_eq!(args.workers, Some(7));
        assert_eq!(args.max_size.map(u64::from), Some(2 << 30));
    }

    #[test]
    fn errors_say_where_and_what() {
        let check = |file: &str, expected: &str| {
            let error = resolved(file, CrawlArgs::default()).unwrap_err();
            let words = format!("{error:#}");
            assert!(words.contains(expected), "{words}");
        };
        check("wrokers: 3\n", "wrokers");
        check("workers: many\n", "line 1");
        check("scope: galaxy\n", "galaxy");
        check("", "empty");
    }
}
