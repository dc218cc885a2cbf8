//! What a page does not get: scripts that a screen is against, and, when it is to stay as it is,
//! other documents and answers to what it sends.

use crate::server::Server;
use crate::stage::Stage;
use std::sync::Arc;
use url::Url;
use varve_browser::Traffic;

const NOTHING: &str = "HTTP/1.1 204 No Content\r\n";
const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

#[tokio::test]
async fn a_page_that_is_held_goes_nowhere_and_sends_nothing() {
    let server = Server::answering(OK).await;
    let stage = Stage::with(server.address).await;
    stage.port.hold();
    let mut browser = stage.browser().await;
    for request in [
        "POST http://a.test/send HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\nhi",
        "GET http://a.test/away HTTP/1.1\r\nHost: a.test\r\nUpgrade-Insecure-Requests: 1\r\n\r\n",
        "GET http://a.test/away HTTP/1.1\r\nHost: a.test\r\nSec-Fetch-Dest: document\r\n\r\n",
    ] {
        let mut browser = stage.browser().await;
        browser.send(request).await;
        assert!(browser.response().await.starts_with(NOTHING), "{request}");
    }
    assert_eq!(server.connections(), 0);
    let frame = "GET http://a.test/f HTTP/1.1\r\nHost: a.test\r\nSec-Fetch-Dest: iframe\r\n\r\n";
    browser.send(frame).await;
    browser.expect(OK).await;
}

#[tokio::test]
async fn a_script_that_a_screen_is_against_is_not_asked_for() {
    let server = Server::answering(OK).await;
    let stage = Stage::with(server.address).await;
    let page = Url::parse("http://a.test/").unwrap();
    stage.port.screen(
        &page,
        Arc::new(|script, page| (script.path() == "/no.js").then(|| format!("a rule, on {page}"))),
    );
    let mut browser = stage.browser().await;
    let script =
        "GET http://b.test/no.js HTTP/1.1\r\nHost: b.test\r\nSec-Fetch-Dest: script\r\n\r\n";
    browser.send(script).await;
    let refused = "HTTP/1.1 502 Bad Gateway\r\nX-Varve-Error: blocked.filter\r\n";
    assert!(browser.response().await.starts_with(refused));
    assert_eq!(server.connections(), 0);
    let failure = stage.kept.failure().await;
    assert_eq!(failure.reason, "blocked.filter");
    assert!(
        failure
            .message
            .ends_with("by the rule a rule, on http://a.test/")
    );
    // The same as an image is none of its business.
    let image = "GET http://b.test/no.js HTTP/1.1\r\nHost: b.test\r\nSec-Fetch-Dest: image\r\n\r\n";
    let mut browser = stage.browser().await;
    browser.send(image).await;
    browser.expect(OK).await;
}
