//! The suite: every behaviour in both tiers. Some of them in every test run, all of them with
//! `VARVE_SOAK=1`.

use crate::harness::{busy, check};
use crate::table::{Behaviour, Runs, served};

/// The behaviours of this run; `VARVE_HOSTILE=NAME,...` asks for some by name.
fn chosen() -> Vec<&'static Behaviour> {
    let soak = std::env::var_os("VARVE_SOAK").is_some();
    let named = std::env::var("VARVE_HOSTILE").ok();
    let wanted = |behaviour: &&Behaviour| match &named {
        Some(names) => names.split(',').any(|name| name == behaviour.name),
        None => soak || behaviour.runs == Runs::Always,
    };
    served().filter(wanted).collect()
}

#[test]
fn the_http_tier_survives() {
    check("http", &chosen());
}

#[test]
fn the_browser_tier_survives() {
    let _busy = busy();
    check("browser", &chosen());
}
