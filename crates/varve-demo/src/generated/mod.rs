//! Hosts whose pages are made up as they are asked for: pure functions from a request to an answer,
//! so that tests can crawl them without a server too.
//!
//! [`herbarium()`] is a site of any number of pages; half of them are plain, the others are filled
//! in by a script. [`maze()`] is a site of [`BEDS`] pages with six traps beside it ([`TRAPS`]).

mod herbarium;
mod maze;
mod words;

pub use herbarium::{herbarium, herbarium_pages};
pub use maze::{BEDS, TRAPS, bed_path, maze};

use crate::pages::escape;

/// What a generated host answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The status.
    pub status: u16,
    /// The content type.
    pub kind: &'static str,
    /// Where it redirects to.
    pub location: Option<String>,
    /// The body.
    pub body: String,
}

impl Generated {
    fn new(kind: &'static str, body: impl Into<String>) -> Generated {
        Generated {
            status: 200,
            kind,
            location: None,
            body: body.into(),
        }
    }

    /// A page of its own, in a plain layout.
    fn page(title: &str, head: &str, main: &str) -> Generated {
        let title = escape(title);
        let page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{head}</head>\n\
             <body><main><h1>{title}</h1>\n{main}</main></body></html>\n"
        );
        Generated::new("text/html; charset=utf-8", page)
    }

    fn xml(body: String) -> Generated {
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        Generated::new("application/xml", declaration.to_owned() + &body)
    }

    fn redirect(location: String) -> Generated {
        Generated {
            status: 302,
            location: Some(location),
            ..Generated::new("text/plain", "Further on.\n")
        }
    }

    fn not_found() -> Generated {
        let page = Generated::page("Not found", "", "<p>Nothing grows here.</p>");
        Generated {
            status: 404,
            ..page
        }
    }
}

/// Links one below the other.
fn list(links: impl IntoIterator<Item = (String, String)>) -> String {
    let items: String = links
        .into_iter()
        .map(|(to, text)| {
            format!(
                "<li><a href=\"{}\">{}</a></li>\n",
                escape(&to),
                escape(&text)
            )
        })
        .collect();
    format!("<ul>\n{items}</ul>\n")
}

/// A sitemap of these URLs.
fn url_set(urls: impl IntoIterator<Item = String>) -> Generated {
    const SCHEMA: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let urls: String = urls
        .into_iter()
        .map(|url| format!("<url><loc>{}</loc></url>\n", escape(&url)))
        .collect();
    Generated::xml(format!("<urlset xmlns=\"{SCHEMA}\">\n{urls}</urlset>\n"))
}

/// Path and query of a target.
fn split(target: &str) -> (&str, &str) {
    target.split_once('?').unwrap_or((target, ""))
}

#[cfg(test)]
mod tests;
