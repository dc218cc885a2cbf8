//! A crawl with a browser profile: who is logged in there is logged in here, and the profile stays
//! as it was.

use crate::support::archive::records;
use crate::support::server::{Asked, html, html_with, server};
use crate::support::stage::words_of;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use varve_store::warc::RecordType;

/// Logs in: by cookies, and by what a script stores.
const LOGIN: &str = "<!doctype html><script>\
    localStorage.setItem('token', 'stored \u{1f511}');</script>";
/// Shows who is there, by what its script finds, and asks for one thing more after that.
const HOME: &str = "<!doctype html><title>Club</title><p id=who></p><script>\
    who.textContent = 'token: ' + localStorage.getItem('token');\
    fetch('/shown');</script>";

/// A club whose members see more than strangers.
struct Club {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    dir: tempfile::TempDir,
}

impl Club {
    fn open() -> Club {
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let noted = asked.clone();
        let port = server(move |asked, stream| {
            let line = format!("{} {}", asked.path, asked.field("cookie"));
            noted.lock().unwrap().push(line);
            answer(asked, stream);
        });
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let dir = tempfile::tempdir().unwrap();
        Club {
            address,
            asked,
            dir,
        }
    }

    fn profile(&self) -> PathBuf {
        self.dir.path().join("profile")
    }

    /// A person's browser at this page.
    fn browser(&self, page: &str, flag: &str) -> Command {
        let mut command = Command::new("chromium-headless-shell");
        command
            .arg(format!("--user-data-dir={}", self.profile().display()))
            .arg(format!("--host-resolver-rules=MAP * {}", self.address))
            .args(["--password-store=basic", "--disable-gpu"])
            .args([flag, &format!("http://club.example{page}")])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // The pages are ours; as root there is no sandbox.
        if is_root() {
            command.arg("--no-sandbox");
        }
        command.process_group(0);
        command
    }

    fn crawl(&self, tier: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_varve"))
            .args(["crawl", "http://club.example/", "--tier", tier, "--json"])
            .args(["--scope", "page", "--delay", "0", "--ignore-robots"])
            .args(["--allow-net", "127.0.0.0/8", "--map-host"])
            .arg(format!("*={}", self.address))
            .arg("--profile")
            .arg(self.profile())
            .arg("-c")
            .arg(self.dir.path().join(tier))
            .output()
            .unwrap()
    }

    /// What a crawl kept of the page: the response, or its text.
    fn kept(&self, tier: &str, url: &str, kind: RecordType) -> String {
        let all = records(&self.dir.path().join(tier));
        let mut kept = all.iter().filter(|r| r.url == url && r.kind == kind);
        let block = kept.next().map(|record| record.block.clone());
        String::from_utf8_lossy(&block.unwrap_or_default()).into_owned()
    }
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output().unwrap();
    user.stdout.trim_ascii() == b"0"
}

fn answer(asked: &Asked, stream: &mut TcpStream) {
    let member = "Set-Cookie: member=c4n4ry; Max-Age=86400; HttpOnly\r\n";
    let passing = "Set-Cookie: passing=yes\r\n";
    match asked.path.as_str() {
        "/login" => html_with(stream, &format!("{member}{passing}"), LOGIN),
        _ if asked.field("cookie").contains("member=c4n4ry") => {
            html(stream, &format!("{HOME}<p>welcome back"));
        }
        _ => html(stream, &format!("{HOME}<p>you are a stranger")),
    }
}

/// Every file below a directory: its bytes, and when it was written.
fn contents(dir: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else if let Ok(bytes) = std::fs::read(&path) {
            let written = path.metadata().unwrap().modified().unwrap();
            files.insert(path, (bytes, written));
        }
    }
    files
}

/// While a browser has a profile open, nobody can say what it holds.
fn assert_refused_while_open(club: &Club) {
    let mut browser = club.browser("/", "--remote-debugging-port=0");
    let mut browser = browser.spawn().unwrap();
    let asked = || {
        club.asked
            .lock()
            .unwrap()
            .iter()
            .any(|a| a.starts_with("/shown"))
    };
    while !asked() {
        assert!(browser.try_wait().unwrap().is_none(), "no browser");
        std::thread::sleep(Duration::from_millis(50));
    }
    let refused = club.crawl("http");
    let group = format!("-{}", browser.id());
    let kill = |signal: &str| {
        let mut kill = Command::new("kill");
        kill.args([signal, "--", &group]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    assert!(kill("-KILL"));
    browser.wait().unwrap();
    // What it started may take a moment longer to be gone.
    while kill("-0") {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(refused.status.code(), Some(1));
    let words = words_of(&refused);
    assert!(words.contains("in use by a running Chromium"), "{words}");
    assert!(!club.dir.path().join("http").exists());
}

#[test]
fn who_is_logged_in_in_a_profile_is_logged_in_to_the_crawl() {
    let club = Club::open();
    let mut login = club.browser("/login", "--dump-dom");
    assert!(login.status().unwrap().success(), "no browser");
    assert_refused_while_open(&club);
    let before = contents(&club.profile());
    for tier in ["http", "browser"] {
        let crawled = club.crawl(tier);
        assert_eq!(crawled.status.code(), Some(0), "{}", words_of(&crawled));
        let response = club.kept(tier, "http://club.example/", RecordType::Response);
        assert!(response.contains("welcome back"), "{tier}: {response}");
        // It is a secret like any cookie.
        let request = club.kept(tier, "http://club.example/", RecordType::Request);
        assert!(request.contains("[redacted]") && !request.contains("c4n4ry"));
    }
    let text = club.kept(
        "browser",
        "urn:text:http://club.example/",
        RecordType::Resource,
    );
    assert!(text.contains("token: stored \u{1f511}"), "{text}");
    // Cookies of a session end with the browser.
    let asked = club.asked.lock().unwrap();
    assert!(
        !asked
            .iter()
            .any(|line| line.starts_with("/ ") && line.contains("passing"))
    );
    assert!(before == contents(&club.profile()), "the profile changed");
}

#[test]
fn what_is_no_profile_is_refused() {
    let club = Club::open();
    std::fs::create_dir(club.profile()).unwrap();
    let refused = club.crawl("http");
    assert_eq!(refused.status.code(), Some(1));
    let words = words_of(&refused);
    assert!(words.contains("is no profile of Chromium"), "{words}");
    assert!(club.asked.lock().unwrap().is_empty());
}
