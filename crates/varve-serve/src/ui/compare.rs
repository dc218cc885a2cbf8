//! Two captures of a URL: what differs in their text, and how they looked.

use super::diff::{Step, diff};
use super::framed::find;
use super::pictures::Picture;
use super::shell::{asked, encoded, shell, web_path};
use super::words::{count, moment};
use crate::interfaces::{Bad, Parameters};
use crate::layout::{Asked, When};
use crate::lookup::Found;
use crate::markup::Markup;
use crate::respond::{Content, Reply};
use crate::serving::Serving;
use axum::http::StatusCode;
use varve_model::Timestamp;
use varve_page::{Document, Viewport, analyse};

/// Longer documents are not compared.
const MAX_BYTES: usize = 8 << 20;
/// Lines of a text that are compared.
const MAX_LINES: usize = 20_000;
/// Lines that are shown.
const SHOWN: usize = 2_000;
/// Lines around a difference that are shown with it.
const AROUND: usize = 2;
/// Letters of a line that are shown.
const MAX_LINE: usize = 2_000;

/// Two captures that were chosen in a form.
pub(super) fn chosen(query: &str) -> Result<Reply, Bad> {
    let chosen = Parameters::parse(query);
    let time = |name| {
        let time = chosen.moment(name, Timestamp::earliest_of)?;
        time.ok_or_else(|| Bad::new(name, "it is missing; choose two captures"))
    };
    let (from, to) = (time("from")?, time("to")?);
    let path = path(from, to, chosen.url()?);
    Ok(Reply::redirect(StatusCode::SEE_OTHER, &encoded(&path)))
}

/// Where two captures are compared.
pub(super) fn path(from: Timestamp, to: Timestamp, url: &str) -> String {
    format!("/compare/{}/{}/{url}", from.digits14(), to.digits14())
}

/// Compares two captures.
pub(super) fn compare(serving: &Serving, rest: &str) -> Result<Reply, Bad> {
    let (from, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let (to, url) = rest.split_once('/').unwrap_or((rest, ""));
    let time = |name, digits: &str| {
        let no_time = |error| Bad::new(name, format!("{digits:?} is no time: {error}"));
        Timestamp::earliest_of(digits).map(|_| ()).map_err(no_time)
    };
    time("from", from)?;
    time("to", to)?;
    let (old, new) = (
        asked(&format!("{from}/{url}"))?,
        asked(&format!("{to}/{url}"))?,
    );
    let sides = (Side::find(serving, &old), Side::find(serving, &new));
    let (Some(old_side), Some(new_side)) = sides else {
        return Ok(super::framed::missing(serving, &old));
    };
    // Those who are not told the times to the second are led there.
    if [(&old, &old_side), (&new, &new_side)]
        .iter()
        .any(|(asked, side)| asked.when != When::At(side.time))
    {
        let path = path(old_side.time, new_side.time, old.url.as_str());
        return Ok(Reply::redirect(StatusCode::FOUND, &encoded(&path)));
    }
    let url = old.url.as_str();
    let body = Markup::new("<h1>")
        .text(url)
        .html("</h1><p class=\"facts\">Compared: ")
        .markup(&old_side.link(url))
        .html(" and ")
        .markup(&new_side.link(url))
        .html(". <a href=\"")
        .text(web_path("*", url))
        .html("\">All captures</a></p>")
        .markup(&pictures(serving, &old_side, &new_side, url))
        .markup(&texts(&old_side, &new_side));
    Ok(shell(&format!("Compare {url}"), url, &body))
}

/// One of the two.
struct Side {
    found: Found,
    time: Timestamp,
    asked: Asked,
}

impl Side {
    fn find(serving: &Serving, asked: &Asked) -> Option<Side> {
        let found = find(serving, asked)?;
        let time = found.hit.capture.timestamp.to_seconds();
        let asked = asked.clone();
        Some(Side { found, time, asked })
    }

    fn link(&self, url: &str) -> Markup {
        Markup::new("<a href=\"")
            .text(web_path(&self.time.digits14(), url))
            .html("\">")
            .text(moment(self.time))
            .html("</a>")
    }

    /// Its text, line by line; an error says why there is none.
    fn lines(&self) -> Result<Vec<String>, String> {
        let mut content = Content::open(&self.found).map_err(|trouble| trouble.to_string())?;
        let kind = content.facts.head.get("Content-Type");
        let kind = kind.map(|kind| String::from_utf8_lossy(&kind).into_owned());
        let body = content
            .whole(MAX_BYTES)
            .map_err(|trouble| trouble.to_string())?;
        let document = Document {
            content_type: kind.as_deref(),
            ..Document::new(&self.asked.url, &body)
        };
        let text = analyse(&document, &Viewport::default()).text;
        Ok(text.lines().take(MAX_LINES).map(str::to_owned).collect())
    }
}

fn pictures(serving: &Serving, old: &Side, new: &Side, url: &str) -> Markup {
    let mut out = Markup::new("<section><h2>How they looked</h2>");
    let has = |side: &&Side| Picture::Whole.is_saved(serving, side.time, url);
    let shown: Vec<&Side> = [old, new].into_iter().filter(has).collect();
    if shown.is_empty() {
        return out.html("<p class=\"facts\">No picture was taken of either.</p></section>");
    }
    out = out.html("<div class=\"beside\">");
    for side in shown {
        out = out
            .html("<figure><div class=\"tall\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of ")
            .text(moment(side.time))
            .html("\"><img loading=\"lazy\" alt=\"The page on ")
            .text(moment(side.time))
            .html("\" src=\"")
            .text(Picture::Whole.path(side.time, url))
            .html("\"></div><figcaption>")
            .text(moment(side.time))
            .html("</figcaption></figure>");
    }
    out.html("</div></section>")
}

fn texts(old: &Side, new: &Side) -> Markup {
    let out = Markup::new("<section><h2>What they say</h2>");
    match (old.lines(), new.lines()) {
        (Ok(old), Ok(new)) => out.markup(&difference(&old, &new)).html("</section>"),
        (Err(why), _) | (_, Err(why)) => out.html("<p>").text(why).html("</p></section>"),
    }
}

fn difference(old: &[String], new: &[String]) -> Markup {
    let steps = diff(old, new);
    let removed = steps.iter().filter(|step| matches!(step, Step::Remove(_)));
    let added = steps.iter().filter(|step| matches!(step, Step::Add(_)));
    let (removed, added) = (removed.count() as u64, added.count() as u64);
    if removed + added == 0 {
        return match old.is_empty() {
            true => Markup::new("<p>Neither has any text.</p>"),
            false => Markup::new("<p>Their texts are the same.</p>"),
        };
    }
    let mut out = Markup::new("<p class=\"facts\">")
        .text(count(removed, "line is", "lines are"))
        .html(" gone, ")
        .text(count(added, "line is", "lines are"))
        .html(" new.</p><div class=\"difference\">");
    for part in parts(&steps).into_iter().take(SHOWN) {
        out = out.markup(&part.shown(old, new));
    }
    out.html("</div>")
}

/// A part of what is shown.
enum Piece<'a> {
    /// So many lines are the same.
    Same(u64),
    Line(&'a Step),
    /// A line that became another.
    Changed(usize, usize),
}

/// The steps without most of what is the same, and with changed lines as such.
fn parts(steps: &[Step]) -> Vec<Piece<'_>> {
    let is_change = |at: usize| steps.get(at).is_some_and(|it| !matches!(it, Step::Keep(_)));
    let near = |at: usize| (at.saturating_sub(AROUND)..=at + AROUND).any(is_change);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let removed = run(&steps[at..], |step| matches!(step, Step::Remove(_)));
        let added = run(&steps[at + removed..], |step| matches!(step, Step::Add(_)));
        if removed > 0 && removed == added {
            for (old, new) in steps[at..at + removed].iter().zip(&steps[at + removed..]) {
                if let (Step::Remove(old), Step::Add(new)) = (old, new) {
                    pieces.push(Piece::Changed(*old, *new));
                }
            }
            at += removed + added;
            continue;
        }
        match pieces.last_mut() {
            _ if near(at) => pieces.push(Piece::Line(&steps[at])),
            Some(Piece::Same(lines)) => *lines += 1,
            _ => pieces.push(Piece::Same(1)),
        }
        at += 1;
    }
    pieces
}

fn run(steps: &[Step], is_of: impl Fn(&Step) -> bool) -> usize {
    steps.iter().take_while(|step| is_of(step)).count()
}

impl Piece<'_> {
    fn shown(&self, old: &[String], new: &[String]) -> Markup {
        let line = |lines: &[String], at: usize| -> String {
            let line = lines.get(at).map_or("", String::as_str);
            line.chars().take(MAX_LINE).collect()
        };
        match self {
            Piece::Same(lines) => Markup::new("<p class=\"same\">")
                .text(count(*lines, "line is", "lines are"))
                .html(" the same</p>"),
            Piece::Line(Step::Keep(at)) => Markup::new("<p>").text(line(old, *at)).html("</p>"),
            Piece::Line(Step::Remove(at)) => Markup::new("<p class=\"gone\"><del>")
                .text(line(old, *at))
                .html("</del></p>"),
            Piece::Line(Step::Add(at)) => Markup::new("<p class=\"new\"><ins>")
                .text(line(new, *at))
                .html("</ins></p>"),
            Piece::Changed(old_at, new_at) => words(&line(old, *old_at), &line(new, *new_at)),
        }
    }
}

/// A line that became another, word by word.
fn words(old: &str, new: &str) -> Markup {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
    let steps = diff(&old, &new);
    let kept = steps.iter().filter(|step| matches!(step, Step::Keep(_)));
    if kept.count() * 3 < old.len().max(new.len()) {
        return Markup::new("<p class=\"gone\"><del>")
            .text(old.join(" "))
            .html("</del></p><p class=\"new\"><ins>")
            .text(new.join(" "))
            .html("</ins></p>");
    }
    let mut out = Markup::new("<p class=\"changed\">");
    for step in steps {
        out = match step {
            Step::Keep(at) => out.text(old[at]),
            Step::Remove(at) => out.html("<del>").text(old[at]).html("</del>"),
            Step::Add(at) => out.html("<ins>").text(new[at]).html("</ins>"),
        };
        out = out.html(" ");
    }
    out.html("</p>")
}
