use super::*;

const LIST: [u64; 3] = [1, 1, 1];
const ARTICLE: [u64; 3] = [2, 2, 1];

/// Visits pages of the list until it is closed; gives how many it took.
fn pages_until_closed(
    novelty: &mut Novelty,
    pages: u32,
    visit: impl Fn(&mut Novelty, u32) -> Judgement,
) -> Option<u32> {
    (1..=pages).find(|page| visit(novelty, *page).closed[0])
}

fn page(novelty: &mut Novelty, spaces: [u64; 3], text: &str, to: &[[u64; 3]]) -> Judgement {
    novelty.observe(&Visit {
        spaces,
        features: &Features::of(text),
        new_embeds: 0,
        leads_to: to,
    })
}

#[test]
fn pages_that_only_lead_to_their_like_are_closed() {
    let mut novelty = Novelty::new();
    let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
        page(novelty, LIST, &format!("Week {n}: no events"), &[LIST])
    });
    assert_eq!(took, Some(129));
}

#[test]
fn leaves_weigh_less() {
    let mut novelty = Novelty::new();
    let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
        page(novelty, LIST, &format!("Record {n}"), &[])
    });
    assert_eq!(took, Some(489));
}

#[test]
fn new_words_pictures_and_articles_keep_a_space_open() {
    let word = |n: u32| -> String {
        let letter = |shift: u32| char::from(b'a' + (n >> shift & 15) as u8);
        [letter(0), letter(4), letter(8)].iter().collect()
    };
    let mut novelty = Novelty::new();
    let words = pages_until_closed(&mut novelty, 3_000, |novelty, n| {
        page(novelty, LIST, &format!("Plant {}", word(n)), &[LIST])
    });
    assert_eq!(words, None);

    let mut novelty = Novelty::new();
    let pictures = pages_until_closed(&mut novelty, 3_000, |novelty, _| {
        novelty.observe(&Visit {
            spaces: LIST,
            features: &Features::of("Gallery"),
            new_embeds: 1,
            leads_to: &[LIST],
        })
    });
    assert_eq!(pictures, None);

    let mut novelty = Novelty::new();
    let articles = pages_until_closed(&mut novelty, 3_000, |novelty, n| {
        page(
            novelty,
            ARTICLE,
            &format!("About the {} plant", word(n)),
            &[],
        );
        page(novelty, LIST, "Page of articles", &[LIST, ARTICLE])
    });
    assert_eq!(articles, None);
}

#[test]
fn two_spaces_that_feed_each_other_are_both_closed() {
    let mut novelty = Novelty::new();
    let took = pages_until_closed(&mut novelty, 1_000, |novelty, n| {
        page(novelty, ARTICLE, &format!("Day {n}"), &[LIST]);
        page(novelty, LIST, &format!("Month {n}"), &[LIST, ARTICLE])
    });
    assert!(took.is_some_and(|took| took < 200), "{took:?}");
}

#[test]
fn memory_has_a_limit() {
    const HASHES: usize = 60_000;
    let mut novelty = Novelty::with_hashes(HASHES);
    const PAGES: u64 = 12;
    for page in 0..30 * PAGES {
        let words: Vec<u32> = (0..5_000).map(|w| (page * 5_000 + w) as u32).collect();
        let space = page / PAGES;
        novelty.observe(&Visit {
            spaces: [space, space, space % 3],
            features: &Features {
                words,
                pairs: Vec::new(),
            },
            new_embeds: 0,
            leads_to: &[],
        });
    }
    for width in &novelty.widths {
        assert!(width.hashes > 0 && width.hashes <= HASHES);
    }
    let site = novelty.widths[2]
        .spaces
        .get(0)
        .map(|space| space.vocabulary.len());
    assert!(site.is_some_and(|known| known <= vocabulary::MAX_VOCABULARY));
}
