//! Random templates over random pages, and wild strings.

use proptest::prelude::*;

use super::*;

/// What a script does with a page, as JavaScript would.
#[derive(Clone, Debug)]
enum Made {
    Route,
    Last,
    LowerTitle,
    EncodedTitle,
    Id,
}

impl Made {
    fn of(&self, page: &Page) -> String {
        match self {
            Made::Route => page.path.join("/"),
            Made::Last => page.path.last().unwrap().clone(),
            Made::LowerTitle => page.title.to_lowercase(),
            Made::EncodedTitle => page.title.replace('/', "%2F"),
            Made::Id => page.id.clone(),
        }
    }
}

#[derive(Clone, Debug)]
struct Page {
    path: Vec<String>,
    title: String,
    id: String,
    images: Vec<String>,
}

fn page() -> impl Strategy<Value = Page> {
    (
        proptest::collection::vec("[a-z]{4,9}", 1..4),
        "[A-Z][a-z]{4,8}/[A-Z][a-z]{4,8}",
        "[a-z0-9]{12}",
        proptest::collection::vec("[a-z]{5,9}\\.(png|jpg)", 1..6),
    )
        .prop_map(|(path, title, id, images)| Page {
            path,
            title,
            id,
            images,
        })
}

fn made() -> impl Strategy<Value = Made> {
    prop_oneof![
        Just(Made::Route),
        Just(Made::Last),
        Just(Made::LowerTitle),
        Just(Made::EncodedTitle),
        Just(Made::Id),
    ]
}

fn visit(page: &Page, made: &[Made], literals: &[String]) -> Seen {
    let mut text = "https://data.example/".to_owned();
    for (made, literal) in made.iter().zip(literals) {
        text.push_str(&format!("{literal}/{}-", made.of(page)));
    }
    text.push_str(".json");
    let lazy: Vec<&str> = page.images.iter().map(String::as_str).collect();
    let mut seen = seen(
        &format!("https://site.example/{}", page.path.join("/")),
        &[("meta:title", &page.title), ("attr:body@data-id", &page.id)],
        &[("attr:img@data-src", &lazy)],
        &[&text],
    );
    let images = lazy
        .iter()
        .map(|image| format!("https://cdn.example/i/{image}"));
    seen.urls.extend(images.map(|image| url(&image)));
    seen
}

fn wild() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,40}",
        "[a-z/%.0-9=&?_-]{0,60}",
        "(url\\()?.{0,9} [0-9]{1,9}[wx], .{0,9}"
    ]
}

fn wild_seen() -> impl Strategy<Value = Seen> {
    (
        proptest::collection::vec(wild(), 1..6),
        proptest::collection::vec(wild(), 0..6),
        proptest::collection::vec(wild(), 1..6),
    )
        .prop_map(|(singles, list, urls)| {
            let base = url("https://h/x/y");
            let join = |text: &String| base.join(text).unwrap_or(base.clone());
            let mut inputs = Inputs::of(join(&singles[0]));
            let named = singles.iter().enumerate();
            inputs.singles = named
                .map(|(nth, value)| (format!("slot:{nth}"), value.clone()))
                .collect();
            inputs.lists = [("attr:a@b".to_owned(), list)].into();
            Seen {
                inputs,
                urls: urls.iter().map(join).collect(),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever scripts make of pages, three visits are enough to foretell a fourth.
    #[test]
    fn what_was_learned_foretells_the_next_page(
        pages in proptest::collection::vec(page(), 4),
        made in proptest::collection::vec(made(), 1..4),
        literals in proptest::collection::vec("[a-z]{2,6}", 3),
    ) {
        let visits: Vec<Seen> = pages.iter().map(|page| visit(page, &made, &literals)).collect();
        let templates = learned(&visits[..3]);
        let last = &visits[3];
        for url in &last.urls {
            let found = templates.iter().any(|template| match template.expand(&last.inputs) {
                Expansion::Urls(urls) | Expansion::Unsure(urls) => urls.contains(url),
                Expansion::Missing(_) => false,
            });
            prop_assert!(found, "{url} by {templates:#?}");
        }
    }

    /// Wild strings teach what they teach; every template explains what it was learned from.
    #[test]
    fn wild_strings_do_no_harm(visits in proptest::collection::vec(wild_seen(), 1..5)) {
        for template in learned(&visits) {
            let confirmed = visits.iter().filter(|seen| match template.expand(&seen.inputs) {
                Expansion::Urls(urls) | Expansion::Unsure(urls) => {
                    urls.iter().any(|url| seen.urls.contains(url))
                }
                Expansion::Missing(_) => false,
            });
            prop_assert!(confirmed.count() >= 1 || template.patterns()[0].volatile_pieces() > 0);
        }
    }
}
