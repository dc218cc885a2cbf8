//! Tables and properties of every text form.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

/// Reads a text in one of the forms.
type Parser = fn(&str) -> Result<Timestamp, TimestampError>;

/// The digits of a parsed text, or `!` for an error.
fn shown(parser: Parser, text: &str) -> String {
    parser(text).map_or_else(|_| "!".to_owned(), Timestamp::digits)
}

fn check(parser: Parser, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shown(parser, text), *expected, "{text}");
    }
}

#[test]
fn full_digits() {
    check(
        Timestamp::parse,
        &[
            ("20140216050221", "20140216050221"),
            ("20140216050221118", "20140216050221118"),
            ("00010101000000", "00010101000000"),
            ("99991231235959999", "99991231235959999"),
            ("20000229000000", "20000229000000"),
            ("19000229000000", "!"),
            ("20140230000000", "!"),
            ("20141301000000", "!"),
            ("20140100000000", "!"),
            ("20140216240000", "!"),
            ("20140216056000", "!"),
            ("20140216050260", "!"),
            ("00000101000000", "!"),
            ("2014021605022", "!"),
            ("+2014021605022", "!"),
            ("2014021605022x", "!"),
            ("２０１４", "!"),
            ("", "!"),
        ],
    );
}

#[test]
fn lenient_digits() {
    let lenient: Parser = |t| Timestamp::parse_lenient(t).ok_or(TimestampError::Calendar);
    check(
        lenient,
        &[
            ("2014", "20140101000000"),
            ("20140231", "20140228000000"),
            ("2014-02-16 05:02:21", "20140216050221"),
            ("2014-02-16T05:02:21.118Z", "20140216050221118"),
            ("20149999999999", "20141231235959"),
            ("20140216050221118999", "20140216050221118"),
            ("201402160502211", "20140216050221"),
            ("0000", "00010101000000"),
            ("201", "!"),
            ("a2b0c1", "!"),
        ],
    );
}

#[test]
fn spans() {
    check(
        Timestamp::earliest_of,
        &[
            ("2014", "20140101000000"),
            ("20141", "20141001000000"),
            ("201402", "20140201000000"),
            ("2014023", "!"),
            ("20140216050221", "20140216050221"),
            ("20140216050221118", "20140216050221118"),
            ("20149", "!"),
            ("0000", "!"),
            ("201", "!"),
            ("201402160502211189", "!"),
        ],
    );
    check(
        Timestamp::latest_of,
        &[
            ("2014", "20141231235959999"),
            ("20140", "20140930235959999"),
            ("201402", "20140228235959999"),
            ("2016022", "20160229235959999"),
            ("20140216050221", "20140216050221999"),
            ("20140216050221118", "20140216050221118"),
            ("201413", "!"),
        ],
    );
}

#[test]
fn w3c_forms() {
    check(
        Timestamp::parse_w3c,
        &[
            ("2014-02-16T05:02:21Z", "20140216050221"),
            ("2014-02-16t05:02:21z", "20140216050221"),
            ("2014-02-16T05:02:21", "20140216050221"),
            ("2014-02-16 05:02:21Z", "20140216050221"),
            ("2014-02-16T05:02:21.1Z", "20140216050221100"),
            ("2014-02-16T05:02:21.118999999Z", "20140216050221118"),
            ("2014-02-16T05:02:21.0000000000Z", "!"),
            ("2014-02-16T05:02:21.Z", "!"),
            ("2014", "20140101000000"),
            ("2014-02", "20140201000000"),
            ("2014-02-16", "20140216000000"),
            ("2014-02-16T05:02Z", "20140216050200"),
            ("2014-02-16T05:02:21+01:00", "20140216040221"),
            ("2014-01-01T00:30:00+0100", "20131231233000"),
            ("2014-02-16T05:02:21.118-05:30", "20140216103221118"),
            ("0001-01-01T00:00:00+01:00", "!"),
            ("2014-02-16T05", "!"),
            ("2014-2-16T05:02:21Z", "!"),
            ("2014-02-16T05:02:21ZZ", "!"),
            ("2014-02-16T05:02:21+99:00", "!"),
            ("2014-02-30T05:02:21Z", "!"),
            ("", "!"),
        ],
    );
}

#[test]
fn http_dates() {
    check(
        Timestamp::parse_http_date,
        &[
            ("Sun, 06 Nov 1994 08:49:37 GMT", "19941106084937"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "19941106084937"),
            ("Sun Nov  6 08:49:37 1994", "19941106084937"),
            ("sun, 06 nov 1994 08:49:37 gmt", "19941106084937"),
            ("Monday, 06-Nov-23 08:49:37 GMT", "20231106084937"),
            ("Sun, 06 Nov 1994 08:49:37 PST", "!"),
            ("Sun, 31 Nov 1994 08:49:37 GMT", "!"),
            ("Sun, 06 Nov 1994 08:49 GMT", "!"),
            ("Sun, 06 Noë 1994 08:49:37 GMT", "!"),
            ("0", "!"),
            ("", "!"),
        ],
    );
    let epoch = Timestamp::from_unix_millis(0).unwrap();
    assert_eq!(epoch.http_date(), "Thu, 01 Jan 1970 00:00:00 GMT");
}

#[test]
fn order_agrees_with_equality() {
    let seconds = Timestamp::parse("20140216050221").unwrap();
    let millis = Timestamp::parse("20140216050221000").unwrap();
    assert!(seconds < millis && seconds != millis);
    assert_eq!(millis.to_seconds(), seconds);
    assert_eq!(seconds.unix_millis(), millis.unix_millis());
}

#[test]
fn range_ends_are_the_years_1_and_9999() {
    let (first, last) = civil::MILLIS_RANGE;
    let digits = |millis| Timestamp::from_unix_millis(millis).map(Timestamp::digits);
    assert_eq!(digits(first).as_deref(), Some("00010101000000000"));
    assert_eq!(digits(last).as_deref(), Some("99991231235959999"));
    assert_eq!(digits(first - 1), None);
    assert_eq!(digits(last + 1), None);
    assert_eq!(digits(i64::MIN), None);
}

proptest! {
    #[test]
    fn every_form_round_trips(millis in civil::MILLIS_RANGE.0..=civil::MILLIS_RANGE.1) {
        let precise = Timestamp::from_unix_millis(millis).unwrap();
        for t in [precise, precise.to_seconds()] {
            prop_assert_eq!(Timestamp::parse(&t.digits()), Ok(t));
            prop_assert_eq!(Timestamp::parse_w3c(&t.w3c()), Ok(t));
            prop_assert_eq!(Timestamp::parse_http_date(&t.http_date()), Ok(t.to_seconds()));
            prop_assert_eq!(Timestamp::parse_lenient(&t.w3c()), Some(t));
        }
    }

    #[test]
    fn spans_hold_what_they_name(millis in civil::MILLIS_RANGE.0..=civil::MILLIS_RANGE.1, cut in 4usize..=17) {
        let t = Timestamp::from_unix_millis(millis).unwrap();
        let partial = &t.digits17()[..cut];
        let (first, last) = (Timestamp::earliest_of(partial).unwrap(), Timestamp::latest_of(partial).unwrap());
        prop_assert!(first <= t && t <= last);
    }

    #[test]
    fn parsers_never_panic(text in "\\PC{0,40}|[0-9TZ:. +-]{0,30}") {
        let _ = Timestamp::parse(&text);
        let _ = Timestamp::parse_lenient(&text);
        let _ = Timestamp::earliest_of(&text);
        let _ = Timestamp::latest_of(&text);
        let _ = Timestamp::parse_w3c(&text);
        let _ = Timestamp::parse_http_date(&text);
    }
}
