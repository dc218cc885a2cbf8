//! What counts as a word.
//!
//! Letters and digits that stand together, without case and accents. In scripts that put no
//! spaces between words each letter is one, so that any part of a text can be found as a phrase.

use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, TextAnalyzer, Token, TokenStream, Tokenizer,
};

/// The name under which indexes know this.
pub(crate) const WORDS: &str = "varve-words-1";
/// Longer words, in bytes, are data.
const MAX_WORD: usize = 80;

/// Cuts texts into words as they are compared.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(Cutter::default())
        .filter(RemoveLongFilter::limit(MAX_WORD))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// The words of a text, as they are compared, with where they stand in it.
pub(crate) fn words(text: &str) -> Vec<Token> {
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(text);
    let mut words = Vec::new();
    while stream.advance() {
        words.push(stream.token().clone());
    }
    words
}

/// Whether a script has no spaces between words.
fn stands_alone(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3040}'..='\u{30ff}' // Hiragana, Katakana
        | '\u{3400}'..='\u{9fff}' // Han
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

fn is_mark(letter: char) -> bool {
    // Combining accents belong to the letter before them.
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

#[derive(Clone, Default)]
struct Cutter {
    token: Token,
}

struct Cuts<'a> {
    text: &'a str,
    at: usize,
    token: &'a mut Token,
}

impl Tokenizer for Cutter {
    type TokenStream<'a> = Cuts<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Cuts<'a> {
        self.token.reset();
        Cuts {
            text,
            at: 0,
            token: &mut self.token,
        }
    }
}

impl Cuts<'_> {
    /// Where the word ends that begins at `from` with `first`.
    fn end(&self, from: usize, first: char) -> usize {
        let rest = &self.text[from..];
        let mut after = rest.char_indices().skip(1);
        let inside = |letter: char| match stands_alone(first) {
            true => is_mark(letter),
            false => (letter.is_alphanumeric() && !stands_alone(letter)) || is_mark(letter),
        };
        let end = after.find(|(_, letter)| !inside(*letter));
        end.map_or(self.text.len(), |(at, _)| from + at)
    }
}

impl TokenStream for Cuts<'_> {
    fn advance(&mut self) -> bool {
        self.token.text.clear();
        self.token.position = self.token.position.wrapping_add(1);
        let rest = &self.text[self.at..];
        let Some((skipped, first)) = rest.char_indices().find(|(_, it)| it.is_alphanumeric())
        else {
            self.at = self.text.len();
            return false;
        };
        let from = self.at + skipped;
        let to = self.end(from, first);
        self.token.offset_from = from;
        self.token.offset_to = to;
        let letters = self.text[from..to].chars().filter(|it| !is_mark(*it));
        self.token.text.extend(letters);
        self.at = to;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let words = words(text);
        let found: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_of_many_languages() {
        check("Ferns like shade.", &["ferns", "like", "shade"]);
        check("Crème brûlée, 2×", &["creme", "brulee", "2"]);
        check("cafe\u{301}", &["cafe"]);
        check("Straße über", &["strasse", "uber"]);
        check("Привет, МИР", &["привет", "мир"]);
        check("東京タワー3階", &["東", "京", "タ", "ワ", "ー", "3", "階"]);
        check("a1-b2_c3", &["a1", "b2", "c3"]);
        check(" \n…", &[]);
    }
}
