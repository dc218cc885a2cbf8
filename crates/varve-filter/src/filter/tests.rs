#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

fn list(name: &str, text: &str) -> List {
    List {
        name: name.into(),
        text: text.into(),
    }
}

fn decide(filter: &Filter, script: &str, page: &str) -> Decision {
    filter.decide(&Url::parse(script).unwrap(), &Url::parse(page).unwrap())
}

const PAGE: &str = "https://news.example/a";

fn is_blocked(script: &str) -> bool {
    let own = Filter::new(vec![List::own()]);
    matches!(decide(&own, script, PAGE), Decision::Blocked(_))
}

#[test]
fn what_only_talks_to_servers_is_known() {
    for script in [
        "https://www.google-analytics.com/analytics.js",
        "https://www.googletagmanager.com/gtag/js?id=G-1",
        "https://connect.facebook.net/en_US/fbevents.js",
        "https://stats.own-server.example/matomo/matomo.js",
        "https://cdn.jsdelivr.net/npm/cookieconsent@3/build/cookieconsent.min.js",
        "https://www.google.com/recaptcha/api.js?render=x",
        "https://js.stripe.com/v3/",
        "https://js.sentry-cdn.com/0123.min.js",
        "https://static.hotjar.com/c/hotjar-1.js?sv=6",
        "http://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js",
    ] {
        assert!(is_blocked(script), "{script}");
    }
}

#[test]
fn what_pages_are_made_of_is_kept() {
    for script in [
        "https://cdn.jsdelivr.net/npm/bootstrap@5/dist/js/bootstrap.bundle.min.js",
        "https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js",
        "https://maps.googleapis.com/maps/api/js?key=x",
        "https://www.youtube.com/iframe_api",
        "https://cdnjs.cloudflare.com/ajax/libs/d3/7.0.0/d3.min.js",
        "https://unpkg.com/react@18/umd/react.production.min.js",
        "https://cdn.news-static.example/tags/politics.js",
        "https://cdn.news-static.example/analytics-explained/main.js",
        "https://cdn.news-static.example/assets/advertise-with-us.js",
        "https://cdn.news-static.example/js/search.js",
        "https://cdn.news-static.example/jquery.cookie.js",
        "https://www.google.com/jsapi",
        "https://platform.twitter.com/widgets.js",
        "https://embed.example/wasp.js?v=1",
    ] {
        assert!(!is_blocked(script), "{script}");
    }
}

#[test]
fn scripts_of_the_pages_own_site_are_never_blocked() {
    let filter = Filter::new(vec![List::own(), list("mine", "/app.js")]);
    for (script, page) in [
        ("https://stats.news.example/matomo.js", PAGE),
        ("https://cdn.news.example/app.js", PAGE),
        ("https://cdn.hotjar.com/x.js", "https://www.hotjar.com/"),
    ] {
        assert_eq!(decide(&filter, script, page), Decision::Own, "{script}");
    }
}

#[test]
fn decisions_name_the_rule_its_list_and_why() {
    let filter = Filter::new(vec![List::own(), list("mine", "! x\n\n||ads.test^\n")]);
    let rule = decide(&filter, "https://a.ads.test/x.js", PAGE)
        .blocked()
        .unwrap();
    assert_eq!(rule.to_string(), "||ads.test^ (line 3 of mine)");
    assert_eq!(rule.why, None);
    let rule = decide(
        &filter,
        "https://www.google-analytics.com/analytics.js",
        PAGE,
    );
    let rule = rule.blocked().unwrap();
    assert_eq!(&*rule.list, "varve");
    assert!(rule.why.unwrap().starts_with("Google Analytics: "));
}

#[test]
fn an_exception_in_one_list_holds_for_all() {
    let filter = Filter::new(vec![
        List::own(),
        list("mine", "@@||js.stripe.com^$domain=news.example"),
    ]);
    let Decision::Excepted { rule, by } = decide(&filter, "https://js.stripe.com/v3/", PAGE) else {
        panic!("it is excepted");
    };
    assert_eq!((&*rule.list, &*by.list), ("varve", "mine"));
    assert!(
        decide(
            &filter,
            "https://js.stripe.com/v3/",
            "https://shop.example/"
        )
        .blocked()
        .is_some()
    );
}

#[test]
fn rules_for_other_things_than_scripts_do_not_count() {
    let rules = "||pics.test^$image\n||own.test^$~third-party\nnews.example##.ad\n||frames.test^$subdocument\n";
    let filter = Filter::new(vec![list("mine", rules)]);
    for script in [
        "https://pics.test/x.js",
        "https://own.test/x.js",
        "https://frames.test/x.js",
    ] {
        assert_eq!(decide(&filter, script, PAGE), Decision::Unknown, "{script}");
    }
}

proptest! {
    #[test]
    fn any_list_and_any_url_are_taken(text in "[ -~\n]{0,200}", path in "[ -~]{0,60}") {
        let filter = Filter::new(vec![list("any", &text)]);
        if let Ok(url) = Url::parse(&format!("https://x.test/{path}")) {
            filter.decide(&url, &Url::parse(PAGE).unwrap());
        }
    }
}
