#![allow(clippy::unwrap_used)]
use super::Verdict::{Hop, In, Out};
use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn scope(reach: Reach, seeds: &[&str]) -> Scope {
    let seeds: Vec<Url> = seeds.iter().map(|seed| url(seed)).collect();
    let rules = ScopeRules {
        reach,
        ..ScopeRules::default()
    };
    Scope::new(&rules, &seeds).unwrap()
}

#[track_caller]
fn check(scope: &Scope, table: &[(&str, Verdict)]) {
    for (text, verdict) in table {
        assert_eq!(scope.admits(&url(text), 1, 0), *verdict, "{text}");
    }
}

#[test]
fn a_page_is_that_page() {
    check(
        &scope(Reach::Page, &["http://a.com/b?c=1"]),
        &[
            ("http://a.com/b?c=1", In),
            ("https://a.com/b?c=1#d", In),
            ("http://a.com/b", Out("scope.page")),
            ("http://www.a.com/b?c=1", Out("scope.page")),
        ],
    );
}

#[test]
fn a_prefix_is_the_directory_of_the_seed() {
    check(
        &scope(
            Reach::Prefix,
            &["http://a.com/docs/index.html", "http://b.com/x/y/z"],
        ),
        &[
            ("http://a.com/docs/", In),
            ("https://www.a.com/docs/deep/er?q=/", In),
            ("http://a.com/docs", Out("scope.prefix")),
            ("http://a.com/docs2/", Out("scope.prefix")),
            ("http://a.com/", Out("scope.prefix")),
            ("http://b.com/x/y/", In),
            ("http://b.com/x/", Out("scope.prefix")),
            ("http://c.com/docs/", Out("scope.prefix")),
            ("http://a.com:8080/docs/", Out("scope.prefix")),
        ],
    );
}

#[test]
fn a_host_is_the_same_with_www() {
    check(
        &scope(Reach::Host, &["https://www.a.co.uk/x", "http://127.0.0.1/"]),
        &[
            ("http://a.co.uk/", In),
            ("http://www.a.co.uk./", In),
            ("http://shop.a.co.uk/", Out("scope.host")),
            ("http://127.0.0.1/a", In),
            ("http://127.0.0.2/", Out("scope.host")),
            ("mailto:me@a.co.uk", Out("scope.scheme")),
            ("ftp://a.co.uk/", Out("scope.scheme")),
            ("data:,x", Out("scope.scheme")),
        ],
    );
}

#[test]
fn a_domain_is_what_can_be_registered() {
    check(
        &scope(
            Reach::Domain,
            &[
                "http://www.a.co.uk/",
                "http://me.github.io/",
                "http://garden.example/",
                "http://localhost/",
            ],
        ),
        &[
            ("http://shop.a.co.uk/", In),
            ("http://b.co.uk/", Out("scope.domain")),
            ("http://you.github.io/", Out("scope.domain")),
            ("http://static.garden.example/", In),
            ("http://other.example/", Out("scope.domain")),
            ("http://localhost:8080/", In),
            ("http://10.0.0.1/", Out("scope.domain")),
        ],
    );
}

#[test]
fn patterns_widen_and_narrow() {
    let rules = ScopeRules {
        reach: Reach::Host,
        include: vec!["^https?://cdn\\.".into(), "forum".into()],
        exclude: vec!["/logout".into(), "\\?print=".into()],
        ..ScopeRules::default()
    };
    let mut scope = Scope::new(&rules, &[url("http://a.com/")]).unwrap();
    check(
        &scope,
        &[
            ("http://a.com/x", In),
            ("http://cdn.b.com/x", In),
            ("http://b.com/forum/1", In),
            ("http://b.com/", Out("scope.host")),
            ("http://a.com/logout?x", Out("scope.excluded")),
            ("http://cdn.b.com/?print=1", Out("scope.excluded")),
            ("ftp://cdn.b.com/", Out("scope.scheme")),
        ],
    );
    scope.exclude("/x$").unwrap();
    check(&scope, &[("http://a.com/x", Out("scope.excluded"))]);
}

#[test]
fn depth_and_hops_are_counted() {
    let rules = ScopeRules {
        reach: Reach::Host,
        depth: Some(2),
        extra_hops: 1,
        ..ScopeRules::default()
    };
    let scope = Scope::new(&rules, &[url("http://a.com/")]).unwrap();
    for (text, depth, hops, verdict) in [
        ("http://a.com/", 0, 0, In),
        ("http://a.com/x", 2, 0, In),
        ("http://a.com/x", 3, 0, Out("scope.depth")),
        ("http://b.com/", 1, 0, Hop),
        ("http://c.com/", 2, 1, Out("scope.host")),
        ("http://a.com/back", 2, 1, In),
        ("http://b.com/", 3, 0, Out("scope.depth")),
    ] {
        assert_eq!(scope.admits(&url(text), depth, hops), verdict, "{text}");
    }
}

#[test]
fn errors_name_the_pattern() {
    for pattern in ["(", "(a{1000}){1000}"] {
        let rules = ScopeRules {
            exclude: vec!["fine".into(), pattern.into()],
            ..ScopeRules::default()
        };
        let error = Scope::new(&rules, &[]).unwrap_err();
        assert_eq!(error.pattern, pattern);
        assert!(error.to_string().contains(pattern), "{error}");
    }
}
