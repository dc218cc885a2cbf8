//! Answers written down, in the three forms of the field, piece by piece: a long one is never in
//! memory as text. Each form is a file of its own: how it begins, tells a memento, and ends.

mod cdxj;
mod in_json;
mod link;

use crate::answer::{Answer, Memento};
use serde_json::{Value, json};
use std::sync::Arc;
use varve_model::{TimeMapForm, Timestamp};

/// Pieces are about so long.
const PIECE: usize = 32 * 1024;

/// What of an answer is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// All of it.
    All,
    /// The memento nearest to a time, those beside it, the first and the last.
    Around(Timestamp),
}

/// An answer, and how it is to be written down.
#[derive(Clone, Debug)]
pub struct Rendering {
    answer: Arc<Answer>,
    /// Where the aggregator is, with a slash at the end.
    base: String,
    form: TimeMapForm,
    view: View,
    /// The mementos that are told, by their places.
    told: Vec<usize>,
    closest: Option<usize>,
}

impl Rendering {
    /// `base` is the address of the aggregator, with a slash at its end.
    pub fn new(answer: Arc<Answer>, base: &str, form: TimeMapForm, view: View) -> Rendering {
        let count = answer.mementos.len();
        let (told, closest) = match view {
            View::All => (Vec::new(), None),
            View::Around(time) => {
                let closest = answer.closest(time);
                let beside =
                    closest.map_or([None; 3], |at| [at.checked_sub(1), Some(at), Some(at + 1)]);
                let ends = [Some(0), count.checked_sub(1)];
                let all = beside.into_iter().chain(ends).flatten();
                let mut told: Vec<usize> = all.filter(|at| *at < count).collect();
                told.sort_unstable();
                told.dedup();
                (told, closest)
            }
        };
        Rendering {
            answer,
            base: base.to_owned(),
            form,
            view,
            told,
            closest,
        }
    }

    /// The memento nearest to the time that was asked for.
    pub fn closest(&self) -> Option<&Memento> {
        self.answer.mementos.get(self.closest?)
    }

    /// How many mementos are told.
    pub fn len(&self) -> usize {
        match self.view {
            View::All => self.answer.mementos.len(),
            View::Around(_) => self.told.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text, in pieces.
    pub fn pieces(self) -> impl Iterator<Item = String> + Send + use<> {
        let mut step = 0;
        std::iter::from_fn(move || {
            let mut piece = String::new();
            while piece.len() < PIECE && step <= self.len() + 1 {
                match step {
                    0 => self.begin(&mut piece),
                    at if at <= self.len() => self.tell(&mut piece, at - 1),
                    _ => self.end(&mut piece),
                }
                step += 1;
            }
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// What a `Link` field says of an answer around a time.
    pub fn link_field(&self) -> String {
        link::field(self)
    }

    fn original(&self) -> &str {
        self.answer.original.as_str()
    }

    fn memento(&self, number: usize) -> Option<(usize, &Memento)> {
        let at = match self.view {
            View::All => number,
            View::Around(_) => *self.told.get(number)?,
        };
        Some((at, self.answer.mementos.get(at)?))
    }

    /// What a memento is to the others: `closest` among them.
    fn relations(&self, at: usize) -> impl Iterator<Item = &'static str> {
        let last = self.answer.mementos.len().wrapping_sub(1);
        let near = self.closest;
        [
            ("first", at == 0),
            ("last", at == last),
            ("prev", near.is_some_and(|near| at + 1 == near)),
            ("next", near.is_some_and(|near| at == near + 1)),
            ("closest", near == Some(at)),
        ]
        .into_iter()
        .filter_map(|(relation, holds)| holds.then_some(relation))
    }

    fn relation(&self, at: usize) -> String {
        let named = self.relations(at).filter(|relation| *relation != "closest");
        named.chain(["memento"]).collect::<Vec<_>>().join(" ")
    }

    fn own(&self, form: TimeMapForm) -> String {
        format!("{}timemap/{}/{}", self.base, form.name(), self.original())
    }

    fn timegate(&self) -> String {
        format!("{}timegate/{}", self.base, self.original())
    }

    fn this(&self) -> String {
        match self.view {
            View::All => self.own(self.form),
            View::Around(time) => {
                let (form, time) = (self.form.name(), time.digits14());
                format!("{}memento/{form}/{time}/{}", self.base, self.original())
            }
        }
    }

    fn forms(&self) -> Value {
        json!({
            "link_format": self.own(TimeMapForm::Link),
            "json_format": self.own(TimeMapForm::Json),
            "cdxj_format": self.own(TimeMapForm::Cdxj),
        })
    }

    fn missing(&self) -> Option<Value> {
        let told = self.answer.missing.iter();
        let told = told.map(|one| json!({"archive": *one.archive, "reason": one.trouble.reason()}));
        (!self.answer.missing.is_empty()).then(|| told.collect())
    }

    fn begin(&self, out: &mut String) {
        match self.form {
            TimeMapForm::Link => link::begin(self, out),
            TimeMapForm::Json => in_json::begin(self, out),
            TimeMapForm::Cdxj => cdxj::begin(self, out),
        }
    }

    fn tell(&self, out: &mut String, number: usize) {
        let Some((at, memento)) = self.memento(number) else {
            return;
        };
        match self.form {
            TimeMapForm::Link => link::tell(self, out, at, memento),
            TimeMapForm::Json => in_json::tell(out, number, memento),
            TimeMapForm::Cdxj => cdxj::tell(self, out, at, memento),
        }
    }

    fn end(&self, out: &mut String) {
        match self.form {
            TimeMapForm::Link => link::end(self, out),
            TimeMapForm::Json => in_json::end(self, out),
            TimeMapForm::Cdxj => {}
        }
    }
}

#[cfg(test)]
mod tests;
