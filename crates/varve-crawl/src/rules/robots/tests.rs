#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

fn url(path: &str) -> Url {
    Url::parse(&format!("http://a.com{path}")).unwrap()
}

/// Paths with `+` in front if they are allowed, with `-` if not.
#[track_caller]
fn check(file: &str, paths: &[&str]) {
    let robots = Robots::parse(file.as_bytes());
    for path in paths {
        let (sign, path) = path.split_at(1);
        assert_eq!(robots.allows(&url(path)), sign == "+", "{path} in\n{file}");
    }
}

#[track_caller]
fn rule(pattern: &str, paths: &[&str]) {
    check(&format!("User-agent: *\nDisallow: {pattern}"), paths);
}

#[test]
fn groups_of_the_same_name_are_merged() {
    check(
        "user-agent: Varve\ndisallow: /a\nuser-agent: other\ndisallow: /b\nUSER-AGENT: vArVe/2.0 x\ndisallow: /c\n",
        &["-/a", "+/b", "-/c"],
    );
}

#[test]
fn our_own_group_silences_the_one_for_everybody() {
    check(
        "User-agent: *\nDisallow: /\n\nUser-agent: varve\nAllow: /\n",
        &["+/", "+/x"],
    );
    check("User-agent: *\nDisallow: /\nUser-agent: varve\n", &["+/x"]);
    check(
        "User-agent: *\nDisallow: /x\nUser-agent: varvebot\nDisallow: /\n",
        &["-/x", "+/y"],
    );
    check("User-agent: bot\nDisallow: /\n", &["+/x"]);
}

#[test]
fn names_before_rules_share_them() {
    check(
        "User-agent: e\nSitemap: http://a.com/s.xml\nUser-agent: varve\n\nNoise: 1\nDisallow: /g\n",
        &["-/g", "+/h"],
    );
    check(
        "User-agent: varve\nDisallow: /a\nUser-agent: f\nDisallow: /b\n",
        &["-/a", "+/b"],
    );
    check("Disallow: /\nUser-agent: *\nDisallow: /a", &["+/", "-/a"]);
}

#[test]
fn the_longest_match_wins_and_allow_wins_ties() {
    check(
        "User-Agent: *\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n",
        &[
            "+/example/page/",
            "-/example/page/disallowed.gif",
            "+/other",
        ],
    );
    check("User-agent: *\nDisallow: /a\nAllow: /a\n", &["+/a"]);
    check(
        "User-agent: *\nAllow: /p\nDisallow: /\n",
        &["+/page", "-/x"],
    );
    check(
        "User-agent: *\nAllow: /$\nDisallow: /\n",
        &["+/", "-/page.htm", "-/?x"],
    );
    check(
        "User-agent: *\nAllow: /page\nDisallow: /*.htm\n",
        &["-/page.htm"],
    );
}

#[test]
fn the_example_of_the_rfc() {
    let file = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
                User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
                User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\n\
                User-Agent: quxbot\n";
    check(
        file,
        &[
            "-/x.gif",
            "+/x.gif?1",
            "-/example/",
            "+/publications/",
            "+/",
        ],
    );
    let named = |name: &str| file.replace(name, PRODUCT);
    check(
        &named("foobot"),
        &["-/", "+/example/page.html", "+/example/allowed.gif"],
    );
    check(&named("bazbot"), &["+/example/", "-/example/page.html"]);
    check(&named("quxbot"), &["+/example/", "+/x.gif"]);
}

#[test]
fn paths_are_compared_as_the_rfc_says() {
    rule("/foo/bar?baz=quz", &["-/foo/bar?baz=quz", "+/foo/bar"]);
    rule(
        "/foo/bar?baz=https://foo.bar",
        &[
            "-/foo/bar?baz=https%3A%2F%2Ffoo.bar",
            "-/foo/bar?baz=https://foo.bar",
        ],
    );
    rule(
        "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
        &["-/foo/bar?baz=https://foo.bar"],
    );
    rule("/foo/bar/ツ", &["-/foo/bar/%E3%83%84", "-/foo/bar/ツ"]);
    rule("/foo/bar/%e3%83%84", &["-/foo/bar/ツ"]);
    rule("/foo/bar/%62%61%7A", &["-/foo/bar/baz"]);
    rule("/foo/bar/baz", &["-/foo/bar/%62%61%7A"]);
    rule("/a%2Fb", &["-/a%2fb", "+/a/b"]);
    rule(
        "/path/file-with-a-%2A.html",
        &["-/path/file-with-a-*.html", "+/path/file-with-a-x.html"],
    );
    rule("/path/foo-%24", &["-/path/foo-$", "+/path/foo-"]);
    rule("/A", &["-/A", "+/a"]);
}

#[test]
fn wildcards() {
    rule("/", &["-/", "-/x", "+/robots.txt"]);
    rule("", &["+/", "+/x"]);
    rule("*", &["-/"]);
    rule(
        "/fish",
        &[
            "-/fish",
            "-/fish.html",
            "-/fishheads/y",
            "-/fish?id=1",
            "+/Fish.asp",
            "+/catfish",
        ],
    );
    rule("/fish*", &["-/fish", "-/fishheads", "+/desert/fish"]);
    rule(
        "/fish/",
        &["-/fish/", "-/fish/?id=1", "+/fish", "+/fish.html"],
    );
    rule(
        "/*.php",
        &["-/i.php", "-/a/b.php?c", "-/x.php5", "+/", "+/windows.PHP"],
    );
    rule(
        "/*.php$",
        &["-/a.php", "-/a.php/b.php", "+/a.php?c", "+/a.php/"],
    );
    rule(
        "/fish*.php",
        &["-/fish.php", "-/fishheads/catfish.php?x", "+/Fish.PHP"],
    );
    rule(
        "/a*b*c$",
        &["-/abc", "-/a1b2c", "-/abcbc", "+/abcd", "+/acb"],
    );
    rule("/a**b", &["-/ab", "-/axb"]);
    rule("/a$b", &["-/a$b", "+/a"]);
    rule("/ab*bc$", &["-/abbc", "+/abc"]);
    rule("$", &["+/", "+/x"]);
    rule("fish", &["+/fish", "+/xfish"]);
}

#[test]
fn files_as_they_are_found() {
    check(
        "\u{feff}User-agent: *\rDisallow: /a\r\rDisallow: /b",
        &["-/a", "-/b"],
    );
    check(
        "  User-agent :  *  # all\r\n\tDisallow\t:\t/a # no\r\n",
        &["-/a", "+/b"],
    );
    check("User-agent: * (all)\nDisallow: /a", &["-/a"]);
    check("<html><body>User-agent: nobody</body></html>", &["+/"]);
    let long = "x".repeat(100_000);
    check(
        &format!("User-agent: *\nDisallow: /{long}\n{long}\nDisallow: /b"),
        &["-/b", "+/x"],
    );
    let robots = Robots::parse(b"User-agent: *\nDisallow: /\xff\xe9");
    assert!(!robots.allows(&url("/%FF%E9")));
    assert!(robots.allows(&url("/%FF")));
}

#[test]
fn what_is_over_the_limit_does_not_count() {
    let mut file = "User-agent: *\nDisallow: /a\n#".to_owned();
    file.push_str(&"x".repeat(MAX_FILE - file.len() - "\nDisallow: /".len()));
    file.push_str("\nDisallow: /cut\nDisallow: /b\n");
    check(&file, &["-/a", "+/cut", "+/", "+/b"]);
}

#[test]
fn delays_and_sitemaps() {
    let robots = Robots::parse(
        b"Crawl-delay: 9\nUser-agent: *\nCrawl-delay: 2.5\nCrawl-delay: x\nUser-agent: other\nCrawl-delay: 7\nDisallow: /\n\
          Sitemap: http://a.com/1.xml\nsitemap:https://b.com/2.xml.gz\nSitemap: /relative.xml\nSitemap: ftp://a.com/\nSitemap: http://a.com/1.xml",
    );
    assert_eq!(robots.crawl_delay(), Some(Duration::from_secs(7)));
    let names: Vec<&str> = robots.sitemaps().iter().map(Url::as_str).collect();
    assert_eq!(names, ["http://a.com/1.xml", "https://b.com/2.xml.gz"]);

    let delay = |text: &str| {
        Robots::parse(format!("User-agent: *\nCrawl-delay: {text}").as_bytes()).crawl_delay()
    };
    assert_eq!(delay("86400"), Some(MAX_CRAWL_DELAY));
    assert_eq!(delay("1e308"), Some(MAX_CRAWL_DELAY));
    assert_eq!(delay("-1"), None);
    assert_eq!(delay("NaN"), None);
    let first = Robots::parse(b"User-agent: bot\nCrawl-delay: 9\nUser-agent: *\nDisallow: /a");
    assert_eq!(first.crawl_delay(), None);
}

#[test]
fn what_a_status_means() {
    let file = b"User-agent: *\nDisallow: /a";
    for (status, a, b) in [
        (200, Some("robots.disallowed"), None),
        (301, None, None),
        (401, None, None),
        (404, None, None),
        (429, Some("robots.unreachable"), Some("robots.unreachable")),
        (500, Some("robots.unreachable"), Some("robots.unreachable")),
        (503, Some("robots.unreachable"), Some("robots.unreachable")),
    ] {
        let robots = Robots::from_status(status, file);
        assert_eq!(robots.refusal(&url("/a")), a, "{status}");
        assert_eq!(robots.refusal(&url("/b")), b, "{status}");
    }
    assert!(Robots::unreachable().allows(&url("/robots.txt")));
}

/// A matcher that goes back would not live to see the end of this.
#[test]
fn wildcards_take_linear_time() {
    let pattern = "/".to_owned() + &"*a".repeat(50_000) + "$";
    let robots = Robots::parse(format!("User-agent: *\nDisallow: {pattern}").as_bytes());
    assert!(robots.allows(&url(&format!("/{}b", "a".repeat(100_000)))));
    assert!(!robots.allows(&url(&format!("/{}", "a".repeat(100_000)))));
}

/// What `*` means, said without cleverness.
fn matches_slowly(pattern: &[u8], path: &[u8]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((b'$', [])) => path.is_empty(),
        Some((b'*', rest)) => (0..=path.len()).any(|at| matches_slowly(rest, &path[at..])),
        Some((byte, rest)) => path.first() == Some(byte) && matches_slowly(rest, &path[1..]),
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_file(bytes in proptest::collection::vec(any::<u8>(), 0..400), path in "/\\PC{0,30}") {
        let robots = Robots::parse(&bytes);
        if let Ok(url) = Url::parse(&format!("http://a.com{path}")) {
            let _ = robots.allows(&url);
        }
    }

    #[test]
    fn any_lines_are_a_file(file in "((user-agent|disallow|allow|crawl-delay|sitemap|#|\u{feff})?[: *$/a%2\r\n]{0,6}(varve|\\*)?(\r|\n)){0,20}") {
        let robots = Robots::parse(file.as_bytes());
        let _ = robots.allows(&url("/a%2"));
    }

    #[test]
    fn matching_is_as_defined(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,10}") {
        let robots = Robots::parse(format!("User-agent: *\nDisallow: {pattern}").as_bytes());
        prop_assert_eq!(!robots.allows(&url(&path)), matches_slowly(pattern.as_bytes(), path.as_bytes()));
    }
}
