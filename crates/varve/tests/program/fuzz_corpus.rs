//! What the fuzzers once found interesting, read again in every test run.

use crate::setup::{files, root};

#[path = "../../../../fuzz/cases.rs"]
mod cases;

#[test]
fn the_committed_corpora_do_no_harm() {
    type Target = fn(&[u8]);
    let targets: [(&str, Target); 12] = [
        ("warc", cases::warc),
        ("gzip", cases::gzip),
        ("cdxj", cases::cdxj),
        ("zipnum", cases::zipnum),
        ("wacz", cases::wacz),
        ("surt", cases::surt),
        ("page", cases::page),
        ("rewrite", cases::rewriting),
        ("fields", cases::fields),
        ("js", cases::js),
        ("scripts", cases::scripts),
        ("mementomap", cases::mementomap),
    ];
    for (name, target) in targets {
        let corpus = files(&root().join("fuzz/corpus").join(name));
        assert!(!corpus.is_empty(), "no corpus for {name}");
        for path in corpus {
            target(&std::fs::read(&path).unwrap());
        }
    }
}
