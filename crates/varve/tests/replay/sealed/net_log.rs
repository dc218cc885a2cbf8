//! The browser's own account of its network stack: which names were looked up.

use serde_json::Value;
use std::collections::BTreeSet;

/// The names of vectors whose host was looked up, be it only for a connection that might be needed.
pub(super) fn vectors(log: &str) -> BTreeSet<String> {
    let log: Value = serde_json::from_str(log).unwrap();
    let kinds = &log["constants"]["logEventTypes"];
    let lookup = kinds["HOST_RESOLVER_MANAGER_REQUEST"].as_u64().unwrap();
    let events = log["events"].as_array().unwrap().iter();
    let lookups = events.filter(|event| event["type"] == lookup);
    let hosts = lookups.filter_map(|event| event["params"]["host"].as_str());
    hosts.filter_map(vector_of).collect()
}

/// `http://NAME.trap.localhost:80`, with or without what is around the host.
fn vector_of(place: &str) -> Option<String> {
    let host = place.split_once("://").map_or(place, |(_, rest)| rest);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host.strip_suffix(".trap.localhost").map(str::to_owned)
}

#[test]
fn only_the_traps_own_names_count() {
    for (place, expected) in [
        ("http://tn-x.trap.localhost:81", Some("tn-x")),
        ("tn-x.trap.localhost", Some("tn-x")),
        (
            "http://x.trap.localhost.http.20260101000000.replay.localhost:81",
            None,
        ),
        ("http://site.localhost:81", None),
    ] {
        assert_eq!(vector_of(place).as_deref(), expected, "{place}");
    }
}
