//! Renames and power loss: wholly or not at all, alone and in company.

use super::super::Loss;
use super::check;

#[test]
fn renames_are_atomic() {
    const MOVE: &str = "mkdir a; mkdir b; create a/f; create b/g; append a/f x; sync a/f; \
                        syncdir a; syncdir b; syncdir .; rename a/f b/g";
    let (old, new) = ("a/ a/f=x b/ b/g=", "a/ b/ b/g=x");
    let rows: [(&str, &[&str]); 8] = [
        ("", &[old]),
        ("; syncdir a", &[old, new]),
        ("; syncdir b", &[old, new]),
        ("; syncdir .", &[old]),
        ("; syncdir a; syncdir b", &[new]),
        ("; syncdir b; syncdir a", &[new]),
        // The directory it left is gone for good, so the rename must have happened.
        ("; syncdir b; rmdir a; syncdir .", &["b/ b/g=x"]),
        ("; rmdir a; syncdir .", &["b/ b/g=x"]),
    ];
    for (rest, expected) in rows {
        check(&format!("{MOVE}{rest}"), Loss::Dropped, expected);
    }
    check(MOVE, Loss::Reordered, &[old, new]);
    check(MOVE, Loss::Torn, &[new]);
    check(MOVE, Loss::Process, &[new]);
}

#[test]
fn renames_of_directories_and_in_place() {
    let rows: [(&str, &[&str]); 7] = [
        ("create t; syncdir .; rename t f", &["t="]),
        ("create t; rename t f; syncdir .", &["f="]),
        (
            "create f; create t; append t n; sync t; syncdir .; rename t f; syncdir .",
            &["f=n"],
        ),
        (
            "mkdir d; create d/f; syncdir d; rename d e; syncdir .",
            &["e/ e/f="],
        ),
        (
            "mkdir d; syncdir .; rename d e; create e/f; syncdir e",
            &["d/ d/f="],
        ),
        // A name may move on from a directory that was never safe itself.
        (
            "mkdir t; create t/f; rename t/f f; syncdir t; syncdir .; rename f g; syncdir .",
            &["g= t/"],
        ),
        (
            "create a; create b; syncdir .; rename a t; rename b a; rename t b; syncdir .",
            &["a= b="],
        ),
    ];
    for (script, expected) in rows {
        check(script, Loss::Dropped, expected);
    }
}

#[test]
fn renames_that_meet_others() {
    let rows: [(&str, Loss, &[&str]); 6] = [
        // A new file renamed into a synced directory may be there, its old name never synced.
        (
            "mkdir d; syncdir .; create a; append a n; sync a; rename a d/a; syncdir d",
            Loss::Dropped,
            &["d/", "d/ d/a=n"],
        ),
        // Its first name was not to be had, as the removal before it was lost.
        (
            "mkdir d; create a; append a o; sync a; syncdir .; rm a; create a; append a n; \
             sync a; rename a d/b; syncdir d",
            Loss::Reordered,
            &["a=n d/", "a=o d/", "d/", "d/ d/b=n"],
        ),
        // Two renames on end, where the first was left to luck and replaced another file.
        (
            "mkdir a; mkdir b; mkdir c; create a/x; create c/x; append c/x n; sync c/x; \
             syncdir a; syncdir c; syncdir .; rename c/x a/x; rename a/x b/x; syncdir a; syncdir b",
            Loss::Dropped,
            &["a/ b/ b/x=n c/"],
        ),
        // Into a directory that is then gone for good, and out of one below such a directory.
        (
            "mkdir a; mkdir b; create a/f; syncdir a; syncdir .; rename a/f b/f; rmdir b; \
             syncdir a; syncdir .",
            Loss::Dropped,
            &["a/"],
        ),
        (
            "mkdir d/e; mkdir b; create d/e/f; syncdir d/e; syncdir d; syncdir .; \
             rename d/e/f b/f; syncdir b; rmdir d; syncdir .",
            Loss::Dropped,
            &["b/ b/f="],
        ),
        // A directory cannot take the name of a file that did not move away.
        (
            "create a; mkdir d; syncdir .; rename a b; rename d a",
            Loss::Reordered,
            &["a= d/", "b= d/", "a/ b="],
        ),
    ];
    for (script, loss, expected) in rows {
        check(script, loss, expected);
    }
}
