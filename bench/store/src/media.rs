//! Bodies of every kind that the web is made of, as long as asked for.

use crate::boilerplate::Site;
use crate::dice::Dice;
use crate::language::Language;
use crate::markup::{html, object, rule, statement};

/// Adds a piece of some text.
type Piece = fn(&mut Vec<u8>, &Site, &Language, &mut Dice);

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    Script,
    Style,
    Json,
    Jpeg,
    Png,
    Webp,
    Font,
}

/// Kinds, each as often as it is met among a hundred responses.
const MIX: [(Kind, u64); 8] = [
    (Kind::Html, 34),
    (Kind::Script, 17),
    (Kind::Style, 8),
    (Kind::Json, 9),
    (Kind::Jpeg, 16),
    (Kind::Png, 9),
    (Kind::Webp, 5),
    (Kind::Font, 2),
];

impl Kind {
    pub(crate) fn any(dice: &mut Dice) -> Kind {
        let mut left = dice.below(100);
        for (kind, share) in MIX {
            match left.checked_sub(share) {
                Some(rest) => left = rest,
                None => return kind,
            }
        }
        Kind::Html
    }

    pub(crate) fn mime(self) -> &'static str {
        match self {
            Kind::Html => "text/html; charset=utf-8",
            Kind::Script => "application/javascript",
            Kind::Style => "text/css",
            Kind::Json => "application/json",
            Kind::Jpeg => "image/jpeg",
            Kind::Png => "image/png",
            Kind::Webp => "image/webp",
            Kind::Font => "font/woff2",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Kind::Html => "html",
            Kind::Script => "js",
            Kind::Style => "css",
            Kind::Json => "json",
            Kind::Jpeg => "jpg",
            Kind::Png => "png",
            Kind::Webp => "webp",
            Kind::Font => "woff2",
        }
    }

    /// How much deflate makes of it: bodies of this kind are so many times their stored size.
    pub(crate) fn ratio(self) -> f64 {
        match self {
            Kind::Html => 4.0,
            Kind::Script => 3.2,
            Kind::Style => 4.4,
            Kind::Json => 3.2,
            _ => 1.0,
        }
    }

    pub(crate) fn is_text(self) -> bool {
        self.ratio() > 1.0
    }

    /// A body of about `length` bytes.
    pub(crate) fn body(
        self,
        length: usize,
        site: &Site,
        language: &Language,
        dice: &mut Dice,
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(length + 4096);
        let piece: Piece = match self {
            Kind::Html => return html(out, length, site, language, dice),
            Kind::Script => statement,
            Kind::Style => rule,
            Kind::Json => object,
            Kind::Jpeg => return noise(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00", length, dice),
            Kind::Png => return noise(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", length, dice),
            Kind::Webp => return noise(b"RIFF\x00\x00\x00\x00WEBPVP8 ", length, dice),
            Kind::Font => return noise(b"wOF2\x00\x01\x00\x00", length, dice),
        };
        while out.len() < length {
            piece(&mut out, site, language, dice);
        }
        out
    }
}

/// Compressed media: a magic number, then bytes that cannot be made smaller.
fn noise(magic: &[u8], length: usize, dice: &mut Dice) -> Vec<u8> {
    let mut out = vec![0; length.max(magic.len())];
    dice.fill(&mut out);
    out[..magic.len()].copy_from_slice(magic);
    out
}
