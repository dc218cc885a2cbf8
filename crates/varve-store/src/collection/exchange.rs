//! One request and its response as records: response (or revisit), request, metadata, linked.

use super::not_modified::{self, NotModified};
use crate::warc::{Body, NewRecord, Payload, RecordType};
use crate::world::{World, record_id};
use std::net::IpAddr;
use varve_model::{Digest, DigestAlgorithm, Digester, Timestamp};

/// Why a record holds less than was sent, in the words of `WARC-Truncated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// It was longer than allowed.
    Length,
    /// It took longer than allowed.
    Time,
    /// The connection broke.
    Disconnect,
    /// Anything else.
    Unspecified,
}

impl Truncation {
    fn name(self) -> &'static str {
        match self {
            Truncation::Length => "length",
            Truncation::Time => "time",
            Truncation::Disconnect => "disconnect",
            Truncation::Unspecified => "unspecified",
        }
    }
}

/// An HTTP message, byte for byte as on the wire.
#[derive(Clone, Debug)]
pub struct Message {
    /// Start line and fields, with the blank line.
    pub head: Vec<u8>,
    /// Everything after, with its transfer and content codings.
    pub body: Body,
    /// Why there is less than was sent, if there is.
    pub truncated: Option<Truncation>,
}

impl Message {
    /// A message that is all there.
    pub fn new(head: impl Into<Vec<u8>>, body: impl Into<Body>) -> Message {
        Message {
            head: head.into(),
            body: body.into(),
            truncated: None,
        }
    }
}

/// One request and its response.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The URL asked for.
    pub url: String,
    /// When the request was sent.
    pub date: Timestamp,
    /// The address that answered.
    pub peer: Option<IpAddr>,
    /// The protocols on the wire, such as `h2`, when they are not what the heads say.
    pub protocols: Vec<String>,
    /// The request, if it is to be kept.
    pub request: Option<Message>,
    /// The response.
    pub response: Message,
    /// How to know whether its payload is stored already.
    pub known: Known,
    /// Facts about the exchange for a metadata record: names and values.
    pub metadata: Vec<(String, String)>,
}

/// How to know whether a payload is stored already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// By its digest.
    #[default]
    ByDigest,
    /// The response is a 304 to a request that named an earlier capture: it is still good.
    NotModified(NotModified),
    /// What is stored of it cannot be read. It is stored again, whatever its digest.
    Unreadable,
}

/// An earlier capture with the same payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Its URL.
    pub url: String,
    /// Its date.
    pub date: Timestamp,
    /// Its record's identifier, where known.
    pub record_id: Option<String>,
}

const IDENTICAL_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// The digest of a payload, and where it is stored already, if it is.
pub(crate) struct Recognised {
    pub(crate) digest: Digest,
    pub(crate) original: Option<Original>,
}

/// The records of an exchange. The first is the response, or a revisit when the payload is known
/// or has not changed.
pub(crate) fn records(
    exchange: &Exchange,
    payload: Option<Recognised>,
    world: &dyn World,
) -> Vec<NewRecord> {
    let mut metadata = exchange.metadata.clone();
    let response = match (&exchange.known, payload) {
        (Known::NotModified(earlier), _) => {
            metadata.push(not_modified::told(exchange));
            not_modified::record(exchange, earlier, world)
        }
        (_, None) => response_record(exchange, Payload::Body, world),
        (_, Some(Recognised { digest, original })) => match original {
            None => response_record(exchange, Payload::Digested(digest), world),
            Some(original) => revisit_record(exchange, IDENTICAL_PAYLOAD, original, digest, world),
        },
    };
    let concurrent = format!("<{}>", response.id);
    let mut records = vec![response];
    if let Some(request) = &exchange.request {
        let mut record = http_record(exchange, request, RecordType::Request, world);
        record
            .fields
            .push(("WARC-Concurrent-To", concurrent.clone()));
        records.push(record);
    }
    if !metadata.is_empty() {
        records.push(metadata_record(exchange, &metadata, concurrent, world));
    }
    records
}

/// The digest of the payload, by which it is known again.
pub(crate) fn payload_digest(message: &Message) -> std::io::Result<Digest> {
    let mut digester = Digester::new(DigestAlgorithm::Sha1);
    message.body.each_piece(|piece| -> std::io::Result<()> {
        digester.update(piece);
        Ok(())
    })?;
    Ok(digester.finish())
}

fn response_record(exchange: &Exchange, payload: Payload, world: &dyn World) -> NewRecord {
    let mut record = http_record(exchange, &exchange.response, RecordType::Response, world);
    record.payload = payload;
    add_connection(&mut record, exchange);
    record
}

pub(super) fn revisit_record(
    exchange: &Exchange,
    profile: &str,
    original: Original,
    digest: Digest,
    world: &dyn World,
) -> NewRecord {
    let head_only = Message {
        body: Vec::new().into(),
        ..exchange.response.clone()
    };
    let mut record = http_record(exchange, &head_only, RecordType::Revisit, world);
    record.payload = Payload::Elsewhere(digest);
    record.fields.push(("WARC-Profile", profile.into()));
    record
        .fields
        .push(("WARC-Refers-To-Target-URI", original.url));
    record
        .fields
        .push(("WARC-Refers-To-Date", original.date.w3c()));
    if let Some(id) = original.record_id {
        record.fields.push(("WARC-Refers-To", format!("<{id}>")));
    }
    add_connection(&mut record, exchange);
    record
}

fn http_record(
    exchange: &Exchange,
    message: &Message,
    record_type: RecordType,
    world: &dyn World,
) -> NewRecord {
    let kind = if record_type == RecordType::Request {
        "request"
    } else {
        "response"
    };
    let mut fields = Vec::new();
    if let Some(truncation) = message.truncated {
        fields.push(("WARC-Truncated", truncation.name().to_owned()));
    }
    NewRecord {
        record_type,
        id: record_id(world.random()),
        date: exchange.date,
        target_uri: Some(exchange.url.clone()),
        content_type: Some(format!("application/http; msgtype={kind}")),
        fields,
        head: message.head.clone(),
        body: message.body.clone(),
        payload: Payload::Body,
    }
}

fn add_connection(record: &mut NewRecord, exchange: &Exchange) {
    if let Some(peer) = exchange.peer {
        record.fields.push(("WARC-IP-Address", peer.to_string()));
    }
    for protocol in &exchange.protocols {
        record.fields.push(("WARC-Protocol", protocol.clone()));
    }
}

fn metadata_record(
    exchange: &Exchange,
    metadata: &[(String, String)],
    concurrent: String,
    world: &dyn World,
) -> NewRecord {
    let mut block = String::new();
    for (name, value) in metadata {
        let value: String = value
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        block.push_str(&format!("{name}: {value}\r\n"));
    }
    NewRecord {
        record_type: RecordType::Metadata,
        id: record_id(world.random()),
        date: exchange.date,
        target_uri: Some(exchange.url.clone()),
        content_type: Some("application/warc-fields".into()),
        fields: vec![("WARC-Concurrent-To", concurrent)],
        head: Vec::new(),
        body: block.into_bytes().into(),
        payload: Payload::None,
    }
}
