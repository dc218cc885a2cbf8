//! Tests in a network of their own: no route leads out of it, and its addresses and names are ours
//! to choose.
//!
//! A test runs itself once more, inside. As root that must work; others may be kept from making
//! namespaces, and then the test says so and does nothing.

use crate::name_server;
use std::process::Command;

/// Set inside.
const INSIDE: &str = "VARVE_INSIDE_NAMESPACE";

/// Runs an ignored test of this program inside.
pub(crate) fn run(test: &str) {
    let root = is_root();
    let mut separate = vec!["--net", "--mount", "--kill-child"];
    if !root {
        // Chromium must not run as root, and as nobody else than us it cannot.
        separate.extend(["--user", "--map-current-user", "--keep-caps"]);
    }
    let may = Command::new("unshare").args(&separate).arg("true").output();
    if !may.is_ok_and(|tried| tried.status.success()) {
        assert!(!root, "root can make no network namespace");
        eprintln!("\nSKIPPED: {test} needs a network namespace, which this user cannot make\n");
        return;
    }
    let status = Command::new("unshare")
        .args(&separate)
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--ignored", "--nocapture"])
        .env(INSIDE, "1")
        .status()
        .unwrap();
    assert!(
        status.success(),
        "{test} failed inside its namespace: see above"
    );
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

/// To be called first, inside. There is loopback and nothing else.
pub(crate) fn assert_inside() {
    let inside = std::env::var_os(INSIDE).is_some();
    assert!(
        inside,
        "this test is run by another one, inside a namespace"
    );
    ip(&["link", "set", "lo", "up"]);
    let routes = Command::new("ip").args(["route", "show"]).output().unwrap();
    assert!(routes.stdout.is_empty(), "there is a way out");
}

/// Gives this network an address, such as `10.0.0.1/32`.
pub(crate) fn add_address(address: &str) {
    // Nobody else can have it: nothing needs to be found out before it is used.
    let at_once: &[&str] = if address.contains(':') {
        &["nodad"]
    } else {
        &[]
    };
    ip(&[&["address", "add", address, "dev", "lo"], at_once].concat());
}

/// Has names resolved by [`name_server`].
pub(crate) fn add_name_server() {
    // What is mounted stays when the file is gone.
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("resolv.conf");
    std::fs::write(&file, format!("nameserver {}\n", name_server::ADDRESS)).unwrap();
    let mut mount = Command::new("mount");
    let mounted = mount
        .arg("--bind")
        .arg(&file)
        .arg("/etc/resolv.conf")
        .status();
    assert!(mounted.unwrap().success());
}

fn ip(args: &[&str]) {
    let status = Command::new("ip").args(args).status().unwrap();
    assert!(status.success(), "ip {args:?}");
}
