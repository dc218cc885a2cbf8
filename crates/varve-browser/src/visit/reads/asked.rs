//! URLs that scripts named where something is fetched.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::visit::clip;
use crate::visit::log::{StackFrame, clip_url};

/// Pictures of one `srcset` that are kept.
const MAX_CANDIDATES: usize = 50;
const MAX_FRAMES: usize = 3;
const MAX_NAME: usize = 256;

/// A URL that a script named where something is fetched, and the first time who.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Asked {
    /// What it named, as an absolute URL.
    pub url: String,
    /// Where: `fetch`, `XMLHttpRequest`, the name of an element, or `style` and so on.
    pub api: String,
    /// The innermost frames of the stack.
    pub stack: Vec<StackFrame>,
}

/// A URL as it was given to a function, and what it is relative to.
pub(super) struct Named<'a> {
    /// The function or element, then `markup` if it stood in HTML, and `srcset` if it is one.
    pub(super) api: &'a str,
    pub(super) given: &'a str,
    pub(super) base: &'a str,
}

impl Asked {
    /// What was named. One `srcset` names many; what is no URL of the web none.
    pub(super) fn of(named: Named<'_>, stack: Option<&Value>) -> Vec<Asked> {
        let mut words = named.api.split(' ');
        let api = clip(words.next().unwrap_or_default(), MAX_NAME);
        let marks: Vec<&str> = words.collect();
        let [is_markup, is_srcset] = ["markup", "srcset"].map(|mark| marks.contains(&mark));
        let given = match is_markup {
            true => named.given.replace("&amp;", "&"),
            false => named.given.to_owned(),
        };
        let urls = match is_srcset {
            true => candidates(&given),
            false => vec![given.as_str()],
        };
        let base = Url::parse(named.base).ok();
        let stack = stack.map(frames).unwrap_or_default();
        let asked = |url: &str| {
            Some(Asked {
                url: absolute(base.as_ref(), url)?,
                api: api.clone(),
                stack: stack.clone(),
            })
        };
        urls.into_iter().filter_map(asked).collect()
    }
}

fn absolute(base: Option<&Url>, url: &str) -> Option<String> {
    let mut url = Url::options().base_url(base).parse(url).ok()?;
    url.set_fragment(None);
    let of_web = matches!(url.scheme(), "http" | "https" | "ws" | "wss");
    of_web.then(|| clip_url(url.as_str()))
}

/// The URLs of a `srcset`: each is followed by a comma, or by what it is for and then a comma.
fn candidates(srcset: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let mut is_url = true;
    for word in srcset.split_ascii_whitespace() {
        let url = word.trim_matches(',');
        if is_url && !url.is_empty() && urls.len() < MAX_CANDIDATES {
            urls.push(url);
        }
        is_url = word.ends_with(',') || (is_url && url.is_empty());
    }
    urls
}

fn frames(told: &Value) -> Vec<StackFrame> {
    let frames: Vec<Told> = Vec::deserialize(told).unwrap_or_default();
    let frames = frames.into_iter().take(MAX_FRAMES);
    frames.map(Told::into_frame).collect()
}

/// A frame as V8 tells it to scripts: function, script, line and column from 1, digest.
#[derive(Deserialize)]
struct Told(String, String, u32, u32, String);

impl Told {
    fn into_frame(self) -> StackFrame {
        let Told(function, url, line, column, digest) = self;
        StackFrame {
            function: clip(&function, MAX_NAME),
            url: clip_url(&url),
            line: line.saturating_sub(1),
            column: column.saturating_sub(1),
            script_id: String::new(),
            digest: Some(clip(&digest, MAX_NAME)).filter(|digest| !digest.is_empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn urls(api: &str, given: &str) -> Vec<String> {
        let base = "http://a.example/dir/page";
        let asked = Asked::of(Named { api, given, base }, None);
        asked.into_iter().map(|asked| asked.url).collect()
    }

    #[test]
    fn urls_are_absolute_and_of_the_web() {
        for (api, given, expected) in [
            ("fetch", "x", &["http://a.example/dir/x"][..]),
            ("fetch", "//b.example/x?y#z", &["http://b.example/x?y"]),
            ("WebSocket", "wss://b.example/", &["wss://b.example/"]),
            ("fetch", "x?a&amp;b", &["http://a.example/dir/x?a&amp;b"]),
            (
                "innerHTML markup",
                "x?a&amp;b",
                &["http://a.example/dir/x?a&b"],
            ),
            ("img", "data:,x", &[]),
            ("Worker", "blob:http://a.example/1-2", &[]),
            ("img", "http://[", &[]),
        ] {
            assert_eq!(urls(api, given), expected, "{given}");
        }
    }

    #[test]
    fn each_picture_of_a_srcset_is_named() {
        let at = |name: &str| format!("http://a.example/{name}");
        for (srcset, expected) in [
            ("/a 1x, /b 2x", &["a", "b"][..]),
            ("/a, /b 100w", &["a", "b"]),
            ("/a,b 1x", &["a,b"]),
            (" , /a , /b", &["a", "b"]),
            ("", &[]),
        ] {
            let expected: Vec<String> = expected.iter().map(|name| at(name)).collect();
            assert_eq!(urls("img srcset", srcset), expected, "{srcset}");
        }
    }

    #[test]
    fn frames_count_from_zero() {
        let stack = json!([
            ["f", "http://a.example/a.js", 3, 1, "00ff"],
            ["", "u", 0, 0, ""]
        ]);
        let frames = frames(&stack);
        assert_eq!((frames[0].line, frames[0].column), (2, 0));
        assert_eq!(frames[0].digest.as_deref(), Some("00ff"));
        assert_eq!((frames[1].line, frames[1].digest.as_deref()), (0, None));
        assert!(super::frames(&json!([["only this"]])).is_empty());
    }
}
