//! What the HTTP tier makes of a response.

use super::requisites::Around;
use super::{Arrived, HttpTier};
use std::io::Read;
use varve_fetch::{Exchange, Spooled};
use varve_model::HttpHead;
use varve_page::{
    ColourScheme, Destination, Document, Page, Pointer, Viewport, Within, analyse, kind_of,
    link_header, refresh_header,
};
use varve_store::http::{BodyReader, DecodeError, DecodeLimits, content_codings};

/// Longer documents are kept but not read.
pub(super) const MAX_READ: u64 = 32 << 20;

/// How much of a body is needed to see what it is.
const LOOK: u64 = 4096;

/// What was understood of a response.
pub(super) struct Reading {
    pub(super) page: Page,
    /// Why not all of it was read, if so.
    pub(super) unread: Option<&'static str>,
}

impl HttpTier {
    /// Understands a response, if it can be understood.
    pub(super) fn read(
        &self,
        arrived: &Arrived,
        destination: Destination,
        around: Option<&Around>,
    ) -> Reading {
        let Arrived { exchange, head, .. } = arrived;
        let declared = head.get("Content-Type");
        let declared = declared.as_deref().map(String::from_utf8_lossy);
        let beginning = decode(exchange, head, LOOK);
        let mut document = Document {
            url: &exchange.url,
            content_type: declared.as_deref(),
            destination,
            within: around.map(|around| Within {
                base: &around.base,
                import_map: &around.import_map,
            }),
            bytes: &beginning.bytes,
        };
        let whole;
        let mut unread = None;
        if kind_of(&document).is_text() {
            whole = decode(exchange, head, MAX_READ);
            document.bytes = &whole.bytes;
            unread = whole.cut.then(|| why_unread(head));
        }
        let viewport = self.viewport();
        let mut page = analyse(&document, &viewport);
        for value in head.get_all("Link") {
            let value = String::from_utf8_lossy(&value);
            let links = link_header(&value, &exchange.url, &viewport);
            page.references.extend(links);
        }
        if let Some(value) = head.get("Refresh") {
            let value = String::from_utf8_lossy(&value);
            page.references
                .extend(refresh_header(&value, &exchange.url));
        }
        Reading { page, unread }
    }
}

/// The word for a document that is longer than one reads: as it came, or only when decoded.
fn why_unread(head: &HttpHead) -> &'static str {
    match content_codings(head).is_empty() {
        true => "limit.document",
        false => "decode.limit",
    }
}

/// A body without its codings.
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// Whether there is more than a limit allows.
    cut: bool,
}

/// The body without its codings, as far as it goes, and no more than `limit` of it.
pub(super) fn decode(exchange: &Exchange, head: &HttpHead, limit: u64) -> Decoded {
    let limits = DecodeLimits {
        bytes: MAX_READ,
        ..DecodeLimits::default()
    };
    let mut bytes = Vec::new();
    let body = SpooledReader {
        body: &exchange.body,
        at: 0,
    };
    let mut reader = BodyReader::new(head, body, limits);
    let cut = match reader.by_ref().take(limit).read_to_end(&mut bytes) {
        Ok(read) => read as u64 == limit && !matches!(reader.read(&mut [0]), Ok(0)),
        // A body that breaks off is read as far as it goes.
        Err(error) => error
            .get_ref()
            .is_some_and(|error| error.is::<DecodeError>()),
    };
    Decoded { bytes, cut }
}

struct SpooledReader<'a> {
    body: &'a Spooled,
    at: u64,
}

impl Read for SpooledReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = self.body.read_at(self.at, buffer.len())?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }
}

impl HttpTier {
    /// What pages are looked at with.
    pub(super) fn viewport(&self) -> Viewport {
        let client = &self.client;
        Viewport {
            width: client.width,
            height: client.height,
            screen: (client.width, client.height),
            pixel_ratio: client.pixel_ratio,
            pointer: match client.touch {
                true => Pointer::Coarse,
                false => Pointer::None,
            },
            colour_scheme: match client.colour_scheme {
                varve_browser::ColourScheme::Light => ColourScheme::Light,
                varve_browser::ColourScheme::Dark => ColourScheme::Dark,
            },
        }
    }
}
