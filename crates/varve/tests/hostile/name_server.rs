//! A small name server (RFC 1035) that says what a test wants to hear.

use std::net::{IpAddr, UdpSocket};

/// Where it listens: where `resolv.conf` can send questions to.
pub(crate) const ADDRESS: &str = "127.0.0.1";

/// What is said about a name.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// Its addresses, not to be remembered.
    Addresses(&'static [&'static str]),
    NoSuchName,
    /// Nothing.
    Silence,
    /// The name is an alias of itself.
    Circle,
    Failure,
}

/// Answers questions until the test ends. The function is called for each question, in order.
pub(crate) fn start(mut answer: impl FnMut(&str) -> Answer + Send + 'static) {
    let socket = UdpSocket::bind((ADDRESS, 53)).unwrap();
    std::thread::spawn(move || {
        let mut packet = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut packet) {
            if let Some(reply) = reply(&packet[..length], &mut answer) {
                let _ = socket.send_to(&reply, from);
            }
        }
    });
}

fn reply(query: &[u8], answer: &mut impl FnMut(&str) -> Answer) -> Option<Vec<u8>> {
    let (name, encoded) = name(query.get(12..)?)?;
    let kind = *query.get(12 + encoded + 1)?;
    let question = query.get(12..12 + encoded + 4)?;
    let (code, records) = match answer(&name) {
        Answer::Silence => return None,
        Answer::NoSuchName => (3, Vec::new()),
        Answer::Failure => (2, Vec::new()),
        Answer::Circle => (0, vec![(5, question[..encoded].to_vec())]),
        Answer::Addresses(all) => (0, addresses(all, kind)),
    };
    let mut reply = query[..2].to_vec();
    reply.extend([0x81, 0x80 | code, 0, 1, 0, records.len() as u8, 0, 0, 0, 0]);
    reply.extend(question);
    for (kind, content) in records {
        // The name of the question, class IN, to be forgotten at once.
        reply.extend([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, content.len() as u8]);
        reply.extend(content);
    }
    Some(reply)
}

/// The name in a question, and how many bytes it takes there.
fn name(mut question: &[u8]) -> Option<(String, usize)> {
    let (mut labels, mut taken) = (Vec::new(), 1);
    loop {
        let (length, rest) = question.split_first()?;
        if *length == 0 {
            return Some((labels.join("."), taken));
        }
        let (label, rest) = rest.split_at_checked(usize::from(*length))?;
        labels.push(String::from_utf8_lossy(label).to_lowercase());
        taken += 1 + label.len();
        question = rest;
    }
}

/// Those of the addresses that were asked for: type 1 is IPv4, type 28 IPv6.
fn addresses(all: &[&str], kind: u8) -> Vec<(u8, Vec<u8>)> {
    let parsed = all.iter().map(|address| address.parse().unwrap());
    let records = parsed.map(|address| match address {
        IpAddr::V4(address) => (1, address.octets().to_vec()),
        IpAddr::V6(address) => (28, address.octets().to_vec()),
    });
    records.filter(|(own, _)| *own == kind).collect()
}
