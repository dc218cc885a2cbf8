//! Administration over HTTP: who may, what files become, what is taken down.

mod adding;
mod entering;
mod taking_down;

use crate::archive::{Saved, add_layer};
use crate::asking::{Answer, Running, answer, raw};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use varve_serve::AdminOptions;

const TOKEN: &str = "correct-horse-battery";
const PAGE: &str = "https://h.test/page";

/// An archive with a page, an access list and administrators.
fn desk() -> Running {
    desk_over(archive(), 1 << 20)
}

fn archive() -> TempDir {
    let dir = TempDir::new().unwrap();
    add_layer(dir.path(), &[Saved::page(PAGE, "the words on the page")]);
    std::fs::write(dir.path().join("access.aclj"), "# our rules\n").unwrap();
    dir
}

fn desk_over(dir: TempDir, upload_limit: u64) -> Running {
    let token = dir.path().join("token");
    std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o600)).unwrap();
    Running::chosen(dir, |options| {
        options.access = Some(options.collections[0].join("access.aclj"));
        options.admin = Some(AdminOptions {
            upload_limit,
            ..AdminOptions::new(token)
        });
    })
}

impl Running {
    /// Sends a request to the archive's own pages, with a body.
    fn post(&self, target: &str, fields: &str, body: &[u8]) -> Answer {
        let host = self.ui();
        let mut request = format!(
            "POST {target} HTTP/1.1\r\nHost: {host}\r\n{fields}Content-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        answer(&raw(host, &request)).unwrap()
    }

    /// Sends what was typed into a form.
    fn post_form(&self, target: &str, fields: &str, form: &str) -> Answer {
        let fields = format!("{fields}Content-Type: application/x-www-form-urlencoded\r\n");
        self.post(target, &fields, form.as_bytes())
    }

    /// Asks as a program does.
    fn asked_by_program(&self, target: &str) -> Value {
        let answer = self.own_with(target, &bearer());
        assert_eq!(answer.status, 200, "{}", answer.text());
        serde_json::from_str(&answer.text()).unwrap()
    }

    /// The job of this number, when it is over.
    fn finished(&self, job: &Value) -> Value {
        let began = Instant::now();
        loop {
            let told = self.asked_by_program(&format!("/admin/jobs/{job}"));
            if !matches!(told["state"].as_str(), Some("waiting" | "running")) {
                return told;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{told}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn bearer() -> String {
    format!("Authorization: Bearer {TOKEN}\r\n")
}

/// A browser that has signed in.
struct Browser {
    /// The header fields that it sends with every request.
    fields: String,
    /// What its forms carry.
    csrf: String,
}

impl Browser {
    fn sign_in(running: &Running) -> Browser {
        let html = "Accept: text/html\r\n";
        let answer = running.post_form("/admin/sign-in", html, &format!("token={TOKEN}"));
        assert_eq!(answer.status, 303, "{}", answer.text());
        assert_eq!(answer.header("location"), "/admin");
        let cookie = answer.header("set-cookie").split(';').next().unwrap();
        let fields = format!("{html}Cookie: {cookie}\r\n");
        let page = running.own_with("/admin", &fields).text();
        let (_, csrf) = page.split_once("name=\"csrf\" value=\"").unwrap();
        let csrf = csrf.split('"').next().unwrap().to_owned();
        Browser { fields, csrf }
    }
}

/// A WARC file with a page.
fn warc(url: &str, body: &str) -> Vec<u8> {
    let dir = TempDir::new().unwrap();
    add_layer(dir.path(), &[Saved::page(url, body)]);
    std::fs::read(first_file(&dir.path().join("layers"), "gz")).unwrap()
}

/// The first file below a directory with this ending.
fn first_file(dir: &Path, ending: &str) -> std::path::PathBuf {
    let files = files_below(dir);
    let mut files = files.into_iter();
    files
        .find(|file| file.extension().is_some_and(|it| it == ending))
        .unwrap()
}

fn files_below(dir: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files_below(&path)),
            false => found.push(path),
        }
    }
    found
}

/// What is left of uploads.
fn uploads(running: &Running) -> usize {
    let uploads = running.dir.path().join("state/uploads");
    let left = std::fs::read_dir(uploads).into_iter().flatten();
    left.filter(|entry| entry.as_ref().unwrap().path().is_dir())
        .count()
}
