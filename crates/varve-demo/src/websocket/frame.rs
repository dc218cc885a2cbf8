//! WebSocket frames on the wire (RFC 6455, section 5).

use crate::log::MessageKind;
use bytes::{Buf, Bytes, BytesMut};
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opcode {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Opcode {
    pub(super) fn of(kind: MessageKind) -> Opcode {
        match kind {
            MessageKind::Text => Opcode::Text,
            MessageKind::Binary => Opcode::Binary,
            MessageKind::Close => Opcode::Close,
            MessageKind::Ping => Opcode::Ping,
            MessageKind::Pong => Opcode::Pong,
        }
    }

    /// The kind of the message it begins; a continuation begins none.
    pub(super) fn kind(self) -> Option<MessageKind> {
        match self {
            Opcode::Continuation => None,
            Opcode::Text => Some(MessageKind::Text),
            Opcode::Binary => Some(MessageKind::Binary),
            Opcode::Close => Some(MessageKind::Close),
            Opcode::Ping => Some(MessageKind::Ping),
            Opcode::Pong => Some(MessageKind::Pong),
        }
    }

    fn number(self) -> u8 {
        match self {
            Opcode::Continuation => 0,
            Opcode::Text => 1,
            Opcode::Binary => 2,
            Opcode::Close => 8,
            Opcode::Ping => 9,
            Opcode::Pong => 10,
        }
    }

    fn from_number(number: u8) -> Option<Opcode> {
        Some(match number {
            0 => Opcode::Continuation,
            1 => Opcode::Text,
            2 => Opcode::Binary,
            8 => Opcode::Close,
            9 => Opcode::Ping,
            10 => Opcode::Pong,
            _ => return None,
        })
    }
}

/// Whether a frame is its message's last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fin {
    Last,
    More,
}

/// A frame, unmasked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) opcode: Opcode,
    pub(super) fin: Fin,
    pub(super) payload: Vec<u8>,
}

/// A frame as a server sends it.
pub(super) fn encode(opcode: Opcode, payload: &[u8], fin: Fin) -> Vec<u8> {
    let fin = if fin == Fin::Last { 0x80 } else { 0 };
    let mut frame = vec![fin | opcode.number()];
    match payload.len() {
        length @ 0..126 => frame.push(length as u8),
        length @ 126..0x1_0000 => {
            frame.push(126);
            frame.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            frame.push(127);
            frame.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}

/// The frames that a client sends.
pub(super) struct Frames {
    buffer: BytesMut,
}

impl Frames {
    /// Frames that begin with what was read already.
    pub(super) fn new(already_read: Bytes) -> Frames {
        Frames {
            buffer: already_read.as_ref().into(),
        }
    }

    /// The next frame; nothing at the end of the stream. Nonsense is an error.
    pub(super) async fn next<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        limit: usize,
    ) -> io::Result<Option<Frame>> {
        loop {
            if let Some(frame) = self.take(limit)? {
                return Ok(Some(frame));
            }
            if stream.read_buf(&mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    /// A frame out of the buffer, if one is there.
    fn take(&mut self, limit: usize) -> io::Result<Option<Frame>> {
        let mut bytes = &self.buffer[..];
        if bytes.len() < 2 {
            return Ok(None);
        }
        let (first, second) = (bytes.get_u8(), bytes.get_u8());
        let nonsense = || io::Error::from(io::ErrorKind::InvalidData);
        let opcode = Opcode::from_number(first & 0x0f).ok_or_else(nonsense)?;
        // A client must mask, and no extension was agreed on.
        if second & 0x80 == 0 || first & 0x70 != 0 {
            return Err(nonsense());
        }
        let length = match second & 0x7f {
            126 if bytes.len() >= 2 => u64::from(bytes.get_u16()),
            127 if bytes.len() >= 8 => bytes.get_u64(),
            126 | 127 => return Ok(None),
            short => u64::from(short),
        };
        if length > limit as u64 {
            return Err(nonsense());
        }
        let length = length as usize;
        if bytes.len() < 4 + length {
            return Ok(None);
        }
        let mask = [bytes[0], bytes[1], bytes[2], bytes[3]];
        let masked = bytes[4..4 + length].iter().zip(mask.iter().cycle());
        let payload: Vec<u8> = masked.map(|(byte, mask)| byte ^ mask).collect();
        let used = self.buffer.len() - bytes.len() + 4 + length;
        self.buffer.advance(used);
        let fin = if first & 0x80 != 0 {
            Fin::Last
        } else {
            Fin::More
        };
        Ok(Some(Frame {
            opcode,
            fin,
            payload,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client's frame: masked.
    fn masked(opcode: Opcode, payload: &[u8]) -> Vec<u8> {
        let mut frame = encode(opcode, payload, Fin::Last);
        frame[1] |= 0x80;
        let body = frame.split_off(frame.len() - payload.len());
        frame.extend_from_slice(&[7, 11, 13, 17]);
        let masks = [7, 11, 13, 17].into_iter().cycle();
        frame.extend(body.iter().zip(masks).map(|(byte, mask)| byte ^ mask));
        frame
    }

    #[tokio::test]
    async fn frames_of_every_length_are_read_back() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let payload = vec![42; length];
            let wire = masked(Opcode::Binary, &payload);
            let mut frames = Frames::new(Bytes::new());
            let frame = frames.next(&mut &wire[..], 1 << 20).await.unwrap().unwrap();
            assert_eq!((frame.opcode, frame.payload), (Opcode::Binary, payload));
            assert_eq!(frames.next(&mut &[][..], 10).await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn nonsense_is_an_error() {
        let unmasked = encode(Opcode::Text, b"hello", Fin::Last);
        let too_long = masked(Opcode::Text, &[0; 200]);
        let huge = vec![
            0x82, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0,
        ];
        let reserved = vec![0x83, 0x80, 0, 0, 0, 0];
        for wire in [unmasked, too_long, huge, reserved] {
            let mut frames = Frames::new(wire.into());
            assert!(frames.next(&mut &[][..], 100).await.is_err());
        }
    }
}
