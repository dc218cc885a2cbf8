use super::*;
use crate::index::testing::{in_form, plain};
use crate::index::{Gate, LayerIndex, MergedIndex};
use proptest::prelude::*;
use std::sync::Arc;
use tempfile::TempDir;

const HOSTS: [&str; 3] = ["a.com", "b.a.com", "c.com"];
const PATHS: [&str; 3] = ["", "x", "x/y"];
const TIMES: [&str; 7] = [
    "20100101000000",
    "20100101000010",
    "20100101000010500",
    "20100101000020",
    "20150601120000",
    "20150601120001",
    "20200101000000",
];

fn line(host: usize, path: usize, time: usize, status: u16) -> String {
    let url = format!("http://{}/{}", HOSTS[host], PATHS[path]);
    let capture = Capture {
        key: Surt::from_url(&url),
        timestamp: Timestamp::parse(TIMES[time]).unwrap(),
        url,
        mime: Some("text/html".to_owned()),
        status: Some(status.to_string()),
        digest: None,
        length: 1,
        offset: 2,
        filename: "a.warc.gz".to_owned(),
        extra: Vec::new(),
    };
    capture.to_line()
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let one = (0..3_usize, 0..3_usize, 0..7_usize, 200..203_u16);
    let all = prop::collection::vec(one, 0..60);
    all.prop_map(|all| {
        let lines = all
            .into_iter()
            .map(|(host, path, time, status)| line(host, path, time, status));
        let mut lines: Vec<_> = lines.collect();
        lines.sort();
        lines
    })
}

fn time() -> impl Strategy<Value = Timestamp> {
    let between = [
        "20091231000000",
        "20100101000005",
        "20100101000015",
        "20160101000000",
    ];
    let all: Vec<_> = TIMES.into_iter().chain(between).collect();
    prop::sample::select(all).prop_map(|digits| Timestamp::parse(digits).unwrap())
}

prop_compose! {
    fn query()(
        url in prop::sample::select(vec!["a.com/", "a.com/x", "a.com/x/y", "b.a.com/x", "none.com/"]),
        matching in prop::sample::select(vec![
            UrlMatch::Exact,
            UrlMatch::Exact,
            UrlMatch::Prefix,
            UrlMatch::Host,
            UrlMatch::Domain,
        ]),
        keys in prop::option::weighted(0.1, Just(KeyRange {
            start: "com,a,b)/x".to_owned(),
            end: Some("com,c)/x/y".to_owned()),
        })),
        from in prop::option::weighted(0.3, time()),
        to in prop::option::weighted(0.3, time()),
        sort in prop_oneof![
            Just(Sort::Ascending), Just(Sort::Reverse), time().prop_map(Sort::Closest),
        ],
        limit in prop::option::of(0..20_usize),
        offset in prop_oneof![Just(0), 0..5_usize],
        filters in prop::collection::vec(
            prop::sample::select(vec!["=status:200", "!status:201", "~url:http://a", "x/y"]), 0..2),
        collapse in prop::collection::vec(
            prop::sample::select(vec!["status", "timestamp:8", "timestamp:4", "urlkey"]), 0..3),
    ) -> Query {
        Query {
            url: url.to_owned(), matching, keys, from, to, sort, limit, offset,
            filters: filters.iter().map(|text| Filter::parse(text).unwrap()).collect(),
            collapse: collapse.iter().map(|text| Collapse::parse(text).unwrap()).collect(),
            ..Query::default()
        }
    }
}

fn open(layers: &[Vec<String>]) -> (Vec<(TempDir, LayerIndex)>, MergedIndex) {
    let forms = layers.iter().enumerate();
    let opened: Vec<_> = forms.map(|(at, lines)| in_form(lines, at as u8)).collect();
    let tagged = opened
        .iter()
        .enumerate()
        .map(|(at, (_, index))| (at, index.clone()));
    let merged = MergedIndex::new(tagged.collect());
    (opened, merged)
}

/// Admits what has another status than 201.
#[derive(Debug)]
struct NoneOf201;

impl Gate for NoneOf201 {
    fn admits(&self, capture: &Capture) -> bool {
        capture.status.as_deref() != Some("201")
    }
}

/// All captures in order.
fn all_hits(layers: &[Vec<String>]) -> Vec<Hit> {
    let tagged = |(layer, lines): (usize, &Vec<String>)| {
        lines
            .iter()
            .map(move |line| (line.clone(), layer))
            .collect::<Vec<_>>()
    };
    let mut all: Vec<_> = layers.iter().enumerate().flat_map(tagged).collect();
    all.sort();
    let hit = |(line, layer): (String, usize)| Hit {
        layer,
        capture: Capture::parse(&line).unwrap(),
    };
    all.into_iter().map(hit).collect()
}

fn sort_by_nearness(hits: &mut [Hit], at: Timestamp) {
    hits.sort_by_key(|hit| {
        hit.capture
            .timestamp
            .unix_millis()
            .abs_diff(at.unix_millis())
    });
}

/// The answer to a query the plain way: everything in memory, one step after the other.
fn answer(layers: &[Vec<String>], query: &Query) -> Vec<Hit> {
    let range = query
        .keys
        .clone()
        .unwrap_or_else(|| key_range(&query.url, query.matching));
    let mut hits = all_hits(layers);
    hits.retain(|hit| {
        let capture = &hit.capture;
        let millis = capture.timestamp.unix_millis();
        range.contains(capture.key.as_str())
            && query.from.is_none_or(|from| from.unix_millis() <= millis)
            && query.to.is_none_or(|to| millis <= to.unix_millis())
            && query.filters.iter().all(|filter| filter.accepts(capture))
    });
    for collapse in &query.collapse {
        let start = |hit: &Hit| {
            let text = collapse.field.text(&hit.capture).unwrap().into_owned();
            text.chars()
                .take(collapse.chars.unwrap_or(usize::MAX))
                .collect::<String>()
        };
        hits.dedup_by_key(|hit| start(hit));
    }
    match query.sort {
        Sort::Ascending => {}
        Sort::Reverse => hits.reverse(),
        Sort::Closest(at) => sort_by_nearness(&mut hits, at),
    }
    let limit = query.limit.unwrap_or(usize::MAX);
    hits.into_iter().skip(query.offset).take(limit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn queries_agree_with_the_plain_way(
        layers in prop::collection::vec(lines(), 0..4),
        queries in prop::collection::vec(query(), 5),
    ) {
        let (_dirs, index) = open(&layers);
        for query in queries {
            let hits: Vec<_> = index.query(&query).unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(hits, answer(&layers, &query), "{:?}", query);
        }
    }

    #[test]
    fn behind_a_gate_is_as_if_the_rest_were_not_there(
        layers in prop::collection::vec(lines(), 0..4),
        queries in prop::collection::vec(query(), 5),
        at in time(),
    ) {
        let (_dirs, index) = open(&layers);
        let index = index.behind(Arc::new(NoneOf201));
        let admitted = |lines: &Vec<String>| {
            let admitted = lines.iter().filter(|line| !line.contains("\"201\""));
            admitted.cloned().collect::<Vec<_>>()
        };
        let layers: Vec<_> = layers.iter().map(admitted).collect();
        for query in queries {
            let hits: Vec<_> = index.query(&query).unwrap().map(Result::unwrap).collect();
            prop_assert_eq!(hits, answer(&layers, &query), "{:?}", query);
        }
        let key = Surt::from_url("a.com/x");
        let mut hits = all_hits(&layers);
        hits.retain(|hit| hit.capture.key == key);
        sort_by_nearness(&mut hits, at);
        prop_assert_eq!(index.closest(&key, at).unwrap(), hits.into_iter().next());
    }

    #[test]
    fn closest_agrees_with_the_plain_way(
        layers in prop::collection::vec(lines(), 0..4),
        url in prop::sample::select(vec!["a.com/", "a.com/x", "c.com/x/y", "none.com/"]),
        at in time(),
    ) {
        let (_dirs, index) = open(&layers);
        let key = Surt::from_url(url);
        let mut hits = all_hits(&layers);
        hits.retain(|hit| hit.capture.key == key);
        sort_by_nearness(&mut hits, at);
        prop_assert_eq!(index.closest(&key, at).unwrap(), hits.into_iter().next());
    }
}

/// Three captures of one key, with two lines among them that are none.
fn damaged() -> (TempDir, MergedIndex) {
    let mut lines: Vec<_> = [0, 3, 6].map(|time| line(0, 0, time, 200)).to_vec();
    lines.insert(1, "com,a)/ 20100101000001 {\"url\": 5".to_owned());
    lines.insert(3, "com,a)/ 2012".to_owned());
    let (dir, index) = plain(lines.join("\n").as_bytes());
    (dir, MergedIndex::new(vec![(0, index)]))
}

#[test]
fn damaged_lines_are_named_and_hide_no_others() {
    let (_dir, index) = damaged();
    let at = Timestamp::parse("20120101000000").unwrap();
    let orders: [(Sort, [usize; 3]); 3] = [
        (Sort::Ascending, [0, 3, 6]),
        (Sort::Reverse, [6, 3, 0]),
        (Sort::Closest(at), [3, 0, 6]),
    ];
    for (sort, expected) in orders {
        for matching in [UrlMatch::Exact, UrlMatch::Domain] {
            let url = "http://a.com/".to_owned();
            let query = Query {
                url,
                matching,
                sort,
                ..Query::default()
            };
            let (hits, errors): (Vec<_>, Vec<_>) =
                index.query(&query).unwrap().partition(Result::is_ok);
            let times: Vec<_> = hits
                .into_iter()
                .map(|hit| hit.unwrap().capture.timestamp.digits())
                .collect();
            assert_eq!(times, expected.map(|time| TIMES[time]), "{sort:?}");
            let errors: Vec<_> = errors
                .into_iter()
                .map(|e| e.unwrap_err().to_string())
                .collect();
            assert_eq!(errors.len(), 2, "{errors:?}");
            assert!(
                errors
                    .iter()
                    .all(|error| error.contains("index.cdxj: offset ")),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn closest_passes_over_damaged_lines() {
    let (_dir, index) = damaged();
    for (at, time) in [
        ("20100101000001", 0),
        ("20120101000000", 3),
        ("20190101000000", 6),
    ] {
        let at = Timestamp::parse(at).unwrap();
        let hit = index
            .closest(&Surt::from_url("http://a.com/"), at)
            .unwrap()
            .unwrap();
        assert_eq!(hit.capture.timestamp.digits(), TIMES[time]);
    }
    let (_dir, nothing_else) = plain(b"com,a)/ 2012\n");
    let index = MergedIndex::new(vec![(0, nothing_else)]);
    let at = Timestamp::parse(TIMES[0]).unwrap();
    assert!(index.closest(&Surt::from_url("http://a.com/"), at).is_err());
    assert_eq!(
        index.closest(&Surt::from_url("http://b.com/"), at).unwrap(),
        None
    );
}

#[test]
fn a_scan_that_finds_nothing_can_be_bounded() {
    let lines: Vec<_> = (0..7).map(|time| line(0, 0, time, 200)).collect();
    let (_dir, index) = plain(lines.join("\n").as_bytes());
    let index = MergedIndex::new(vec![(0, index)]);
    let query = Query {
        url: "http://a.com/".to_owned(),
        filters: vec![Filter::parse("=status:404").unwrap()],
        scan_limit: Some(5),
        ..Query::default()
    };
    let found: Vec<_> = index.query(&query).unwrap().collect();
    assert_eq!(found.len(), 1);
    let error = found[0].as_ref().unwrap_err().to_string();
    assert!(error.contains("stopped after 5 index lines"), "{error}");
}

#[test]
fn rows_have_the_fields_asked_for() {
    let capture = Capture::parse(&line(0, 1, 0, 200)).unwrap();
    let mut query = Query::default();
    let names: Vec<_> = query
        .row(&capture)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names.join(" "),
        "urlkey timestamp url mime status length offset filename"
    );
    query.fields = ["timestamp", "original", "digest"]
        .map(Field::named)
        .to_vec();
    let row = query.row(&capture);
    let expected = [("timestamp", TIMES[0]), ("url", "http://a.com/x")];
    assert_eq!(
        row,
        expected.map(|(name, text)| (name.to_owned(), text.to_owned()))
    );
}

#[test]
fn answers_can_be_given_from_any_thread() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    fn sent<T: Send + 'static>() {}
    shared::<MergedIndex>();
    shared::<LayerIndex>();
    sent::<Hits>();
}
