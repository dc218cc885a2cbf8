//! Style sheets: `url()`, `@import`, `image-set()`, fonts, by the tokens of CSS.
//!
//! What stands in a rule is needed if the rule can apply: a `@media` that does not match makes
//! its URLs variants. Imports are needed always, because Chromium loads them whatever their media
//! queries say.

use std::ops::Range;

use cssparser::{Delimiter, Parser, SourcePosition, Token};

use self::outline::{Outline, Unfolding};
use crate::collector::{Collector, Offer};
use crate::length::Result;
use crate::media::media_matches;
use crate::supports::{import_supports, supports};
use crate::{Destination, Need, Role, Viewport, data_url};

pub(crate) use self::font_face::chosen as font_source;

mod font_face;
mod image_set;
mod outline;

/// A style sheet, or the value of a `style` attribute.
pub(crate) struct Sheet<'s> {
    pub(crate) text: &'s str,
    /// Where the text begins in the document, if it is spelt there as it is.
    pub(crate) at: Option<usize>,
    /// What its rules are good for: needed, or a variant if its media do not match.
    pub(crate) need: Need,
}

/// One who is told of what a style sheet mentions.
pub(crate) trait Reader {
    /// The client for which URLs are chosen.
    fn viewport(&self) -> &Viewport;
    /// A URL.
    fn url(&mut self, found: Found, destination: Destination, need: Need, context: &'static str);
    /// Media queries, and where they stand in the text.
    fn media(&mut self, queries: &str, at: usize);
}

/// Offers every URL of a style sheet.
pub(crate) fn find(sheet: &Sheet<'_>, collector: &mut Collector<'_>) {
    let at = sheet.at;
    read(sheet.text, sheet.need, &mut Offering { at, collector });
}

/// Tells a reader of all that a style sheet mentions.
pub(crate) fn read(text: &str, need: Need, reader: &mut dyn Reader) {
    match &Outline::of(text) {
        Some(outline) => read_all(outline.text(), need, &mut Unfolding { outline, reader }),
        None => read_all(text, need, reader),
    }
}

/// Reads every token.
fn read_all(text: &str, need: Need, reader: &mut dyn Reader) {
    Finder { reader }.rules(&mut Parser::new(text), need);
}

/// The reader that collects.
struct Offering<'f, 'a> {
    at: Option<usize>,
    collector: &'f mut Collector<'a>,
}

impl Reader for Offering<'_, '_> {
    fn viewport(&self) -> &Viewport {
        self.collector.viewport
    }

    fn media(&mut self, _queries: &str, _at: usize) {}

    fn url(&mut self, found: Found, destination: Destination, need: Need, context: &'static str) {
        if data_url::is_data(&found.url) {
            data_url::find(&found.url, destination, self.collector);
            return;
        }
        let span = self.at.map(|at| at + found.span.start..at + found.span.end);
        self.collector.offer(Offer {
            url: &found.url,
            role: Role::Embed(destination),
            need,
            context,
            span,
        });
    }
}

struct Finder<'f> {
    reader: &'f mut dyn Reader,
}

impl Finder<'_> {
    /// Rules and declarations alike: everything in a block or a sheet.
    fn rules(&mut self, parser: &mut Parser<'_>, need: Need) {
        loop {
            parser.skip_whitespace();
            let start = parser.position();
            let token = match parser.next() {
                Ok(token) if concerns(token) => token.clone(),
                Ok(_) => continue,
                Err(_) => return,
            };
            match token {
                Token::AtKeyword(name) => self.at_rule(&name.to_ascii_lowercase(), parser, need),
                token => self.value(&token, start, parser, need),
            }
        }
    }

    /// One token of a declaration, with what is nested in it.
    fn value(
        &mut self,
        token: &Token<'_>,
        start: SourcePosition,
        parser: &mut Parser<'_>,
        need: Need,
    ) {
        if is_url(token) {
            if let Some(found) = url(token, start, parser) {
                self.reader.url(found, Destination::Image, need, "url()");
            }
            return;
        }
        match token {
            Token::Function(name) if image_set::is_image_set(name) => {
                for (found, need) in image_set::options(parser, self.reader.viewport(), need) {
                    self.reader
                        .url(found, Destination::Image, need, "image-set()");
                }
            }
            Token::Function(_)
            | Token::ParenthesisBlock
            | Token::SquareBracketBlock
            | Token::CurlyBracketBlock => self.nested(parser, need),
            _ => {}
        }
    }

    fn nested(&mut self, parser: &mut Parser<'_>, need: Need) {
        // Errors are of nesting too deep: the block is skipped.
        let _: Result<()> = parser.parse_nested_block(|inner| {
            self.rules(inner, need);
            Ok(())
        });
    }

    fn at_rule(&mut self, name: &str, parser: &mut Parser<'_>, need: Need) {
        match name {
            "import" => self.import(parser),
            "charset" | "namespace" => {
                prelude(parser);
            }
            "media" => {
                let start = parser.position().byte_index();
                let queries = prelude(parser);
                self.reader.media(queries, start);
                let matches = media_matches(queries, self.reader.viewport());
                self.block(
                    parser,
                    if matches {
                        need
                    } else {
                        need.max(Need::Variant)
                    },
                );
            }
            "supports" => {
                let holds = supports(prelude(parser));
                self.block(parser, if holds { need } else { need.max(Need::Variant) });
            }
            "font-face" => {
                prelude(parser);
                let faces: Result<_> =
                    expect_block(parser, |inner| Ok(font_face::sources(inner, need)));
                for (found, need) in faces.unwrap_or_default() {
                    self.reader
                        .url(found, Destination::Font, need, "@font-face");
                }
            }
            // The URLs before the block say for which pages it is.
            "document" | "-moz-document" => {
                prelude(parser);
                self.block(parser, need.max(Need::Variant));
            }
            _ => {}
        }
    }

    fn block(&mut self, parser: &mut Parser<'_>, need: Need) {
        let _: Result<()> = expect_block(parser, |inner| {
            self.rules(inner, need);
            Ok(())
        });
    }

    /// `@import "x" layer(y) supports(z) media;`
    fn import(&mut self, parser: &mut Parser<'_>) {
        let mut imported = None;
        let mut supported = true;
        let _: Result<()> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
            inner.skip_whitespace();
            let start = inner.position();
            let token = inner.next()?.clone();
            imported = match &token {
                Token::QuotedString(text) => Some(Found::new(text, start, inner)),
                _ => url(&token, start, inner),
            };
            let conditions = inner.position();
            while let Ok(token) = inner.next().cloned() {
                if matches!(&token, Token::Function(name) if name.eq_ignore_ascii_case("supports"))
                {
                    let condition = inner.parse_nested_block(|inner| -> Result<bool> {
                        let start = inner.position();
                        while inner.next().is_ok() {}
                        Ok(import_supports(inner.slice_from(start)))
                    });
                    supported = condition.unwrap_or(false);
                }
            }
            let at = conditions.byte_index();
            self.reader.media(inner.slice_from(conditions), at);
            Ok(())
        });
        if let Some(found) = imported {
            let need = if supported {
                Need::Needed
            } else {
                Need::Variant
            };
            self.reader.url(found, Destination::Style, need, "@import");
        }
    }
}

/// A URL and the tokens that spell it.
pub(crate) struct Found {
    pub(crate) url: String,
    /// The whole of `url("x")`.
    span: Range<usize>,
    /// The one token with the URL in it: a string, or `url(x)` without quotes.
    pub(crate) token: Range<usize>,
}

impl Found {
    /// Of a token that starts at `start` and was just read.
    fn new(url: &str, start: SourcePosition, parser: &Parser<'_>) -> Found {
        let span = start.byte_index()..parser.position().byte_index();
        Found {
            url: url.to_owned(),
            token: span.clone(),
            span,
        }
    }
}

/// Whether a token is looked at: it mentions something, or something is nested in it.
fn concerns(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::AtKeyword(_)
            | Token::UnquotedUrl(_)
            | Token::Function(_)
            | Token::ParenthesisBlock
            | Token::SquareBracketBlock
            | Token::CurlyBracketBlock
    )
}

fn is_url(token: &Token<'_>) -> bool {
    match token {
        Token::UnquotedUrl(_) => true,
        Token::Function(name) => ["url", "src"]
            .iter()
            .any(|url| name.eq_ignore_ascii_case(url)),
        _ => false,
    }
}

/// The URL that a token stands for, if it is one: `url(x)`, `url("x")`, `src("x")`. A function
/// is read to its end.
fn url(token: &Token<'_>, start: SourcePosition, parser: &mut Parser<'_>) -> Option<Found> {
    if let Token::UnquotedUrl(text) = token {
        return Some(Found::new(text, start, parser));
    }
    if !is_url(token) {
        return None;
    }
    let found = parser.parse_nested_block(|inner| -> Result<Found> {
        inner.skip_whitespace();
        let start = inner.position();
        let text = inner.expect_string()?.as_ref().to_owned();
        let found = Found::new(&text, start, inner);
        while inner.next().is_ok() {}
        Ok(found)
    });
    let mut found = found.ok()?;
    found.span = start.byte_index()..parser.position().byte_index();
    Some(found)
}

/// What stands between the name of an at-rule and its block or end.
pub(crate) fn prelude<'i>(parser: &mut Parser<'i>) -> &'i str {
    let start = parser.position();
    let _: Result<()> = parser.parse_until_before(
        Delimiter::CurlyBracketBlock | Delimiter::Semicolon,
        |inner| {
            while inner.next().is_ok() {}
            Ok(())
        },
    );
    parser.slice_from(start)
}

/// The block of an at-rule, if one follows.
pub(crate) fn expect_block<T>(
    parser: &mut Parser<'_>,
    look: impl FnOnce(&mut Parser<'_>) -> Result<T>,
) -> Result<T> {
    match parser.next()? {
        Token::CurlyBracketBlock => parser.parse_nested_block(look),
        _ => Err(crate::length::unexpected()),
    }
}

#[cfg(test)]
mod tests;
