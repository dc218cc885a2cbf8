//! Names that lead nowhere. A name server of our own says so, in a network of its own.

use crate::harness::check;
use crate::name_server::{self, Answer};
use crate::namespace;
use crate::table::Behaviour;
use crate::table::Serve::Name;

pub(crate) const TABLE: &[Behaviour] = &[
    Behaviour::new("name-unknown", "does not exist", Name(Answer::NoSuchName))
        .both(&["dns.nxdomain"])
        .always(),
    Behaviour::new(
        "name-silent",
        "has a name server that does not answer",
        Name(Answer::Silence),
    )
    .http(&["dns.timeout"])
    .browser(&["dns.timeout", "timeout.page"])
    .always(),
    Behaviour::new("name-circle", "is an alias of itself", Name(Answer::Circle))
        .both(&["dns.failed", "dns.nxdomain"])
        .always(),
    Behaviour::new(
        "name-failure",
        "has a name server that fails",
        Name(Answer::Failure),
    )
    .both(&["dns.failed"]),
];

#[test]
fn names_that_lead_nowhere_are_told_apart() {
    namespace::run("names::inside");
}

#[test]
#[ignore = "runs inside a network of its own"]
fn inside() {
    namespace::assert_inside();
    namespace::add_name_server();
    name_server::start(|name| {
        let known = TABLE
            .iter()
            .find(|behaviour| name.starts_with(behaviour.name));
        known.map_or(Answer::NoSuchName, |behaviour| match behaviour.serve {
            Name(answer) => answer,
            _ => Answer::NoSuchName,
        })
    });
    let all: Vec<_> = TABLE.iter().collect();
    check("http", &all);
    check("browser", &all);
}
