//! pywb reads the same access lists, and lets the same captures be shown.

use crate::setup::{judge, root, succeed};
use varve_model::{Access, AccessList, Surt, Timestamp};

/// Rules in the order in which pywb wants them: by key, backwards.
const RULES: &str = r#"org,example,sub)/ - {"access": "exclude"}
org,example)/open/secret - {"access": "exclude"}
org,example)/open - {"access": "allow"}
org,example)/one### - {"access": "exclude"}
org,example)/ - {"access": "block"}
net,times)/old - {"access": "exclude", "before": "20150101000000"}
net,times)/new - {"access": "block", "after": "20150101000000"}
net,times)/embargo - {"access": "block", "newer": {"years": 2}}
net,times)/ancient - {"access": "block", "older": {"years": 2, "months": 1}}
com,example, - {"access": "block"}
com,all### - {"access": "block"}
"#;

const URLS: [&str; 18] = [
    "http://example.org/",
    "https://www.example.org/any/thing?x=1",
    "http://example.org/open",
    "http://example.org/open/door",
    "http://example.org/open/secret/2",
    "http://example.org/one",
    "http://example.org/one/two",
    "http://sub.example.org/x",
    "http://other.example.org/x",
    "http://times.net/old/1",
    "http://times.net/new",
    "http://times.net/embargo",
    "http://times.net/ancient/x",
    "http://example.com/",
    "http://a.example.com/",
    "http://all.com/",
    "http://other.net/",
    "http://example.orgx/",
];

const TIMES: [&str; 3] = ["20100101000000", "20150601000000", "20260101000000"];

#[test]
fn pywb_shows_and_withholds_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("access.aclj");
    std::fs::write(&file, RULES).unwrap();
    let asked: Vec<(&str, &str)> = TIMES
        .into_iter()
        .flat_map(|time| URLS.map(|url| (time, url)))
        .collect();
    let mut command = judge("python");
    command
        .arg(root().join("tests/judges/access.py"))
        .arg(&file);
    for (time, url) in &asked {
        command.args([time, url]);
    }
    let said = succeed(&mut command);
    let list = AccessList::parse(RULES).unwrap();
    let now = Timestamp::parse("20261101000000").unwrap();
    for ((time, url), theirs) in asked.iter().zip(said.lines()) {
        let ours = list.access(&Surt::from_url(url), Timestamp::parse(time).unwrap(), now);
        let ours = match ours {
            Access::Allow => "allow",
            Access::Block => "block",
            Access::Exclude => "exclude",
        };
        assert_eq!(ours, theirs, "{url} at {time}");
    }
    assert_eq!(said.lines().count(), asked.len());
}
