//! The walk over a style sheet that finds what mentions nothing.

use std::ops::Range;

mod text;

/// Deepest nesting that is followed. The parser has a limit of its own, above this.
const MAX_OPEN: usize = 40;

/// Shortest piece that is left out.
const MIN_SILENT: usize = 8;

/// The bytes that may mean something; all others are passed over.
static SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let list = b"\"'/\\@()[]{};";
    let mut at = 0;
    while at < list.len() {
        signs[list[at] as usize] = true;
        at += 1;
    }
    signs
};

/// The inside of a bracket, or the sheet as a whole.
struct Level {
    bracket: u8,
    /// Where its content begins.
    start: usize,
    /// Whether it mentions nothing so far.
    silent: bool,
    /// Where the rule or declaration begins that is being read.
    rule: usize,
    /// Whether that mentions nothing so far.
    rule_silent: bool,
    /// The at-rule that is being read.
    at_rule: AtRule,
    /// Whether it is in a font face, where the first word of a declaration counts.
    font_face: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AtRule {
    Import,
    FontFace,
    /// Another, or none.
    Other,
}

impl Level {
    fn new(bracket: u8, start: usize, font_face: bool) -> Level {
        Level {
            bracket,
            start,
            silent: true,
            rule: start,
            rule_silent: true,
            at_rule: AtRule::Other,
            font_face,
        }
    }

    /// Something is mentioned here.
    fn speaks(&mut self) {
        self.silent = false;
        self.rule_silent = false;
    }

    /// A rule or declaration ends here.
    fn next_rule(&mut self, at: usize) {
        self.rule = at;
        self.rule_silent = true;
        self.at_rule = AtRule::Other;
    }
}

/// A walk over a style sheet.
pub(super) struct Skim<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The level that is being read, and those around it.
    level: Level,
    outer: Vec<Level>,
    /// How many levels are not of curly brackets: what stands there belongs to something else.
    round: usize,
    /// Where the last escape ended.
    escaped: usize,
    silent: Vec<Range<usize>>,
}

/// What the walk does not understand.
struct Unsure;

impl<'t> Skim<'t> {
    pub(super) fn new(bytes: &'t [u8]) -> Skim<'t> {
        Skim {
            bytes,
            at: 0,
            level: Level::new(0, 0, false),
            outer: Vec::new(),
            round: 0,
            escaped: usize::MAX,
            silent: Vec::new(),
        }
    }

    /// The ranges that mention nothing, in order, if all was understood.
    pub(super) fn silent(mut self) -> Option<Vec<Range<usize>>> {
        while let Some(skip) = self
            .rest()
            .iter()
            .position(|byte| SIGNS[usize::from(*byte)])
        {
            self.at += skip;
            self.sign(self.bytes[self.at]).ok()?;
        }
        Some(self.silent)
    }

    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn sign(&mut self, byte: u8) -> Result<(), Unsure> {
        match byte {
            b'"' | b'\'' => self.at = self.string_end(byte),
            b'/' => self.at = self.comment_end(),
            b'\\' => self.escape(),
            b'@' => self.at_keyword()?,
            b'(' => self.parenthesis()?,
            b'[' | b'{' => self.open(byte)?,
            b';' => {
                self.at += 1;
                if matches!(self.level.bracket, 0 | b'{') {
                    self.level.next_rule(self.at);
                }
            }
            _ => self.close(byte),
        }
        Ok(())
    }

    fn open(&mut self, bracket: u8) -> Result<(), Unsure> {
        let import = self.level.at_rule == AtRule::Import;
        if self.outer.len() >= MAX_OPEN || (bracket == b'{' && import) {
            return Err(Unsure);
        }
        self.at += 1;
        self.round += usize::from(bracket != b'{');
        let font_face = self.level.font_face || self.level.at_rule == AtRule::FontFace;
        let inner = Level::new(bracket, self.at, font_face);
        self.outer.push(std::mem::replace(&mut self.level, inner));
        Ok(())
    }

    /// A bracket that closes nothing means nothing.
    fn close(&mut self, byte: u8) {
        self.at += 1;
        let fits = matches!(
            (self.level.bracket, byte),
            (b'(', b')') | (b'[', b']') | (b'{', b'}')
        );
        let Some(outer) = self.outer.pop_if(|_| fits) else {
            return;
        };
        let inner = std::mem::replace(&mut self.level, outer);
        if !inner.silent {
            self.level.speaks();
        }
        if byte != b'}' {
            self.round -= 1;
        } else if self.round == 0 {
            self.block(&inner);
            self.level.next_rule(self.at);
        }
    }

    /// A block has ended. It is left out, with what stands before it if that is silent as well.
    fn block(&mut self, inner: &Level) {
        let range = match self.level.rule_silent {
            true => self.level.rule..self.at,
            false => inner.start..self.at - 1,
        };
        if !inner.silent || inner.font_face || self.level.font_face || range.len() < MIN_SILENT {
            return;
        }
        while self.silent.pop_if(|cut| cut.start >= range.start).is_some() {}
        self.silent.push(range);
    }

    fn at_keyword(&mut self) -> Result<(), Unsure> {
        self.level.speaks();
        self.at += 1;
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_name(*byte));
        let name = &rest[..length.unwrap_or(rest.len())];
        self.at += name.len();
        if self.rest().first() == Some(&b'\\') {
            return Err(Unsure);
        }
        // What an at-rule that we know has before its block is all its own.
        if self.level.at_rule != AtRule::Other {
            return Ok(());
        }
        self.level.at_rule = if name.eq_ignore_ascii_case(b"import") {
            AtRule::Import
        } else if name.eq_ignore_ascii_case(b"font-face") {
            AtRule::FontFace
        } else {
            AtRule::Other
        };
        Ok(())
    }

    fn parenthesis(&mut self) -> Result<(), Unsure> {
        let before = &self.bytes[..self.at];
        let start = before.iter().rposition(|byte| !is_name(*byte));
        let start = start.map_or(0, |last| last + 1);
        if (start..=self.at).contains(&self.escaped) {
            return Err(Unsure);
        }
        let name = &before[start..];
        let is = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
        if is("url") {
            self.level.speaks();
            if matches!(before[..start].last(), Some(b'#' | b'@')) {
                return Err(Unsure);
            }
            let inside = self.bytes[self.at + 1..].trim_ascii_start();
            if !matches!(inside.first(), Some(b'"' | b'\'')) {
                self.at = self.unquoted_url_end();
                return Ok(());
            }
        } else if is("src") || is("image-set") || is("-webkit-image-set") {
            self.level.speaks();
        }
        self.open(b'(')
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | 0x80..)
}
