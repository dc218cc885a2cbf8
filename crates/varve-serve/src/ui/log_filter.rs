//! Which lines of a crawl's log are wanted.

use super::shell::in_query;
use crate::archive::{LogLine, Text};
use crate::interfaces::{Bad, Parameters};
use crate::markup::Markup;
use url::Url;

/// What became of something, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Saved,
    /// What came is kept.
    Partly,
    /// It was not asked for, as rules said.
    LeftOut,
    Failed,
}

const OUTCOMES: [Outcome; 4] = [
    Outcome::Saved,
    Outcome::Partly,
    Outcome::LeftOut,
    Outcome::Failed,
];

impl Outcome {
    pub(super) fn of(reason: &str) -> Outcome {
        let first = reason.split('.').next().unwrap_or("");
        match (first, reason) {
            ("ok", _) => Outcome::Saved,
            ("truncated" | "decode", _) | (_, "timeout.page" | "limit.document") => Outcome::Partly,
            ("robots" | "scope" | "trap" | "blocked" | "probe", _) => Outcome::LeftOut,
            _ => Outcome::Failed,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Outcome::Saved => "saved",
            Outcome::Partly => "partly saved",
            Outcome::LeftOut => "left out",
            Outcome::Failed => "failed",
        }
    }

    /// The same without a space.
    pub(super) fn class(self) -> &'static str {
        match self {
            Outcome::Saved => "saved",
            Outcome::Partly => "partly",
            Outcome::LeftOut => "left-out",
            Outcome::Failed => "failed",
        }
    }
}

/// What is asked of a log.
pub(super) struct LogFilter {
    outcome: Option<Outcome>,
    reason: String,
    host: String,
    text: String,
    /// Where to begin.
    pub(super) at: u64,
}

impl LogFilter {
    pub(super) fn asked(asked: &Parameters) -> Result<LogFilter, Bad> {
        let text = |name: &str| asked.get(name).unwrap_or("").trim().to_owned();
        let outcome = text("outcome");
        let known = OUTCOMES.into_iter().find(|it| it.class() == outcome);
        if known.is_none() && !outcome.is_empty() {
            let why = format!("{outcome:?} is none of saved, partly, left-out and failed");
            return Err(Bad::new("outcome", why));
        }
        Ok(LogFilter {
            outcome: known,
            reason: text("reason"),
            host: text("host").to_lowercase(),
            text: text("q"),
            at: asked.number("at")?.unwrap_or(0),
        })
    }

    /// Whether nothing in particular is asked for.
    pub(super) fn is_beginning(&self) -> bool {
        self.at == 0 && self.query().is_empty()
    }

    /// Texts that every wanted line holds somewhere.
    pub(super) fn texts(&self) -> Vec<Text> {
        let all = [&self.reason, &self.host, &self.text];
        all.into_iter().map(|text| Text::new(text)).collect()
    }

    pub(super) fn wants(&self, line: &LogLine) -> bool {
        let text = Text::new(&self.text);
        let optional = [&line.title, &line.message, &line.page, &line.mime];
        let mut texts = optional.into_iter().flatten().chain([&line.url]);
        self.outcome
            .is_none_or(|it| it == Outcome::of(&line.reason))
            && self.is_reason(&line.reason)
            && (self.host.is_empty() || self.is_host(&line.url))
            && (self.text.is_empty() || texts.any(|it| text.is_in(it)))
    }

    /// A reason, or the beginning of one: `timeout` is `timeout.page`, too.
    fn is_reason(&self, reason: &str) -> bool {
        let rest = reason.strip_prefix(self.reason.as_str());
        self.reason.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// A host, or one below it.
    fn is_host(&self, url: &str) -> bool {
        let url = Url::parse(url).ok();
        let host = url.as_ref().and_then(Url::host_str);
        host.and_then(|host| host.strip_suffix(self.host.as_str()))
            .is_some_and(|before| before.is_empty() || before.ends_with('.'))
    }

    fn query(&self) -> String {
        let mut query = String::new();
        let outcome = self.outcome.map_or("", Outcome::class);
        for (name, value) in [
            ("outcome", outcome),
            ("reason", &self.reason),
            ("host", &self.host),
            ("q", &self.text),
        ] {
            if !value.is_empty() {
                query += &format!("&{name}={}", in_query(value));
            }
        }
        query
    }

    /// The same from another place on.
    pub(super) fn path(&self, path: &str, at: u64) -> String {
        format!("{path}?at={at}{}#log", self.query())
    }

    /// The form in which it is asked.
    pub(super) fn form(&self, path: &str) -> Markup {
        let mut out = Markup::new("<form class=\"filter\" action=\"")
            .text(path)
            .html("#log\"><span class=\"field\"><label for=\"outcome\">Outcome</label><select id=\"outcome\" name=\"outcome\"><option value=\"\">any</option>");
        for outcome in OUTCOMES {
            out = out
                .html("<option value=\"")
                .html(outcome.class())
                .html(match self.outcome == Some(outcome) {
                    true => "\" selected>",
                    false => "\">",
                })
                .html(outcome.name())
                .html("</option>");
        }
        out = out.html("</select></span>");
        for (name, label, value) in [
            ("reason", "Reason", &self.reason),
            ("host", "Host", &self.host),
            ("q", "Text", &self.text),
        ] {
            out = out
                .html("<span class=\"field\"><label for=\"")
                .html(name)
                .html("\">")
                .html(label)
                .html("</label><input id=\"")
                .html(name)
                .html("\" name=\"")
                .html(name)
                .html("\" value=\"")
                .text(value)
                .html("\"></span>");
        }
        out.html("<button class=\"second\">Filter</button></form>")
    }
}

/// The lines of the same log with a reason.
pub(super) fn path_for_reason(reason: &str) -> String {
    format!("?reason={}#log", in_query(reason))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_are_wanted_by_outcome_reason_host_and_text() {
        let line = LogLine {
            url: "https://www.h.test/Page".to_owned(),
            reason: "timeout.page".to_owned(),
            ..LogLine::default()
        };
        for (query, wanted) in [
            ("", true),
            ("outcome=partly", true),
            ("outcome=saved", false),
            ("reason=timeout", true),
            ("reason=time", false),
            ("reason=timeout.page&host=h.test", true),
            ("host=www.h.test", true),
            ("host=w.h.test", false),
            ("host=.test", false),
            ("q=PAGE", true),
            ("q=none", false),
        ] {
            let filter = LogFilter::asked(&Parameters::parse(query)).unwrap();
            assert_eq!(filter.wants(&line), wanted, "{query}");
        }
        for (query, parameter) in [("outcome=lost", "outcome"), ("at=x", "at")] {
            let refused = LogFilter::asked(&Parameters::parse(query)).err().unwrap();
            assert_eq!(refused.parameter, parameter);
        }
    }
}
