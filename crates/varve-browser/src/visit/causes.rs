//! Which scripts caused which requests.
//!
//! The browser knows it of most: their stacks tell, and what led to these. Of others it says that
//! the parser made them, though a script set a poster, a background or the URL of a worker; there
//! the script is asked that named the URL first ([`Reads::asked`](super::Reads::asked)). What a
//! style sheet or a frame asks for is caused by whoever caused these.

use std::collections::{HashMap, HashSet};

use super::log::{RequestEntry, StackFrame};
use super::reads::Asked;
use super::{Reads, Visit};

/// How far causes are followed through style sheets and frames.
const MAX_DEPTH: usize = 8;

/// A script that caused a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Where the script came from; for one that stands in a document, the document.
    pub url: String,
    /// Where in that it was when it asked, as a line from 0.
    pub line: u32,
    /// Whether it stands in a document.
    pub inline: bool,
    /// SHA-256 of its text in UTF-8, in lower-case hexadecimal, if what scripts read was watched.
    pub digest: Option<String>,
}

impl Visit {
    /// The scripts that caused each request (by `GET`, over HTTP) of the visit, innermost first.
    /// What the page's parser asked for by itself is caused by none. Of URLs that were requested
    /// several times the first one counts; redirects are caused by what was redirected.
    pub fn causes(&self) -> HashMap<String, Vec<Cause>> {
        let known = Known::of(self);
        let mut causes = HashMap::new();
        for entry in &self.requests {
            if entry.method != "GET" || !entry.url.starts_with("http") {
                continue;
            }
            let urls = entry.redirects.iter().map(|redirect| &redirect.url);
            for url in urls.chain([&entry.url]) {
                if !causes.contains_key(url) {
                    causes.insert(url.clone(), known.causes_of(entry, 0));
                }
            }
        }
        causes
    }
}

/// What a visit tells, by URL.
struct Known<'v> {
    requests: HashMap<&'v str, &'v RequestEntry>,
    documents: HashSet<&'v str>,
    asked: HashMap<&'v str, &'v Asked>,
}

impl<'v> Known<'v> {
    fn of(visit: &'v Visit) -> Known<'v> {
        let mut requests = HashMap::new();
        for entry in &visit.requests {
            requests.entry(entry.url.as_str()).or_insert(entry);
        }
        let mut asked = HashMap::new();
        let named = visit.reads.as_ref().map_or(&[][..], |it: &Reads| &it.asked);
        for one in named.iter().filter(|one| !one.stack.is_empty()) {
            asked.entry(one.url.as_str()).or_insert(one);
        }
        let documents = visit.requests.iter();
        let documents = documents.filter(|entry| entry.resource_type == "Document");
        Known {
            documents: documents.map(|entry| entry.url.as_str()).collect(),
            requests,
            asked,
        }
    }

    fn causes_of(&self, entry: &RequestEntry, depth: usize) -> Vec<Cause> {
        let by_stack = self.scripts_of(&entry.initiator.stack);
        if !by_stack.is_empty() {
            return by_stack;
        }
        let first = entry.redirects.first();
        let named = first.map_or(entry.url.as_str(), |redirect| redirect.url.as_str());
        if let Some(asked) = self.asked.get(named) {
            return self.scripts_of(&asked.stack);
        }
        let through = entry.initiator.url.as_deref();
        let through = through.filter(|url| *url != entry.url);
        match through.and_then(|url| self.requests.get(url)) {
            Some(script) if script.resource_type == "Script" => vec![Cause {
                url: script.url.clone(),
                line: entry.initiator.line.unwrap_or_default(),
                inline: false,
                digest: None,
            }],
            Some(other) if depth < MAX_DEPTH => self.causes_of(other, depth + 1),
            _ => Vec::new(),
        }
    }

    /// The scripts of a stack, each once. Frames without a URL are of code that was made at run
    /// time; who made it follows.
    fn scripts_of(&self, stack: &[StackFrame]) -> Vec<Cause> {
        let mut causes: Vec<Cause> = Vec::new();
        for frame in stack.iter().filter(|frame| !frame.url.is_empty()) {
            let cause = Cause {
                url: frame.url.clone(),
                line: frame.line,
                inline: self.documents.contains(frame.url.as_str()),
                digest: frame.digest.clone(),
            };
            if !causes.iter().any(|known| known.is_same(&cause)) {
                causes.push(cause);
            }
        }
        causes
    }
}

impl Cause {
    /// Whether both are one script. Those of a document are told apart by their text, or else by
    /// where they are.
    fn is_same(&self, other: &Cause) -> bool {
        let is_told = !self.inline || (self.digest.is_some() && other.digest.is_some());
        self.url == other.url
            && match is_told {
                true => self.digest == other.digest,
                false => self.line == other.line,
            }
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::visit::{Initiator, Outcome, Redirect};

    const PAGE: &str = "http://a.example/";

    fn frame(path: &str, line: u32, digest: Option<&str>) -> StackFrame {
        StackFrame {
            url: at(path),
            line,
            digest: digest.map(str::to_owned),
            ..StackFrame::default()
        }
    }

    fn at(path: &str) -> String {
        match path {
            "" => String::new(),
            _ => format!("http://a.example{path}"),
        }
    }

    fn entry(path: &str, kind: &str, through: &str, stack: &[StackFrame]) -> RequestEntry {
        RequestEntry {
            url: at(path),
            method: "GET".to_owned(),
            resource_type: kind.to_owned(),
            initiator: Initiator {
                url: Some(at(through)),
                line: Some(7),
                stack: stack.to_vec(),
                ..Initiator::default()
            },
            ..RequestEntry::default()
        }
    }

    fn visit(requests: Vec<RequestEntry>, asked: &[(&str, StackFrame)]) -> Visit {
        let mut visit = match Url::parse(PAGE) {
            Ok(url) => Visit::of_nothing(&url, Outcome::Ok),
            Err(error) => panic!("{error}"),
        };
        visit.requests = vec![entry("/", "Document", "", &[])];
        visit.requests.extend(requests);
        let asked = asked.iter().map(|(path, frame)| Asked {
            url: at(path),
            api: "img".to_owned(),
            stack: vec![frame.clone()],
        });
        visit.reads = Some(Reads {
            asked: asked.collect(),
            ..Reads::default()
        });
        visit
    }

    /// What caused a request, as paths and lines.
    fn causes(visit: &Visit, path: &str) -> Vec<(String, u32)> {
        let causes = visit.causes();
        let paths = causes[&at(path)].iter();
        let path = |cause: &Cause| cause.url.trim_start_matches("http://a.example").to_owned();
        paths.map(|cause| (path(cause), cause.line)).collect()
    }

    #[test]
    fn stacks_tell_first() {
        let stack = [
            frame("", 0, None),
            frame("/b.js", 1, Some("b")),
            frame("/b.js", 2, Some("b")),
            frame("/", 3, Some("one")),
            frame("/", 4, Some("other")),
            frame("/", 5, Some("one")),
        ];
        let asked = [("/x", frame("/c.js", 9, None))];
        let visit = visit(vec![entry("/x", "Fetch", "/", &stack)], &asked);
        let found = [("/b.js", 1), ("/", 3), ("/", 4)].map(|(path, line)| (path.to_owned(), line));
        assert_eq!(causes(&visit, "/x"), found);
        let inline: Vec<bool> = visit.causes()[&at("/x")]
            .iter()
            .map(|it| it.inline)
            .collect();
        assert_eq!(inline, [false, true, true]);
    }

    #[test]
    fn then_who_named_the_url() {
        let mut redirected = entry("/y", "Image", "/", &[]);
        redirected.redirects.push(Redirect {
            url: at("/x"),
            status: 302,
        });
        let asked = [("/x", frame("/c.js", 9, None))];
        let visit = visit(vec![redirected], &asked);
        for path in ["/x", "/y"] {
            assert_eq!(causes(&visit, path), [("/c.js".to_owned(), 9)], "{path}");
        }
    }

    #[test]
    fn then_what_it_was_asked_through() {
        let requests = vec![
            entry("/m.js", "Script", "/", &[]),
            entry("/n.js", "Script", "/m.js", &[]),
            entry("/s.css", "Stylesheet", "/", &[frame("/a.js", 1, None)]),
            entry("/t.css", "Stylesheet", "/s.css", &[]),
            entry("/font", "Font", "/t.css", &[]),
            entry("/static.css", "Stylesheet", "/", &[]),
            entry("/background", "Image", "/static.css", &[]),
            entry("/ping", "Stylesheet", "/pong", &[]),
            entry("/pong", "Stylesheet", "/ping", &[]),
        ];
        let visit = visit(requests, &[]);
        assert_eq!(causes(&visit, "/n.js"), [("/m.js".to_owned(), 7)]);
        assert_eq!(causes(&visit, "/font"), [("/a.js".to_owned(), 1)]);
        for path in ["/", "/m.js", "/background", "/ping"] {
            assert_eq!(causes(&visit, path), [], "{path}");
        }
    }

    #[test]
    fn only_what_is_got_over_http_is_told() {
        let mut posted = entry("/posted", "Fetch", "/", &[]);
        posted.method = "POST".to_owned();
        let mut inlined = entry("/x", "Image", "/", &[]);
        inlined.url = "data:,x".to_owned();
        let visit = visit(vec![posted, inlined], &[]);
        assert_eq!(visit.causes().len(), 1);
    }
}
