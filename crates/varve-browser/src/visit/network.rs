//! The parameters of the protocol's `Network` events, as far as they are kept.

use serde::Deserialize;

use super::clip;
use super::coverage::{Parsed, Scripts};
use super::log::{Initiator, StackFrame, clip_url};

/// Bytes of a function's name that are kept.
const MAX_NAME: usize = 256;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WillBeSent {
    pub(super) request_id: String,
    #[serde(rename = "documentURL")]
    pub(super) document_url: String,
    pub(super) request: Sent,
    pub(super) timestamp: f64,
    pub(super) wall_time: f64,
    pub(super) initiator: Cause,
    pub(super) redirect_response: Option<Response>,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) frame_id: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Sent {
    pub(super) url: String,
    pub(super) method: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SocketCreated {
    pub(super) request_id: String,
    pub(super) url: String,
    pub(super) initiator: Option<Cause>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Responded {
    pub(super) request_id: String,
    pub(super) response: Response,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct Response {
    pub(super) status: i64,
    pub(super) mime_type: String,
    pub(super) from_disk_cache: bool,
    pub(super) from_service_worker: bool,
    pub(super) from_prefetch_cache: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finished<'a> {
    pub(super) request_id: &'a str,
    pub(super) timestamp: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failed {
    pub(super) request_id: String,
    pub(super) timestamp: f64,
    pub(super) error_text: String,
    pub(super) blocked_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FromMemory<'a> {
    pub(super) request_id: &'a str,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Cause {
    #[serde(rename = "type")]
    kind: String,
    url: Option<String>,
    line_number: Option<f64>,
    stack: Option<Stack>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stack {
    call_frames: Vec<CallFrame>,
    parent: Option<Box<Stack>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame {
    function_name: String,
    script_id: String,
    url: String,
    line_number: i64,
    column_number: i64,
}

impl Cause {
    /// `scripts` are those of who asked, if they are known.
    pub(super) fn into_initiator(self, max_stack: usize, scripts: Option<&Scripts>) -> Initiator {
        let mut frames = Vec::new();
        let mut stack = self.stack.as_ref();
        while let Some(part) = stack
            && frames.len() < max_stack
        {
            let room = max_stack - frames.len();
            let pages_own = part.call_frames.iter().filter(|frame| !frame.is_ours());
            frames.extend(pages_own.take(room).map(|frame| frame.to_frame(scripts)));
            stack = part.parent.as_deref();
        }
        let top = frames.first();
        let (url, line) = match self.url {
            Some(url) => (
                Some(clip_url(&url)),
                self.line_number.map(|line| line as u32),
            ),
            None => (top.map(|top| top.url.clone()), top.map(|top| top.line)),
        };
        Initiator {
            kind: self.kind,
            url,
            line,
            stack: frames,
        }
    }
}

impl CallFrame {
    /// Whether it is what stands before a function of the page (`scripts/reads.js`).
    fn is_ours(&self) -> bool {
        self.url.is_empty() && matches!(self.function_name.as_str(), "apply" | "construct")
    }

    fn to_frame(&self, scripts: Option<&Scripts>) -> StackFrame {
        let script = scripts.and_then(|scripts| scripts.get(&self.script_id));
        let number = |n: i64| u32::try_from(n).unwrap_or_default();
        StackFrame {
            function: clip(&self.function_name, MAX_NAME),
            url: clip_url(&self.url),
            line: number(self.line_number),
            column: number(self.column_number),
            script_id: self.script_id.clone(),
            digest: script.map(Parsed::hash).map(str::to_owned),
        }
    }
}
