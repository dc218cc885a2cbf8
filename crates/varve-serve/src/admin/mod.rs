//! Administration: files are added, URLs taken down, by those who know the token. Without one there
//! is nothing of it.
//!
//! | path | what |
//! |---|---|
//! | `GET /admin` | the page, or the form for the token |
//! | `POST /admin/sign-in`, `/admin/sign-out` | a session begins, or ends |
//! | `POST /admin/import` | files become a layer of a collection |
//! | `GET /admin/jobs`, `/admin/jobs/NUMBER` | what becomes of them |
//! | `GET /admin/access`, `POST /admin/access` | the rules of what may not be shown, and changes |
//!
//! Nothing that is archived is deleted or altered from here.

mod attempts;
mod doorman;
mod import;
mod intake;
mod jobs;
mod log;
mod multipart;
mod page;
mod receive;
mod refused;
mod secret;
mod sessions;
mod takedown;
mod uploads;
mod visit;

use crate::archive::Archive;
use crate::error::ServeError;
use crate::peer::Peer;
use crate::respond::Reply;
use crate::serving::Serving;
use axum::extract::{ConnectInfo, Request};
use axum::http::header;
use axum::http::request::Parts;
use doorman::Doorman;
use intake::Intake;
use jobs::Jobs;
use log::Log;
use refused::Form;
use secret::Secret;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use visit::Visit;

/// So many bytes are taken at once, unless somebody says otherwise.
const UPLOAD_LIMIT: u64 = 16 << 30;

/// Who may administer, and how much they may send.
#[derive(Clone, Debug)]
pub struct AdminOptions {
    /// The file with the token.
    pub token: PathBuf,
    /// The bytes of files that are taken at once.
    pub upload_limit: u64,
}

impl AdminOptions {
    /// For those who know the token in a file.
    pub fn new(token: PathBuf) -> AdminOptions {
        AdminOptions {
            token,
            upload_limit: UPLOAD_LIMIT,
        }
    }
}

/// What administration needs besides the archive.
pub(crate) struct Admin {
    doorman: Doorman,
    jobs: Jobs,
    log: Log,
    upload_limit: u64,
}

impl Admin {
    /// Reads the token, and removes what an earlier server left behind.
    pub(crate) fn open(options: &AdminOptions, archive: &Archive) -> Result<Admin, ServeError> {
        let secret = Secret::read(&options.token)?;
        for root in archive.roots() {
            // What is in the way now is told when somebody sends files.
            let _ = uploads::clear(root);
        }
        let first = archive.roots().next().unwrap_or(Path::new("."));
        Ok(Admin {
            doorman: Doorman::new(secret),
            jobs: Jobs::new(archive.names()),
            log: Log::open(first)?,
            upload_limit: options.upload_limit,
        })
    }
}

/// Whether a request is for administration.
pub(crate) fn is_asked_for(target: &str) -> bool {
    let path = target.split('?').next().unwrap_or("");
    path == "/admin" || path.starts_with("/admin/")
}

/// Answers a request that was sent to this host.
pub(crate) async fn answer(
    serving: &Arc<Serving>,
    admin: &Admin,
    host: &str,
    request: Request,
) -> Reply {
    let (parts, body) = request.into_parts();
    let form = Form::wanted(&parts.headers);
    let visit = Visit {
        serving,
        admin,
        form,
        from: peer(&parts),
        parts,
    };
    let mut intake = Intake::new(body);
    let replied = visit.answer(host, &mut intake).await;
    if replied.is_err() {
        intake.leave().await;
    }
    let mut reply = replied.unwrap_or_else(|refused| refused.reply(form));
    reply.say(header::CACHE_CONTROL, "no-store");
    // Without it browsers do not say where our own forms come from.
    reply.say(header::REFERRER_POLICY, "same-origin");
    reply
}

fn peer(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<Peer>>();
    peer.map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0.0.ip())
}
