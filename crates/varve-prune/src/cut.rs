//! A script, or a page with scripts in it, in two: what is stored in its place, and what is stored
//! apart.

use crate::learned::Run;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use varve_js::{Form, Mark, Note, Split, split};
use varve_page::inline_scripts;
use varve_store::collection::{Part, PartsKey, WholeDigest};

/// From what less can be taken is not worth a record and a line in the index.
const WORTH_BYTES: usize = 2 << 10;
const WORTH_SHARE: usize = 20;
/// A script is data if values are at least this part of it.
const DATA_SHARE: usize = 2;
const BOM: &str = "\u{feff}";
/// What is noted of a part that is no body of a function.
const COMMENT: char = 'c';

/// A body in two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What it is as a whole.
    pub whole: WholeDigest,
    /// The name of what is taken out.
    pub key: PartsKey,
    /// What is stored in its place, with stubs.
    pub hot: Vec<u8>,
    /// What the stubs have in the place of what restores their bodies.
    pub mark: Mark,
    /// What was taken out.
    pub cold: Vec<Part>,
}

impl Cut {
    /// How many functions were taken out.
    pub fn functions(&self) -> usize {
        let is_function = |part: &&Part| !part.note.starts_with(COMMENT);
        self.cold.iter().filter(is_function).count()
    }

    /// Nothing that a script says is left in its place.
    pub fn is_all(&self) -> bool {
        self.hot.is_empty() || self.hot == BOM.as_bytes()
    }
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
    /// It is far too long, or not packed as its server said.
    Unreadable,
    /// All of it ran, or hardly anything can be taken out.
    NothingCold,
    /// The same of one that is mostly values, such as the index of a search: that is left to
    /// compression.
    Data,
    /// What is left of it would not be smaller on disk: its server packed it better than we can.
    NotSmaller,
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
            Whole::Unreadable => "far too long, or not packed as its server said",
            Whole::NothingCold => "nothing worth taking out",
            Whole::Data => "data",
            Whole::NotSmaller => "not smaller on disk",
            Whole::Differed => "a page was not the same without",
        }
    }
}

/// Functions that were called in replay, by their scripts: where their bodies begin.
pub type Called = HashMap<WholeDigest, HashSet<usize>>;

/// What a body is that may have functions in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A script.
    Script,
    /// A page with scripts in it.
    Page,
}

/// Takes out of a body what never ran, neither in visits nor in replay.
pub fn cut(
    holder: Holder,
    body: &[u8],
    called: &Called,
    run: impl Fn(&str) -> Option<Run>,
) -> Result<Cut, Whole> {
    let text = std::str::from_utf8(body).map_err(|_| Whole::NotUtf8)?;
    let whole = WholeDigest::of(body);
    let called = called.get(&whole);
    let mut pieces = Vec::new();
    let mut why = None;
    let mut bytes = 0;
    for place in holder.scripts(text) {
        bytes += place.len();
        match piece(text, place, called, &run) {
            Ok(piece) => pieces.push(piece),
            Err(reason) => why = Some(reason),
        }
    }
    let taken: usize = pieces.iter().map(Piece::taken).sum();
    if taken < WORTH_BYTES.max(bytes / WORTH_SHARE) {
        let little = || {
            pieces
                .first()
                .map_or(Whole::NothingCold, Piece::why_so_little)
        };
        return Err(why.unwrap_or_else(little));
    }
    Ok(assemble(holder, text, whole, &pieces))
}

/// Takes all of a script away that nobody saw running: pages fetch some long before they need them,
/// and most never do. Replay serves it whole if it is asked for.
pub fn set_aside(body: &[u8]) -> Result<Cut, Whole> {
    let text = std::str::from_utf8(body).map_err(|_| Whole::NotUtf8)?;
    let mark = if text.starts_with(BOM) { BOM.len() } else { 0 };
    if body.len() < WORTH_BYTES {
        return Err(Whole::NothingCold);
    }
    let whole = WholeDigest::of(body);
    let place = mark..body.len();
    let key = PartsKey::of(&whole, std::iter::once(place.clone()));
    Ok(Cut {
        mark: Mark::for_text("", key.as_str()),
        key,
        whole,
        hot: body[..mark].to_vec(),
        cold: vec![Part {
            stub: mark..mark,
            bytes: body[place].to_vec(),
            note: String::new(),
        }],
    })
}

impl Holder {
    /// Where the scripts are in a body.
    fn scripts(self, text: &str) -> Vec<Range<usize>> {
        // Browsers do not count the mark.
        let mark = if text.starts_with(BOM) { BOM.len() } else { 0 };
        match self {
            Holder::Script => std::iter::once(mark..text.len()).collect(),
            Holder::Page => inline_scripts(text),
        }
    }
}

/// One script of a body, and what can be taken out of it.
struct Piece {
    place: Range<usize>,
    split: Split,
    is_module: bool,
}

impl Piece {
    fn taken(&self) -> usize {
        self.split.cold.iter().map(|cold| cold.body.len()).sum()
    }

    /// Why hardly anything can be taken out.
    fn why_so_little(&self) -> Whole {
        match self.split.values * DATA_SHARE >= self.place.len() {
            true => Whole::Data,
            false => Whole::NothingCold,
        }
    }

    /// Where what is taken out stands in the whole.
    fn places(&self) -> impl Iterator<Item = Range<usize>> {
        let start = self.place.start;
        let cold = self.split.cold.iter();
        cold.map(move |cold| start + cold.body.start..start + cold.body.end)
    }
}

fn piece(
    text: &str,
    place: Range<usize>,
    called: Option<&HashSet<usize>>,
    run: impl Fn(&str) -> Option<Run>,
) -> Result<Piece, Whole> {
    let source = &text[place.clone()];
    let run = run(source).ok_or(Whole::NeverSeen)?;
    let mut split =
        split(source, same_form(&run), &run.functions()).map_err(|note| match note {
            Note::Syntax(_) => Whole::Syntax,
            _ => Whole::TooMuch,
        })?;
    if let Some(called) = called {
        let is_called = |cold: &varve_js::Cold| called.contains(&(place.start + cold.body.start));
        split.cold.retain(|cold| !is_called(cold));
    }
    let piece = Piece {
        place,
        split,
        is_module: run.is_module,
    };
    match piece.split.cold.is_empty() {
        true => Err(piece.why_so_little()),
        false => Ok(piece),
    }
}

/// The form in which a script ran.
pub(crate) fn same_form(run: &Run) -> Form {
    match run.is_module {
        true => Form::Module,
        false => Form::Classic,
    }
}

/// The body with stubs, and what was taken out.
fn assemble(holder: Holder, text: &str, whole: WholeDigest, pieces: &[Piece]) -> Cut {
    let key = PartsKey::of(&whole, pieces.iter().flat_map(Piece::places));
    let mark = Mark::for_text(text, key.as_str());
    let mut stored = String::with_capacity(text.len() / 2);
    let mut cold = Vec::new();
    let mut copied = 0;
    for piece in pieces {
        let source = &text[piece.place.clone()];
        stored.push_str(&text[copied..piece.place.start]);
        let start = stored.len();
        let hot = piece.split.hot(source, &|_| mark.as_str().to_owned());
        stored.push_str(&hot.text);
        for (part, stub) in piece.split.cold.iter().zip(&hot.stubs) {
            cold.push(Part {
                stub: start + stub.start..start + stub.end,
                bytes: source.as_bytes()[part.body.clone()].to_vec(),
                note: note(holder, piece, part),
            });
        }
        copied = piece.place.end;
    }
    stored.push_str(&text[copied..]);
    Cut {
        whole,
        key,
        hot: stored.into_bytes(),
        mark,
        cold,
    }
}

/// What replay must know of a body.
fn note(holder: Holder, piece: &Piece, part: &varve_js::Cold) -> String {
    let manner = part.manner;
    let marks = [
        (part.is_comment(), COMMENT),
        (manner.is_async, 'a'),
        (manner.is_expression, 'e'),
        (manner.is_generator, 'g'),
        (piece.is_module, 'm'),
    ];
    let marks = marks.into_iter().filter(|(is_so, _)| *is_so);
    let marks: String = marks.map(|(_, mark)| mark).collect();
    match (holder, &piece.place) {
        (Holder::Script, _) => marks,
        (Holder::Page, Range { start, end }) => format!("{marks}@{start}-{end}"),
    }
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
        format!(
            "function warm() {{ return 1 }}\nasync function never() {{\n{long}await roses }}\nwarm();\n"
        )
    }

    fn run(is_module: bool) -> Option<Run> {
        Some(Run::of(&[(0, 28)], is_module))
    }

    /// The script as it comes back.
    fn whole(cut: &Cut) -> Option<Vec<u8>> {
        let parts = Parts {
            whole: cut.whole.clone(),
            url: String::new(),
            date: Timestamp::parse("20260102030405").unwrap(),
            parts: cut.cold.clone(),
        };
        parts.join(&cut.hot)
    }

    #[test]
    fn what_never_ran_is_taken_out_and_comes_back() {
        for mark in ["", BOM] {
            let source = format!("{mark}{}", source());
            let cut = cut(Holder::Script, source.as_bytes(), &Called::new(), |text| {
                assert!(!text.starts_with(BOM));
                run(true)
            });
            let cut = cut.unwrap();
            let hot = String::from_utf8(cut.hot.clone()).unwrap();
            assert!(hot.contains("async function never() {return _v}"), "{hot}");
            assert!(hot.contains("function warm() { return 1 }"), "{hot}");
            assert!(!hot.contains("roses"), "{hot}");
            assert_eq!(cut.cold[0].note, "am");
            assert_eq!(whole(&cut).unwrap(), source.as_bytes());
        }
    }

    #[test]
    fn what_was_called_in_replay_stays() {
        let source = source();
        let whole = WholeDigest::of(source.as_bytes());
        let body = source.find("never() {").unwrap() + 9;
        let called = Called::from([(whole, HashSet::from([body]))]);
        let cut = cut(Holder::Script, source.as_bytes(), &called, |_| run(false));
        assert_eq!(cut, Err(Whole::NothingCold));
    }

    #[test]
    fn what_nobody_saw_running_is_set_aside_whole() {
        for mark in ["", BOM] {
            let source = format!("{mark}{}", source());
            let cut = set_aside(source.as_bytes()).unwrap();
            assert_eq!(cut.hot, mark.as_bytes());
            assert!(cut.is_all());
            assert_eq!(whole(&cut).unwrap(), source.as_bytes());
        }
        assert_eq!(set_aside(b"short()"), Err(Whole::NothingCold));
        assert_eq!(set_aside(b"f(\xff)"), Err(Whole::NotUtf8));
    }

    #[test]
    fn what_cannot_be_cut_stays_whole() {
        let check = |body: &[u8], run: Option<Run>, why: Whole| {
            let cut = cut(Holder::Script, body, &Called::new(), |_| run.clone());
            assert_eq!(cut, Err(why), "{}", why.words());
        };
        check(source().as_bytes(), None, Whole::NeverSeen);
        check(b"f(\xff)", run(false), Whole::NotUtf8);
        check(b"function (", run(false), Whole::Syntax);
        check(b"function f() { return 1 }", run(false), Whole::NothingCold);
        let data = format!("const data = [{}];", "'tulip',".repeat(10_000));
        check(data.as_bytes(), run(false), Whole::Data);
        let bundle = "function petal(a){return a.map(leaf=>leaf+1)}".repeat(500_000);
        assert!(bundle.len() > 20 << 20);
        check(bundle.as_bytes(), run(false), Whole::TooMuch);
        let nested = "(".repeat(100_000);
        check(nested.as_bytes(), run(false), Whole::TooMuch);
    }

    #[test]
    fn scripts_in_a_page_are_cut() {
        let script = source().replace(ROSES, &ROSES.repeat(2));
        let page = format!("<h1>é</h1><script>{script}</script><p>x<script>{script}</script>");
        let cut = cut(Holder::Page, page.as_bytes(), &Called::new(), |_| {
            run(false)
        })
        .unwrap();
        let hot = String::from_utf8(cut.hot.clone()).unwrap();
        assert!(hot.starts_with("<h1>é</h1><script>function warm() { return 1 }"));
        assert!(!hot.contains("roses"), "{hot}");
        assert_eq!(hot.matches("{return _v}").count(), 2, "{hot}");
        // Replay must know where the script stands.
        assert_eq!(cut.cold[0].note, format!("a@19-{}", 19 + script.len()));
        assert_eq!(whole(&cut).unwrap(), page.as_bytes());
    }

    #[test]
    fn scripts_of_a_page_that_nobody_saw_stay() {
        let (seen, unseen) = (source().repeat(3), source().replace("never", "nobody"));
        let page = format!("<script>{unseen}</script><script>{seen}</script>");
        let cut = cut(Holder::Page, page.as_bytes(), &Called::new(), |text| {
            run(false).filter(|_| text == seen)
        });
        let hot = String::from_utf8(cut.unwrap().hot).unwrap();
        assert!(hot.contains(&unseen), "{hot}");
    }
}
