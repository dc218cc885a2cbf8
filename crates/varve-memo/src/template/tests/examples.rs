//! What sites do, each as a small table of visits.

use super::*;

#[test]
fn data_beside_the_page() {
    check(vec![
        seen(
            "https://h/guide/intro.html",
            &[],
            &[],
            &["https://h/data/guide/intro.json"],
        ),
        seen(
            "https://h/api/core.html",
            &[],
            &[],
            &["https://h/data/api/core.json"],
        ),
        seen(
            "https://h/blog/a/b.html",
            &[],
            &[],
            &["https://h/data/blog/a/b.json"],
        ),
    ]);
}

#[test]
fn a_build_and_the_route() {
    let data = |build: &str, route: &str| format!("https://h/_next/data/{build}/{route}.json");
    let visit = |page: &str, build: &str, route: &str| {
        let singles = [("json:__NEXT_DATA__.buildId", build), ("json:other", "x")];
        seen(page, &singles, &[], &[&data(build, route)])
    };
    check(vec![
        visit("https://h/docs/start", "k3j9x0a2bq", "docs/start"),
        visit("https://h/about", "k3j9x0a2bq", "about"),
        visit("https://h/", "9vq2mz71cd", "index"),
        visit("https://h/docs/end", "9vq2mz71cd", "docs/end"),
    ]);
}

#[test]
fn names_with_slashes_replaced() {
    check(vec![
        seen(
            "https://h/guide/intro.html",
            &[],
            &[],
            &["https://h/assets/guide_intro.md.js"],
        ),
        seen(
            "https://h/api/core.html",
            &[],
            &[],
            &["https://h/assets/api_core.md.js"],
        ),
        seen(
            "https://h/api/x/y.html",
            &[],
            &[],
            &["https://h/assets/api_x_y.md.js"],
        ),
    ]);
}

#[test]
fn values_are_encoded_and_folded() {
    check(vec![
        seen(
            "https://h/wiki/Alan_Turing",
            &[("slot:title", "Alan Turing & co")],
            &[],
            &["https://h/api?t=Alan%20Turing%20%26%20co&k=alan_turing"],
        ),
        seen(
            "https://h/wiki/Ada",
            &[("slot:title", "Ada/Lovelace")],
            &[],
            &["https://h/api?t=Ada%2FLovelace&k=ada"],
        ),
        seen(
            "https://h/wiki/Grace",
            &[("slot:title", "Grace = Hopper")],
            &[],
            &["https://h/api?t=Grace%20%3D%20Hopper&k=grace"],
        ),
    ]);
}

#[test]
fn lazy_images_of_a_list() {
    let name = "attr:img@data-src";
    check(vec![
        seen(
            "https://h/a/1",
            &[],
            &[(name, &["x.png", "/y.png", "https://cdn/z.png"])],
            &["https://h/a/x.png", "https://h/y.png", "https://cdn/z.png"],
        ),
        seen(
            "https://h/b/2",
            &[],
            &[(name, &["q.png"])],
            &["https://h/b/q.png"],
        ),
        seen(
            "https://h/c/3",
            &[],
            &[(name, &["r.png", "s.png", "r.png"])],
            &["https://h/c/r.png", "https://h/c/s.png"],
        ),
    ]);
}

#[test]
fn lists_within_urls_that_depend_on_the_page() {
    let name = "json:images[].id";
    let page = |gallery: &str, ids: &[&str]| {
        let urls: Vec<String> = ids
            .iter()
            .map(|id| format!("https://cdn/{gallery}/{id}_640.jpg?s=1"))
            .collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        seen(
            &format!("https://h/g/{gallery}"),
            &[],
            &[(name, ids)],
            &urls,
        )
    };
    check(vec![
        page("alps", &["p1x", "p2y", "p3z"]),
        page("rome", &["q1x", "q2y"]),
        page("oslo", &["r1", "r2", "r3", "r4"]),
    ]);
}

#[test]
fn candidates_of_lazy_source_sets_and_backgrounds() {
    let (sets, grounds) = ("attr:img@data-srcset", "attr:div@data-bg");
    check(vec![
        seen(
            "https://h/1",
            &[],
            &[
                (sets, &["a.png 1x, b.png 2x"]),
                (grounds, &["url('g.png')"]),
            ],
            &["https://h/b.png", "https://h/g.png"],
        ),
        seen(
            "https://h/2",
            &[],
            &[(sets, &["c.png 1x, d.png 2x"]), (grounds, &["url(h.png)"])],
            &["https://h/d.png", "https://h/h.png"],
        ),
        seen(
            "https://h/3",
            &[],
            &[(sets, &["e.png 1x, f.png 2x"]), (grounds, &["url(i.png)"])],
            &["https://h/f.png", "https://h/i.png"],
        ),
    ]);
}

#[test]
fn most_of_a_list_is_enough() {
    let name = "attr:a@href";
    let page = |page: &str, links: &[&str], asked: std::ops::Range<usize>| {
        let base = url(page);
        let urls: Vec<String> = links[asked]
            .iter()
            .map(|link| base.join(link).unwrap().to_string())
            .collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        seen(page, &[], &[(name, links)], &urls)
    };
    check(vec![
        page("https://h/1", &["a", "b", "c", "d", "e"], 0..4),
        page("https://h/2", &["f", "g", "mailto:x@y"], 0..2),
        page("https://h/3", &["i", "j"], 0..2),
    ]);
    let few = [
        page("https://h/1", &["a", "b", "c", "d", "e"], 1..4),
        page("https://h/2", &["f", "g", "h", "i", "j"], 1..4),
    ];
    assert_eq!(learned(&few), []);
}

#[test]
fn the_same_value_in_several_inputs_is_told_apart_by_another_visit() {
    let visit = |page: &str, id: &str, slug: &str| {
        let singles = [("attr:body@data-id", id), ("json:slug", slug)];
        seen(page, &singles, &[], &[&format!("https://h/c/{slug}.json")])
    };
    let mut visits = vec![
        visit("https://h/p/alpha", "alpha", "alpha"),
        visit("https://h/p/beta", "beta", "beta"),
    ];
    let unseen = visit("https://h/p/gamma", "other", "third");
    assert_eq!(
        foretold(&learned(&visits), &unseen.inputs),
        [
            "? https://h/c/gamma.json",
            "? https://h/c/other.json",
            "? https://h/c/third.json"
        ]
    );
    visits.push(unseen);
    visits.push(visit("https://h/p/delta", "this", "fourth"));
    check(visits);
}

#[test]
fn what_another_visit_contradicts_is_not_learned() {
    let visits = [
        seen("https://h/alpha", &[], &[], &["https://h/d/alpha.json"]),
        seen("https://h/beta", &[], &[], &["https://h/d/beta.json"]),
        seen("https://h/gamma", &[], &[], &["https://h/d/unlike.json"]),
    ];
    assert_eq!(learned(&visits), []);
    assert_eq!(learned(&visits[..2]).len(), 1);
    assert_eq!(learned(&visits[..1]), []);
}

#[test]
fn short_values_need_a_third_visit() {
    let visits = [
        seen("https://h/1", &[], &[], &["https://h/chunk.1.js"]),
        seen("https://h/2", &[], &[], &["https://h/chunk.2.js"]),
        seen("https://h/3", &[], &[], &["https://h/chunk.3.js"]),
    ];
    assert_eq!(learned(&visits[..2]), []);
    assert_eq!(learned(&visits).len(), 1);
}

#[test]
fn times_beside_values_are_volatile() {
    let visits = [
        seen(
            "https://h/alpha",
            &[],
            &[],
            &["https://h/q?p=alpha&_=1700000000123"],
        ),
        seen(
            "https://h/beta",
            &[],
            &[],
            &["https://h/q?p=beta&_=1700000004567"],
        ),
    ];
    let templates = learned(&visits);
    assert_eq!(templates.len(), 1);
    let text = templates[0].to_string();
    assert!(text.ends_with("&_={~Milliseconds}"), "{text}");
    let unseen = Inputs::of(url("https://h/gamma"));
    assert_eq!(
        foretold(&templates, &unseen),
        ["https://h/q?p=gamma&_=1700000004567"]
    );
    assert!(templates[0].matches(&url("https://h/q?p=x&_=1800000000000")));
}

#[test]
fn random_names_are_volatile_once_a_page_was_visited_twice() {
    let visit = |page: &str, token: &str| {
        let url = format!("https://h/q?p={page}&cb={token}");
        seen(&format!("https://h/{page}"), &[], &[], &[&url])
    };
    let mut visits = vec![visit("alpha", "k3j9x0a2bq"), visit("beta", "9vq2mz71cd")];
    assert_eq!(learned(&visits), []);
    visits.push(visit("beta", "5tx0r8w2yz"));
    assert_eq!(learned(&visits).len(), 1);
}

#[test]
fn pages_that_lack_an_input_are_told() {
    let name = "attr:body@data-page";
    let visits = [
        seen(
            "https://h/1",
            &[(name, "one")],
            &[],
            &["https://h/d/one.json"],
        ),
        seen(
            "https://h/2",
            &[(name, "two")],
            &[],
            &["https://h/d/two.json"],
        ),
    ];
    let templates = learned(&visits);
    let bare = Inputs::of(url("https://h/3"));
    assert_eq!(foretold(&templates, &bare), [format!("- {name}")]);
}

#[test]
fn templates_survive_being_stored() {
    let visits = [
        seen(
            "https://h/a/one.html",
            &[],
            &[],
            &["https://h/d/a/one.json"],
        ),
        seen(
            "https://h/b/two.html",
            &[],
            &[],
            &["https://h/d/b/two.json"],
        ),
    ];
    let templates = learned(&visits);
    assert_eq!(
        templates[0].to_string(),
        "https://h/d/{url:route|stem or 2 more}.json"
    );
    let text = serde_json::to_string(&templates).unwrap();
    let again: Vec<Template> = serde_json::from_str(&text).unwrap();
    assert_eq!(again, templates);
}

#[test]
fn large_visits_are_learned_from_in_bounded_time() {
    let visit = |page: usize| {
        let (mut singles, mut urls) = (Vec::new(), Vec::new());
        for nth in 0..2000 {
            singles.push((format!("json:{nth}"), format!("v{page}-{}", nth * 7 + page)));
        }
        for nth in 0..400 {
            urls.push(format!(
                "https://h/{nth}/v{page}-{}/{page}/{}",
                nth * 7 + page,
                nth * 3 + page
            ));
        }
        let singles: Vec<(&str, &str)> = singles
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        seen(&format!("https://h/{page}"), &singles, &[], &urls)
    };
    let visits: Vec<Seen> = (0..8).map(visit).collect();
    let begin = std::time::Instant::now();
    learned(&visits);
    assert!(begin.elapsed().as_secs() < 60, "{:?}", begin.elapsed());
}
