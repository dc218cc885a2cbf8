//! Archived names in place of those that replay gives them.

use regex::{Captures, Regex};
use url::{Position, Url};
use varve_serve::Layout;

/// The names of one replay.
pub(crate) struct Names {
    layout: Layout,
    /// Matches the beginnings of replay URLs.
    origin: Option<Regex>,
}

impl Names {
    pub(crate) fn new(layout: Layout) -> Names {
        let place = regex::escape(layout.place());
        let origin = format!(r"http://([\w.-]+?)\.(https?)(?:-(\d+))?\.\d{{14}}\.{place}");
        Names {
            layout,
            origin: Regex::new(&origin).ok(),
        }
    }

    /// The archived URL of a replay URL; nothing for what is no replay URL, or is the replay's own.
    pub(crate) fn archived(&self, url: &str) -> Option<String> {
        let url = Url::parse(url).ok()?;
        let target = &url[Position::BeforePath..Position::AfterQuery];
        let asked = self.layout.parse(&authority(&url)?, target)?;
        let is_ours = url.path().starts_with("/__varve/");
        (!is_ours).then(|| asked.url.to_string())
    }

    /// Whether a URL leads over the network, but not to the replay.
    pub(crate) fn is_outside(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else {
            return false;
        };
        let travels = matches!(url.scheme(), "http" | "https" | "ws" | "wss");
        travels && !authority(&url).is_some_and(|host| self.layout.is_replay_host(&host))
    }

    /// A text with archived URLs in it instead of replay URLs.
    pub(crate) fn archived_text(&self, text: &str) -> String {
        let instead = |found: &Captures<'_>| {
            let part = |number| found.get(number).map_or("", |it| it.as_str());
            let port = found
                .get(3)
                .map_or(String::new(), |port| format!(":{}", port.as_str()));
            format!("{}://{}{port}", part(2), part(1))
        };
        match &self.origin {
            Some(origin) => origin.replace_all(text, instead).into_owned(),
            None => text.to_owned(),
        }
    }
}

/// The host and the port that a URL names.
fn authority(url: &Url) -> Option<String> {
    let port = url.port().map_or(String::new(), |port| format!(":{port}"));
    Some(format!("{}{port}", url.host_str()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use varve_serve::HostLayout;

    fn names() -> Names {
        Names::new(Layout::Host(HostLayout::new("replay.localhost", 8080)))
    }

    const AT: &str = "20260101000000.replay.localhost:8080";

    #[test]
    fn replay_urls_are_called_by_their_archived_names() {
        let check = |url: &str, archived: Option<&str>| {
            assert_eq!(names().archived(url).as_deref(), archived, "{url}");
        };
        check(
            &format!("http://a.test.https.{AT}/x?y"),
            Some("https://a.test/x?y"),
        );
        check(
            &format!("http://a.test.http-81.{AT}/"),
            Some("http://a.test:81/"),
        );
        check(&format!("http://a.test.https.{AT}/__varve/shim.js"), None);
        check("https://a.test/x", None);
        check("data:,x", None);
    }

    #[test]
    fn messages_name_archived_urls() {
        let text = format!("cannot load 'http://a.test.https-444.{AT}/x' (1)");
        let archived = names().archived_text(&text);
        assert_eq!(archived, "cannot load 'https://a.test:444/x' (1)");
    }

    #[test]
    fn what_is_not_the_replay_is_outside() {
        let names = names();
        for outside in [
            "https://a.test/",
            "ws://a.test/",
            "http://replay.localhost.test/",
        ] {
            assert!(names.is_outside(outside), "{outside}");
        }
        let inside = format!("http://a.test.https.{AT}/");
        for inside in [inside.as_str(), "data:,x", "blob:null/1", "about:blank"] {
            assert!(!names.is_outside(inside), "{inside}");
        }
    }
}
