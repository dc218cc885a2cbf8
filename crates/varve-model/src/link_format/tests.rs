#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

/// Each link as `target|name=value|...`, and how many places were skipped.
fn read(text: &str) -> (Vec<String>, usize) {
    let mut links = Links::of(text);
    let told = links.by_ref().map(|link| {
        let mut told = link.target.to_owned();
        for (name, value) in &link.attributes {
            told += &format!("|{name}={value}");
        }
        told
    });
    (told.collect(), links.skipped())
}

#[track_caller]
fn check(text: &str, expected: &[&str], skipped: usize) {
    assert_eq!(
        read(text),
        (expected.iter().map(|&l| l.to_owned()).collect(), skipped),
        "{text}"
    );
}

const DATE: &str = "Sun, 16 Feb 2014 05:02:21 GMT";

#[test]
fn links_are_read_as_the_standards_write_them() {
    check("", &[], 0);
    check("<http://a/>", &["http://a/"], 0);
    check(
        "<http://a/>;rel=\"original\",<http://b/>;rel=self",
        &["http://a/|rel=original", "http://b/|rel=self"],
        0,
    );
    let memento =
        format!("<http://m/1>\n; rel=\"first memento\"\n; datetime=\"{DATE}\"\n , <http://m/2>");
    check(
        &memento,
        &[
            &format!("http://m/1|rel=first memento|datetime={DATE}"),
            "http://m/2",
        ],
        0,
    );
    check(
        "<http://a/?x=1,2;y=\"3\">; crossorigin; title=\"a \\\"b\\\\\"",
        &["http://a/?x=1,2;y=\"3\"|crossorigin=|title=a \"b\\"],
        0,
    );
}

#[test]
fn what_archives_write_in_its_place_is_understood() {
    // Commas missing, doubled, or at the end.
    check(
        "<a>; rel=x\n<b>; rel=y,,\n<c>,\n",
        &["a|rel=x", "b|rel=y", "c"],
        0,
    );
    // Other quotes, and none.
    check(
        "<a>; rel='first memento'; type = text/html",
        &["a|rel=first memento|type=text/html"],
        0,
    );
    let open =
        format!("<a>; datetime={DATE}; rel=memento,\n<b>; datetime={DATE},\n<c>; datetime={DATE}");
    let a = format!("a|datetime={DATE}|rel=memento");
    check(
        &open,
        &[
            &a,
            &format!("b|datetime={DATE}"),
            &format!("c|datetime={DATE}"),
        ],
        0,
    );
    check("\u{feff}<a>;REL=Memento", &["a|REL=Memento"], 0);
    assert!(
        Links::of("<a>; REL=\"Last MEMENTO\"")
            .next()
            .unwrap()
            .is("memento")
    );
}

#[test]
fn what_is_broken_costs_its_own_link_at_most() {
    check("<a>; rel=\"x\n<b>; rel=\"y\"", &["a|rel=x", "b|rel=y"], 1);
    check("<a\n<b>; rel=y", &["b|rel=y"], 1);
    check("<a<b>", &["b"], 1);
    check("<>, <b>", &["b"], 2);
    check("Internal error, <b>", &["b"], 1);
    check("<a>; =x; \"y\", <b>", &["a|x=|y=", "b"], 3);
    check("<a>; rel=\"x\\", &["a|rel=x"], 1);
    check("<a", &[], 1);
}

#[test]
fn attributes_without_number_are_not_kept() {
    let many = format!("<a>{}, <b>", "; x=1".repeat(1_000));
    let links: Vec<Link> = Links::of(&many).collect();
    assert_eq!((links.len(), links[0].attributes.len()), (2, ATTRIBUTES));
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end(text in "\\PC*|[<>;,=\"'\\\\ \\na\u{e9}]*") {
        let mut links = Links::of(&text);
        let count = links.by_ref().count();
        prop_assert!(count + links.skipped() <= 2 * text.len());
        prop_assert_eq!(links.at, text.len());
    }

    #[test]
    fn what_is_written_right_is_read_back(
        written in proptest::collection::vec(("[!-;=?-~\u{e9}]{1,20}", "[a-z]{1,5}", "[ -~\u{e9}]{0,20}"), 0..8)
    ) {
        let text: Vec<String> = written.iter().map(|(target, name, value)| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            format!("<{target}>; {name}=\"{value}\"")
        }).collect();
        let text = text.join(",\n");
        let mut links = Links::of(&text);
        for (target, name, value) in &written {
            let link = links.next().unwrap();
            prop_assert_eq!(link.target, target.as_str());
            prop_assert_eq!(link.get(name), Some(value.as_str()));
        }
        prop_assert!(links.next().is_none());
        prop_assert_eq!(links.skipped(), 0);
    }
}

#[test]
fn nothing_in_a_url_ends_its_brackets() {
    assert_eq!(
        in_brackets("http://h/?a=<b>\"é\r\n"),
        "http://h/?a=%3Cb%3E%22%C3%A9%0D%0A"
    );
    assert_eq!(in_brackets("http://h/?a=b"), "http://h/?a=b");
}
