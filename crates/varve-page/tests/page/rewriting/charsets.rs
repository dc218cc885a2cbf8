//! Text in any charset: what changes is written in it, all else stays byte for byte.

use varve_page::{Note, Rewriting};

use super::{Letters, rewritten};

#[track_caller]
fn check(content_type: &str, bytes: &[u8], charset: &str, expected: &[u8]) {
    let how = Rewriting {
        insert: "<i>",
        ..Rewriting::new(&Letters)
    };
    let found = rewritten(content_type, bytes, &how);
    assert_eq!(found.charset, charset);
    assert_eq!(
        found.body.escape_ascii().to_string(),
        expected.escape_ascii().to_string()
    );
    assert_eq!(found.notes, []);
}

#[test]
fn single_bytes() {
    check(
        "text/html; charset=windows-1252",
        b"<p>\xe4\x80<a href='x'>\xf6</a>\x9d<a href='y'>",
        "windows-1252",
        b"<i><p>\xe4\x80<a href='~n/d/x'>\xf6</a>\x9d<a href='~n/d/y'>",
    );
    check(
        "text/html",
        b"<head><meta charset=koi8-r><title>\xf0\xd2</title><a href='\xc1'>",
        "KOI8-R",
        b"<head><i><meta charset=koi8-r><title>\xf0\xd2</title><a href='~n/d/%D0%B0'>",
    );
    // Queries are sent in the charset of the page.
    check(
        "text/html; charset=windows-1252",
        b"\xe4<a href='?\xe4'>",
        "windows-1252",
        b"<i>\xe4<a href='~n/d/p.html?%E4'>",
    );
}

#[test]
fn several_bytes() {
    check(
        "text/html; charset=shift_jis",
        b"\x93\xfa\x96{<a title='\x83\x5c' href='x'>\x83</a><a href='y'>\x93\xfa",
        "Shift_JIS",
        b"<i>\x93\xfa\x96{<a title='\x83\x5c' href='~n/d/x'>\x83</a><a href='~n/d/y'>\x93\xfa",
    );
    check(
        "text/html; charset=gbk",
        b"\xd6\xd0\x81\x30\x81\x30<a href='x'>\xff\x80",
        "GBK",
        b"<i>\xd6\xd0\x81\x30\x81\x30<a href='~n/d/x'>\xff\x80",
    );
    check(
        "text/html; charset=euc-kr",
        b"\xb0\xa1<a href='x'>\xb0'<a href='y'>",
        "EUC-KR",
        b"<i>\xb0\xa1<a href='~n/d/x'>\xb0'<a href='~n/d/y'>",
    );
    check(
        "text/html; charset=big5",
        b"\xa4\xa4\x88\x62<a href='x'>",
        "Big5",
        b"<i>\xa4\xa4\x88\x62<a href='~n/d/x'>",
    );
}

#[test]
fn utf8_with_and_without_mistakes() {
    check(
        "text/html",
        b"\xef\xbb\xbf<a href='x'>",
        "UTF-8",
        b"\xef\xbb\xbf<i><a href='~n/d/x'>",
    );
    check(
        "text/html; charset=utf-8",
        "ü<a href='x'>日本</a><a href='y'>".as_bytes(),
        "UTF-8",
        "<i>ü<a href='~n/d/x'>日本</a><a href='~n/d/y'>".as_bytes(),
    );
    check(
        "text/html; charset=utf-8",
        b"\xff<a href='x'>\xe6\x97</a>\xc3<a href='y'>\xf0\x9f\x98\x80\xed\xa0\x80<a href='z'>",
        "UTF-8",
        b"<i>\xff<a href='~n/d/x'>\xe6\x97</a>\xc3<a href='~n/d/y'>\xf0\x9f\x98\x80\xed\xa0\x80<a href='~n/d/z'>",
    );
}

#[test]
fn sixteen_bits() {
    let wide = |text: &str| -> Vec<u8> {
        let mark = "\u{feff}".encode_utf16();
        mark.chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect()
    };
    check(
        "text/html",
        &wide("<p>ü😀<a href='x'>"),
        "UTF-16LE",
        &wide("<i><p>ü😀<a href='~n/d/x'>"),
    );
    let wide = |text: &str| -> Vec<u8> {
        let mark = "\u{feff}".encode_utf16();
        mark.chain(text.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect()
    };
    check(
        "text/html",
        &wide("<a href='x'>"),
        "UTF-16BE",
        &wide("<i><a href='~n/d/x'>"),
    );
}

#[test]
fn where_places_cannot_be_told_the_text_is_encoded_anew() {
    let how = Rewriting::new(&Letters);
    let bytes = b"\x1b$BF|K\\\x1b(B<a href='x'>";
    let found = rewritten("text/html; charset=iso-2022-jp", bytes, &how);
    assert_eq!(&found.body[..], b"\x1b$BF|K\\\x1b(B<a href='~n/d/x'>");
    assert_eq!(found.notes, [Note::Reencoded]);
}
