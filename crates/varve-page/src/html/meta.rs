//! `<meta>`, `<base>`, and the old ways of embedding: `<object>`, `<applet>`, `<param>`.

use super::walker::{Tag, Walker};
use crate::collector::Surroundings;
use crate::headers::{is_immediate, refresh_url};
use crate::{Destination, Need, Role};

const IMAGE: Role = Role::Embed(Destination::Image);
const MEDIA: Role = Role::Embed(Destination::Media);

impl<'t> Walker<'_, 't, '_> {
    pub(super) fn meta(&mut self, tag: &Tag<'t>) {
        let Some(content) = tag.attributes.get("content") else {
            return;
        };
        if tag
            .attributes
            .text("http-equiv")
            .trim()
            .eq_ignore_ascii_case("refresh")
        {
            if let Some(url) = refresh_url(&content.text) {
                if is_immediate(&content.text) {
                    self.collector.leads_to(&content.text[url.clone()]);
                }
                self.offer_part(&content, url, Role::Link, Need::Needed, "meta@refresh");
            }
            return;
        }
        let name = ["property", "name", "itemprop"]
            .iter()
            .find_map(|name| tag.attributes.get(name))
            .map(|value| value.text.trim().to_ascii_lowercase());
        if let Some((role, context)) = name.as_deref().and_then(shared) {
            self.offer(&content, role, Need::Weak, context);
        }
    }

    /// `<base>`: the first with a URL counts, for what comes after it.
    pub(super) fn base(&mut self, tag: &Tag<'t>) {
        let inert = self.collector.surroundings == Surroundings::Inert;
        if self.base_seen || tag.svg || inert {
            return;
        }
        let Some(href) = tag.attributes.get("href") else {
            return;
        };
        self.base_seen = true;
        let base = self.collector.base.join(href.text.trim());
        if let Ok(base) = base
            && matches!(base.scheme(), "http" | "https")
        {
            self.collector.base = base;
        }
    }

    /// `<object>` and `<applet>`, whose URLs are relative to their `codebase`.
    pub(super) fn object(&mut self, tag: &Tag<'t>) {
        let page = self.collector.base.clone();
        if let Some(codebase) = tag.attributes.get("codebase")
            && let Ok(base) = page.join(codebase.text.trim())
        {
            self.collector.base = base;
        }
        let rules = match tag.name.as_ref() {
            "object" => [
                ("data", Need::Needed, "object@data"),
                ("archive", Need::Weak, "object@archive"),
            ],
            _ => [
                ("code", Need::Weak, "applet@code"),
                ("archive", Need::Weak, "applet@archive"),
            ],
        };
        for (attribute, need, context) in rules {
            if let Some(value) = tag.attributes.get(attribute) {
                self.offer(&value, Role::Embed(Destination::Other), need, context);
            }
        }
        self.collector.base = page;
    }

    /// `<param name=movie value=x>`, which plug-ins took for a URL.
    pub(super) fn param(&mut self, tag: &Tag<'t>) {
        let name = tag.attributes.text("name").to_ascii_lowercase();
        if matches!(name.as_str(), "movie" | "src" | "url" | "filename" | "data")
            && let Some(value) = tag.attributes.get("value")
        {
            self.offer(
                &value,
                Role::Embed(Destination::Other),
                Need::Weak,
                "param@value",
            );
        }
    }
}

/// What a page says about itself to other sites and programs.
fn shared(name: &str) -> Option<(Role, &'static str)> {
    Some(match name {
        "og:image" | "og:image:url" | "og:image:secure_url" => (IMAGE, "meta@og:image"),
        "og:video" | "og:video:url" | "og:video:secure_url" => (MEDIA, "meta@og:video"),
        "og:audio" | "og:audio:url" | "og:audio:secure_url" => (MEDIA, "meta@og:audio"),
        "og:url" | "al:web:url" => (Role::Link, "meta@og:url"),
        "twitter:image" | "twitter:image:src" => (IMAGE, "meta@twitter:image"),
        "twitter:player" => (Role::Frame, "meta@twitter:player"),
        "msapplication-tileimage"
        | "msapplication-square70x70logo"
        | "msapplication-square150x150logo"
        | "msapplication-wide310x150logo"
        | "msapplication-square310x310logo" => (IMAGE, "meta@msapplication"),
        "thumbnail" | "image" | "thumbnailurl" => (IMAGE, "meta@image"),
        "contenturl" | "embedurl" => (MEDIA, "meta@contentUrl"),
        _ => return None,
    })
}
