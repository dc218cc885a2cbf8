use super::*;
use proptest::prelude::*;

/// What frames give, fed whole and byte by byte.
fn events(bytes: &[u8]) -> Vec<Event> {
    let (mut whole, mut single) = (Vec::new(), Vec::new());
    FrameReader::new().feed(bytes, |event| whole.push(event));
    let mut reader = FrameReader::new();
    for byte in bytes {
        reader.feed(&[*byte], |event| single.push(event));
    }
    assert_eq!(whole, single, "the same however the bytes arrive");
    whole
}

fn text(words: &str) -> Event {
    told(MessageKind::Text, words.as_bytes())
}

fn told(kind: MessageKind, data: &[u8]) -> Event {
    Event::Message {
        kind,
        size: data.len() as u64,
        data: Some(data.to_vec()),
    }
}

#[test]
fn the_examples_of_the_standard() {
    let hello = [0x81, 0x05, b'H', b'e', b'l', b'l', b'o'];
    let masked = [
        0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
    ];
    let fragments = [0x01, 0x03, b'H', b'e', b'l', 0x80, 0x02, b'l', b'o'];
    assert_eq!(events(&hello), [text("Hello")]);
    assert_eq!(events(&masked), [text("Hello")]);
    assert_eq!(events(&fragments), [text("Hello")]);
}

#[test]
fn control_frames_come_between_fragments() {
    let bytes = [
        0x02, 0x01, b'a', 0x89, 0x01, b'?', 0x8a, 0x00, 0x80, 0x01, b'b', 0x88, 0x02, 3, 232,
    ];
    let expected = [
        told(MessageKind::Binary, b"ab"),
        told(MessageKind::Close, &[3, 232]),
    ];
    assert_eq!(events(&bytes), expected);
}

#[test]
fn lengths_of_all_three_sizes() {
    for (head, length) in [
        (vec![0x82, 0], 0_usize),
        (vec![0x82, 125], 125),
        (vec![0x82, 126, 0, 126], 126),
        (vec![0x82, 126, 255, 255], 65_535),
        (vec![0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0], 65_536),
    ] {
        let mut bytes = head;
        bytes.extend(vec![7; length]);
        bytes.extend([0x81, 0x01, b'!']);
        assert_eq!(
            events(&bytes),
            [told(MessageKind::Binary, &vec![7; length]), text("!")]
        );
    }
}

#[test]
fn what_is_too_long_is_counted_and_the_next_message_is_kept() {
    let mut reader = FrameReader::new();
    let mut found = Vec::new();
    let size = KEPT_MESSAGE + 10;
    let mut head = vec![0x82, 127];
    head.extend(size.to_be_bytes());
    reader.feed(&head, |event| found.push(event));
    let megabyte = vec![0; 1 << 20];
    for _ in 0..4 {
        reader.feed(&megabyte, |event| found.push(event));
    }
    reader.feed(&[0; 10], |event| found.push(event));
    reader.feed(&[0x81, 0x01, b'!'], |event| found.push(event));
    let long = Event::Message {
        kind: MessageKind::Binary,
        size,
        data: None,
    };
    assert_eq!(found, [long, text("!")]);
}

#[test]
fn nonsense_ends_the_watching() {
    for (fault, bytes) in [
        ("compressed", &[0xc1, 0x01, b'x', 0x81, 0x01, b'y'][..]),
        ("reserved opcode", &[0x83, 0x00]),
        ("reserved control opcode", &[0x8b, 0x00]),
        ("control frame in fragments", &[0x09, 0x00]),
        ("control frame too long", &[0x89, 126, 0, 126]),
        ("continues nothing", &[0x80, 0x01, b'x']),
        (
            "message within a message",
            &[0x01, 0x01, b'a', 0x81, 0x01, b'b'],
        ),
        ("negative length", &[0x82, 127, 255, 0, 0, 0, 0, 0, 0, 0, 1]),
    ] {
        assert_eq!(events(bytes), [Event::Unreadable], "{fault}");
    }
}

#[test]
fn half_a_frame_is_nothing_yet() {
    assert_eq!(events(&[]), []);
    assert_eq!(events(&[0x81]), []);
    assert_eq!(events(&[0x81, 0x05, b'H', b'e']), []);
}

proptest! {
    #[test]
    fn anything_may_come(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        events(&bytes);
    }

    #[test]
    fn messages_come_out_as_they_went_in(
        messages in proptest::collection::vec((any::<bool>(), any::<[u8; 4]>(), proptest::collection::vec(any::<u8>(), 0..300)), 0..5),
    ) {
        let mut bytes = Vec::new();
        for (masked, mask, data) in &messages {
            bytes.push(0x82);
            let flag = if *masked { 0x80 } else { 0 };
            match u8::try_from(data.len()) {
                Ok(short @ ..126) => bytes.push(flag | short),
                _ => {
                    bytes.push(flag | 126);
                    bytes.extend((data.len() as u16).to_be_bytes());
                }
            }
            let mask = if *masked { bytes.extend(mask); *mask } else { [0; 4] };
            bytes.extend(data.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        }
        let expected: Vec<_> = messages.iter().map(|(_, _, data)| told(MessageKind::Binary, data)).collect();
        prop_assert_eq!(events(&bytes), expected);
    }
}
