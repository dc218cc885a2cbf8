//! The style of one element: what counts for it, with custom properties put in.

use std::rc::Rc;
use std::sync::Arc;

use url::Url;

use super::super::cascade::{Customs, Matched, Winners, winners};
use super::super::custom;
use super::super::sheet::Block;
use super::super::value::{self, Content, Display, Ground, Raw, Slot, Value, Weight};
use super::{Resolved, Style, Walk};
use crate::dom::element::At;

/// Most declarations with custom properties that are remembered.
const MAX_REMEMBERED: usize = 100_000;

impl Walk<'_> {
    /// The style of an element, whose pictures are noted if it is shown.
    pub(super) fn style<'s>(
        &mut self,
        mut matched: Vec<Matched<'s>>,
        attribute: Option<&'s Block>,
    ) -> Style {
        let around = self.open.last().map(|open| open.style.clone());
        let around = around.unwrap_or_else(|| Style {
            display: Display::Block,
            font: 0,
            customs: Customs::default(),
            skips: false,
        });
        let (style, _) = self.computed(&around, &mut matched, attribute);
        style
    }

    pub(super) fn computed<'s>(
        &mut self,
        around: &Style,
        matched: &mut [Matched<'s>],
        attribute: Option<&'s Block>,
    ) -> (Style, Option<Arc<Content>>) {
        let mut customs = around.customs.clone();
        let matters = |name: &str| self.relevant.contains(name);
        let winners = winners(matched, attribute, &matters, &mut customs);
        let mut style = Style {
            display: Display::Inline,
            font: around.font,
            customs,
            skips: false,
        };
        match self.value(&winners, Slot::Display, &style) {
            Some(Value::Display(display)) => style.display = display,
            Some(Value::Inherit) => style.display = around.display,
            _ => {}
        }
        if style.display == Display::None {
            return (style, None);
        }
        if around.display.is_flex() || self.is_away(&winners, &style) {
            style.display = style.display.out_of_line();
        }
        let skips = self.value(&winners, Slot::ContentVisibility, &style);
        style.skips = matches!(skips, Some(Value::Skipped(true)));
        style.font = self.font_of(&winners, &style, around.font);
        let content = match self.value(&winners, Slot::Content, &style) {
            Some(Value::Content(content)) => Some(content),
            _ => None,
        };
        self.pictures(&winners, &style);
        (style, content)
    }

    /// Whether an element floats or has a place of its own.
    fn is_away(&mut self, winners: &Winners<'_>, style: &Style) -> bool {
        let slots = [Slot::Float, Slot::Position];
        slots.into_iter().any(|slot| {
            let value = self.value(winners, slot, style);
            matches!(value, Some(Value::Away(true)))
        })
    }

    /// What counts for a slot, with custom properties put in.
    fn value(&mut self, winners: &Winners<'_>, slot: Slot, style: &Style) -> Option<Value> {
        match winners.get(slot)? {
            Value::Raw(raw) => {
                let resolved = self.resolve(raw, &style.customs);
                let found = resolved.iter().find(|(of, _)| *of == slot);
                found.map(|(_, value)| value.clone())
            }
            value => Some(value.clone()),
        }
    }

    fn resolve(&mut self, raw: &Arc<Raw>, customs: &Customs) -> Resolved {
        let key = (Arc::as_ptr(raw) as usize, Rc::as_ptr(customs) as usize);
        if let Some(known) = self.resolved.get(&key) {
            return known.clone();
        }
        let value = |name: &str| customs.get(name).map(|value| &**value);
        let text = custom::substitute(&raw.text, &value);
        let ground = Ground {
            base: &raw.base,
            ..self.ground
        };
        let read = text.map(|text| value::read(&raw.property, &text, &ground));
        let resolved = Rc::new(read.unwrap_or_default());
        if self.resolved.len() < MAX_REMEMBERED {
            self.environments.push(customs.clone());
            self.resolved.insert(key, resolved.clone());
        }
        resolved
    }

    fn font_of(&mut self, winners: &Winners<'_>, style: &Style, around: usize) -> usize {
        let slots = [Slot::Family, Slot::Weight, Slot::Slant];
        if slots.iter().all(|slot| winners.get(*slot).is_none()) {
            return around;
        }
        let mut wish = self.texts[around].0.clone();
        match self.value(winners, Slot::Family, style) {
            Some(Value::Family(families)) => wish.families = families,
            Some(Value::Initial) => wish.families = [].into(),
            _ => {}
        }
        match self.value(winners, Slot::Weight, style) {
            Some(Value::Weight(weight)) => wish.weight = weighed(weight, wish.weight),
            Some(Value::Initial) => wish.weight = 400,
            _ => {}
        }
        match self.value(winners, Slot::Slant, style) {
            Some(Value::Slant(slanted)) => wish.slanted = slanted,
            Some(Value::Initial) => wish.slanted = false,
            _ => {}
        }
        self.font(wish)
    }

    /// Notes the pictures of a style.
    fn pictures(&mut self, winners: &Winners<'_>, style: &Style) {
        let mut raws = Vec::new();
        for value in winners.all() {
            match value {
                Value::Raw(raw) => raws.push(raw),
                value => self.picture(value),
            }
        }
        for raw in raws {
            for (_, value) in self.resolve(raw, &style.customs).iter() {
                self.picture(value);
            }
        }
    }

    fn picture(&mut self, value: &Value) {
        match value {
            Value::Images(images) => images.iter().for_each(|url| self.need(url)),
            Value::Content(content) => content.images.iter().for_each(|url| self.need(url)),
            Value::Names(names) => {
                let frames = self.sheets.iter().flat_map(|it| &it.sheet.keyframes);
                let named = frames.filter(|frames| names.contains(&frames.name));
                let images: Vec<&Url> = named.flat_map(|frames| &frames.images).collect();
                images.into_iter().for_each(|url| self.need(url));
            }
            _ => {}
        }
    }

    fn need(&mut self, url: &Url) {
        if !self.seen.contains(url) {
            self.seen.insert(url.clone());
            self.images.push(url.clone());
        }
    }
}

fn weighed(weight: Weight, around: u16) -> u16 {
    match (weight, around) {
        (Weight::Number(number), _) => number,
        (Weight::Bolder, 0..350) => 400,
        (Weight::Bolder, 350..550) => 700,
        (Weight::Bolder, _) => around.max(900),
        (Weight::Lighter, 0..550) => around.min(100),
        (Weight::Lighter, 550..750) => 400,
        (Weight::Lighter, _) => 700,
    }
}

/// The attributes of an element of SVG that are as good as declarations.
pub(super) fn hints(at: &At<'_>) -> String {
    const PROPERTIES: [&str; 9] = [
        "clip-path",
        "cursor",
        "fill",
        "filter",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "stroke",
    ];
    let mut text = String::new();
    if at.is_svg() {
        for name in PROPERTIES {
            let value = at.attribute(name).unwrap_or_default();
            if value.contains("url(") {
                text.extend([name, ":", value, ";"]);
            }
        }
    }
    text
}
