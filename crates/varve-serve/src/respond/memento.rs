//! What an answer says about the capture that it is: Memento (RFC 7089), the rule that matched,
//! and how far it is from the page in time.

use super::{Ask, Reply, page_time};
use crate::holdings;
use crate::layout::When;
use crate::lookup::{Around, Found};
use crate::serving::Serving;
use axum::http::header::{self, HeaderName, HeaderValue};
use url::Url;
use varve_model::{Timestamp, in_brackets};
use varve_page::Use;

/// Says which capture an answer is, whoever gives it; the archive introduces itself as `origin`, and
/// `around` are links to other mementos.
pub(super) fn name(reply: &mut Reply, found: &Found, origin: &str, around: &str) {
    let capture = &found.hit.capture;
    reply.say(
        HeaderName::from_static("memento-datetime"),
        &capture.timestamp.to_seconds().http_date(),
    );
    reply.say(
        HeaderName::from_static("x-varve-match"),
        found.matched.name(),
    );
    let links = links(&capture.url, origin) + around;
    if let Ok(links) = HeaderValue::from_str(&links) {
        reply.headers.append(header::LINK, links);
    }
}

/// Says which capture an answer of a replay origin is.
pub(super) fn tell(reply: &mut Reply, serving: &Serving, ask: &Ask, found: &Found, around: &str) {
    let time = found.hit.capture.timestamp.to_seconds();
    name(reply, found, &serving.names.origin(), around);
    let drift = time.unix_millis() - page_time(ask, found).unix_millis();
    reply.say(
        HeaderName::from_static("x-varve-drift"),
        &(drift / 1000).to_string(),
    );
    if ask.asked.when != When::At(time)
        && let Some(url) = serving.layout.url(&ask.asked.url, time, Use::Navigate)
    {
        reply.say(header::CONTENT_LOCATION, &url);
    }
}

/// Links to the map of the archive, to this memento and to those around it, for what is asked for by itself; the parts of
/// pages are asked for by browsers, which do not read them.
pub(super) fn around(serving: &Serving, ask: &Ask, found: &Found) -> String {
    let capture = &found.hit.capture;
    let Ok(url) = Url::parse(&capture.url) else {
        return String::new();
    };
    if !ask.purpose.may_be_document() {
        return String::new();
    }
    let time = capture.timestamp.to_seconds();
    let around = Around::find(&serving.archive.index(), &capture.url, time);
    let mut told = vec![(time, String::new())];
    for (relation, at) in [
        ("first ", around.first),
        ("prev ", around.previous),
        ("next ", around.next),
        ("last ", around.last),
    ] {
        let Some(at) = at else { continue };
        match told.iter_mut().find(|(other, _)| *other == at) {
            Some((_, relations)) => relations.push_str(relation),
            None => told.push((at, relation.to_owned())),
        }
    }
    let link = |(at, relations): (Timestamp, String)| {
        let memento = serving.layout.url(&url, at, Use::Navigate)?;
        let (memento, date) = (in_brackets(&memento), at.http_date());
        Some(format!(
            ", <{memento}>; rel=\"{relations}memento\"; datetime=\"{date}\""
        ))
    };
    let map = format!(", {}", holdings::link(&serving.names.origin()));
    map + &told.into_iter().filter_map(link).collect::<String>()
}

/// Of what it is a memento, and where the others are.
fn links(url: &str, origin: &str) -> String {
    let url = in_brackets(url);
    format!(
        "<{url}>; rel=\"original\", <{origin}/timegate/{url}>; rel=\"timegate\", \
         <{origin}/timemap/link/{url}>; rel=\"timemap\"; type=\"application/link-format\""
    )
}
