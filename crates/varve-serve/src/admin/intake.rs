//! The body of a request as it comes in, and not more of it than allowed.

use super::refused::Refused;
use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap};
use bytes::Bytes;
use futures_util::StreamExt;
use std::time::Duration;

/// Of a body that nobody wants so much is read all the same, and for so long: whoever still sends
/// does not see an answer.
const UNWANTED: u64 = 1 << 20;
const UNWANTED_TIME: Duration = Duration::from_secs(1);

/// Bytes on their way in.
pub(super) struct Intake {
    stream: BodyDataStream,
    taken: u64,
    limit: u64,
}

impl Intake {
    /// The body of a request, of which nothing is wanted yet.
    pub(super) fn new(body: Body) -> Intake {
        Intake {
            stream: body.into_data_stream(),
            taken: 0,
            limit: 0,
        }
    }

    /// Takes so much of it. A body that says that it is longer is refused at once.
    pub(super) fn allow(&mut self, headers: &HeaderMap, limit: u64) -> Result<(), Refused> {
        self.limit = limit;
        match announced(headers) {
            Some(length) if length > limit => Err(too_long(limit)),
            _ => Ok(()),
        }
    }

    /// The next bytes; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Refused> {
        let Some(piece) = self.stream.next().await else {
            return Ok(None);
        };
        let piece = piece.map_err(|_| Refused::bad("the request ended before its body did"))?;
        self.taken += piece.len() as u64;
        match self.taken > self.limit {
            true => Err(too_long(self.limit)),
            false => Ok(Some(piece)),
        }
    }

    /// All of it.
    pub(super) async fn whole(&mut self) -> Result<Vec<u8>, Refused> {
        let mut whole = Vec::new();
        while let Some(piece) = self.next().await? {
            whole.extend_from_slice(&piece);
        }
        Ok(whole)
    }

    /// Reads on for a while.
    pub(super) async fn leave(&mut self) {
        let reading = async {
            let mut left = UNWANTED;
            while let Some(Ok(piece)) = self.stream.next().await
                && left > 0
            {
                left = left.saturating_sub(piece.len() as u64);
            }
        };
        // Whether it came to its end is all the same.
        let _ = tokio::time::timeout(UNWANTED_TIME, reading).await;
    }
}

/// The length that a request says it has.
pub(super) fn announced(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(header::CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

fn too_long(limit: u64) -> Refused {
    let why = format!("more than {limit} bytes are not taken at once");
    Refused::new(StatusCode::PAYLOAD_TOO_LARGE, why)
}
