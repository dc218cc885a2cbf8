//! From what people type to a question to the engine.
//!
//! Pages must have every word. Words in quotes stand together; a word with a minus before it must
//! not be there. Nothing that is typed is wrong.

use crate::words::words;
use tantivy::Term;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

/// More words than this are not looked for.
const MAX_WORDS: usize = 32;
/// How much more a word in the title counts.
const TITLE: f32 = 3.0;

/// One thing that is looked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Words that stand together.
    pub(crate) words: Vec<String>,
    pub(crate) is_unwanted: bool,
}

/// What is looked for.
pub(crate) fn wanted(typed: &str) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    for (at, part) in typed.split('"').enumerate() {
        if at % 2 == 1 {
            wanted.push(together(part, false));
            continue;
        }
        for word in part.split_whitespace() {
            wanted.push(match word.strip_prefix('-') {
                Some(word) => together(word, true),
                None => together(word, false),
            });
        }
    }
    wanted.retain(|wanted| !wanted.words.is_empty());
    wanted.truncate(MAX_WORDS);
    wanted
}

fn together(text: &str, is_unwanted: bool) -> Wanted {
    let words = words(text).into_iter().take(MAX_WORDS);
    Wanted {
        words: words.map(|word| word.text).collect(),
        is_unwanted,
    }
}

/// The question; `None` if nothing is looked for.
pub(crate) fn query(typed: &str, title: Field, text: Field) -> Option<Box<dyn Query>> {
    let wanted = wanted(typed);
    if wanted.iter().all(|wanted| wanted.is_unwanted) {
        return None;
    }
    let clauses = wanted.iter().map(|wanted| {
        let occur = match wanted.is_unwanted {
            true => Occur::MustNot,
            false => Occur::Must,
        };
        let in_title = Box::new(BoostQuery::new(in_field(&wanted.words, title), TITLE));
        let either: Vec<(Occur, Box<dyn Query>)> = vec![
            (Occur::Should, in_title),
            (Occur::Should, in_field(&wanted.words, text)),
        ];
        let either: Box<dyn Query> = Box::new(BooleanQuery::new(either));
        (occur, either)
    });
    Some(Box::new(BooleanQuery::new(clauses.collect())))
}

fn in_field(words: &[String], field: Field) -> Box<dyn Query> {
    let term = |word: &String| Term::from_field_text(field, word);
    match words {
        [word] => Box::new(TermQuery::new(term(word), IndexRecordOption::WithFreqs)),
        words => Box::new(PhraseQuery::new(words.iter().map(term).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        let found: Vec<_> = wanted(typed)
            .iter()
            .map(|wanted| {
                let sign = if wanted.is_unwanted { "-" } else { "" };
                format!("{sign}{}", wanted.words.join("+"))
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{typed}");
    }

    #[test]
    fn what_people_type() {
        check("Red roses", "red roses");
        check("\"red roses\" -thorns", "red+roses -thorns");
        check("well-known", "well+known");
        check("\"open", "open");
        check("- \"\" ! *", "");
        check("東京", "東+京");
        check("title:x AND /re/ [a TO b]", "title+x and re a to b");
    }
}
