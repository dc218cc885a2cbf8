//! What a sheet asks for by itself: imports, faces of fonts, the pictures of animations.

use cssparser::{Delimiter, Parser, Token};
use url::Url;

use super::super::font::{self, Face};
use super::super::sheet::{Import, Keyframes, Layer};
use super::super::value::Weight;
use super::{Reading, rest};
use crate::collector::Collector;
use crate::css::{self, Found};
use crate::length::Result;
use crate::media::media_matches;
use crate::supports::supports;
use crate::{Destination, Need, Viewport, data_url};

impl Reading<'_, '_> {
    pub(super) fn import(&mut self, parser: &mut Parser<'_>) {
        let start = parser.position();
        let _: Result<()> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
            while inner.next().is_ok() {}
            Ok(())
        });
        let mut reader = Mentioned::new(self.ground.viewport);
        let text = parser.slice_from(start);
        css::read(&format!("@import {text}"), Need::Needed, &mut reader);
        let found = reader.found.into_iter().next();
        let Some((written, Need::Needed)) = found else {
            return;
        };
        if let Some(url) = self.resolve(&written) {
            self.nameless += 1;
            let (applies, layer) = conditions(text, self.ground.viewport, self.nameless);
            let import = Import {
                url,
                applies,
                layer,
            };
            self.sheet.imports.push(import);
        }
    }

    fn resolve(&self, written: &str) -> Option<Url> {
        if data_url::is_data(written) || written.trim().is_empty() {
            return None;
        }
        let base = Url::clone(self.ground.base);
        Collector::new(self.ground.viewport, base, self.ground.encoding).resolve(written.trim())
    }

    pub(super) fn keyframes(&mut self, name: &str, parser: &mut Parser<'_>) {
        let start = parser.position();
        while parser.next().is_ok() {}
        let text = parser.slice_from(start);
        let mut reader = Mentioned::new(self.ground.viewport);
        css::read(text, Need::Needed, &mut reader);
        let needed = reader.found.iter();
        let needed = needed.filter(|(_, need)| *need == Need::Needed);
        let images: Vec<Url> = needed.filter_map(|(url, _)| self.resolve(url)).collect();
        if !images.is_empty() {
            let name = name.trim_matches(['"', '\'']).into();
            self.sheet.keyframes.push(Keyframes { name, images });
        }
    }

    pub(super) fn face(&mut self, parser: &mut Parser<'_>) {
        let mut face = Face {
            family: "".into(),
            weight: (400, 400),
            slanted: false,
            ranges: [].into(),
            url: None,
        };
        while !parser.is_exhausted() {
            let _: Result<()> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
                let name = inner.expect_ident()?.to_ascii_lowercase();
                inner.expect_colon()?;
                match name.as_str() {
                    "src" => {
                        let chosen = css::font_source(inner);
                        face.url = chosen.and_then(|written| self.resolve(&written));
                    }
                    "unicode-range" => face.ranges = ranges(inner),
                    _ => describe(&mut face, &name, rest(inner).0.trim()),
                }
                Ok(())
            });
        }
        if !face.family.is_empty() {
            self.sheet.faces.push(face);
        }
    }
}

/// A descriptor of a face.
fn describe(face: &mut Face, name: &str, text: &str) {
    match name {
        "font-family" => {
            let name = text.trim_matches(['"', '\'']);
            face.family = font::families(&format!("\"{name}\"")).concat().into();
        }
        "font-style" => face.slanted = font::is_slanted(text),
        "font-weight" => {
            let mut weights = text.split_ascii_whitespace().filter_map(font::weight);
            if let Some(Weight::Number(from)) = weights.next() {
                let to = match weights.next() {
                    Some(Weight::Number(to)) => to,
                    _ => from,
                };
                face.weight = (from.min(to), from.max(to));
            }
        }
        _ => {}
    }
}

fn ranges(parser: &mut Parser<'_>) -> Box<[(u32, u32)]> {
    let ranges = parser.parse_comma_separated(|parser| -> Result<(u32, u32)> {
        let range = cssparser::UnicodeRange::parse(parser)?;
        Ok((range.start, range.end))
    });
    ranges.unwrap_or_default().into()
}

/// What stands after the URL of an `@import`: whether it applies, and its layer.
fn conditions(text: &str, viewport: &Viewport, number: usize) -> (bool, Option<Layer>) {
    let mut parser = Parser::new(text.trim_end().trim_end_matches(';'));
    let mut layer = None;
    let mut from = None;
    while let Ok(token) = parser.next().cloned() {
        let nested = matches!(token, Token::Function(_));
        let mut inside = "";
        if nested {
            let read: Result<&str> = parser.parse_nested_block(|inner| Ok(rest(inner).0));
            inside = read.unwrap_or_default();
        }
        match &token {
            Token::Ident(name) if name.eq_ignore_ascii_case("layer") => {
                layer = Some(vec![format!("#import{number}").into()]);
            }
            Token::Function(name) if name.eq_ignore_ascii_case("layer") => {
                layer = Some(inside.split('.').map(|part| part.trim().into()).collect());
            }
            Token::Function(name) if name.eq_ignore_ascii_case("supports") => {
                if !supports(inside) && !supports(&format!("({inside})")) {
                    return (false, layer);
                }
            }
            // The URL.
            Token::QuotedString(_) | Token::UnquotedUrl(_) | Token::Function(_)
                if from.is_none() => {}
            _ => break,
        }
        from = Some(parser.position());
    }
    let Some(from) = from else {
        return (true, layer);
    };
    while parser.next().is_ok() {}
    (media_matches(parser.slice_from(from), viewport), layer)
}

/// URLs as they are mentioned.
struct Mentioned<'m> {
    viewport: &'m Viewport,
    found: Vec<(String, Need)>,
}

impl Mentioned<'_> {
    fn new(viewport: &Viewport) -> Mentioned<'_> {
        let found = Vec::new();
        Mentioned { viewport, found }
    }
}

impl css::Reader for Mentioned<'_> {
    fn viewport(&self) -> &Viewport {
        self.viewport
    }

    fn url(&mut self, found: Found, _: Destination, need: Need, _: &'static str) {
        self.found.push((found.url, need));
    }

    fn media(&mut self, _: &str, _: usize) {}
}
