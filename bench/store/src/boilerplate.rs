//! Sites: what all pages of one host share.
//!
//! Real pages of a site repeat their head, navigation and footer word for word, use the same few
//! hundred class names, and call the same functions. Deflate lives on that inside of a page.

use crate::dice::Dice;
use crate::language::{Language, Topic};
use std::io::Write;

/// A host and the parts that its pages share.
pub(crate) struct Site {
    pub(crate) host: String,
    pub(crate) topic: Topic,
    /// Class names in style sheets and markup.
    pub(crate) classes: Vec<String>,
    /// Names in scripts and keys in JSON.
    pub(crate) names: Vec<String>,
    /// All up to the content of a page.
    pub(crate) top: Vec<u8>,
    /// All after it.
    pub(crate) bottom: Vec<u8>,
}

impl Site {
    pub(crate) fn new(language: &Language, dice: &mut Dice) -> Site {
        let endings = [
            "com", "com", "com", "org", "net", "de", "co.uk", "fr", "example",
        ];
        let host = format!(
            "www.{}-{}.{}",
            language.name(dice),
            language.name(dice),
            dice.pick(&endings)
        );
        let mut site = Site {
            host,
            topic: language.topic(dice),
            classes: (0..120).map(|_| class(language, dice)).collect(),
            names: (0..200).map(|_| camel_case(language, dice)).collect(),
            top: Vec::new(),
            bottom: Vec::new(),
        };
        site.top = site.head(language, dice);
        site.bottom = site.links(language, dice, "footer");
        site.bottom.extend_from_slice(b"</body>\n</html>\n");
        site
    }

    fn head(&self, language: &Language, dice: &mut Dice) -> Vec<u8> {
        let mut out = b"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            .to_vec();
        for _ in 0..dice.between(4, 12) {
            let (name, hash) = (language.name(dice), dice.throw() >> 32);
            match dice.below(3) {
                0 => writeln!(
                    out,
                    "<link rel=\"stylesheet\" href=\"/assets/css/{name}.{hash:08x}.css\">"
                ),
                1 => writeln!(
                    out,
                    "<script defer src=\"/assets/js/{name}.{hash:08x}.js\"></script>"
                ),
                _ => writeln!(
                    out,
                    "<meta property=\"og:{name}\" content=\"https://{}/{name}\">",
                    self.host
                ),
            }
            .unwrap();
        }
        out.extend_from_slice(b"</head>\n<body>\n");
        out.extend(self.links(language, dice, "nav"));
        out
    }

    /// A list of links, as in navigation and footers.
    fn links(&self, language: &Language, dice: &mut Dice, element: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let (class, inner) = (self.class(dice), self.class(dice));
        writeln!(
            out,
            "<{element} class=\"{class}\">\n<ul class=\"{class}__list\">"
        )
        .unwrap();
        for _ in 0..dice.between(8, 40) {
            let (path, text) = (language.word(dice), language.name(dice));
            writeln!(out, "<li class=\"{class}__item\"><a class=\"{inner}\" href=\"/{path}/{text}\">{text}</a></li>")
                .unwrap();
        }
        writeln!(out, "</ul>\n</{element}>").unwrap();
        out
    }

    /// A class name, the first ones more often.
    pub(crate) fn class(&self, dice: &mut Dice) -> &str {
        &self.classes[dice.skewed(self.classes.len() as u64) as usize]
    }

    /// A name in scripts, the first ones more often.
    pub(crate) fn name(&self, dice: &mut Dice) -> &str {
        &self.names[dice.skewed(self.names.len() as u64) as usize]
    }
}

fn class(language: &Language, dice: &mut Dice) -> String {
    let block = language.name(dice);
    match dice.below(3) {
        0 => block.to_owned(),
        1 => format!("{block}__{}", language.name(dice)),
        _ => format!("{block}--{}", language.name(dice)),
    }
}

fn camel_case(language: &Language, dice: &mut Dice) -> String {
    let mut name = language.name(dice).to_owned();
    if dice.percent(60) {
        let at = name.len();
        name.push_str(language.word(dice));
        name[at..=at].make_ascii_uppercase();
    }
    name
}
