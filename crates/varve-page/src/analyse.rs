//! The door: from a document to a page.

use crate::charset::{Decoded, decode};
use crate::collector::Collector;
use crate::css::{self, Sheet};
use crate::html::{self, Source};
use crate::{Document, Kind, Need, Page, Viewport, json, kind_of, script, xml};

/// Longest text of a page of plain text that is given.
const MAX_PLAIN_TEXT: usize = 4 << 20;

/// Finds out what a document is and everything that it says, for a client with this viewport.
///
/// ```
/// use url::Url;
/// use varve_page::{Document, Viewport, analyse};
///
/// let url = Url::parse("https://example.com/")?;
/// let document = Document::new(&url, b"<title>Hello</title><a href=next>Next</a>");
/// let page = analyse(&document, &Viewport::default());
/// assert_eq!(page.title.as_deref(), Some("Hello"));
/// assert_eq!(page.references[0].url.as_str(), "https://example.com/next");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn analyse(document: &Document<'_>, viewport: &Viewport) -> Page {
    let kind = kind_of(document);
    if !kind.is_text() {
        let collector = Collector::new(viewport, document.url.clone(), encoding_rs::UTF_8);
        return page(kind, encoding_rs::UTF_8, collector, String::new());
    }
    let Decoded { text, encoding } = decode(document, kind);
    let mut collector = Collector::new(viewport, document.url.clone(), encoding);
    let visible = find(document, kind, &text, &mut collector);
    page(kind, encoding, collector, visible)
}

/// Walks over the text in its language; gives the text that a reader sees.
fn find(document: &Document<'_>, kind: Kind, text: &str, collector: &mut Collector<'_>) -> String {
    let source = Source { text, at: Some(0) };
    match kind {
        Kind::Html => return html::find(source, collector),
        Kind::Xhtml | Kind::Svg => return xml::find_markup(source, collector),
        Kind::Feed => return xml::find_feed(text, collector),
        Kind::Xml => return xml::find_other(text, collector),
        Kind::Sitemap if text.trim_start().starts_with('<') => xml::find_sitemap(text, collector),
        Kind::Sitemap => xml::find_lines(text, collector),
        Kind::Css => {
            let sheet = Sheet {
                text,
                at: Some(0),
                need: Need::Needed,
            };
            css::find(&sheet, collector);
        }
        Kind::Script => {
            collector.has_scripts = true;
            script::find_external(document, text, collector);
        }
        Kind::Json => json::linked_data(text, collector),
        Kind::Manifest => json::manifest(text, collector),
        Kind::Text => {
            let end = (0..=text.len().min(MAX_PLAIN_TEXT))
                .rev()
                .find(|&at| text.is_char_boundary(at));
            return text[..end.unwrap_or(0)].to_owned();
        }
        Kind::Image | Kind::Font | Kind::Media | Kind::Pdf | Kind::Other => {}
    }
    String::new()
}

fn page(
    kind: Kind,
    encoding: &'static encoding_rs::Encoding,
    collector: Collector<'_>,
    text: String,
) -> Page {
    Page {
        kind,
        charset: encoding.name(),
        title: collector.title,
        text,
        base: collector.base,
        references: collector.references,
        scripts: collector.scripts,
        has_scripts: collector.has_scripts,
        import_map: collector.import_map,
        styles: collector.styles,
        leads_to: collector.leads_to,
        notes: collector.notes,
    }
}
