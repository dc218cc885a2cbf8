#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

/// What a path means, in one line: the kind, its time, its URL. The path it is written as must
/// mean the same.
fn shown(path: &str) -> String {
    let Some(asked) = ReplayUrl::parse(path) else {
        return "!".to_owned();
    };
    assert_eq!(
        ReplayUrl::parse(&asked.to_string()).as_ref(),
        Some(&asked),
        "{path}"
    );
    let wanted = match &asked.wanted {
        Wanted::Memento {
            timestamp,
            modifier,
        } => {
            format!(
                "{timestamp} {}",
                modifier.as_ref().map_or("-", Modifier::as_str)
            )
        }
        Wanted::Captures(span) => format!("captures {span}"),
        Wanted::Urls(span) => format!("urls {span}"),
    };
    format!("{wanted} {}", asked.url)
}

fn check(table: &[(&str, &str)]) {
    for (path, expected) in table {
        assert_eq!(shown(path), *expected, "{path}");
    }
}

#[test]
fn mementos() {
    check(&[
        (
            "20140216050221/http://example.com/",
            "20140216050221 - http://example.com/",
        ),
        (
            "20140216050221118/http://a/",
            "20140216050221118 - http://a/",
        ),
        ("2014/http://a/", "2014 - http://a/"),
        ("2/http://a/", "2 - http://a/"),
        ("20140216id_/http://a/", "20140216 id_ http://a/"),
        ("im_/http://a/", " im_ http://a/"),
        ("2014xyz_/http://a/", "2014 xyz_ http://a/"),
        ("http://a/", " - http://a/"),
        ("http://a/2014/b", " - http://a/2014/b"),
        (
            "2014/http://a/?b=http://c/*&d#e",
            "2014 - http://a/?b=http://c/*&d#e",
        ),
        ("2014/http://a/*", "2014 - http://a/*"),
        ("2014/http://a/%7Eb/../c//d", "2014 - http://a/%7Eb/../c//d"),
        ("123456789012345678/a", " - http://123456789012345678/a"),
        ("2014ID_/a", " - http://2014ID_/a"),
        ("2014_/a", " - http://2014_/a"),
        ("", "!"),
        ("2014/", "!"),
        ("2014//", "!"),
        ("*/", "!"),
        ("*/*", "!"),
    ]);
}

#[test]
fn lists() {
    check(&[
        ("*/http://a/", "captures * http://a/"),
        ("2014*/http://a/", "captures 2014* http://a/"),
        ("2009-2015*/http://a/", "captures 2009-2015* http://a/"),
        ("2009*2015/http://a/", "captures 2009-2015* http://a/"),
        ("-2015*/http://a/", "captures -2015* http://a/"),
        ("*/http://a/*", "urls * http://a/"),
        ("2014*/a/*", "urls 2014* http://a/"),
        ("http://a/*", "urls * http://a/"),
        ("a.com*", "urls * http://a.com"),
        ("*a/http://b/", " - http://*a/http://b/"),
    ]);
}

#[test]
fn repairs() {
    check(&[
        ("2014/http:/a/b", "2014 - http://a/b"),
        ("2014/https:/a/b", "2014 - https://a/b"),
        ("2014/HTTP:/a/b", "2014 - HTTP://a/b"),
        ("2014/http:///a/b", "2014 - http:///a/b"),
        ("2014/a.com/b", "2014 - http://a.com/b"),
        ("2014//a.com/b", "2014 - http://a.com/b"),
        ("2014///a.com/b", "2014 - http://a.com/b"),
        ("2014/localhost:8080/b", "2014 - http://localhost:8080/b"),
        ("2014/a.com:8080/b", "2014 - http://a.com:8080/b"),
        ("2014/urn:isbn:1", "2014 - urn:isbn:1"),
        ("2014/urn:1", "2014 - urn:1"),
        ("2014/dns:a.com", "2014 - dns:a.com"),
        ("2014/mailto:a@b", "2014 - mailto:a@b"),
        ("2014/file:/a", "2014 - file:/a"),
        ("2014/ftp:/a", "2014 - ftp://a"),
        ("2014/:80/", "2014 - http://:80/"),
        ("2014/é", "2014 - http://é"),
    ]);
}

#[test]
fn spans_of_time() {
    let check = |text: &str, from: &str, to: &str| {
        let span = Span::parse(text).unwrap();
        let shown = |t: Option<Timestamp>| t.map_or(String::new(), Timestamp::digits14);
        assert_eq!(
            (shown(span.earliest()), shown(span.latest())),
            (from.into(), to.into()),
            "{text}"
        );
    };
    check("*", "", "");
    check("2014*", "20140101000000", "20141231235959");
    check("2009-2015*", "20090101000000", "20151231235959");
    check("-2015*", "", "20151231235959");
    check("2*", "20000101000000", "29991231235959");
    check("0*", "00010101000000", "09991231235959");
    check("20141399*", "20141231000000", "20141231000000");
}

proptest! {
    #[test]
    fn reads_what_it_writes(path in "\\PC{0,60}|[0-9]{0,18}[*-]?[0-9]{0,5}[a-z_*]{0,4}/{0,3}(https?:/{0,3})?[a-z.:/*?]{0,20}") {
        shown(&path);
    }

    #[test]
    fn mementos_keep_their_url(millis in 0i64..4_000_000_000_000, rest in "[!-~]{1,40}") {
        let timestamp = Timestamp::from_unix_millis(millis).unwrap();
        let url = format!("https://{rest}");
        let asked = ReplayUrl::memento(timestamp, Some(Modifier::Identity), &url);
        let read = ReplayUrl::parse(&asked.to_string()).unwrap();
        prop_assert_eq!(&read.url, &url);
        prop_assert_eq!(read, asked);
    }
}
