//! The URLs of a large archive, by number: each is computed, none is kept.

use crate::dice::Dice;
use crate::language::Language;
use std::io::Write;

const MOST_HOSTS: u64 = 200_000;

/// So many URLs, on hosts of which a few have very many.
pub(crate) struct Urls {
    language: Language,
    hosts: u64,
}

/// A URL and its key.
#[derive(Debug, Default)]
pub(crate) struct Url {
    pub(crate) url: Vec<u8>,
    pub(crate) key: Vec<u8>,
}

impl Urls {
    pub(crate) fn new(count: u64) -> Urls {
        Urls {
            language: Language::new(),
            hosts: (count / 25).clamp(1, MOST_HOSTS),
        }
    }

    /// The URL of a number.
    pub(crate) fn get(&self, number: u64, out: &mut Url) {
        let mut dice = Dice::new(number ^ (1 << 40));
        let host = dice.skewed(self.hosts);
        self.push_host(host, out);
        let start = out.url.len();
        self.push_path(number, out, &mut dice);
        out.key.extend_from_slice(&out.url[start..]);
    }

    /// A URL that is near that of a number and not in the archive.
    pub(crate) fn absent(&self, number: u64, out: &mut Url) {
        self.get(number, out);
        for text in [&mut out.url, &mut out.key] {
            text.extend_from_slice(if text.contains(&b'?') {
                b"&zzz=absent"
            } else {
                b"/absent"
            });
        }
    }

    fn push_host(&self, host: u64, out: &mut Url) {
        let dice = &mut Dice::new(host ^ (1 << 41));
        let ending = dice.pick(&[
            "com", "com", "com", "com", "org", "org", "net", "de", "fr", "co.uk", "com.br", "io",
        ]);
        let (first, second) = (self.language.name(dice), self.language.name(dice));
        let name = match dice.below(3) {
            0 => format!("{first}{second}"),
            1 => format!("{first}-{second}"),
            _ => format!("{first}{}", dice.below(1000)),
        };
        let (ahead, sub) = match dice.below(10) {
            0..5 => ("www.", ""),
            5 => ("blog.", "blog"),
            6 => ("shop.", "shop"),
            _ => ("", ""),
        };
        out.url.clear();
        write!(out.url, "https://{ahead}{name}.{ending}").unwrap();
        out.key.clear();
        for part in ending
            .rsplit('.')
            .chain([name.as_str(), sub])
            .filter(|part| !part.is_empty())
        {
            if !out.key.is_empty() {
                out.key.push(b',');
            }
            out.key.extend_from_slice(part.as_bytes());
        }
        out.key.push(b')');
    }

    fn push_path(&self, number: u64, out: &mut Url, dice: &mut Dice) {
        for _ in 0..dice.below(3) {
            out.url.push(b'/');
            out.url
                .extend_from_slice(self.language.word(dice).as_bytes());
        }
        out.url.push(b'/');
        match dice.below(5) {
            0 => write!(out.url, "{number}"),
            1 => write!(out.url, "view?id={number}&page={}", dice.below(20)),
            2 => write!(
                out.url,
                "media/{:012x}.jpg",
                number * 0x9e37_79b9 % (1 << 48)
            ),
            _ => {
                self.language.slug(&mut out.url, dice, 4);
                write!(out.url, "-{number}.html")
            }
        }
        .unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use varve_model::Surt;

    #[test]
    fn keys_are_those_of_the_urls() {
        let urls = Urls::new(1_000_000);
        let mut url = Url::default();
        for number in 0..5_000 {
            for get in [Urls::get, Urls::absent] {
                get(&urls, number, &mut url);
                let key = Surt::from_url_bytes(&url.url);
                assert_eq!(
                    key.as_str().as_bytes(),
                    url.key,
                    "{}",
                    String::from_utf8_lossy(&url.url)
                );
            }
        }
    }
}
