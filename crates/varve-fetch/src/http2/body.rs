//! The content of DATA frames, and the trailers after it.

use crate::incoming::{After, Step};
use bytes::Bytes;
use h2::RecvStream;

/// A body on a stream.
pub(crate) struct Body {
    stream: RecvStream,
    trailers: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Body {
    pub(super) fn new(stream: RecvStream) -> Body {
        let trailers = Vec::new();
        Body { stream, trailers }
    }

    /// The next piece. Can be cancelled without loss.
    pub(crate) async fn step(&mut self) -> Step {
        let (bytes, after) = match self.stream.data().await {
            Some(Ok(bytes)) => (bytes, After::More),
            Some(Err(_)) => (Bytes::new(), After::Broken),
            None => (Bytes::new(), self.read_trailers().await),
        };
        // The server may send as much again. It can only fail for a stream that is over.
        let _ = self.stream.flow_control().release_capacity(bytes.len());
        let after = match after {
            After::More if self.stream.is_end_stream() => After::End,
            after => after,
        };
        Step { bytes, after }
    }

    /// The trailers. To be called after the end.
    pub(crate) fn into_trailers(self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.trailers
    }

    async fn read_trailers(&mut self) -> After {
        let Ok(trailers) = self.stream.trailers().await else {
            return After::Broken;
        };
        let own = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
            (name.as_str().into(), value.as_bytes().to_vec())
        };
        self.trailers = trailers.iter().flatten().map(own).collect();
        After::End
    }
}
