//! ARC, the format before WARC: one header line per record.
//!
//! `URL IP-address archive-date content-type length`, or with five more fields before the length
//! in version 2. The URL may hold spaces, so fields are counted from the right.

use super::fault::{Fault, printable};
use crate::world::record_id;
use varve_model::{Digest, DigestAlgorithm, Timestamp};

/// The header of the WARC record that says the same as an ARC record's header line. A length that
/// makes no sense reads as none, and comes back as a note.
pub(crate) fn as_warc_header(line: &[u8]) -> Result<(Vec<u8>, Option<Fault>), Fault> {
    let not_a_record = || Fault::NotARecord {
        found: printable(line),
    };
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end_matches(['\r', '\n']);
    let fields = split(text).ok_or_else(not_a_record)?;
    let date = Timestamp::parse_lenient(fields.date).ok_or_else(not_a_record)?;
    let mut header = String::from("WARC/1.0\r\n");
    match fields.url.strip_prefix("filedesc://") {
        Some(name) => {
            header.push_str("WARC-Type: warcinfo\r\n");
            push(&mut header, "WARC-Filename", name);
        }
        None => {
            header.push_str("WARC-Type: response\r\n");
            push(&mut header, "WARC-Target-URI", fields.url);
            header.push_str("Content-Type: application/http;msgtype=response\r\n");
        }
    }
    // ARC has no identifiers: the same line gives the same one.
    let digest = Digest::of(DigestAlgorithm::Sha1, line);
    if let Some(bytes) = digest.as_bytes().first_chunk::<16>() {
        push(
            &mut header,
            "WARC-Record-ID",
            &format!("<{}>", record_id(*bytes)),
        );
    }
    push(&mut header, "WARC-IP-Address", fields.ip);
    push(&mut header, "WARC-Date", &date.to_seconds().w3c());
    let is_length = !fields.length.is_empty() && fields.length.bytes().all(|b| b.is_ascii_digit());
    push(
        &mut header,
        "Content-Length",
        if is_length { fields.length } else { "0" },
    );
    header.push_str("\r\n");
    let value = Some(printable(fields.length.as_bytes()));
    let note = (!is_length).then_some(Fault::BadContentLength { value });
    Ok((header.into_bytes(), note))
}

struct ArcFields<'a> {
    url: &'a str,
    ip: &'a str,
    date: &'a str,
    length: &'a str,
}

fn split(text: &str) -> Option<ArcFields<'_>> {
    [5, 10].into_iter().find_map(|count| {
        let mut fields: Vec<&str> = text.rsplitn(count, ' ').collect();
        fields.reverse();
        let [url, ip, date, ..] = fields[..] else {
            return None;
        };
        let length = *fields.last()?;
        let is_date = date.len() >= 8 && date.bytes().all(|byte| byte.is_ascii_digit());
        let plausible = fields.len() == count && is_date && url.contains(':');
        plausible.then_some(ArcFields {
            url,
            ip,
            date,
            length,
        })
    })
}

fn push(header: &mut String, name: &str, value: &str) {
    header.push_str(name);
    header.push_str(": ");
    header.push_str(value);
    header.push_str("\r\n");
}
