//! The page of administration: what can be added and taken down, and what became of it.

use super::Admin;
use super::import::FileOutcome;
use super::jobs::{Job, State};
use super::sessions::Session;
use crate::markup::Markup;
use crate::respond::Reply;
use crate::serving::Serving;
use crate::ui::shell::shell;
use crate::ui::words::{count, grouped, moment, size};
use axum::http::StatusCode;

/// Rules that are shown; programs are told all.
const SHOWN_RULES: usize = 500;

/// The form for the token, and why the last one did not do.
pub(super) fn sign_in(trouble: Option<(StatusCode, &str)>) -> Reply {
    let mut body = Markup::new("<h1>Administration</h1>");
    if let Some((_, why)) = trouble {
        body = body.html("<p class=\"note bad\" role=\"alert\">").text(why);
        body = body.html("</p>");
    }
    let body = body
        .html("<form class=\"form\" method=\"post\" action=\"/admin/sign-in\">")
        .html("<div><label for=\"token\">Token</label>")
        .html("<input id=\"token\" name=\"token\" type=\"password\" required ")
        .html("autocomplete=\"current-password\" aria-describedby=\"which\">")
        .html("<small id=\"which\">The word in the file that the server was started with ")
        .html("(<code>--admin-token</code>).</small></div>")
        .html("<button>Sign in</button></form>");
    let mut reply = shell("Administration", "", &body);
    if let Some((status, _)) = trouble {
        reply.status = status;
    }
    reply
}

/// Everything that can be done; `done` is what just was.
pub(super) fn overview(
    serving: &Serving,
    admin: &Admin,
    session: &Session,
    done: Option<&str>,
) -> Reply {
    let mut body = Markup::new("<h1>Administration</h1>");
    for note in [done_note(done), trouble(admin)].into_iter().flatten() {
        body = body.html("<p class=\"note\" role=\"status\">").text(note);
        body = body.html("</p>");
    }
    let body = body
        .markup(&form(session, "sign-out", "plain"))
        .html("<button class=\"second\">Sign out</button></form>")
        .markup(&adding(serving, admin, session))
        .markup(&jobs(admin))
        .markup(&taking_down(serving, session));
    shell("Administration", "", &body)
}

fn done_note(done: Option<&str>) -> Option<String> {
    let note = match done? {
        "import" => "The files have arrived and are being added; see below.",
        "add" => "The rule is in force.",
        "remove" => "The rule is no longer in force.",
        _ => return None,
    };
    Some(note.to_owned())
}

fn trouble(admin: &Admin) -> Option<String> {
    let trouble = admin.log.trouble()?;
    Some(format!(
        "What is done here could not be written to state/admin.jsonl: {trouble}"
    ))
}

/// The beginning of a form that belongs to whoever signed in.
fn form(session: &Session, what: &'static str, class: &'static str) -> Markup {
    Markup::new("<form class=\"")
        .html(class)
        .html("\" method=\"post\" action=\"/admin/")
        .html(what)
        .html(match what {
            "import" => "\" enctype=\"multipart/form-data\">",
            _ => "\">",
        })
        .html("<input type=\"hidden\" name=\"csrf\" value=\"")
        .text(&session.form_token)
        .html("\">")
}

fn adding(serving: &Serving, admin: &Admin, session: &Session) -> Markup {
    let mut out = Markup::new("<section><h2>Add files</h2>")
        .markup(&form(session, "import", "form"))
        .html("<div><label for=\"collection\">To the collection</label>")
        .html("<select id=\"collection\" name=\"collection\">");
    for name in serving.archive.names() {
        out = out
            .html("<option value=\"")
            .text(&name.path)
            .html("\">")
            .text(&name.shown)
            .html("</option>");
    }
    out.html("</select></div><div><label for=\"files\">WARC, ARC or WACZ files</label>")
        .html("<input id=\"files\" name=\"file\" type=\"file\" multiple required ")
        .html("aria-describedby=\"room\"><small id=\"room\">At most ")
        .text(size(admin.upload_limit))
        .html(" at once. Files that are in the collection already add nothing.</small></div>")
        .html("<button>Add</button></form></section>")
}

fn jobs(admin: &Admin) -> Markup {
    let out = Markup::new("<section id=\"jobs\"><h2>Added files</h2>");
    let jobs = admin.jobs.list();
    if jobs.is_empty() {
        return out.html("<p class=\"facts\">None since the server was started.</p></section>");
    }
    let mut out = out
        .html("<p><a href=\"/admin#jobs\">Look again</a></p><div class=\"scroll\" tabindex=\"0\" ")
        .html("role=\"region\" aria-label=\"Added files\"><table class=\"list\"><thead><tr>")
        .html("<th scope=\"col\">Begun (UTC)<th scope=\"col\">To<th scope=\"col\">Files")
        .html("<th class=\"number\" scope=\"col\">Size<th scope=\"col\">State")
        .html("<th scope=\"col\">What became of them</thead><tbody>");
    for job in &jobs {
        out = out.markup(&row(job));
    }
    out.html("</tbody></table></div></section>")
}

fn row(job: &Job) -> Markup {
    let state = job.state();
    let class = match state.word() {
        "done" => "outcome saved",
        "failed" => "outcome failed",
        _ => "outcome partly",
    };
    let out = Markup::new("<tr><td>")
        .text(moment(job.begun))
        .html("<td>")
        .text(&job.collection)
        .html("<td class=\"url\">")
        .text(job.labels.join(", "))
        .html("<td class=\"number\">")
        .text(size(job.bytes))
        .html("<td><span class=\"")
        .html(class)
        .html("\">")
        .text(state.word())
        .html("</span><td class=\"url\">");
    match state {
        State::Waiting => out,
        State::Running => out.text(job.percent()).html(" %"),
        State::Failed(why) => out.text(why),
        State::Done(outcome) => {
            let told = outcome.files.iter().map(told);
            let pages = count(outcome.pages, "page", "pages");
            out.text(told.collect::<Vec<_>>().join("; "))
                .html(" (")
                .text(pages)
                .html(")")
        }
    }
}

fn told(file: &FileOutcome) -> String {
    match file {
        FileOutcome::Known { label } => format!("{label}: in the collection already"),
        FileOutcome::Refused { label, why } => format!("{label}: refused: {why}"),
        FileOutcome::Added {
            label,
            records,
            faults,
            ..
        } => {
            let mut told = format!("{label}: {}", count(*records, "record", "records"));
            for fault in faults {
                told += &format!("; {fault}");
            }
            told
        }
    }
}

fn taking_down(serving: &Serving, session: &Session) -> Markup {
    let out = Markup::new("<section id=\"access\"><h2>Take down</h2>")
        .html("<p class=\"facts\">Nothing is deleted: what a rule withholds is in no page, list, ")
        .html("search or download any more, stays in its files, and is there again when the rule ")
        .html("is taken back.</p>");
    match serving.archive.rules().written() {
        None => out
            .html("<p>Rules are lines of an access list, and this server has none. ")
            .html("Start it with <code>--access FILE</code>; the file may be empty.</p></section>"),
        Some(Err(error)) => out
            .html("<p class=\"note bad\" role=\"alert\">The access list cannot be read: ")
            .text(error)
            .html("</p></section>"),
        Some(Ok(written)) => out
            .markup(&mistake(serving))
            .markup(&form(session, "access", "form"))
            .html(RULE_FORM)
            .markup(&rules(session, &written))
            .html("</section>"),
    }
}

/// Why the rules in the file are not those that are in force.
fn mistake(serving: &Serving) -> Markup {
    match serving.archive.rules().trouble() {
        None => Markup::default(),
        Some(trouble) => Markup::new("<p class=\"note bad\" role=\"alert\">")
            .text(trouble)
            .html("; the access list before it is still in force.</p>"),
    }
}

/// What is asked for a rule.
const RULE_FORM: &str = "<input type=\"hidden\" name=\"action\" value=\"add\">\
    <div><label for=\"rule-url\">URL</label><input id=\"rule-url\" name=\"url\" type=\"text\" \
    inputmode=\"url\" required autocapitalize=\"none\" autocomplete=\"off\" spellcheck=\"false\"></div>\
    <div><label for=\"match\">Which</label><select id=\"match\" name=\"match\">\
    <option value=\"url\">this URL alone</option>\
    <option value=\"prefix\">all URLs that begin like it</option>\
    <option value=\"host\">all URLs of its host</option></select></div>\
    <div><label for=\"what\">What happens</label><select id=\"what\" name=\"access\">\
    <option value=\"block\">not shown; who asks is told so (451)</option>\
    <option value=\"exclude\">not shown, as if it had never been there (404)</option>\
    <option value=\"allow\">shown, in spite of a wider rule</option></select></div>\
    <details><summary>Only captures of a time</summary><div class=\"row\">\
    <div><label for=\"from\">From</label><input id=\"from\" name=\"from\" inputmode=\"numeric\" \
    pattern=\"[0-9]{4,14}\" aria-describedby=\"times\"></div>\
    <div><label for=\"to\">To</label><input id=\"to\" name=\"to\" inputmode=\"numeric\" \
    pattern=\"[0-9]{4,14}\" aria-describedby=\"times\"></div>\
    <div><label for=\"newer\">Newer than so many days</label><input id=\"newer\" \
    name=\"newer_days\" type=\"number\" min=\"1\" max=\"65535\"></div></div>\
    <small id=\"times\">4 to 14 digits, as in 2014 or 20140216; both ends count.</small></details>\
    <button>Put the rule in force</button></form>";

fn rules(session: &Session, written: &[String]) -> Markup {
    let out = Markup::new("<h3>Rules</h3>");
    if written.is_empty() {
        return out.html("<p class=\"facts\">None: everything is shown.</p>");
    }
    let mut out = out
        .html("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rules\">")
        .html("<table class=\"list\"><thead><tr><th scope=\"col\">Rule<th scope=\"col\">")
        .html("<span class=\"unseen\">Change</span></thead><tbody>");
    for rule in written.iter().take(SHOWN_RULES) {
        out = out
            .html("<tr><td class=\"url\"><code>")
            .text(rule)
            .html("</code><td>")
            .markup(&form(session, "access", "plain"))
            .html("<input type=\"hidden\" name=\"action\" value=\"remove\">")
            .html("<input type=\"hidden\" name=\"rule\" value=\"")
            .text(rule)
            .html("\"><button class=\"second\" aria-label=\"Take back the rule ")
            .text(rule)
            .html("\">Take back</button></form>");
    }
    let more = written.len().saturating_sub(SHOWN_RULES) as u64;
    let out = out.html("</tbody></table></div>");
    match more {
        0 => out,
        more => out
            .html("<p class=\"facts\">")
            .text(grouped(more))
            .html(" more are in the file.</p>"),
    }
}
