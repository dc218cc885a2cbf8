//! What is worth asking for again, and when.

use std::time::Duration;
use varve_model::Timestamp;

/// The waits before the second, third and fourth try.
const BACKOFF: [Duration; 3] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_secs(180),
];

/// When to try again what failed for this reason after so many tries; never, if that would not
/// help. Failures that cost a browser much are tried once more only.
pub fn retry(reason: &str, tries: u32) -> Option<Duration> {
    let more = match reason {
        "dns.timeout" | "dns.failed" => 3,
        "connect.refused" | "connect.failed" | "http.disconnected" => 3,
        "timeout.connect" | "timeout.tls" | "timeout.header" | "timeout.total" => 3,
        "truncated.disconnect" | "truncated.time" => 3,
        "robots.unreachable" => 3,
        "navigation.connection-reset"
        | "navigation.connection-closed"
        | "navigation.empty-response"
        | "navigation.timed-out" => 3,
        "timeout.page" | "browser.crash" | "browser.oom" | "browser.hang" => 1,
        _ => 0,
    };
    wait(more, tries)
}

/// The same for what was answered with a status.
pub fn retry_status(status: u16, tries: u32) -> Option<Duration> {
    let passing = match status {
        408 | 429 => true,
        // Not implemented, and no such version: the server will not change its mind.
        501 | 505 => false,
        _ => (500..600).contains(&status),
    };
    wait(if passing { 3 } else { 0 }, tries)
}

fn wait(more: u32, tries: u32) -> Option<Duration> {
    let nth = tries.max(1) - 1;
    (nth < more)
        .then(|| BACKOFF.get(nth as usize).copied())
        .flatten()
}

/// How long a `Retry-After` field asks to wait: seconds, or a date to be compared with `now`
/// (milliseconds since 1970). A date that has passed asks for nothing.
pub fn retry_after(value: &str, now: i64) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // So many digits that they do not fit: a very long time.
        let seconds = value.parse::<u32>().unwrap_or(u32::MAX);
        return Some(Duration::from_secs(seconds.into()));
    }
    let date = Timestamp::parse_http_date(value).ok()?;
    let left = date.unix_millis().saturating_sub(now);
    Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn passing_troubles_are_worth_another_try() {
        for (reason, tries, expected) in [
            ("timeout.connect", 1, Some(5)),
            ("timeout.header", 2, Some(30)),
            ("http.disconnected", 3, Some(180)),
            ("http.disconnected", 4, None),
            ("connect.failed", 0, Some(5)),
            ("timeout.page", 1, Some(5)),
            ("timeout.page", 2, None),
            ("browser.crash", 2, None),
            ("dns.nxdomain", 1, None),
            ("tls.expired", 1, None),
            ("tls.handshake", 1, None),
            ("blocked.ssrf", 1, None),
            ("http.malformed", 1, None),
            ("redirect.loop", 1, None),
            ("robots.disallowed", 1, None),
            ("disk.spool", 1, None),
            ("ok", 1, None),
        ] {
            let expected = expected.map(Duration::from_secs);
            assert_eq!(retry(reason, tries), expected, "{reason} after {tries}");
        }
    }

    #[test]
    fn statuses_that_may_pass() {
        for (status, passing) in [
            (200, false),
            (404, false),
            (403, false),
            (408, true),
            (429, true),
            (500, true),
            (501, false),
            (503, true),
            (599, true),
            (600, false),
        ] {
            assert_eq!(retry_status(status, 1).is_some(), passing, "{status}");
        }
        assert_eq!(retry_status(503, 4), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        // Sun, 06 Nov 1994 08:49:37 GMT
        let now = 784_111_777_000;
        for (value, expected) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("99999999999999999999", Some(u64::from(u32::MAX))),
            ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", Some(60)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("1.5", None),
            ("", None),
        ] {
            let expected = expected.map(Duration::from_secs);
            assert_eq!(retry_after(value, now), expected, "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_field_is_taken(value in "\\PC{0,40}", now in any::<i64>()) {
            let _ = retry_after(&value, now);
        }
    }
}
