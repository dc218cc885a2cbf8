//! A page in a real Chromium, for tests to look at and click on, over the debugging pipe.

use super::ask::poll;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::MetadataExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);
/// The pipe is on descriptors 3 and 4; a shell knows how to put it there.
const ON_PIPE: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

/// A page, and the browser around it.
pub(crate) struct Page {
    child: Child,
    orders: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last_id: u64,
    errors: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Page {
    /// Opens a page.
    pub(crate) fn open(url: &str) -> Page {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", ON_PIPE, "chromium-headless-shell"]);
        command.arg("--remote-debugging-pipe");
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        // The root user has no sandbox. The page is our own.
        if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.arg("--no-sandbox");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (orders, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut page = Page {
            child,
            orders,
            messages: listen(BufReader::new(from)),
            session: None,
            last_id: 0,
            errors: Vec::new(),
            _profile: profile,
        };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = page.call("Target.attachToTarget", attach);
        page.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        page.call("Runtime.enable", json!({}));
        page.call("Log.enable", json!({}));
        page.call("Page.navigate", json!({"url": url}));
        page
    }

    /// The value of an expression.
    #[track_caller]
    pub(crate) fn run(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true});
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{result}");
        result["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, expression: &str) {
        let guarded = format!("try {{ {expression} }} catch {{ false }}");
        poll(expression, || (self.run(&guarded) == true).then_some(()));
    }

    /// Exceptions, and complaints of the browser about the page.
    pub(crate) fn errors(&mut self) -> Vec<String> {
        self.run("1");
        self.errors.clone()
    }

    #[track_caller]
    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.orders.write_all(&bytes).unwrap();
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect(method);
            if message["id"] == self.last_id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        let entry = &message["params"]["entry"];
        let thrown = message["method"] == "Runtime.exceptionThrown";
        if thrown || entry["level"] == "error" {
            self.errors.push(message["params"].to_string());
        }
    }
}

fn listen(mut from: impl BufRead + Send + 'static) -> Receiver<Value> {
    let (to, messages) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        while matches!(from.read_until(0, &mut bytes), Ok(1..)) {
            let text = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
            if to
                .send(serde_json::from_slice(text).unwrap_or_default())
                .is_err()
            {
                return;
            }
            bytes.clear();
        }
    });
    messages
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self
            .orders
            .write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        for _ in 0..100 {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
