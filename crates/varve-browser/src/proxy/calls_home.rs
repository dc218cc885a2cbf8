//! What Chromium asks for itself: updates, field trials, accounts. None of it is the web.
//!
//! Flags and a dead end for the browser's own context keep most of it away; this table is for
//! what still comes through a page's port. A request counts as the browser's own only if no page
//! can have made it: pages may well embed things from these hosts, and then they are recorded.

use varve_fetch::Request;

/// Hosts that Chromium calls, and what for. A leading dot stands for any host below.
const HOSTS: &[&str] = &[
    // Components, extensions, and the lists of what to update.
    "update.googleapis.com",
    "clients1.google.com",
    "clients2.google.com",
    "clients2.googleusercontent.com",
    "dl.google.com",
    ".gvt1.com",
    // Field trials and experiments.
    "clientservices.googleapis.com",
    // Hints and models for page loads.
    "optimizationguide-pa.googleapis.com",
    // Safe browsing and password leaks.
    "safebrowsing.googleapis.com",
    "safebrowsing.google.com",
    "passwordsleakcheck-pa.googleapis.com",
    // Accounts, push messages, autofill, translation, time.
    "accounts.google.com",
    "android.clients.google.com",
    "mtalk.google.com",
    "content-autofill.googleapis.com",
    "chromesyncpasswords-pa.googleapis.com",
];

/// Whether the browser asks this for itself.
pub(super) fn is_call_home(request: &Request) -> bool {
    let host = request.url.host_str().unwrap_or_default();
    let known = HOSTS.iter().any(|known| match known.strip_prefix('.') {
        Some(_) => host.ends_with(known),
        None => host == *known,
    });
    known && !from_a_page(request)
}

/// Whether a page may have made a request: then one of these fields says so.
fn from_a_page(request: &Request) -> bool {
    let site = request.field("sec-fetch-site").unwrap_or(b"none");
    let navigates = is_navigation(request);
    // The list of accounts is asked for with an origin that the browser makes up.
    let made_up = request.url.path() == "/ListAccounts";
    let origin = request.field("origin").is_some() && !made_up;
    request.field("referer").is_some() || origin || site != b"none" || navigates
}

/// Whether a request is for a document, of the page or of a frame. The `Sec-Fetch` fields only
/// go to secure places; the wish for secure ones goes with every navigation.
pub(super) fn is_navigation(request: &Request) -> bool {
    request.field("sec-fetch-mode") == Some(b"navigate")
        || request.field("upgrade-insecure-requests").is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use url::Url;

    fn check(url: &str, fields: &[(&str, &str)], home: bool) {
        let mut request = Request::get(Url::parse(url).unwrap());
        for (name, value) in fields {
            request
                .fields
                .push((name.as_bytes().to_vec(), value.as_bytes().to_vec()));
        }
        assert_eq!(is_call_home(&request), home, "{url} {fields:?}");
    }

    #[test]
    fn only_what_no_page_can_have_asked_for() {
        let update = "https://update.googleapis.com/service/update2/json";
        check(update, &[], true);
        check(
            update,
            &[("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "no-cors")],
            true,
        );
        check(update, &[("Sec-Fetch-Site", "cross-site")], false);
        check(update, &[("Referer", "https://a.test/")], false);
        check(update, &[("Origin", "https://a.test")], false);
        check(update, &[("Sec-Fetch-Mode", "navigate")], false);
        check(update, &[("Upgrade-Insecure-Requests", "1")], false);
        check("http://r4---sn-x.gvt1.com/edgedl/a.crx3", &[], true);
        check("http://gvt1.com.a.test/", &[], false);
        check("https://fonts.googleapis.com/css", &[], false);
    }

    #[test]
    fn the_list_of_accounts_has_an_origin_of_its_own() {
        let origin = [("Origin", "https://www.google.com")];
        check(
            "https://accounts.google.com/ListAccounts?gpsia=1",
            &origin,
            true,
        );
        check("https://accounts.google.com/gsi/client", &origin, false);
    }
}
