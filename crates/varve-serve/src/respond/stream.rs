//! Bodies that are too long to be held: sent piece by piece, as fast as they are taken.

use super::content::Content;
use super::range::Part;
use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use std::io::{self, Read};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes of a piece, and pieces that wait to be taken.
const PIECE: usize = 64 << 10;
const WAITING: usize = 4;

/// A long body, or a part of it.
pub(crate) struct Long {
    pub(crate) content: Content,
    pub(crate) part: Option<Part>,
}

/// A body that is made piece by piece.
pub(crate) type Pieces = Box<dyn Iterator<Item = io::Result<Bytes>> + Send>;

impl Long {
    /// Sends it. Damage breaks the answer off: what came before it is not the whole, and is not
    /// called so.
    pub(crate) fn send(self, place: OwnedSemaphorePermit) -> Body {
        send(place, move |pieces| read(self, pieces))
    }
}

/// Sends a body that is made piece by piece.
pub(crate) fn send_pieces(made: Pieces, place: OwnedSemaphorePermit) -> Body {
    send(place, move |pieces| {
        for piece in made {
            if pieces.blocking_send(Ok(piece?)).is_err() {
                break;
            }
        }
        Ok(())
    })
}

/// Sends a body from a thread of its own, which ends when nobody takes the pieces any more.
fn send(
    place: OwnedSemaphorePermit,
    make: impl FnOnce(&Sender<io::Result<Bytes>>) -> io::Result<()> + Send + 'static,
) -> Body {
    let (pieces, taken) = channel(WAITING);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = make(&pieces) {
            let _ = pieces.blocking_send(Err(error));
        }
        drop(place);
    });
    Body::from_stream(stream::unfold(taken, next))
}

async fn next(
    mut taken: Receiver<io::Result<Bytes>>,
) -> Option<(io::Result<Bytes>, Receiver<io::Result<Bytes>>)> {
    let piece = taken.recv().await?;
    Some((piece, taken))
}

fn read(long: Long, pieces: &Sender<io::Result<Bytes>>) -> io::Result<()> {
    let mut body = long.content.reader();
    let (skip, length) = match long.part {
        Some(part) => (part.skip, part.length),
        None => (0, u64::MAX),
    };
    io::copy(&mut (&mut body).take(skip), &mut io::sink())?;
    let mut left = length;
    while left > 0 {
        let mut piece = Vec::with_capacity(PIECE.min(usize::try_from(left).unwrap_or(PIECE)));
        let limit = left.min(PIECE as u64);
        (&mut body).take(limit).read_to_end(&mut piece)?;
        if piece.is_empty() {
            break;
        }
        left -= piece.len() as u64;
        if pieces.blocking_send(Ok(piece.into())).is_err() {
            return Ok(());
        }
    }
    Ok(())
}
