//! From the text of a style sheet to its table of rules.

use std::sync::{Arc, OnceLock};

use cssparser::{Delimiter, Parser, Token};
use url::Url;

use super::sheet::{Block, Custom, Declaration, Layer, Rule, StyleSheet};
use super::value::{self, Ground, Value};
use crate::Viewport;
use crate::css::{self, prelude};
use crate::length::Result;
use crate::media::media_matches;
use crate::selector::{self, PseudoElement, Selectors};
use crate::supports::supports;

mod elsewhere;

/// Longest sheet that is read; of longer ones the beginning.
const MAX_TEXT: usize = 8 << 20;

/// Most rules of a sheet.
const MAX_RULES: usize = 200_000;

/// Deepest nesting of rules in rules.
const MAX_NESTING: usize = 4;

/// Most references to the rule around in one selector.
const MAX_PARENTS: usize = 4;

/// Deepest nesting of conditions and layers.
const MAX_CONDITIONS: usize = 16;

/// Reads all rules that apply for the viewport.
pub(super) fn rules(text: &str, ground: &Ground<'_>, sheet: &mut StyleSheet) {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let mut reading = Reading {
        ground: *ground,
        sheet,
        nameless: 0,
    };
    reading.rules(&mut Parser::new(text), &Place::default());
}

/// Reads declarations alone, as in an attribute.
pub(super) fn declarations(text: &str, ground: &Ground<'_>) -> Block {
    let mut block = Block::default();
    let mut parser = Parser::new(text);
    while !parser.is_exhausted() {
        let declaration: Result<()> = parser.parse_until_after(Delimiter::Semicolon, |inner| {
            let name = inner.expect_ident()?.as_ref().to_owned();
            inner.expect_colon()?;
            let (value, _) = rest(inner);
            declare(&name, value, ground, &mut block);
            Ok(())
        });
        let _ = declaration;
    }
    block
}

/// Where rules stand.
#[derive(Clone, Default)]
struct Place {
    /// The rule around.
    parent: Option<Selectors>,
    nesting: usize,
    conditions: usize,
    layer: Layer,
}

struct Reading<'r, 'g> {
    ground: Ground<'g>,
    sheet: &'r mut StyleSheet,
    nameless: usize,
}

impl Reading<'_, '_> {
    /// The rules of a sheet, or of a block of an at-rule outside of rules.
    fn rules(&mut self, parser: &mut Parser<'_>, place: &Place) {
        loop {
            parser.skip_whitespace();
            let state = parser.state();
            match parser.next() {
                Ok(Token::AtKeyword(name)) => {
                    let name = name.to_ascii_lowercase();
                    self.at_rule(&name, parser, place);
                }
                Ok(Token::CDO | Token::CDC | Token::Semicolon) => {}
                Ok(_) => {
                    parser.reset(&state);
                    self.rule(parser, place);
                }
                Err(_) => return,
            }
        }
    }

    /// A selector and its block.
    fn rule(&mut self, parser: &mut Parser<'_>, place: &Place) {
        let start = parser.position();
        let _: Result<()> = parser.parse_until_before(Delimiter::CurlyBracketBlock, |inner| {
            while inner.next().is_ok() {}
            Ok(())
        });
        let text = parser.slice_from(start);
        let selectors = self.selectors(text, place);
        let _: Result<()> = css::expect_block(parser, |inner| {
            let Some(selectors) = selectors else {
                return Ok(());
            };
            let inside = Place {
                parent: Some(selectors.clone()),
                nesting: place.nesting + 1,
                ..place.clone()
            };
            let block = self.block(inner, &inside);
            self.add(&selectors, text.len(), block, place);
            Ok(())
        });
    }

    fn selectors(&self, text: &str, place: &Place) -> Option<Selectors> {
        if self.sheet.rules.len() > MAX_RULES || place.nesting > MAX_NESTING {
            return None;
        }
        let Some(parent) = &place.parent else {
            return selector::parse(text, false);
        };
        if text.matches('&').count() > MAX_PARENTS {
            return None;
        }
        let nested = selector::parse(text, true)?;
        Some(nested.replace_parent_selector(parent))
    }

    /// Adds a block for every selector of a list.
    fn add(&mut self, selectors: &Selectors, length: usize, block: Block, place: &Place) {
        if block.is_empty() {
            return;
        }
        let layer = self.layer(&place.layer);
        let at = self.sheet.blocks.len() as u32;
        self.sheet.blocks.push(block);
        let all = selectors.slice();
        let cost = 1 + (length / all.len().max(1) / 16) as u32;
        for selector in all {
            let rule = Rule::new(selector.clone(), cost, at, layer);
            if rule.pseudo != Some(PseudoElement::Other) {
                self.sheet.rules.push(rule);
            }
        }
    }

    /// The place of a layer among those of the sheet.
    fn layer(&mut self, layer: &Layer) -> Option<u32> {
        if layer.is_empty() {
            return None;
        }
        let known = self.sheet.layers.iter().position(|known| known == layer);
        Some(known.unwrap_or_else(|| {
            self.sheet.layers.push(layer.clone());
            self.sheet.layers.len() - 1
        }) as u32)
    }

    /// What is in the block of a rule: declarations, and rules that go on from it.
    fn block(&mut self, parser: &mut Parser<'_>, place: &Place) -> Block {
        let mut block = Block::default();
        loop {
            parser.skip_whitespace();
            let state = parser.state();
            let token = match parser.next() {
                Ok(token) => token.clone(),
                Err(_) => return block,
            };
            match token {
                Token::Semicolon => {}
                Token::AtKeyword(name) => {
                    let name = name.to_ascii_lowercase();
                    self.nested_at_rule(&name, parser, place, &mut block);
                }
                Token::Ident(name) if parser.expect_colon().is_ok() => {
                    let declared = parser.parse_until_before(
                        Delimiter::Semicolon,
                        |inner| -> Result<(&str, bool)> { Ok(rest(inner)) },
                    );
                    let (value, has_block) = declared.unwrap_or(("", false));
                    if has_block && !name.starts_with("--") {
                        parser.reset(&state);
                        self.rule(parser, place);
                    } else {
                        declare(&name, value, &self.ground, &mut block);
                    }
                }
                _ => {
                    parser.reset(&state);
                    self.rule(parser, place);
                }
            }
        }
    }

    /// A condition around declarations of a rule.
    fn nested_at_rule(
        &mut self,
        name: &str,
        parser: &mut Parser<'_>,
        place: &Place,
        block: &mut Block,
    ) {
        let before = prelude(parser);
        let holds = place.conditions < MAX_CONDITIONS && self.holds(name, before);
        let inside = Place {
            conditions: place.conditions + 1,
            ..place.clone()
        };
        let _: Result<()> = css::expect_block(parser, |inner| {
            if holds {
                let more = self.block(inner, &inside);
                block.declarations.extend(more.declarations);
                block.custom.extend(more.custom);
            }
            Ok(())
        });
    }

    /// Whether what is in an at-rule applies.
    fn holds(&self, name: &str, before: &str) -> bool {
        match name {
            "media" => media_matches(before, self.ground.viewport),
            "supports" => supports(before),
            "layer" | "container" | "scope" => true,
            _ => false,
        }
    }

    fn at_rule(&mut self, name: &str, parser: &mut Parser<'_>, place: &Place) {
        if name == "import" {
            return self.import(parser);
        }
        let before = prelude(parser).trim();
        if name == "layer" {
            return self.layers(before, parser, place);
        }
        if place.conditions >= MAX_CONDITIONS {
            return;
        }
        let _: Result<()> = css::expect_block(parser, |inner| {
            match name {
                "font-face" => self.face(inner),
                "keyframes" | "-webkit-keyframes" => self.keyframes(before, inner),
                _ if self.holds(name, before) => {
                    let inside = Place {
                        conditions: place.conditions + 1,
                        ..place.clone()
                    };
                    self.rules(inner, &inside);
                }
                _ => {}
            }
            Ok(())
        });
    }

    /// `@layer a, b.c;` and `@layer a { }`.
    fn layers(&mut self, names: &str, parser: &mut Parser<'_>, place: &Place) {
        let of = |name: &str| {
            let parts = name.trim().split('.').map(|part| Box::from(part.trim()));
            place.layer.iter().cloned().chain(parts).collect::<Layer>()
        };
        let opens = matches!(parser.next(), Ok(Token::CurlyBracketBlock));
        if !opens {
            for name in names.split(',').filter(|name| !name.trim().is_empty()) {
                self.layer(&of(name));
            }
            return;
        }
        let layer = match names {
            "" => {
                self.nameless += 1;
                of(&format!("#{}", self.nameless))
            }
            name => of(name),
        };
        self.layer(&layer);
        let inside = Place {
            layer,
            conditions: place.conditions + 1,
            ..place.clone()
        };
        let _: Result<()> = parser.parse_nested_block(|inner| {
            if inside.conditions < MAX_CONDITIONS {
                self.rules(inner, &inside);
            }
            Ok(())
        });
    }
}

/// The rest of a declaration, and whether there is a block in it.
fn rest<'i>(parser: &mut Parser<'i>) -> (&'i str, bool) {
    let start = parser.position();
    let mut has_block = false;
    while let Ok(token) = parser.next() {
        has_block |= *token == Token::CurlyBracketBlock;
    }
    (parser.slice_from(start), has_block)
}

/// Adds a declaration to a block, if it matters.
fn declare(name: &str, text: &str, ground: &Ground<'_>, block: &mut Block) {
    let (text, important) = match text.rsplit_once('!') {
        Some((before, word)) if word.trim().eq_ignore_ascii_case("important") => (before, true),
        _ => (text, false),
    };
    if name.starts_with("--") {
        block.custom.push(Custom {
            name: name.into(),
            important,
            value: text.trim().into(),
        });
        return;
    }
    let name = name.to_ascii_lowercase();
    let declarations = value::read(&name, text, ground).into_iter();
    let declaration = |(slot, value): (_, Value)| Declaration {
        slot,
        important,
        value,
    };
    block.declarations.extend(declarations.map(declaration));
}

/// The sheet of what browsers do by themselves. There are no URLs in it, so any base will do.
pub(super) fn user_agent(base: &Arc<Url>) -> &'static Arc<StyleSheet> {
    static SHEET: OnceLock<Arc<StyleSheet>> = OnceLock::new();
    SHEET.get_or_init(|| {
        let ground = Ground {
            base,
            encoding: encoding_rs::UTF_8,
            viewport: &Viewport::default(),
        };
        Arc::new(StyleSheet::of(include_str!("user_agent.css"), &ground))
    })
}
