//! A pattern as a value: its pieces, whether a URL could come of it, and how it is written down
//! for people.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::form::Form;
use super::token::Volatile;

/// A value of the page, in some form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extractor {
    /// The name of the input.
    pub input: String,
    /// What is done with it.
    pub form: Form,
}

/// One piece of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Piece {
    /// This text.
    Literal(String),
    /// A value of the page. All visits so far were explained by each of these; the one that is
    /// believed most comes first.
    Value(Vec<Extractor>),
    /// Each value of a list in turn.
    Each(Extractor),
    /// What changes with every visit, with one that was seen.
    Volatile {
        /// What it is.
        kind: Volatile,
        /// What stood there once.
        sample: String,
    },
}

/// Literals and holes: one way to make URLs of a page's inputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pattern {
    pub(super) pieces: Vec<Piece>,
}

impl Pattern {
    pub(super) fn new(pieces: Vec<Piece>) -> Pattern {
        let empty = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.is_empty());
        Pattern {
            pieces: pieces.into_iter().filter(|piece| !empty(piece)).collect(),
        }
    }

    /// What it is made of.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Literals in their order, and something between them wherever there is a hole.
    pub(super) fn matches_text(&self, mut text: &str) -> bool {
        let mut gap = 0;
        for (nth, piece) in self.pieces.iter().enumerate() {
            let Piece::Literal(literal) = piece else {
                gap += 1;
                continue;
            };
            let last = nth + 1 == self.pieces.len();
            let Some(rest) = behind(text, literal, gap, last) else {
                return false;
            };
            (text, gap) = (rest, 0);
        }
        match gap {
            0 => text.is_empty(),
            _ => text.len() >= gap,
        }
    }

    pub(super) fn holes(&self) -> impl Iterator<Item = &[Extractor]> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Value(candidates) => Some(candidates.as_slice()),
            _ => None,
        })
    }

    pub(super) fn list(&self) -> Option<&Extractor> {
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Each(list) => Some(list),
            _ => None,
        })
    }

    pub(super) fn volatile_pieces(&self) -> usize {
        let volatile = |piece: &&Piece| matches!(piece, Piece::Volatile { .. });
        self.pieces.iter().filter(volatile).count()
    }
}

/// What is behind a literal: right here, or after a gap of at least so many bytes, or at the end.
fn behind<'t>(text: &'t str, literal: &str, gap: usize, last: bool) -> Option<&'t str> {
    if gap == 0 {
        return text.strip_prefix(literal);
    }
    if last {
        let before = text.strip_suffix(literal)?;
        return (before.len() >= gap).then_some("");
    }
    let searched = text.get(gap..)?;
    let at = searched.find(literal)?;
    Some(&searched[at + literal.len()..])
}

impl fmt::Display for Extractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.input, self.form)
    }
}

/// `https://h/data/{url:route|stem}.json`: a hole with several candidates shows the first, a list
/// has a star, and what is volatile a tilde.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => f.write_str(text)?,
                Piece::Value(candidates) => match candidates.as_slice() {
                    [] => f.write_str("{}")?,
                    [one] => write!(f, "{{{one}}}")?,
                    [first, rest @ ..] => write!(f, "{{{first} or {} more}}", rest.len())?,
                },
                Piece::Each(list) => write!(f, "{{*{list}}}")?,
                Piece::Volatile { kind, .. } => write!(f, "{{~{kind:?}}}")?,
            }
        }
        Ok(())
    }
}
