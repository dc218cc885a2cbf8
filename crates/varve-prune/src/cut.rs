//! One script in two: what is stored in its place, and what is stored apart.

use crate::learned::Run;
use std::collections::{HashMap, HashSet};
use varve_js::{Form, Note, restoring, split};
use varve_store::collection::{Part, PartsKey};

/// Scripts from which less can be taken are not worth a record and a line in the index.
const WORTH_BYTES: usize = 2 << 10;
const WORTH_SHARE: usize = 20;
const BOM: &str = "\u{feff}";

/// A script in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The name of the whole.
    pub key: PartsKey,
    /// What is stored in its place, with stubs.
    pub hot: Vec<u8>,
    /// What was taken out.
    pub cold: Vec<Part>,
}

/// Why a script stays whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Whole {
    /// Nobody saw it run.
    NeverSeen,
    /// It is not text in UTF-8.
    NotUtf8,
    /// It does not parse.
    Syntax,
    /// It is too long or too deeply nested.
    TooMuch,
    /// All of it ran, or hardly anything can be taken out: scripts that are data, for one.
    NothingCold,
    /// With less of it a page was not the same.
    Differed,
}

impl Whole {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Whole::NeverSeen => "never seen running",
            Whole::NotUtf8 => "not UTF-8",
            Whole::Syntax => "does not parse",
            Whole::TooMuch => "too long or too deep",
            Whole::NothingCold => "nothing worth taking out",
            Whole::Differed => "a page was not the same without",
        }
    }
}

/// Functions that were called in replay, by the scripts' keys: where their bodies begin.
pub type Called = HashMap<PartsKey, HashSet<usize>>;

/// Takes out of a script what never ran, neither in visits nor in replay.
pub fn cut(
    body: &[u8],
    called: &Called,
    run: impl FnOnce(&str) -> Option<Run>,
) -> Result<Cut, Whole> {
    let whole = std::str::from_utf8(body).map_err(|_| Whole::NotUtf8)?;
    // Browsers do not count the mark.
    let source = whole.strip_prefix(BOM).unwrap_or(whole);
    let mark = whole.len() - source.len();
    let run = run(source).ok_or(Whole::NeverSeen)?;
    let form = match run.is_module {
        true => Form::Module,
        false => Form::Classic,
    };
    let mut split = split(source, form, &run.functions()).map_err(|note| match note {
        Note::Syntax(_) => Whole::Syntax,
        _ => Whole::TooMuch,
    })?;
    let key = PartsKey::of(body);
    if let Some(called) = called.get(&key) {
        let cold = |cold: &varve_js::Cold| !called.contains(&(cold.body.start + mark));
        split.cold.retain(cold);
    }
    let taken: usize = split.cold.iter().map(|cold| cold.body.len()).sum();
    if taken < WORTH_BYTES.max(source.len() / WORTH_SHARE) {
        return Err(Whole::NothingCold);
    }
    let hot = split.hot(source, &|number| restoring(key.as_str(), number));
    let parts = split.cold.iter().zip(&hot.stubs);
    let cold = parts.map(|(cold, stub)| Part {
        stub: stub.start + mark..stub.end + mark,
        bytes: source.as_bytes()[cold.body.clone()].to_vec(),
        note: note(cold.is_async, run.is_module),
    });
    Ok(Cut {
        cold: cold.collect(),
        hot: [&whole[..mark], &hot.text].concat().into_bytes(),
        key,
    })
}

/// What replay must know of a body.
fn note(is_async: bool, is_module: bool) -> String {
    let is_async = if is_async { "a" } else { "" };
    let is_module = if is_module { "m" } else { "" };
    format!("{is_async}{is_module}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use varve_model::Timestamp;
    use varve_store::collection::Parts;

    const ROSES: &str = "const roses = 'a line that makes a body long enough to be worth it';\n";

    /// A script with one function that ran and one that did not.
    fn source() -> String {
        let long = ROSES.repeat(40);
        format!("function warm() {{ return 1 }}\nasync function never() {{\n{long}}}\nwarm();\n")
    }

    fn run(is_module: bool) -> Option<Run> {
        Some(Run::of(&[(0, 28)], is_module))
    }

    /// The script as it comes back.
    fn whole(cut: &Cut) -> Option<Vec<u8>> {
        let parts = Parts {
            url: String::new(),
            date: Timestamp::parse("20260102030405").unwrap(),
            parts: cut.cold.clone(),
        };
        parts.join(&cut.hot, &cut.key)
    }

    #[test]
    fn what_never_ran_is_taken_out_and_comes_back() {
        for mark in ["", BOM] {
            let source = format!("{mark}{}", source());
            let cut = cut(source.as_bytes(), &Called::new(), |text| {
                assert!(!text.starts_with(BOM));
                run(true)
            });
            let cut = cut.unwrap();
            let hot = String::from_utf8(cut.hot.clone()).unwrap();
            let stub = format!("{{return eval(__varve.cold(\"{}\",0))}}", cut.key);
            assert!(hot.contains(&stub), "{hot}");
            assert!(hot.contains("function warm() { return 1 }"), "{hot}");
            assert!(!hot.contains("roses"), "{hot}");
            assert_eq!(cut.cold[0].note, "am");
            assert_eq!(whole(&cut).unwrap(), source.as_bytes());
        }
    }

    #[test]
    fn what_was_called_in_replay_stays() {
        let source = source();
        let key = PartsKey::of(source.as_bytes());
        let body = source.find("never() {").unwrap() + 9;
        let called = Called::from([(key, HashSet::from([body]))]);
        let cut = cut(source.as_bytes(), &called, |_| run(false));
        assert_eq!(cut, Err(Whole::NothingCold));
    }

    #[test]
    fn what_cannot_be_cut_stays_whole() {
        let check = |body: &[u8], run: Option<Run>, why: Whole| {
            let cut = cut(body, &Called::new(), |_| run);
            assert_eq!(cut, Err(why), "{}", why.words());
        };
        check(source().as_bytes(), None, Whole::NeverSeen);
        check(b"f(\xff)", run(false), Whole::NotUtf8);
        check(b"function (", run(false), Whole::Syntax);
        check(b"function f() { return 1 }", run(false), Whole::NothingCold);
        let data = format!("const data = [{}];", "'tulip',".repeat(10_000));
        check(data.as_bytes(), run(false), Whole::NothingCold);
        let nested = "(".repeat(100_000);
        check(nested.as_bytes(), run(false), Whole::TooMuch);
    }
}
