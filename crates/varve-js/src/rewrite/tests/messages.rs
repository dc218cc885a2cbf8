//! Messages: `postMessage`, whose origins are archived ones.

use super::super::Form;
use super::{check, check_as, same};

#[test]
fn messages_are_sent_by_the_client_script() {
    check(&[
        ("x.postMessage(1, '*')", "__varve.post(x)(1, '*')"),
        ("x.y['postMessage']()", "__varve.post(x.y)()"),
        (
            "parent.postMessage(location.href, o)",
            "__varve.post(parent)(__varve.location.href, o)",
        ),
        ("postMessage(1, o)", "__varve.postHere(1, o)"),
        (
            "a.contentWindow /* b */ . postMessage(c)",
            "__varve.post(a.contentWindow/* b */)(c)",
        ),
    ]);
}

#[test]
fn what_is_no_plain_call_is_left_alone() {
    same(&[
        "x?.postMessage(1)",
        "x.y?.z.postMessage(1)",
        "x.postMessage?.(1)",
        "f(x.postMessage)",
        "x.postMessage = f",
        "x.postMessage.call(y, 1)",
        "function postMessage() {} postMessage(1)",
        "class A extends B { m() { super.postMessage(1) } }",
    ]);
}

#[test]
fn workers_speak_for_themselves() {
    for source in ["postMessage(1)", "self.postMessage(1)"] {
        check_as(Form::ClassicWorker, source, source);
    }
}
