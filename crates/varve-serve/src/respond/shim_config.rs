//! What the shim is told about the document that it completes.

use crate::archive::RecordedClient;
use crate::layout::Layout;
use serde_json::{Map, Value, json};
use url::Url;
use varve_model::{HttpHead, Timestamp};

/// Cookies of one response that are told, and bytes of all of them.
const MAX_COOKIES: usize = 50;
const MAX_COOKIE_BYTES: usize = 4 << 10;

/// What is known of a document when it is sent.
pub(crate) struct Sent<'a> {
    pub(crate) layout: &'a Layout,
    /// The page's time.
    pub(crate) time: Timestamp,
    /// The time of the capture that is shown.
    pub(crate) own: Timestamp,
    /// The archived URL.
    pub(crate) url: &'a Url,
    /// Whether it is the topmost archived document.
    pub(crate) top: bool,
    /// The archived URL that led here.
    pub(crate) referrer: Option<Url>,
    pub(crate) captured: &'a HttpHead,
    /// When it was captured.
    pub(crate) date: Timestamp,
    pub(crate) client: Option<&'a RecordedClient>,
    /// Whether clock and chance are as at capture.
    pub(crate) is_pinned: bool,
    /// The origin of the archive's own pages.
    pub(crate) ui: &'a str,
}

impl Sent<'_> {
    /// The configuration as JSON, in letters of ASCII only: documents have all kinds of charsets.
    pub(crate) fn json(&self) -> String {
        let mut told = json!({
            "layout": self.layout.name(),
            "time": self.time.digits14(),
            "own": self.own.digits14(),
            "replay": self.layout.place(),
            "ui": self.ui,
            "url": self.url.as_str(),
            "top": self.top,
            "referrer": self.referrer.as_ref().map_or("", Url::as_str),
        });
        let cookies = cookies(self.captured);
        if let Value::Object(members) = &mut told {
            match self.is_pinned {
                true => {
                    let clock = json!({"start": self.date.unix_millis()});
                    members.insert("clock".to_owned(), clock);
                }
                false => {
                    members.insert("chance".to_owned(), false.into());
                }
            }
            if !cookies.is_empty() {
                members.insert("cookies".to_owned(), cookies.into());
            }
            let client = self.client.map_or_else(Map::new, |it| it.told.clone());
            members.insert("client".to_owned(), Value::Object(client));
        }
        in_ascii(&told.to_string())
    }

    /// The same as the value of an attribute in single quotes.
    pub(crate) fn attribute(&self) -> String {
        let mut out = String::new();
        for letter in self.json().chars() {
            match letter {
                '&' => out.push_str("&amp;"),
                '\'' => out.push_str("&#39;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                other => out.push(other),
            }
        }
        out
    }

    /// The same as a statement in a script.
    pub(crate) fn statement(&self) -> String {
        // JSON in ASCII is JavaScript; `</script` cannot end a file.
        format!("self.__varveConfig={};", self.json())
    }
}

/// The cookies that scripts could read after this response.
fn cookies(captured: &HttpHead) -> String {
    let mut list: Vec<String> = Vec::new();
    for value in captured.get_all("Set-Cookie").take(MAX_COOKIES) {
        let text = String::from_utf8_lossy(&value).into_owned();
        let mut parts = text.split(';').map(str::trim);
        let pair = parts.next().unwrap_or("");
        let hidden = parts.any(|part| {
            let part = part.to_ascii_lowercase();
            part == "httponly" || part == "max-age=0" || part.starts_with("max-age=-")
        });
        let plain = !pair.is_empty() && !pair.chars().any(char::is_control);
        if plain && !hidden {
            let name = pair.split('=').next().unwrap_or("").to_owned() + "=";
            list.retain(|known| !known.starts_with(&name));
            list.push(pair.to_owned());
        }
    }
    let mut cookies = list.join("; ");
    if cookies.len() > MAX_COOKIE_BYTES {
        cookies.clear();
    }
    cookies
}

/// JSON with everything outside ASCII escaped.
fn in_ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut units = [0; 2];
    for letter in json.chars() {
        match letter.is_ascii() && letter != '\u{7f}' {
            true => out.push(letter),
            false => {
                for unit in letter.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::layout::HostLayout;

    #[test]
    fn the_shim_is_told_in_plain_letters() {
        let layout = Layout::Host(HostLayout::new("replay.localhost", 8080));
        let url = Url::parse("https://h/?a='</script>&ü").unwrap();
        let captured = HttpHead::from_parts(
            "HTTP/1.1 200 OK",
            &[
                ("Set-Cookie", "a=1; Path=/"),
                ("Set-Cookie", "s=2; HttpOnly"),
                ("Set-Cookie", "a=3"),
                ("Set-Cookie", "gone=1; Max-Age=0"),
                ("Set-Cookie", "b=\u{e9}😀"),
            ],
        );
        let time = Timestamp::parse("20260101000000").unwrap();
        let sent = Sent {
            layout: &layout,
            time,
            own: time,
            url: &url,
            top: true,
            referrer: None,
            captured: &captured,
            date: time,
            is_pinned: true,
            client: None,
            ui: "http://127.0.0.1:8080",
        };
        let read: Value = serde_json::from_str(&sent.json()).unwrap();
        assert_eq!(read["cookies"], "a=3; b=\u{e9}😀");
        assert_eq!(read["replay"], "replay.localhost:8080");
        assert_eq!(read["clock"]["start"], time.unix_millis());
        let attribute = sent.attribute();
        assert!(attribute.is_ascii() && !attribute.contains(['\'', '<', '>']));
    }
}
