//! The heads of an exchange as bytes, to be put away and brought back by the same process.
//!
//! Only what [`rules`](super::rules) let in gets here: it has no request body, and nothing of it is
//! missing.

use crate::body::Spooled;
use crate::exchange::{Exchange, Protocol};
use std::time::{Duration, SystemTime};
use url::Url;

/// Everything but the body. `None` if that would lose something.
pub(super) fn pack(exchange: &Exchange) -> Option<Vec<u8>> {
    if !exchange.request_body.is_empty() || exchange.truncated.is_some() {
        return None;
    }
    let since = exchange
        .started
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    let mut out = Vec::with_capacity(512);
    put(&mut out, exchange.url.as_str().as_bytes());
    put(&mut out, exchange.method.as_bytes());
    put(&mut out, &since.as_nanos().to_le_bytes());
    put(&mut out, &exchange.took.as_nanos().to_le_bytes());
    put(&mut out, exchange.peer.to_string().as_bytes());
    out.push(u8::from(exchange.protocol == Protocol::Http2));
    out.push(u8::from(exchange.encrypted));
    put(&mut out, &exchange.request_head);
    put(&mut out, &exchange.response_head);
    put_all(&mut out, exchange.informational.iter().map(Vec::as_slice));
    let trailers = exchange.trailers.iter();
    put_all(
        &mut out,
        trailers.flat_map(|(name, value)| [name.as_slice(), value]),
    );
    Some(out)
}

/// The exchange that was packed, with its body.
pub(super) fn unpack(mut parcel: &[u8], body: Spooled) -> Option<Exchange> {
    let from = &mut parcel;
    Some(Exchange {
        url: Url::parse(text(from)?).ok()?,
        method: text(from)?.to_owned(),
        started: SystemTime::UNIX_EPOCH.checked_add(time(from)?)?,
        took: time(from)?,
        peer: text(from)?.parse().ok()?,
        protocol: match flag(from)? {
            true => Protocol::Http2,
            false => Protocol::Http1,
        },
        encrypted: flag(from)?,
        request_head: take(from)?.to_vec(),
        response_head: take(from)?.to_vec(),
        informational: take_all(from)?,
        trailers: pairs(take_all(from)?),
        request_body: Spooled::empty(),
        body,
        truncated: None,
    })
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn put_all<'a>(out: &mut Vec<u8>, all: impl Iterator<Item = &'a [u8]>) {
    let mut inner = Vec::new();
    all.for_each(|bytes| put(&mut inner, bytes));
    put(out, &inner);
}

fn take<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = from.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (bytes, rest) = rest.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

fn take_all(from: &mut &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut inner = take(from)?;
    let mut all = Vec::new();
    while !inner.is_empty() {
        all.push(take(&mut inner)?.to_vec());
    }
    Some(all)
}

fn pairs(all: Vec<Vec<u8>>) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all = all.into_iter();
    std::iter::from_fn(|| Some((all.next()?, all.next()?))).collect()
}

fn text<'a>(from: &mut &'a [u8]) -> Option<&'a str> {
    str::from_utf8(take(from)?).ok()
}

fn time(from: &mut &[u8]) -> Option<Duration> {
    let nanos = u128::from_le_bytes(take(from)?.try_into().ok()?);
    Some(Duration::from_nanos(u64::try_from(nanos).ok()?))
}

fn flag(from: &mut &[u8]) -> Option<bool> {
    let (flag, rest) = from.split_first()?;
    *from = rest;
    Some(*flag == 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::exchange::Truncation;

    fn exchange(peer: &str, protocol: Protocol) -> Exchange {
        Exchange {
            url: Url::parse("http://a.test/x?y=%20z").unwrap(),
            method: "GET".into(),
            started: SystemTime::UNIX_EPOCH + Duration::from_nanos(1_700_000_000_123_456_789),
            peer: peer.parse().unwrap(),
            protocol,
            encrypted: protocol == Protocol::Http2,
            request_head: b"GET /x HTTP/1.1\r\n\r\n".to_vec(),
            request_body: Spooled::empty(),
            informational: vec![b"HTTP/1.1 103 Early Hints\r\n\r\n".to_vec(), Vec::new()],
            response_head: b"HTTP/1.1 200 OK\r\nX: \xff\r\n\r\n".to_vec(),
            body: Spooled::Memory("body".into()),
            trailers: vec![(b"a".to_vec(), b"1".to_vec()), (b"b".to_vec(), Vec::new())],
            truncated: None,
            took: Duration::from_micros(77),
        }
    }

    #[test]
    fn what_was_packed_comes_back_as_it_was() {
        let check = |exchange: &Exchange| {
            let back = unpack(&pack(exchange).unwrap(), exchange.body.clone());
            assert_eq!(format!("{:?}", back.unwrap()), format!("{exchange:?}"));
        };
        check(&exchange("192.0.2.7:80", Protocol::Http1));
        check(&exchange("[2001:db8::7]:443", Protocol::Http2));
    }

    #[test]
    fn what_would_lose_something_is_not_packed() {
        let peer = "192.0.2.7:80";
        let cut = Exchange {
            truncated: Some(Truncation::Time),
            ..exchange(peer, Protocol::Http1)
        };
        assert!(pack(&cut).is_none());
        let sent = Exchange {
            request_body: Spooled::Memory("form".into()),
            ..exchange(peer, Protocol::Http1)
        };
        assert!(pack(&sent).is_none());
    }

    #[test]
    fn what_is_cut_short_is_nothing() {
        let parcel = pack(&exchange("192.0.2.7:80", Protocol::Http1)).unwrap();
        for length in 0..parcel.len() {
            assert!(
                unpack(&parcel[..length], Spooled::empty()).is_none(),
                "{length}"
            );
        }
    }
}
