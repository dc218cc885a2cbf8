//! Starting Chromium.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout};

use super::attaching::attach_to_shared_workers;
use super::find::{Executable, find};
use super::flags::flags;
use super::process::Process;
use super::user::{User, profile, unprivileged};
use crate::cdp::{CdpError, Connection, Session};
use crate::client::Client;
use crate::error::BrowserError;
use crate::options::BrowserOptions;

/// How long Chromium may take to answer for the first time.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is started if it dies at once.
const STARTS: u32 = 3;
/// How much of its standard error is kept.
const SAID: usize = 4096;
/// The debugging pipe is on descriptors 3 and 4. The shell puts them there and becomes Chromium.
const WITH_PIPE: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;
/// What Chromium says when it cannot make its sandbox.
const SANDBOX_WORDS: &[&str] = &[
    "No usable sandbox",
    "without --no-sandbox",
    "Failed to move to new namespace",
];

/// Starts a Chromium and waits until it answers. One in a thousand or so dies on the way, when one
/// of its threads reads the environment while another changes it; the next one does not.
pub(crate) async fn launch(options: &BrowserOptions) -> Result<Process, BrowserError> {
    let executable = find(options.executable.as_deref())?;
    let version = version(&executable).await?;
    for _ in 1..STARTS {
        match start(&executable, &version, options).await {
            Err(BrowserError::Died { .. }) => {}
            started => return started,
        }
    }
    start(&executable, &version, options).await
}

async fn start(
    executable: &Executable,
    version: &str,
    options: &BrowserOptions,
) -> Result<Process, BrowserError> {
    let user = unprivileged();
    let profile = furnished(options, user)?;
    let path = || executable.path().to_owned();
    let spawned = spawn(executable, version, options, profile.path(), user);
    let mut child = spawned.map_err(|cause| BrowserError::Spawn {
        path: path(),
        cause,
    })?;
    let said = Arc::new(Mutex::new(Vec::new()));
    if let Some(stderr) = child.stderr.take() {
        tokio::spawn(keep_the_end(stderr, said.clone()));
    }
    let said = || {
        let bytes = said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).trim().to_owned()
    };
    let process = Process::begin(child, profile, version.to_owned());
    let process = process.ok_or_else(|| BrowserError::Died {
        path: path(),
        said: said(),
    })?;
    if let Err(error) = first_answer(&process.connection).await {
        process.kill().await;
        return Err(unanswered(path(), &error, said()));
    }
    Ok(process)
}

/// Why there is no answer.
fn unanswered(path: PathBuf, error: &CdpError, said: String) -> BrowserError {
    if SANDBOX_WORDS.iter().any(|words| said.contains(words)) {
        return BrowserError::Sandbox(said);
    }
    match error {
        CdpError::Closed => BrowserError::Died { path, said },
        error => BrowserError::NoAnswer {
            path,
            said: format!("{error}; {said}"),
        },
    }
}

/// A directory for Chromium, with what it shall find there.
fn furnished(options: &BrowserOptions, user: Option<User>) -> Result<TempDir, BrowserError> {
    let home = profile(&options.scratch, user).map_err(|cause| BrowserError::Scratch {
        path: options.scratch.clone(),
        cause,
    })?;
    if let Some(own) = &options.profile {
        let copied = own.copy_into(home.path(), user);
        copied.map_err(|cause| BrowserError::Profile {
            path: own.path().to_owned(),
            cause,
        })?;
    }
    Ok(home)
}

fn spawn(
    executable: &Executable,
    version: &str,
    options: &BrowserOptions,
    profile: &Path,
    user: Option<User>,
) -> std::io::Result<Child> {
    let sandbox = std::env::var_os("VARVE_BROWSER_SANDBOX").as_deref() != Some(OsStr::new("off"));
    if !sandbox {
        eprintln!("warning: VARVE_BROWSER_SANDBOX=off: pages run WITHOUT the browser's sandbox");
    }
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(WITH_PIPE).arg(executable.path());
    command.args(flags(executable, version, options, profile, sandbox));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.process_group(0).current_dir("/");
    command
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8");
    command.env("TZ", &options.client.time_zone);
    command.env("HOME", profile).env("TMPDIR", profile);
    if let Some(user) = user {
        command.uid(user.uid).gid(user.gid);
    }
    command.spawn()
}

/// The user agent that pages would see, without starting the browser for it.
pub async fn user_agent(client: &Client) -> Result<String, BrowserError> {
    if let Some(given) = &client.user_agent {
        return Ok(given.clone());
    }
    let version = version(&find(None)?).await?;
    Ok(client.user_agent(&version))
}

/// The version that a Chromium says it has, such as `148.0.7778.167`. It must be known before the
/// start, because the user agent that is given then contains it.
async fn version(executable: &Executable) -> Result<String, BrowserError> {
    let path = || executable.path().to_owned();
    let mut command = Command::new(executable.path());
    command
        .arg("--version")
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = match timeout(PATIENCE, command.output()).await {
        Ok(Ok(output)) => output,
        Ok(Err(cause)) => {
            return Err(BrowserError::Spawn {
                path: path(),
                cause,
            });
        }
        Err(_) => {
            return Err(BrowserError::NoAnswer {
                path: path(),
                said: String::new(),
            });
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    match text.split_whitespace().find(number) {
        Some(version) => Ok(version.to_owned()),
        None => Err(BrowserError::NoAnswer {
            path: path(),
            said: text.trim().to_owned(),
        }),
    }
}

async fn first_answer(connection: &Connection) -> Result<(), CdpError> {
    let deadline = Instant::now() + PATIENCE;
    let call = Session::browser(connection).begin("Browser.getVersion", json!({}));
    call.answer(deadline).await?;
    attach_to_shared_workers(connection, deadline).await
}

async fn keep_the_end(mut stderr: impl AsyncRead + Unpin, said: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        said.extend_from_slice(&buffer[..read]);
        let surplus = said.len().saturating_sub(SAID);
        said.drain(..surplus);
    }
}
