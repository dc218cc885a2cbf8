//! The content of a capture: its head, its date and its body, checked before it is believed.

use super::stubs::with_stubs;
use crate::archive::Opened;
use crate::lookup::Found;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use varve_model::{Digest, Digester, HttpHead, Timestamp};
use varve_store::StoreError;
use varve_store::collection::{PartsKey, StoredRecord, is_revisit};
use varve_store::http::{BodyReader, DecodeError, DecodeLimits, content_codings, is_chunked};

/// Stored bodies up to this size are read whole and checked before anything is sent.
pub(crate) const WHOLE: u64 = 8 << 20;
/// Memory that is set aside for a body before it is there.
const BELIEVED: u64 = 1 << 20;
/// What a body may become when its codings are taken off.
pub(crate) const DECODED: DecodeLimits = DecodeLimits {
    bytes: 8 << 30,
    ratio: 1_000,
    ratio_free: 16 << 20,
};

/// Why a capture cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// Its bytes are not what they should be.
    #[error("the record of this capture is damaged: {0}")]
    Damaged(String),
    /// It says that its content is elsewhere, where it is not.
    #[error("this capture refers to another one, which is not in the archive")]
    Elsewhere,
    /// It is more than may be done at once.
    #[error("this takes longer")]
    NotShort,
    /// It is too long for what is asked of it.
    #[error("the document is too long to be replayed")]
    TooLong,
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Damaged(without_directories(&error))
    }
}

/// The error with the name of the file, but not where it lies on this machine.
pub(crate) fn without_directories(error: &StoreError) -> String {
    let file = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    match error {
        StoreError::Damaged {
            path,
            offset,
            fault,
        } => format!("{}: offset {offset}: {fault}", file(path)),
        StoreError::Io {
            path,
            action,
            error,
        } => {
            format!("{}: cannot {action}: {error}", file(path))
        }
        StoreError::Invalid { path, reason } => format!("{}: {reason}", file(path)),
        other => other.to_string(),
    }
}

/// What is known of a capture without its body.
pub(crate) struct Facts {
    /// The head that the server sent for this capture.
    pub(crate) head: HttpHead,
    pub(crate) status: u16,
    /// When it was captured, as exactly as the record says.
    pub(crate) date: Timestamp,
    /// What tells its bytes from others.
    pub(crate) identity: String,
}

/// A capture that is open.
pub(crate) struct Content {
    pub(crate) facts: Arc<Facts>,
    /// The head that says how the stored body is coded.
    stored_head: HttpHead,
    record: StoredRecord,
    /// Where parts of the body are, if it is not whole, and what stands there for them.
    parts: Option<PartsKey>,
    mark: Option<String>,
    opened: Arc<Opened>,
}

impl Content {
    /// Opens what was found; for a revisit the capture that it refers to.
    pub(crate) fn open(found: &Found) -> Result<Content, Trouble> {
        let (collection, hit) = (found.opened.collection(), &found.hit);
        let own = collection.read(hit)?;
        let date = own.head().date().unwrap_or(hit.capture.timestamp);
        let own_head = own.http().cloned();
        let (payload, record) = match is_revisit(&hit.capture) {
            false => (hit.clone(), own),
            true => {
                let payload = collection.payload_of(found.opened.everything(), hit)?;
                let payload = payload.ok_or(Trouble::Elsewhere)?;
                let record = collection.read(&payload)?;
                (payload, record)
            }
        };
        let stored_head = match record.http() {
            Some(head) => head.clone(),
            None => head_of_other(&record)?,
        };
        let head = own_head.unwrap_or_else(|| stored_head.clone());
        let status = head.status().unwrap_or(200);
        let place = &payload.capture;
        let (parts, mark) = (record.parts_key(), record.mark());
        let identity = match (&place.digest, &parts) {
            (Some(digest), None) => digest.clone(),
            // The digest is that of the whole.
            (Some(digest), Some(_)) => format!("{digest}/parted"),
            (None, _) => format!("{}/{}/{}", payload.layer, place.filename, place.offset),
        };
        let facts = Facts {
            status,
            head,
            date,
            identity,
        };
        Ok(Content {
            facts: Arc::new(facts),
            stored_head,
            record,
            parts,
            mark,
            opened: found.opened.clone(),
        })
    }

    /// Whether parts of the body are stored elsewhere.
    pub(crate) fn is_parted(&self) -> bool {
        self.parts.is_some()
    }

    /// The name under which they are.
    pub(crate) fn parts_key(&self) -> Option<&PartsKey> {
        self.parts.as_ref()
    }

    /// Bytes of the body as it is stored, with its head; more than the body by itself.
    pub(crate) fn stored_length(&self) -> u64 {
        self.record.head().content_length()
    }

    /// The length of the body as it was meant, where that is known without reading it.
    pub(crate) fn plain_length(&self) -> Option<u64> {
        let head = self.record.http().map_or(0, |head| head.as_bytes().len());
        self.is_plain()
            .then(|| self.stored_length().saturating_sub(head as u64))
    }

    fn is_plain(&self) -> bool {
        self.parts.is_none() && self.is_stored_plain()
    }

    fn is_stored_plain(&self) -> bool {
        !is_chunked(&self.stored_head) && content_codings(&self.stored_head).is_empty()
    }

    /// The whole body, without its codings, checked against what the record says of it. It can be
    /// read once.
    pub(crate) fn whole(&mut self, limit: usize) -> Result<Vec<u8>, Trouble> {
        let stored = self.as_stored(limit)?;
        let whole = self.joined(stored)?;
        match whole.len() <= limit {
            true => Ok(whole),
            false => Err(Trouble::TooLong),
        }
    }

    /// A body with what is stored elsewhere of it. Without that, if it is no longer there.
    pub(crate) fn joined(&self, stored: Vec<u8>) -> Result<Vec<u8>, Trouble> {
        let Some(key) = &self.parts else {
            return Ok(stored);
        };
        let index = self.opened.everything();
        match self.opened.collection().parts(index, key)? {
            // Who runs it shall hear of that.
            None => Ok(with_stubs(stored, key, self.mark.as_deref(), None)),
            Some(parts) => parts.join(&stored).ok_or_else(|| {
                Trouble::Damaged("it does not fit the parts that are stored elsewhere".to_owned())
            }),
        }
    }

    /// A body with those of its parts that later crawls, or replay, turned out to need. The others
    /// are fetched when they are called.
    pub(crate) fn with_hot(&self, stored: Vec<u8>) -> Result<Vec<u8>, Trouble> {
        let Some(key) = &self.parts else {
            return Ok(stored);
        };
        let index = self.opened.everything();
        let hot = self.opened.collection().hot_parts(index, key)?;
        let mark = self.mark.as_deref();
        Ok(with_stubs(stored, key, mark, hot.as_ref()))
    }

    /// The body as [`Content::whole`] gives it, but with stubs for what is stored elsewhere.
    pub(crate) fn as_stored(&mut self, limit: usize) -> Result<Vec<u8>, Trouble> {
        if self.stored_length() > WHOLE {
            return Err(Trouble::TooLong);
        }
        // What a record says of its length may be a lie, so not all of it is believed.
        let room = self.stored_length().min(BELIEVED) as usize;
        let mut stored = Vec::with_capacity(room);
        self.record.read_to_end(&mut stored).map_err(damaged)?;
        self.record.finish()?;
        self.check(&stored)?;
        if self.is_stored_plain() && stored.len() <= limit {
            return Ok(stored);
        }
        let limits = DecodeLimits {
            bytes: limit as u64,
            ..DECODED
        };
        let mut body = Vec::new();
        BodyReader::new(&self.stored_head, stored.as_slice(), limits)
            .read_to_end(&mut body)
            .map_err(damaged)?;
        Ok(body)
    }

    /// The body piece by piece, without its codings. It ends only if the record is whole.
    pub(crate) fn reader(mut self) -> BodyReader<'static> {
        let head = self.stored_head.clone();
        if self.is_parted() {
            let whole = self.whole(usize::MAX);
            let whole = whole.map_err(|trouble| io::Error::other(trouble.to_string()));
            return BodyReader::new(&head, Joined(whole.map(io::Cursor::new)), DECODED);
        }
        BodyReader::new(&head, ToTheEnd(self.record), DECODED)
    }

    /// Only compressed files have checksums of their own; for others the digest is asked.
    fn check(&self, stored: &[u8]) -> Result<(), Trouble> {
        let path = self.record.path();
        if path.extension().is_some_and(|end| end == "gz") {
            return Ok(());
        }
        let said = self.record.head().get("WARC-Block-Digest");
        let Some(said) = said.as_deref().and_then(Digest::parse) else {
            return Ok(());
        };
        let mut digester = Digester::new(said.algorithm());
        if let Some(head) = self.record.http() {
            digester.update(head.as_bytes());
        }
        digester.update(stored);
        match digester.finish() == said {
            true => Ok(()),
            false => Err(Trouble::Damaged("its digest does not match".to_owned())),
        }
    }
}

/// Whether all of a body in parts is elsewhere: nothing is left of it but a mark.
pub(crate) fn is_set_aside(stored: &[u8]) -> bool {
    stored.is_empty() || stored == b"\xef\xbb\xbf"
}

/// The head for content that was not received over HTTP.
fn head_of_other(record: &StoredRecord) -> Result<HttpHead, Trouble> {
    use varve_store::warc::RecordType;
    match record.head().record_type() {
        RecordType::Resource | RecordType::Metadata | RecordType::Conversion => {
            let kind = record.head().get("Content-Type").unwrap_or_default();
            let fields = [("Content-Type", kind.as_ref())];
            Ok(HttpHead::from_parts("HTTP/1.1 200 OK", &fields))
        }
        _ => Err(Trouble::Damaged("it has no HTTP head".to_owned())),
    }
}

fn damaged(error: io::Error) -> Trouble {
    let source = error.get_ref();
    if let Some(DecodeError::TooLong(_)) = source.and_then(|it| it.downcast_ref()) {
        return Trouble::TooLong;
    }
    match source.and_then(|it| it.downcast_ref()) {
        Some(error) => Trouble::Damaged(without_directories(error)),
        None => Trouble::Damaged(error.to_string()),
    }
}

/// A body that was put together, if that worked.
struct Joined(io::Result<io::Cursor<Vec<u8>>>);

impl Read for Joined {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Ok(whole) => whole.read(buf),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    }
}

/// A record's body, which ends only if the record is whole.
struct ToTheEnd(StoredRecord);

impl Read for ToTheEnd {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buf)?;
        if read == 0 && !buf.is_empty() {
            self.0.finish().map_err(io::Error::other)?;
        }
        Ok(read)
    }
}
