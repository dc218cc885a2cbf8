//! Images and media: which of several candidates is shown.

use super::Value;
use super::walker::{Container, State, Tag, Walker};
use crate::media::media_matches;
use crate::sizes::source_size;
use crate::srcset::{Chosen, choose, parse_srcset};
use crate::{Destination, Need, Role};

const IMAGE: Role = Role::Embed(Destination::Image);
const MEDIA: Role = Role::Embed(Destination::Media);

/// Whether Chromium shows images of a MIME type.
pub(crate) fn image_type_is_supported(mime: &str) -> bool {
    let essence = mime
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let Some(name) = essence.strip_prefix("image/") else {
        return false;
    };
    matches!(
        name,
        "jpeg"
            | "jpg"
            | "pjpeg"
            | "png"
            | "x-png"
            | "apng"
            | "gif"
            | "webp"
            | "avif"
            | "jxl"
            | "svg+xml"
            | "bmp"
            | "x-ms-bmp"
            | "x-icon"
            | "vnd.microsoft.icon"
            | "x-xbitmap"
    )
}

/// Whether Chromium plays a MIME type, as far as the container tells.
fn media_type_is_supported(mime: &str) -> bool {
    let essence = mime
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let Some((_, name)) = essence.split_once('/') else {
        return false;
    };
    matches!(
        name,
        "mp4"
            | "webm"
            | "ogg"
            | "mpeg"
            | "mp3"
            | "wav"
            | "x-wav"
            | "flac"
            | "aac"
            | "x-m4a"
            | "x-m4v"
            | "vnd.apple.mpegurl"
            | "x-mpegurl"
    )
}

impl<'t> Walker<'_, 't, '_> {
    /// `<img>`, alone or as the last part of a `<picture>`.
    pub(super) fn img(&mut self, tag: &Tag<'t>) {
        let in_picture = self
            .open
            .last()
            .is_some_and(|e| e.container == Container::Picture);
        let mut need = Need::Needed;
        if in_picture
            && let Some(picture) = self.open.pop()
            && matches!(picture.state, State::Sources { chosen: true })
        {
            need = Need::Variant;
        }
        let sizes = self.sizes(tag);
        let srcset = tag.attributes.get("srcset");
        let src = tag.attributes.get("src");
        self.candidates(
            srcset.as_ref(),
            src.as_ref(),
            sizes,
            need,
            ["img@srcset", "img@src"],
        );
        if let Some(longdesc) = tag.attributes.get("longdesc") {
            self.offer(&longdesc, Role::Link, Need::Weak, "img@longdesc");
        }
    }

    /// How wide the image will be. With `sizes=auto` only layout knows; the width attribute is
    /// the best guess.
    fn sizes(&self, tag: &Tag<'t>) -> f64 {
        let viewport = self.collector.viewport;
        let sizes = tag.attributes.get("sizes").map(|value| value.text);
        let automatic = |sizes: &str| {
            let first = sizes.split(',').next().unwrap_or_default().trim();
            first.eq_ignore_ascii_case("auto")
        };
        if sizes.as_deref().is_some_and(automatic)
            && tag.attributes.text("loading").eq_ignore_ascii_case("lazy")
            && let Ok(width) = tag.attributes.text("width").trim().parse::<u16>()
        {
            return f64::from(width);
        }
        source_size(sizes.as_deref(), viewport)
    }

    /// Offers all candidates; the chosen one has the need, the others are variants.
    pub(super) fn candidates(
        &mut self,
        srcset: Option<&Value<'_>>,
        src: Option<&Value<'_>>,
        size: f64,
        need: Need,
        contexts: [&'static str; 2],
    ) -> bool {
        let candidates = srcset
            .map(|srcset| parse_srcset(&srcset.text))
            .unwrap_or_default();
        let has_src = src.is_some_and(|src| !src.text.trim().is_empty());
        let chosen = choose(
            &candidates,
            has_src,
            size,
            self.collector.viewport.pixel_ratio,
        );
        let need_of = |is: Chosen| {
            if is == chosen {
                need
            } else {
                need.max(Need::Variant)
            }
        };
        if let Some(srcset) = srcset {
            for (index, candidate) in candidates.into_iter().enumerate() {
                let need = need_of(Chosen::Candidate(index));
                self.offer_part(srcset, candidate.span, IMAGE, need, contexts[0]);
            }
        }
        if let Some(src) = src {
            self.offer(src, IMAGE, need_of(Chosen::Src), contexts[1]);
        }
        chosen != Chosen::Nothing
    }

    /// `<source>` of a picture, video or audio: the first that matches is taken.
    pub(super) fn source(&mut self, tag: &Tag<'t>) {
        let parent = self.open.last().map(|e| {
            (
                e.container,
                matches!(e.state, State::Sources { chosen: true }),
            )
        });
        let media = tag.attributes.text("media");
        let matches = media_matches(&media, self.collector.viewport);
        let mime = tag.attributes.text("type");
        match parent {
            Some((Container::Picture, chosen)) => {
                let usable = matches && (mime.trim().is_empty() || image_type_is_supported(&mime));
                let need = if usable && !chosen {
                    Need::Needed
                } else {
                    Need::Variant
                };
                let (srcset, size) = (tag.attributes.get("srcset"), self.sizes(tag));
                let found =
                    self.candidates(srcset.as_ref(), None, size, need, ["source@srcset", ""]);
                self.choose_source(found && need == Need::Needed);
            }
            Some((Container::Media, chosen)) => {
                let usable = matches && (mime.trim().is_empty() || media_type_is_supported(&mime));
                let need = if usable && !chosen {
                    Need::Needed
                } else {
                    Need::Variant
                };
                if let Some(src) = tag.attributes.get("src") {
                    self.offer(&src, MEDIA, need, "source@src");
                    self.choose_source(need == Need::Needed);
                }
            }
            // A stray source loads nothing.
            _ => {
                if let Some(src) = tag.attributes.get("src") {
                    self.offer(&src, MEDIA, Need::Weak, "source@src");
                }
                let srcset = tag.attributes.get("srcset");
                self.candidates(
                    srcset.as_ref(),
                    None,
                    0.0,
                    Need::Weak,
                    ["source@srcset", ""],
                );
            }
        }
    }

    fn choose_source(&mut self, now: bool) {
        if let Some(entered) = self.open.last_mut()
            && let State::Sources { chosen } = &mut entered.state
        {
            *chosen |= now;
        }
    }

    /// `<track>`: browsers load the one that is shown by default.
    pub(super) fn track(&mut self, tag: &Tag<'t>) {
        if let Some(src) = tag.attributes.get("src") {
            let shown = tag.attributes.has("default");
            let need = if shown { Need::Needed } else { Need::Weak };
            self.offer(&src, MEDIA, need, "track@src");
        }
    }

    /// `<input type=image>`.
    pub(super) fn input(&mut self, tag: &Tag<'t>) {
        if tag.attributes.text("type").eq_ignore_ascii_case("image")
            && let Some(src) = tag.attributes.get("src")
        {
            self.offer(&src, IMAGE, Need::Needed, "input@src");
        }
    }
}
