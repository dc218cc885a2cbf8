//! WebSocket frames (RFC 6455, section 5) of one direction, put together to messages.
//!
//! It only watches: the bytes go their way untouched, whatever is thought of them here. What
//! makes no sense ends the watching of that direction.

use super::log::MessageKind;

/// Longer messages are counted, not kept.
const KEPT_MESSAGE: u64 = 4 << 20;
/// What a control frame may hold.
const CONTROL: u64 = 125;

/// What came out of some bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A whole message; without its bytes if they were too many.
    Message {
        /// What it is.
        kind: MessageKind,
        /// How long it is.
        size: u64,
        /// Its bytes.
        data: Option<Vec<u8>>,
    },
    /// These are no frames that we understand; nothing more will come.
    Unreadable,
}

/// Watches one direction of a WebSocket.
pub(super) struct FrameReader {
    state: State,
    message: Option<Partial>,
}

enum State {
    /// Collecting the 2 to 14 bytes before a payload.
    Head(Vec<u8>),
    Payload {
        frame: Frame,
        left: u64,
        at: usize,
        control: Partial,
    },
    Unreadable,
}

#[derive(Clone, Copy)]
struct Frame {
    last: bool,
    opcode: u8,
    mask: [u8; 4],
}

impl Frame {
    fn is_control(&self) -> bool {
        self.opcode & 8 != 0
    }
}

/// A message that is still coming.
#[derive(Default)]
struct Partial {
    opcode: u8,
    size: u64,
    data: Vec<u8>,
}

impl FrameReader {
    /// At the start of the first frame.
    pub(super) fn new() -> FrameReader {
        FrameReader {
            state: State::Head(Vec::new()),
            message: None,
        }
    }

    /// Looks at the next bytes.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut tell: impl FnMut(Event)) {
        while !bytes.is_empty() && !matches!(self.state, State::Unreadable) {
            bytes = match &mut self.state {
                State::Head(head) => {
                    head.push(bytes[0]);
                    self.head_grew();
                    &bytes[1..]
                }
                _ => self.payload(bytes),
            };
            match self.frame_end() {
                Some(event) => tell(event),
                None if matches!(self.state, State::Unreadable) => tell(Event::Unreadable),
                None => {}
            }
        }
    }

    /// Goes on to the payload when the head is whole.
    fn head_grew(&mut self) {
        let State::Head(head) = &self.state else {
            return;
        };
        let Some(length) = head_length(head).filter(|length| *length == head.len()) else {
            return;
        };
        let frame = Frame {
            last: head[0] & 0x80 != 0,
            opcode: head[0] & 0x0f,
            mask: match head[1] & 0x80 {
                0 => [0; 4],
                _ => [
                    head[length - 4],
                    head[length - 3],
                    head[length - 2],
                    head[length - 1],
                ],
            },
        };
        let (left, reserved) = (payload_length(head), head[0] & 0x70);
        self.state = match reserved == 0 && self.makes_sense(frame, left) {
            true => State::Payload {
                frame,
                left,
                at: 0,
                control: Partial::default(),
            },
            false => State::Unreadable,
        };
    }

    fn makes_sense(&mut self, frame: Frame, length: u64) -> bool {
        match frame.opcode {
            0 => self.message.is_some() && length >> 63 == 0,
            1 | 2 => {
                let first = self.message.is_none();
                self.message.get_or_insert_default().opcode = frame.opcode;
                first && length >> 63 == 0
            }
            8..=10 => frame.last && length <= CONTROL,
            _ => false,
        }
    }

    /// Takes payload off the front; what is left.
    fn payload<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let State::Payload {
            frame,
            left,
            at,
            control,
        } = &mut self.state
        else {
            return bytes;
        };
        let taken = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
        let into = match frame.is_control() {
            true => control,
            false => self.message.get_or_insert_default(),
        };
        into.size = into.size.saturating_add(taken as u64);
        if into.size <= KEPT_MESSAGE {
            let unmasked = bytes[..taken].iter().zip(*at..);
            into.data
                .extend(unmasked.map(|(byte, at)| byte ^ frame.mask[at % 4]));
        } else {
            into.data = Vec::new();
        }
        *at = (*at + taken) % 4;
        *left -= taken as u64;
        &bytes[taken..]
    }

    /// What the end of a frame means, if it is one.
    fn frame_end(&mut self) -> Option<Event> {
        let State::Payload {
            frame,
            left: 0,
            control,
            ..
        } = &mut self.state
        else {
            return None;
        };
        let (frame, control) = (*frame, std::mem::take(control));
        self.state = State::Head(Vec::new());
        match frame.opcode {
            8 => Some(message(MessageKind::Close, control)),
            9 | 10 => None,
            _ if !frame.last => None,
            _ => self.message.take().map(|whole| match whole.opcode {
                1 => message(MessageKind::Text, whole),
                _ => message(MessageKind::Binary, whole),
            }),
        }
    }
}

fn message(kind: MessageKind, whole: Partial) -> Event {
    Event::Message {
        kind,
        size: whole.size,
        data: (whole.size <= KEPT_MESSAGE).then_some(whole.data),
    }
}

/// How long a frame's head will be, once its second byte is there.
fn head_length(head: &[u8]) -> Option<usize> {
    let second = *head.get(1)?;
    let extended = match second & 0x7f {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    Some(2 + extended + if second & 0x80 == 0 { 0 } else { 4 })
}

/// The payload's length as a whole head says it.
fn payload_length(head: &[u8]) -> u64 {
    let number = |bytes: &[u8]| bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte));
    match head[1] & 0x7f {
        126 => number(&head[2..4]),
        127 => number(&head[2..10]),
        short => u64::from(short),
    }
}

#[cfg(test)]
mod tests;
