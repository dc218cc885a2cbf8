//! What went over the wire and what a visit saw, as the store keeps them.

use crate::session::Session;
use serde_json::json;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use varve_browser::{Client, ClientAsSeen};
use varve_fetch::{Protocol, Spooled, Unchanged};
use varve_model::Timestamp;
use varve_store::collection::{
    Attachment, AttachmentKind, Exchange, Known, Message, NotModified, Original, Truncation,
};
use varve_store::fs::ReadAt;
use varve_store::warc::Body;

/// The store's form of an exchange, without the secrets of the user's session.
pub(crate) fn exchange(exchange: &varve_fetch::Exchange, session: &Session) -> Exchange {
    let mut metadata = Vec::new();
    let mut without_secrets = |whose: &str, head: &Vec<u8>| match session.redact(head) {
        Some((redacted, names)) => {
            metadata.push((format!("altered-{whose}"), names.join(", ")));
            redacted
        }
        None => head.clone(),
    };
    let request_head = without_secrets("request", &exchange.request_head);
    let response_head = without_secrets("response", &exchange.response_head);
    for head in &exchange.informational {
        metadata.push((
            "informational".to_owned(),
            serde_json::Value::from(String::from_utf8_lossy(head)).to_string(),
        ));
    }
    for (name, value) in &exchange.trailers {
        let (name, value) = (
            String::from_utf8_lossy(name),
            String::from_utf8_lossy(value),
        );
        metadata.push(("trailer".to_owned(), format!("{name}: {value}")));
    }
    Exchange {
        url: exchange.url.to_string(),
        date: timestamp(exchange.started),
        peer: Some(exchange.peer.ip()),
        protocols: match exchange.protocol {
            Protocol::Http1 => Vec::new(),
            Protocol::Http2 => vec!["h2".to_owned()],
        },
        request: Some(Message::new(request_head, body(&exchange.request_body))),
        response: Message {
            head: response_head,
            body: body(&exchange.body),
            truncated: exchange.truncated.map(truncation),
        },
        known: Known::ByDigest,
        metadata,
    }
}

/// The store's form of an answer that nothing has changed.
pub(crate) fn unchanged(unchanged: &Unchanged, session: &Session) -> Exchange {
    let original = &unchanged.original;
    Exchange {
        known: Known::NotModified(NotModified {
            digest: original.digest,
            original: Original {
                url: original.url.clone(),
                date: original.date,
                record_id: None,
            },
        }),
        ..exchange(&unchanged.answer, session)
    }
}

/// Who asks, written once for each layer: what replay tells the scripts of pages that no browser
/// visited.
pub(crate) fn client(client: &Client, user_agent: &str) -> Attachment {
    let claimed = json!({"client": ClientAsSeen::claimed(client, user_agent)});
    Attachment {
        kind: AttachmentKind::Metadata,
        uri: "urn:varve:client".to_owned(),
        date: timestamp(SystemTime::now()),
        content_type: "application/json".into(),
        body: claimed.to_string().into_bytes().into(),
    }
}

/// The moment, as the archive tells it.
pub(crate) fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = i64::try_from(since.as_millis()).unwrap_or(0);
    Timestamp::from_unix_millis(millis)
        .or_else(|| Timestamp::from_unix_millis(0))
        .unwrap_or_else(|| unreachable!("1970 is a year"))
}

fn truncation(truncation: varve_fetch::Truncation) -> Truncation {
    match truncation {
        varve_fetch::Truncation::Length => Truncation::Length,
        varve_fetch::Truncation::Time => Truncation::Time,
        varve_fetch::Truncation::Disconnect => Truncation::Disconnect,
    }
}

fn body(spooled: &Spooled) -> Body {
    match spooled {
        Spooled::Memory(bytes) => Body::Bytes(bytes.clone()),
        Spooled::File {
            file,
            start,
            length,
        } => Body::File {
            file: Arc::new(SpoolFile(file.clone())),
            offset: *start,
            length: *length,
        },
    }
}

/// A spooled body as the store reads files.
#[derive(Debug)]
struct SpoolFile(Arc<File>);

impl ReadAt for SpoolFile {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(self.0.as_ref(), buf, offset)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}
