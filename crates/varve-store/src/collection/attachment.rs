//! What stands beside the exchanges: pictures of a page, its text, the log of its visit.

use crate::warc::{Body, NewRecord, Payload, RecordType};
use crate::world::{World, record_id};
use varve_model::Timestamp;

/// What an attachment is to the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentKind {
    /// Content that stands for itself, such as a screenshot.
    Resource,
    /// Something about other records, such as the log of a visit.
    Metadata,
}

/// Something about a page that was not received from a server.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// What it is.
    pub kind: AttachmentKind,
    /// Its name, such as `urn:view:https://example.org/`.
    pub uri: String,
    /// When it was made.
    pub date: Timestamp,
    /// What its bytes are. Not `application/warc-fields`: such records have no index entry.
    pub content_type: String,
    /// Its bytes.
    pub body: Body,
}

/// The record of an attachment.
pub(crate) fn record(attachment: &Attachment, world: &dyn World) -> NewRecord {
    NewRecord {
        record_type: match attachment.kind {
            AttachmentKind::Resource => RecordType::Resource,
            AttachmentKind::Metadata => RecordType::Metadata,
        },
        id: record_id(world.random()),
        date: attachment.date,
        target_uri: Some(attachment.uri.clone()),
        content_type: Some(attachment.content_type.clone()),
        fields: Vec::new(),
        head: Vec::new(),
        body: attachment.body.clone(),
        payload: Payload::Body,
    }
}
