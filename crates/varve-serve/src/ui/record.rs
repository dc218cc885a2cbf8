//! The record of a capture: what stands in the archive, as it stands there.

use super::collection::crawl_path;
use super::framed::{find, missing};
use super::shell::{asked, encoded, shell, web_path};
use super::words::{grouped, moment};
use crate::archive::Opened;
use crate::interfaces::Bad;
use crate::layout::When;
use crate::lookup::Found;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_store::collection::{StoredRecord, is_revisit};
use varve_store::index::Hit;

/// Bytes of a head that are shown.
const MAX_HEAD: usize = 64 << 10;
/// Captures that refer to each other that are followed.
const MAX_CHAIN: usize = 8;

/// Shows the record of a capture.
pub(super) fn record(serving: &Serving, rest: &str) -> Result<Reply, Bad> {
    let asked = asked(rest)?;
    let Some(found) = find(serving, &asked) else {
        return Ok(missing(serving, &asked));
    };
    let (url, time) = (asked.url.as_str(), found.hit.capture.timestamp.to_seconds());
    if asked.when != When::At(time) {
        let path = format!("/record-view/{}/{url}", time.digits14());
        return Ok(Reply::redirect(StatusCode::FOUND, &encoded(&path)));
    }
    let digits = time.digits14();
    let mut body = Markup::new("<h1>")
        .text(url)
        .html("</h1><p class=\"facts\">Record of ")
        .text(moment(time))
        .html(". <a href=\"")
        .text(web_path(&digits, url))
        .html("\">The page</a> <a href=\"")
        .text(web_path(&format!("{digits}id_"), url))
        .html("\">Bytes as captured</a> <a href=\"/record/")
        .text(format!("{digits}/{url}"))
        .html("\">WARC record</a> <a href=\"")
        .text(web_path("*", url))
        .html("\">All captures</a></p>")
        .markup(&index_line(serving, &found));
    body = match found.opened.collection().read(&found.hit) {
        Ok(record) => body
            .markup(&heads(&record))
            .markup(&request(&found))
            .markup(&chain(&found)),
        Err(error) => {
            let trouble = crate::respond::Trouble::from(error);
            body.html("<p>").text(trouble).html("</p>")
        }
    };
    Ok(shell(&format!("Record of {url}"), url, &body))
}

/// What the index says, and in which crawl it is.
fn index_line(serving: &Serving, found: &Found) -> Markup {
    let capture = &found.hit.capture;
    let layers = found.opened.collection().layers();
    let layer = layers.get(found.hit.layer).map(|layer| layer.id.as_str());
    let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let mut out = Markup::new("<dl class=\"record\">");
    for (name, value) in [
        ("URL", capture.url.clone()),
        ("Key", capture.key.as_str().to_owned()),
        ("Status", word(&capture.status)),
        ("Type", word(&capture.mime)),
        ("Digest", word(&capture.digest)),
        ("File", capture.filename.clone()),
        ("Offset", grouped(capture.offset)),
        (
            "Length in the file",
            format!("{} bytes", grouped(capture.length)),
        ),
    ] {
        out = out
            .html("<dt>")
            .html(name)
            .html("</dt><dd>")
            .text(value)
            .html("</dd>");
    }
    if let Some((name, layer)) = serving.archive.name_of(&found.opened).zip(layer) {
        out = out
            .html("<dt>Crawl</dt><dd><a href=\"")
            .text(crawl_path(name, layer))
            .html("\">")
            .text(layer)
            .html("</a> in <a href=\"/collections/")
            .text(&name.path)
            .html("\">")
            .text(&name.shown)
            .html("</a></dd>");
    }
    out.html("</dl>")
}

fn heads(record: &StoredRecord) -> Markup {
    let mut out =
        Markup::new("<section><h2>WARC header</h2>").markup(&lines(record.head().as_bytes()));
    out = match record.http() {
        Some(head) => out
            .html("<h2>HTTP head</h2>")
            .markup(&lines(head.as_bytes())),
        None => out.html("<p class=\"facts\">It has no HTTP head.</p>"),
    };
    let block = record.head().content_length();
    out.html("<p class=\"facts\">The block has ")
        .text(grouped(block))
        .html(" bytes. The body is not shown here.</p></section>")
}

fn request(found: &Found) -> Markup {
    let request = found.opened.collection().request_of(&found.hit);
    match request.as_ref().and_then(StoredRecord::http) {
        Some(head) => Markup::new("<section><h2>Request</h2>")
            .markup(&lines(head.as_bytes()))
            .html("</section>"),
        None => Markup::default(),
    }
}

/// The captures that a revisit refers to, one after the other.
fn chain(found: &Found) -> Markup {
    let mut out = Markup::default();
    if !is_revisit(&found.hit.capture) {
        return out;
    }
    out = out.html("<section><h2>Where its content is</h2><ol>");
    let mut hit = found.hit.clone();
    for _ in 0..MAX_CHAIN {
        match referred(&found.opened, &hit) {
            Some(next) if next != hit => {
                out = out.html("<li>").markup(&place(&next)).html("</li>");
                hit = next;
            }
            Some(_) => break,
            None => {
                out = out.html("<li>What it refers to is not in the archive.</li>");
                break;
            }
        }
        if !is_revisit(&hit.capture) {
            break;
        }
    }
    out.html("</ol></section>")
}

fn referred(opened: &Opened, hit: &Hit) -> Option<Hit> {
    opened.collection().payload_of(opened.index(), hit).ok()?
}

fn place(hit: &Hit) -> Markup {
    let capture = &hit.capture;
    let time = capture.timestamp.to_seconds();
    Markup::new("<a href=\"/record-view/")
        .text(time.digits14())
        .html("/")
        .text(&capture.url)
        .html("\">")
        .text(moment(time))
        .html("</a> ")
        .text(&capture.url)
        .html(", ")
        .text(&capture.filename)
        .html(" at ")
        .text(grouped(capture.offset))
}

/// A head, line by line.
fn lines(head: &[u8]) -> Markup {
    let shown = &head[..head.len().min(MAX_HEAD)];
    let text = String::from_utf8_lossy(shown);
    let mut out = Markup::new("<pre tabindex=\"0\">");
    for line in text.trim_end().lines() {
        out = out.text(line).html("\n");
    }
    if shown.len() < head.len() {
        out = out.html("... and more\n");
    }
    out.html("</pre>")
}
