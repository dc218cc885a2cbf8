//! Files come in: from a form, or one as the whole body of a request.

use super::doorman::Who;
use super::import::{self, label_of};
use super::intake::{Intake, announced};
use super::jobs::Order;
use super::multipart::{Multipart, boundary};
use super::refused::{Form, Refused, json_reply};
use super::uploads::Upload;
use super::visit::{Visit, content_type, to_admin};
use crate::interfaces::Parameters;
use crate::respond::Reply;
use axum::http::StatusCode;
use axum::http::header;
use serde_json::json;
use std::path::Path;
use varve_store::world::{RealWorld, World};

/// What a file is written twice as: as it came, and in its layer.
const COPIES: u64 = 2;
/// What a form may say besides its files.
const AROUND_FILES: u64 = 64 << 10;

/// Takes files, and has them imported.
pub(super) async fn receive(
    visit: &Visit<'_>,
    who: &Who,
    intake: &mut Intake,
) -> Result<Reply, Refused> {
    let received = async {
        let _place = visit.admin.jobs.place()?;
        match boundary(content_type(&visit.parts.headers)) {
            Some(boundary) => from_form(visit, who, &boundary, intake).await,
            None => from_program(visit, who, intake).await,
        }
    };
    let received = received.await.inspect_err(|refused| {
        visit.note(&who.name(), "sent files", refused.why());
    });
    let Received { collection, upload } = received?;
    let labels: Vec<String> = upload.files.iter().map(|file| label_of(file)).collect();
    let sent = json!({"collection": collection, "files": labels, "bytes": upload.bytes});
    visit.write(&who.name(), "sent files", &sent, "done");
    let job = visit.admin.jobs.add(Order {
        collection,
        labels,
        who: who.name(),
        begun: RealWorld.now(),
        bytes: upload.bytes,
    });
    import::start(visit.serving, job.clone(), upload, visit.from);
    Ok(match visit.form {
        Form::Page => to_admin("?done=import#jobs"),
        Form::Json => json_reply(StatusCode::ACCEPTED, &job.json())
            .with(header::LOCATION, &format!("/admin/jobs/{}", job.number)),
    })
}

/// Files, and where they belong.
struct Received {
    collection: String,
    upload: Upload,
}

/// The form on the page: who sends it, the collection, then files.
async fn from_form(
    visit: &Visit<'_>,
    who: &Who,
    boundary: &str,
    intake: &mut Intake,
) -> Result<Received, Refused> {
    let limit = visit.admin.upload_limit.saturating_add(AROUND_FILES);
    intake.allow(&visit.parts.headers, limit)?;
    let mut form = Multipart::new(boundary, intake);
    let asked = Parameters::parse(visit.parts.uri.query().unwrap_or(""));
    let mut collection = asked.get("collection").map(str::to_owned);
    let mut form_token = String::new();
    let mut received: Option<Received> = None;
    while let Some(part) = form.part().await? {
        match (part.name.as_str(), part.file) {
            ("csrf", _) => form_token = form.text().await?,
            ("collection", _) => collection = Some(form.text().await?),
            ("file", Some(called)) => {
                // Before the first byte of a file is kept.
                who.check_form(&form_token)?;
                if called.is_empty() {
                    continue;
                }
                let so_far = match received.take() {
                    Some(so_far) => so_far,
                    None => begin(visit, collection.as_deref())?,
                };
                received = Some(add(so_far, &called, &mut form).await?);
            }
            _ => {}
        }
    }
    who.check_form(&form_token)?;
    received.ok_or_else(|| Refused::bad("file: choose at least one file"))
}

async fn add(
    mut received: Received,
    called: &str,
    form: &mut Multipart<'_>,
) -> Result<Received, Refused> {
    let upload = &mut received.upload;
    let mut file = upload.file(called).await?;
    while let Some(piece) = form.piece().await? {
        upload.write(&mut file, &piece).await?;
    }
    upload.end(&mut file).await?;
    Ok(received)
}

/// One file as it is, from a program: `?collection=NAME&name=FILE`.
async fn from_program(
    visit: &Visit<'_>,
    who: &Who,
    intake: &mut Intake,
) -> Result<Received, Refused> {
    // A page can send bodies of any kind; only our own forms have what a session needs.
    who.check_form("")?;
    let asked = Parameters::parse(visit.parts.uri.query().unwrap_or(""));
    intake.allow(&visit.parts.headers, visit.admin.upload_limit)?;
    let mut received = begin(visit, asked.get("collection"))?;
    let upload = &mut received.upload;
    let mut file = upload.file(asked.get("name").unwrap_or("")).await?;
    while let Some(piece) = intake.next().await? {
        upload.write(&mut file, &piece).await?;
    }
    upload.end(&mut file).await?;
    match upload.bytes {
        0 => Err(Refused::bad("the body is empty; send the file as the body")),
        _ => Ok(received),
    }
}

/// A place for files that belong to a collection, which need not be named if there is only one.
fn begin(visit: &Visit<'_>, named: Option<&str>) -> Result<Received, Refused> {
    let archive = &visit.serving.archive;
    let mut names = archive.names();
    let collection = match (named, names.next(), names.next()) {
        (Some(named), _, _) => named,
        (None, Some(only), None) => only.path.as_str(),
        _ => return Err(Refused::bad("collection: say which; /admin lists them")),
    };
    let root: &Path = archive.root_of(collection).ok_or_else(|| {
        let why = "collection: there is none of this name; /collections.json has the names";
        Refused::new(StatusCode::NOT_FOUND, why)
    })?;
    let expected = announced(&visit.parts.headers).unwrap_or(0);
    Ok(Received {
        collection: collection.to_owned(),
        upload: Upload::begin(root, expected.saturating_mul(COPIES))?,
    })
}
