//! The tags of an HTML document, in order, found as the tokenizer of the HTML standard finds them.
//!
//! Only tags are told, with the names of their elements, their places, and whether they belong to
//! SVG. What decides about that is kept track of: texts in which there are no tags (scripts,
//! styles, titles), comments, and the foreign languages in HTML, in which CDATA sections and
//! `<a/>` mean something.

use memchr::{memchr, memchr2, memmem};

use super::Attributes;
use super::walker::{Tag, name_at};

/// Most elements of foreign languages inside of each other that are kept track of.
const MAX_FOREIGN: usize = 256;

/// Something that was found.
pub(super) enum Event<'t> {
    /// A start tag, and whether it is the whole element.
    Start { tag: Tag<'t>, closed: bool },
    /// An end tag: the name, as it is written, and where it begins.
    End { name: &'t str, at: usize },
}

/// Looks for tags.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The element whose text ends only with its own end tag.
    within: Option<Raw>,
    /// Elements with which a language begins, from the outside to the inside.
    languages: Vec<(Language, Box<str>)>,
}

/// Text without tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Raw {
    Script,
    Until(&'static str),
    Forever,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Html,
    Svg,
    MathMl,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner {
            text,
            at: 0,
            within: None,
            languages: Vec::new(),
        }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at.min(self.text.len())..]
    }

    fn language(&self) -> Language {
        self.languages.last().map_or(Language::Html, |last| last.0)
    }

    /// Goes to the next `<` with which something begins.
    fn seek_markup(&mut self) -> Option<()> {
        if let Some(raw) = self.within.take() {
            self.at += end_of_raw(self.rest(), raw)?;
        }
        self.at += memchr(b'<', self.rest())?;
        Some(())
    }

    /// Skips a comment, a declaration or what is taken for one.
    fn skip_declaration(&mut self) {
        let rest = self.rest();
        let length = if rest.starts_with(b"<!--") {
            end_of_comment(rest)
        } else if rest.starts_with(b"<![CDATA[") && self.language() != Language::Html {
            memmem::find(rest, b"]]>").map(|at| at + 3)
        } else {
            memchr(b'>', rest).map(|at| at + 1)
        };
        self.at += length.unwrap_or(rest.len());
    }

    fn start(&mut self) -> Option<Event<'t>> {
        let mut tag = Tag::read(self.text, self.at)?;
        self.at = tag.end();
        let is_closed = tag.is_closed(self.text);
        if breaks_out(&tag) {
            self.leave_foreign();
        }
        let enters = self.enters(&tag);
        let outside = self.language();
        tag.svg = outside == Language::Svg || enters == Some(Language::Svg);
        let is_foreign =
            outside != Language::Html || matches!(enters, Some(Language::Svg | Language::MathMl));
        let closed = is_void(&tag.name) && !is_foreign || is_closed && is_foreign;
        if let Some(language) = enters
            && !closed
            && self.languages.len() < MAX_FOREIGN
        {
            self.languages.push((language, tag.name.as_ref().into()));
        }
        if !is_foreign {
            self.within = raw(&tag.name);
        }
        Some(Event::Start { tag, closed })
    }

    /// The language that begins with a tag.
    fn enters(&self, tag: &Tag<'_>) -> Option<Language> {
        use Language::{Html, MathMl, Svg};
        match (self.language(), tag.name.as_ref()) {
            (Html | Svg, "svg") => Some(Svg),
            (Html | MathMl, "math") => Some(MathMl),
            (MathMl, "svg") if self.is_in("annotation-xml") => Some(Svg),
            (Svg, "foreignobject" | "desc" | "title") => Some(Html),
            (MathMl, "mi" | "mo" | "mn" | "ms" | "mtext") => Some(Html),
            (MathMl, "annotation-xml") => {
                let encoding = tag.attributes.text("encoding").to_ascii_lowercase();
                match encoding.as_str() {
                    "text/html" | "application/xhtml+xml" => Some(Html),
                    _ => Some(MathMl),
                }
            }
            _ => None,
        }
    }

    /// Whether the innermost element with a language of its own is of this name.
    fn is_in(&self, name: &str) -> bool {
        self.languages.last().is_some_and(|last| &*last.1 == name)
    }

    /// Elements of HTML end the foreign ones around them.
    fn leave_foreign(&mut self) {
        while self.language() != Language::Html {
            self.languages.pop();
        }
    }

    fn end(&mut self) -> Option<Event<'t>> {
        let from = self.at;
        let (name, after) = name_at(self.text, from + 2);
        let end = Attributes::end_of_tag(self.text, after)?;
        self.at = end;
        self.leave_language(name);
        Some(Event::End { name, at: from })
    }

    /// An element of this name ends, and with it perhaps a language. (What of HTML is open is not
    /// kept track of: it may keep the language from ending, or end it with itself.)
    fn leave_language(&mut self, name: &str) {
        if name.eq_ignore_ascii_case("p") || name.eq_ignore_ascii_case("br") {
            self.leave_foreign();
        }
        let mut depth = self.languages.len();
        while let Some((language, opened)) = depth.checked_sub(1).map(|at| &self.languages[at]) {
            if name.eq_ignore_ascii_case(opened) {
                self.languages.truncate(depth - 1);
                return;
            }
            if *language == Language::Html {
                return;
            }
            depth -= 1;
        }
    }
}

impl<'t> Iterator for Scanner<'t> {
    type Item = Event<'t>;

    fn next(&mut self) -> Option<Event<'t>> {
        loop {
            self.seek_markup()?;
            let rest = self.rest();
            let found = match (rest.get(1), rest.get(2)) {
                (Some(b'a'..=b'z' | b'A'..=b'Z'), _) => self.start(),
                (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => self.end(),
                (Some(b'!' | b'?'), _) | (Some(b'/'), Some(_)) => {
                    self.skip_declaration();
                    continue;
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            // After a tag without an end there is nothing.
            self.at = found.as_ref().map_or(self.text.len(), |_| self.at);
            return found;
        }
    }
}

/// How long a comment is, if it ends.
fn end_of_comment(text: &[u8]) -> Option<usize> {
    if text.starts_with(b"<!-->") {
        return Some(5);
    }
    if text.starts_with(b"<!--->") {
        return Some(6);
    }
    let mut at = 4;
    loop {
        at += memmem::find(&text[at..], b"--")?;
        match (text.get(at + 2), text.get(at + 3)) {
            (Some(b'>'), _) => return Some(at + 3),
            (Some(b'!'), Some(b'>')) => return Some(at + 4),
            _ => at += 1,
        }
    }
}

/// What the text of an element is, in HTML.
fn raw(name: &str) -> Option<Raw> {
    Some(match name {
        "script" => Raw::Script,
        "style" => Raw::Until("style"),
        "textarea" => Raw::Until("textarea"),
        "title" => Raw::Until("title"),
        "xmp" => Raw::Until("xmp"),
        "iframe" => Raw::Until("iframe"),
        "noembed" => Raw::Until("noembed"),
        "noframes" => Raw::Until("noframes"),
        // As browsers with scripts take it.
        "noscript" => Raw::Until("noscript"),
        "plaintext" => Raw::Forever,
        _ => return None,
    })
}

/// Where the end tag is that ends a text without tags.
fn end_of_raw(text: &[u8], raw: Raw) -> Option<usize> {
    match raw {
        Raw::Forever => None,
        Raw::Until(name) => {
            let mut at = 0;
            loop {
                at += memchr(b'<', &text[at..])?;
                if is_tag(&text[at..], b"</", name) {
                    return Some(at);
                }
                at += 1;
            }
        }
        Raw::Script => end_of_script(text),
    }
}

/// Where a script ends: in a comment, the end of a script within it does not count.
fn end_of_script(text: &[u8]) -> Option<usize> {
    #[derive(PartialEq)]
    enum Inside {
        Nothing,
        Comment,
        Script,
    }
    let mut inside = Inside::Nothing;
    let mut at = 0;
    loop {
        at += match inside {
            Inside::Nothing => memchr(b'<', &text[at..])?,
            _ => memchr2(b'<', b'-', &text[at..])?,
        };
        let rest = &text[at..];
        if inside != Inside::Nothing && rest.starts_with(b"-->") {
            inside = Inside::Nothing;
            at += 3;
        } else if is_tag(rest, b"</", "script") {
            match inside {
                Inside::Script => inside = Inside::Comment,
                _ => return Some(at),
            }
            at += 2;
        } else if inside == Inside::Nothing && rest.starts_with(b"<!--") {
            inside = Inside::Comment;
            // `<!-->` is a whole comment.
            at += 2;
        } else if inside == Inside::Comment && is_tag(rest, b"<", "script") {
            inside = Inside::Script;
            at += 1;
        } else {
            at += 1;
        }
    }
}

/// Whether a tag of this name begins here.
fn is_tag(text: &[u8], opening: &[u8], name: &str) -> bool {
    let Some(after) = text.strip_prefix(opening) else {
        return false;
    };
    let Some(found) = after.get(..name.len()) else {
        return false;
    };
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    found.eq_ignore_ascii_case(name.as_bytes()) && after.get(name.len()).is_some_and(ends)
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "basefont"
            | "bgsound"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "keygen"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Whether a tag ends the foreign elements around it.
fn breaks_out(tag: &Tag<'_>) -> bool {
    match tag.name.as_ref() {
        "b" | "big" | "blockquote" | "body" | "br" | "center" | "code" | "dd" | "div" | "dl"
        | "dt" | "em" | "embed" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "hr" | "i"
        | "img" | "li" | "listing" | "menu" | "meta" | "nobr" | "ol" | "p" | "pre" | "ruby"
        | "s" | "small" | "span" | "strong" | "strike" | "sub" | "sup" | "table" | "tt" | "u"
        | "ul" | "var" => true,
        "font" => ["color", "face", "size"]
            .iter()
            .any(|name| tag.attributes.has(name)),
        _ => false,
    }
}
