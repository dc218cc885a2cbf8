//! Chromium as its users have it: nothing between it and the network.
//!
//! The browser of the recorder is held back (a proxy for everything, no pings, no popups, no way
//! for WebRTC), so it could not tell whether replay is sealed. This one may do what it likes, as
//! long as it is on loopback, and writes down everything that its network stack does.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const EXECUTABLES: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chrome-headless-shell",
];

const FLAGS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--disable-popup-blocking",
    "--autoplay-policy=no-user-gesture-required",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Chromium's own calls would only be noise.
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    DIRECT,
    // All names but those of this machine lead nowhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost",
];

/// Nothing between the browser and servers, unless a test says otherwise.
const DIRECT: &str = "--no-proxy-server";
/// A page that stays open when all others are closed.
const KEPT: &str = "about:blank#kept";
/// How long many pages at once may take to come, and to load.
const COMING: Duration = Duration::from_secs(5);
const LOADING: Duration = Duration::from_secs(30);
/// How long an answer of the browser may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running Chromium that is told what to do over a pipe.
pub(crate) struct OpenBrowser {
    process: Child,
    to: ChildStdin,
    /// What it says, as a thread hears it.
    from: Receiver<Value>,
    calls: u64,
    tabs: Vec<Tab>,
    events: Vec<Value>,
    profile: TempDir,
}

/// What a browser says, message by message. A page that hangs does not answer, and must not keep
/// the test from saying so.
fn heard(from: ChildStdout) -> Receiver<Value> {
    let (say, hear) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(from).split(0) {
            let message = message.ok().and_then(|it| serde_json::from_slice(&it).ok());
            if message.is_none_or(|message| say.send(message).is_err()) {
                break;
            }
        }
    });
    hear
}

/// An open page.
#[derive(Clone, Debug)]
pub(crate) struct Tab {
    session: String,
}

impl OpenBrowser {
    pub(crate) fn start(more: &[&str]) -> OpenBrowser {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        // The browser's pipe is at descriptors 3 and 4.
        command.args([
            "-c",
            "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1",
        ]);
        command.arg(
            EXECUTABLES
                .iter()
                .find(|path| PathBuf::from(path).exists())
                .unwrap(),
        );
        let proxied = more.iter().any(|flag| flag.starts_with("--proxy-server"));
        let flags = FLAGS.iter().filter(|flag| !proxied || **flag != DIRECT);
        command.args(flags).args(more);
        command.arg(format!(
            "--user-data-dir={}",
            profile.path().join("profile").display()
        ));
        command.arg(format!(
            "--log-net-log={}",
            profile.path().join("net.json").display()
        ));
        as_nobody(&mut command, profile.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (to, from) = (
            process.stdin.take().unwrap(),
            process.stdout.take().unwrap(),
        );
        OpenBrowser {
            process,
            to,
            from: heard(from),
            calls: 0,
            tabs: Vec::new(),
            events: Vec::new(),
            profile,
        }
    }

    /// Opens a page in a new tab, without waiting for it.
    pub(crate) fn open(&mut self, url: &str) -> Tab {
        let opened = self.call("", "Target.createTarget", json!({"url": url}));
        let target = opened["targetId"].as_str().unwrap().to_owned();
        let params = json!({"targetId": target, "flatten": true});
        let attached = self.call("", "Target.attachToTarget", params);
        let session = attached["sessionId"].as_str().unwrap().to_owned();
        let tab = Tab { session };
        self.tabs.push(tab.clone());
        tab
    }

    /// Opens a page and waits until it has loaded.
    pub(crate) fn visit(&mut self, url: &str) -> Tab {
        let tab = self.open(url);
        self.wait(
            &tab,
            "location.href !== 'about:blank' && document.readyState === 'complete'",
        );
        tab
    }

    /// Leads an open page elsewhere and waits until it has loaded.
    pub(crate) fn lead(&mut self, tab: &Tab, url: &str) {
        self.evaluate(tab, "window.isOld = true");
        self.tell(tab, "Page.navigate", json!({"url": url}));
        self.wait(
            tab,
            "!window.isOld && location.href !== 'about:blank' && document.readyState === 'complete'",
        );
    }

    /// Tells a page something in the words of the debugging protocol.
    pub(crate) fn tell(&mut self, tab: &Tab, method: &str, params: Value) -> Value {
        self.call(&tab.session, method, params)
    }

    /// Presses a key that stands for nothing but itself, such as `Tab`.
    pub(crate) fn press(&mut self, tab: &Tab, key: &str, code: u32) {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
            });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = text.into();
            }
            self.tell(tab, "Input.dispatchKeyEvent", params);
        }
    }

    /// Waits until something is true in a page.
    #[track_caller]
    pub(crate) fn wait(&mut self, tab: &Tab, condition: &str) {
        let until = Instant::now() + PATIENCE;
        while self.evaluate(tab, condition) != Value::Bool(true) {
            assert!(Instant::now() < until, "never: {condition}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The value of an expression in a page, as if a user had just touched it; promises are waited
    /// for. An exception gives its text as `{"threw": ...}`.
    pub(crate) fn evaluate(&mut self, tab: &Tab, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let answer = self.call(&tab.session, "Runtime.evaluate", params);
        match answer.get("exceptionDetails") {
            Some(details) => json!({"threw": details["exception"]["description"]}),
            None => answer["result"]["value"].clone(),
        }
    }

    /// All cookies that the browser has.
    pub(crate) fn cookies(&mut self) -> Vec<Value> {
        let answer = self.call("", "Storage.getCookies", json!({}));
        answer["cookies"].as_array().unwrap().clone()
    }

    /// How many service workers the origin of a page has, by the word of an unchanged function.
    pub(crate) fn service_workers(&mut self, tab: &Tab) -> u64 {
        let targets = self.call(&tab.session, "Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().unwrap().iter();
        targets
            .filter(|target| target["type"] == "service_worker")
            .count() as u64
    }

    /// A frame of a page, by a part of its address, when it has loaded.
    #[track_caller]
    pub(crate) fn frame(&mut self, tab: &Tab, part: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let tree = self.call(&tab.session, "Page.getFrameTree", json!({}));
            let frames = tree["frameTree"]["childFrames"].as_array();
            let mut frames = frames.into_iter().flatten().map(|inner| &inner["frame"]);
            let found = frames.find(|frame| frame["url"].as_str().unwrap_or("").contains(part));
            if let Some(frame) = found.and_then(|frame| frame["id"].as_str())
                && self.evaluate_in(tab, frame, "document.readyState") == "complete"
            {
                return frame.to_owned();
            }
            assert!(Instant::now() < until, "no frame: {part}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The value of an expression in a frame that is in the same process as its page.
    pub(crate) fn evaluate_in(&mut self, tab: &Tab, frame: &str, expression: &str) -> Value {
        let context = self.context(tab, frame);
        let params = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
            "userGesture": true, "contextId": context,
        });
        let answer = self.call(&tab.session, "Runtime.evaluate", params);
        answer["result"]["value"].clone()
    }

    /// The world of a frame's own scripts, told when one begins to listen.
    fn context(&mut self, tab: &Tab, frame: &str) -> Value {
        self.call(&tab.session, "Runtime.disable", json!({}));
        self.events.clear();
        self.call(&tab.session, "Runtime.enable", json!({}));
        let contexts = self.events.iter().map(|event| &event["params"]["context"]);
        let mut own = contexts.filter(|context| {
            let data = &context["auxData"];
            data["frameId"] == frame && data["isDefault"] == true
        });
        own.next_back()
            .map_or(Value::Null, |context| context["id"].clone())
    }

    /// The documents of every window that is open, with their frames and shadows, as the browser
    /// itself has them.
    pub(crate) fn documents(&mut self) -> Vec<Value> {
        let mut documents = Vec::new();
        for target in self.windows() {
            let params = json!({"targetId": target, "flatten": true});
            let attached = self.call("", "Target.attachToTarget", params);
            if let Some(session) = attached["sessionId"].as_str() {
                let params = json!({"depth": -1, "pierce": true});
                documents.push(self.call(session, "DOM.getDocument", params));
            }
        }
        documents
    }

    /// The names of all windows.
    fn windows(&mut self) -> Vec<Value> {
        let targets = self.call("", "Target.getTargets", json!({}));
        let targets = targets["targetInfos"].as_array().unwrap().iter();
        let windows = targets.filter(|target| target["type"] == "page" && target["url"] != KEPT);
        windows.map(|target| target["targetId"].clone()).collect()
    }

    /// Waits until every open page has loaded, for as long as that may take. Some never come,
    /// because what they lead to is no page.
    pub(crate) fn wait_for_all(&mut self) {
        let began = Instant::now();
        let state = "location.href === 'about:blank' ? 'nothing' : document.readyState";
        for tab in self.tabs.clone() {
            loop {
                let state = self.evaluate(&tab, state);
                let patience = if state == "nothing" { COMING } else { LOADING };
                let is_loading = state == "nothing" || state == "loading" || state == "interactive";
                if !is_loading || began.elapsed() > patience {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    /// Closes everything that is open, also what pages have opened.
    pub(crate) fn close_all(&mut self) {
        self.tabs.clear();
        // An empty page keeps the browser alive.
        self.call("", "Target.createTarget", json!({"url": KEPT}));
        for target in self.windows() {
            self.call("", "Target.closeTarget", json!({"targetId": target}));
        }
    }

    /// Ends it and returns its network log, the parts of it that tell what was wanted of whom.
    pub(crate) fn finish(mut self) -> String {
        self.call("", "Browser.close", json!({}));
        let until = Instant::now() + PATIENCE;
        while self.process.try_wait().unwrap().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let log = std::fs::read(self.profile.path().join("net.json")).unwrap();
        String::from_utf8_lossy(&log).into_owned()
    }

    /// Calls a method of the browser, or of a session with it, and waits for the answer.
    fn call(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.to
            .write_all(format!("{message}\0").as_bytes())
            .unwrap();
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let answer = match self.from.recv_timeout(left) {
                Ok(answer) => answer,
                Err(RecvTimeoutError::Timeout) => panic!("no answer to {message}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the browser is gone: {method}"),
            };
            if answer["method"] == "Runtime.executionContextCreated" {
                self.events.push(answer);
            } else if answer["id"] == self.calls {
                let error = &answer["error"];
                return if error.is_null() {
                    answer["result"].clone()
                } else {
                    json!({"error": error})
                };
            }
        }
    }
}

impl Drop for OpenBrowser {
    fn drop(&mut self) {
        // It is gone already if it was told to finish.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Chromium refuses its sandbox to root, and takes more than its share of the processors.
fn as_nobody(command: &mut Command, profile: &Path) {
    const NOBODY: u32 = 65534;
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
    if is_root {
        std::os::unix::fs::chown(profile, Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY).env("HOME", profile);
    }
}
