//! What a service worker answered by itself: no server was asked, so only the browser has it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Duration, Instant};

use super::page::Page;

/// Answers that are taken, and bytes of all of them.
const MOST: usize = 200;
const MAX_BYTES: usize = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(2);

/// An answer that a service worker made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// What was asked for.
    pub url: String,
    /// What Chromium took it for; text is UTF-8.
    pub content_type: String,
    /// What was answered.
    pub body: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    body: String,
    base64_encoded: bool,
}

/// Takes them from the browser, as far as it still has them.
pub(super) async fn gather(page: &Page, by: Instant) -> Vec<Made> {
    let by = by.min(Instant::now() + PATIENCE);
    let asked = page.watch.state().log.made_by_workers();
    let mut made: Vec<Made> = Vec::new();
    let mut bytes = 0;
    for request in asked.into_iter().take(MOST) {
        if made.iter().any(|before| before.url == request.url) {
            continue;
        }
        let Some(answer) = ask(page, &request.id, by).await else {
            continue;
        };
        let content_type = answer.content_type(request.mime);
        let Some(body) = answer.bytes() else {
            continue;
        };
        bytes += body.len();
        if bytes > MAX_BYTES {
            break;
        }
        made.push(Made {
            url: request.url,
            content_type,
            body,
        });
    }
    made
}

async fn ask(page: &Page, request: &str, by: Instant) -> Option<Body> {
    let params = json!({ "requestId": request });
    let call = page.session.call("Network.getResponseBody", params, by);
    call.await.ok()
}

impl Body {
    fn content_type(&self, mime: Option<String>) -> String {
        match mime {
            Some(mime) if self.base64_encoded => mime,
            Some(mime) => format!("{mime}; charset=utf-8"),
            None => "application/octet-stream".to_owned(),
        }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        match self.base64_encoded {
            true => STANDARD.decode(&self.body).ok(),
            false => Some(self.body.into_bytes()),
        }
    }
}
