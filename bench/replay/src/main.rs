//! How fast documents are rewritten: `varve-bench-replay html FILE`, `css` or `js`, prints JSON.

use anyhow::{Context, Result, bail};
use std::time::{Duration, Instant};
use url::Url;
use varve_js::Form;
use varve_page::{Crossorigin, Document, Rewriting, ScriptUse, Targets, UrlMap, Use};

/// How long each is repeated.
const LASTS: Duration = Duration::from_secs(2);

/// The path layout's map, without what is not needed here.
struct Elsewhere;

impl UrlMap for Elsewhere {
    fn map(&self, _: &str, resolved: &Url, _: Use) -> Option<String> {
        Some(format!(
            "http://127.0.0.1:8081/web/20260101000000mp_/{resolved}"
        ))
    }
}

fn script(
    text: &str,
    used: ScriptUse,
    specifier: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let form = match used {
        ScriptUse::Module => Form::Module,
        ScriptUse::Handler | ScriptUse::JavascriptUrl => Form::Handler,
        _ => Form::Classic,
    };
    Some(varve_js::rewrite(text, form, specifier).text.into_owned())
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, file] = words.as_slice() else {
        bail!("usage: varve-bench-replay html|css|js FILE");
    };
    let bytes = std::fs::read(file).with_context(|| file.clone())?;
    let content_type = match kind.as_str() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        other => bail!("{other}: html, css or js"),
    };
    let url = Url::parse("https://www.example.org/dir/page")?;
    let document = Document {
        content_type: Some(content_type),
        ..Document::new(&url, &bytes)
    };
    let how = Rewriting {
        scripts: &script,
        script: ScriptUse::Classic,
        insert: "<script src=\"/__varve/shim.js\"></script>",
        targets: Targets::TOPMOST,
        crossorigin: Crossorigin::Keep,
        ..Rewriting::new(&Elsewhere)
    };
    let (mut times, mut written) = (0u64, 0);
    let began = Instant::now();
    while began.elapsed() < LASTS {
        written = varve_page::rewrite(&document, &how).body.len();
        times += 1;
    }
    let seconds = began.elapsed().as_secs_f64();
    let megabytes = times as f64 * bytes.len() as f64 / 1e6;
    let told = serde_json::json!({
        "bytes": bytes.len(),
        "written": written,
        "times": times,
        "mb_per_second": megabytes / seconds,
        "ms": seconds * 1e3 / times as f64,
    });
    println!("{told}");
    Ok(())
}
