//! Scripts that a page does not get, because somebody says that they are not worth it.

use super::calls_home::is_navigation;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;
use varve_fetch::{FetchError, Request};

/// Says by which rule a script (the first) of a page (the second) is not asked for; `None` if it
/// is.
pub type Screen = Arc<dyn Fn(&Url, &Url) -> Option<String> + Send + Sync>;

/// A screen before the scripts of one page load.
pub(super) struct Screened {
    screen: Screen,
    /// The page as of its last redirect.
    page: Mutex<Url>,
}

impl Screened {
    pub(super) fn new(page: &Url, screen: Screen) -> Screened {
        let page = Mutex::new(page.clone());
        Screened { screen, page }
    }

    /// Lets a request pass, or says why not.
    pub(super) fn look(&self, request: &Request) -> Result<(), FetchError> {
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        if opens_page(request) {
            *page = request.url.clone();
        }
        if !is_script(request) {
            return Ok(());
        }
        match (self.screen)(&request.url, &page) {
            None => Ok(()),
            Some(rule) => Err(FetchError::Filtered {
                url: request.url.to_string(),
                rule,
            }),
        }
    }
}

/// Whether a request is for the page itself, and not for a frame. In insecure places only frames
/// and links have a referrer, and links are not followed.
fn opens_page(request: &Request) -> bool {
    match request.field("sec-fetch-dest") {
        Some(destination) => destination == b"document",
        None => is_navigation(request) && request.field("referer").is_none(),
    }
}

/// Whether a request is for a script. Insecure places are not told what for; but only scripts are
/// asked for with a wish for anything, no origin and no range.
fn is_script(request: &Request) -> bool {
    match request.field("sec-fetch-dest") {
        Some(destination) => matches!(
            destination,
            b"script" | b"worker" | b"sharedworker" | b"serviceworker"
        ),
        None => {
            request.method == "GET"
                && request.field("accept") == Some(b"*/*")
                && request.field("origin").is_none()
                && request.field("range").is_none()
                && !is_navigation(request)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn request(url: &str, fields: &[(&str, &str)]) -> Request {
        let mut request = Request::get(Url::parse(url).unwrap());
        for (name, value) in fields {
            let field = (name.as_bytes().to_vec(), value.as_bytes().to_vec());
            request.fields.push(field);
        }
        request
    }

    /// What is told of the page, when all scripts are refused.
    fn page_of(screened: &Screened, script: &Request) -> String {
        match screened.look(script) {
            Err(FetchError::Filtered { rule, .. }) => rule,
            other => panic!("{other:?}"),
        }
    }

    fn screened() -> Screened {
        let page = Url::parse("http://a.test/").unwrap();
        Screened::new(&page, Arc::new(|_, page| Some(page.to_string())))
    }

    #[test]
    fn only_scripts_are_looked_at() {
        let check = |fields: &[(&str, &str)], looked_at: bool| {
            let request = request("http://b.test/x", fields);
            assert_eq!(screened().look(&request).is_err(), looked_at, "{fields:?}");
        };
        check(&[("Sec-Fetch-Dest", "script"), ("Accept", "*/*")], true);
        check(&[("Sec-Fetch-Dest", "worker")], true);
        check(&[("Sec-Fetch-Dest", "empty"), ("Accept", "*/*")], false);
        check(&[("Sec-Fetch-Dest", "image")], false);
        // In insecure places.
        check(&[("Accept", "*/*"), ("Referer", "http://a.test/")], true);
        check(&[("Accept", "*/*"), ("Origin", "http://a.test")], false);
        check(&[("Accept", "*/*"), ("Range", "bytes=0-")], false);
        check(&[("Accept", "text/css,*/*;q=0.1")], false);
        check(
            &[("Accept", "*/*"), ("Upgrade-Insecure-Requests", "1")],
            false,
        );
    }

    #[test]
    fn the_page_is_where_its_redirects_lead() {
        let screened = screened();
        let script = request("https://c.test/x.js", &[("Sec-Fetch-Dest", "script")]);
        assert_eq!(page_of(&screened, &script), "http://a.test/");
        let moved = request("https://b.test/", &[("Sec-Fetch-Dest", "document")]);
        screened.look(&moved).unwrap();
        assert_eq!(page_of(&screened, &script), "https://b.test/");
        let frame = request("https://f.test/", &[("Sec-Fetch-Dest", "iframe")]);
        screened.look(&frame).unwrap();
        assert_eq!(page_of(&screened, &script), "https://b.test/");
    }

    #[test]
    fn frames_in_insecure_places_are_not_the_page() {
        let screened = screened();
        let script = request("http://c.test/x.js", &[("Accept", "*/*")]);
        let navigates = ("Upgrade-Insecure-Requests", "1");
        let frame = request(
            "http://f.test/",
            &[navigates, ("Referer", "http://a.test/")],
        );
        screened.look(&frame).unwrap();
        assert_eq!(page_of(&screened, &script), "http://a.test/");
        screened
            .look(&request("http://b.test/", &[navigates]))
            .unwrap();
        assert_eq!(page_of(&screened, &script), "http://b.test/");
    }
}
