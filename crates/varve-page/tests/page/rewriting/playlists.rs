//! HLS and DASH: URLs are mapped, and only what was captured is offered to the player.

use url::Url;
use varve_page::{Rewriting, UrlMap, Use};

use super::{Letters, text};

/// Only URLs with `yes` in them were captured.
pub(super) struct Some_;

impl UrlMap for Some_ {
    fn map(&self, written: &str, resolved: &Url, used_for: Use) -> Option<String> {
        Letters.map(written, resolved, used_for)
    }

    fn is_captured(&self, url: &Url) -> bool {
        url.path().contains("yes")
    }
}

const HLS: &str = "application/vnd.apple.mpegurl";
const DASH: &str = "application/dash+xml";

#[track_caller]
fn check(content_type: &str, written: &str, expected: &str) {
    let how = Rewriting::new(&Some_);
    assert_eq!(text(content_type, written, &how), expected, "{written}");
    assert_eq!(
        text(content_type, expected, &how),
        expected,
        "{written}, twice"
    );
}

#[test]
fn segments_of_a_stream() {
    check(
        HLS,
        "#EXTM3U\n#EXTINF:4,\na.ts\n#EXTINF:4,\nhttp://o/b.ts?x",
        "#EXTM3U\n#EXTINF:4,\n~v/d/a.ts\n#EXTINF:4,\n~v/http://o/b.ts?x",
    );
    check(HLS, "#EXTM3U\r\n a.ts \r\n", "#EXTM3U\r\n ~v/d/a.ts \r\n");
    check(
        HLS,
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n#EXT-X-MAP:URI=\"m,n\"",
        "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"~v/d/k\",IV=0x1\n#EXT-X-MAP:URI=\"~v/d/m,n\"",
    );
    check(
        HLS,
        "#EXTM3U\n# a comment URI=\"x\"\n#EXT-X-ENDLIST",
        "#EXTM3U\n# a comment URI=\"x\"\n#EXT-X-ENDLIST",
    );
}

#[test]
fn variants_that_were_captured() {
    check(
        HLS,
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nno/1\n#EXT-X-STREAM-INF:BANDWIDTH=2\nyes/2\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\n~v/d/yes/2\n",
    );
    check(
        HLS,
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"no/a\"\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"yes/a\"\n#EXT-X-STREAM-INF:A=1\nyes/1",
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"~v/d/yes/a\"\n#EXT-X-STREAM-INF:A=1\n~v/d/yes/1",
    );
    check(
        HLS,
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nno/1\n#EXT-X-STREAM-INF:A=2\nno/2\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1\n~v/d/no/1\n#EXT-X-STREAM-INF:A=2\n~v/d/no/2\n",
    );
}

#[test]
fn playlists_are_known_by_their_first_line() {
    for content_type in ["text/plain", "audio/mpegurl", "application/octet-stream"] {
        check(content_type, "#EXTM3U\na.ts", "#EXTM3U\n~v/d/a.ts");
        check(content_type, "a.ts\n#EXTM3U", "a.ts\n#EXTM3U");
    }
}

#[test]
fn manifests() {
    check(
        DASH,
        "<MPD><BaseURL>http://o/x?a&amp;b</BaseURL></MPD>",
        "<MPD><BaseURL>~v/http://o/x?a&amp;b</BaseURL></MPD>",
    );
    check(
        DASH,
        "<MPD><BaseURL>x/</BaseURL><SegmentTemplate media=\"$Number$.m4s\"/></MPD>",
        "<MPD><BaseURL>x/</BaseURL><SegmentTemplate media=\"$Number$.m4s\"/></MPD>",
    );
    check(
        DASH,
        "<?xml version=\"1.0\"?><MPD><SegmentTemplate media=\"http://o/$Number$.m4s\"/></MPD>",
        "<?xml version=\"1.0\"?><MPD><SegmentTemplate media=\"~v/http://o/$Number$.m4s\"/></MPD>",
    );
    check(
        DASH,
        "<other><BaseURL>http://o/</BaseURL></other>",
        "<other><BaseURL>http://o/</BaseURL></other>",
    );
}

#[test]
fn representations_that_were_captured() {
    check(
        DASH,
        "<MPD><AdaptationSet><Representation id=\"1\"><BaseURL>no</BaseURL></Representation><Representation id=\"2\"><BaseURL>yes</BaseURL></Representation></AdaptationSet></MPD>",
        "<MPD><AdaptationSet><Representation id=\"2\"><BaseURL>yes</BaseURL></Representation></AdaptationSet></MPD>",
    );
    check(
        DASH,
        "<MPD><AdaptationSet><SegmentTemplate initialization=\"$RepresentationID$/i\"/><Representation id=\"no\"/><Representation id=\"yes\"/></AdaptationSet></MPD>",
        "<MPD><AdaptationSet><SegmentTemplate initialization=\"$RepresentationID$/i\"/><Representation id=\"yes\"/></AdaptationSet></MPD>",
    );
    check(
        DASH,
        "<MPD><AdaptationSet><Representation><BaseURL>http://o/no</BaseURL></Representation><Representation><BaseURL>http://o/yes</BaseURL></Representation></AdaptationSet></MPD>",
        "<MPD><AdaptationSet><Representation><BaseURL>~v/http://o/yes</BaseURL></Representation></AdaptationSet></MPD>",
    );
    check(
        DASH,
        "<MPD><AdaptationSet><Representation id=\"no\"/><Representation><BaseURL>no</BaseURL></Representation></AdaptationSet></MPD>",
        "<MPD><AdaptationSet><Representation id=\"no\"/><Representation><BaseURL>no</BaseURL></Representation></AdaptationSet></MPD>",
    );
}
