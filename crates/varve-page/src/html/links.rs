//! `<link>`: what each relation means, and whether Chromium would load it.

use super::Value;
use super::images::image_type_is_supported;
use super::walker::{Tag, Walker};
use crate::media::media_matches;
use crate::sizes::source_size;
use crate::{Destination, Need, Role};

impl<'t> Walker<'_, 't, '_> {
    pub(super) fn link(&mut self, tag: &Tag<'t>) {
        let rel = tag.attributes.text("rel").to_ascii_lowercase();
        let Some(href) = tag.attributes.get("href") else {
            if rel.split_ascii_whitespace().any(|word| word == "preload") {
                self.preload(tag, None);
            }
            return;
        };
        let is_style = rel
            .split_ascii_whitespace()
            .any(|word| word == "stylesheet");
        for word in rel.split_ascii_whitespace() {
            match word {
                "stylesheet" => self.stylesheet(tag, &href),
                "preload" => self.preload(tag, Some(&href)),
                // An alternative style sheet is loaded as a style sheet.
                "alternate" if is_style => {}
                _ => {
                    if let Some((role, need, context)) = relation(word) {
                        self.offer(&href, role, need, context);
                    }
                }
            }
        }
    }

    /// Chromium loads style sheets whatever their media queries say, but not of another type.
    fn stylesheet(&mut self, tag: &Tag<'t>, href: &Value<'_>) {
        let kind = tag.attributes.text("type");
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let is_css = kind.is_empty() || kind.eq_ignore_ascii_case("text/css");
        // One that is switched off waits for a script.
        let is_loaded = is_css && !tag.attributes.has("disabled");
        let need = if is_loaded { Need::Needed } else { Need::Weak };
        self.offer(
            href,
            Role::Embed(Destination::Style),
            need,
            "link@stylesheet",
        );
    }

    fn preload(&mut self, tag: &Tag<'t>, href: Option<&Value<'_>>) {
        let wanted = tag.attributes.text("as").to_ascii_lowercase();
        let media = media_matches(&tag.attributes.text("media"), self.collector.viewport);
        let mime = tag.attributes.text("type");
        let destination = destination(&wanted);
        let usable = match destination {
            Some(Destination::Image) => mime.trim().is_empty() || image_type_is_supported(&mime),
            known => known.is_some(),
        };
        let need = match (destination, usable && media) {
            (None, _) => Need::Weak,
            (Some(_), true) => Need::Needed,
            (Some(_), false) => Need::Variant,
        };
        let imagesrcset = tag.attributes.get("imagesrcset");
        if destination == Some(Destination::Image) && imagesrcset.is_some() {
            let sizes = tag.attributes.get("imagesizes").map(|value| value.text);
            let size = source_size(sizes.as_deref(), self.collector.viewport);
            let contexts = ["link@imagesrcset", "link@preload"];
            self.candidates(imagesrcset.as_ref(), href, size, need, contexts);
        } else if let Some(href) = href {
            let role = Role::Embed(destination.unwrap_or(Destination::Other));
            self.offer(href, role, need, "link@preload");
        }
    }
}

/// What a preload is for; `None` if Chromium ignores it.
pub(crate) fn destination(wanted: &str) -> Option<Destination> {
    Some(match wanted {
        "image" => Destination::Image,
        "style" => Destination::Style,
        "script" | "worker" | "sharedworker" => Destination::Script,
        "font" => Destination::Font,
        "audio" | "video" | "track" => Destination::Media,
        "fetch" => Destination::Other,
        "json" => Destination::Json,
        "document" | "iframe" => Destination::Document,
        _ => return None,
    })
}

/// What other relations mean. `dns-prefetch` and `preconnect` load nothing.
pub(crate) fn relation(word: &str) -> Option<(Role, Need, &'static str)> {
    use Destination::{Image, Manifest, Module};
    use Need::{Needed, Weak};
    use Role::{Embed, Hint, Link};
    Some(match word {
        "icon" => (Embed(Image), Needed, "link@icon"),
        "apple-touch-icon" | "apple-touch-icon-precomposed" | "mask-icon" | "fluid-icon" => {
            (Embed(Image), Weak, "link@icon")
        }
        "apple-touch-startup-image" | "image_src" => (Embed(Image), Weak, "link@image"),
        "manifest" => (Embed(Manifest), Needed, "link@manifest"),
        "modulepreload" => (Embed(Module), Needed, "link@modulepreload"),
        "prefetch" => (Hint, Needed, "link@prefetch"),
        "prerender" => (Hint, Weak, "link@prerender"),
        "next" => (Link, Needed, "link@next"),
        "prev" | "previous" => (Link, Needed, "link@prev"),
        "alternate" => (Link, Weak, "link@alternate"),
        "canonical" => (Link, Weak, "link@canonical"),
        "amphtml" => (Link, Weak, "link@amphtml"),
        "shortlink" => (Link, Weak, "link@shortlink"),
        "search" => (Link, Weak, "link@search"),
        "author" | "help" | "license" | "privacy-policy" | "terms-of-service" | "me"
        | "bookmark" | "first" | "last" | "up" | "start" | "index" | "contents" | "toc"
        | "chapter" | "section" | "glossary" | "copyright" | "home" => (Link, Weak, "link@rel"),
        _ => return None,
    })
}
