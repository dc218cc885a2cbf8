//! Chromium as processes: contained, replaced, and gone in the end.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use varve_browser::{Browser, BrowserError, VisitOptions};

use crate::setup::{options, processes, quick, setup, setup_with};
use crate::site::{Reply, Site};

fn field<'a>(status: &'a str, name: &str) -> Vec<&'a str> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .unwrap_or_default();
    line.split_whitespace().collect()
}

/// Pages live in processes with a pid namespace of their own inside that of all of them.
fn is_page(status: &str) -> bool {
    field(status, "NSpid:").len() == 3
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chromium_is_contained() {
    let setup = setup().await;
    let group = setup.browser.process_group().await.unwrap();
    let site = Site::start(|asked| match asked.url.ends_with('/') {
        true => Reply::html("<script>fetch('/look')</script>"),
        false => Reply::Late(Duration::from_millis(700), Box::new(Reply::html(""))),
    })
    .await;
    let options = quick();
    let look = async {
        while !site.was_asked("/look") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        processes(group)
    };
    let (_, processes) = tokio::join!(setup.visit(&site, &options), look);
    let mut pages = 0;
    for (pid, status) in &processes {
        assert!(
            field(status, "Uid:").iter().all(|uid| *uid != "0"),
            "{status}"
        );
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command);
        assert!(!command.contains("--no-sandbox") && !command.contains("debugging-port"));
        if is_page(status) {
            assert_eq!(field(status, "Seccomp:"), ["2"], "{status}");
            pages += 1;
        }
    }
    assert!(pages > 0, "{processes:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_stays_behind() {
    let setup = setup().await;
    let group = setup.browser.process_group().await.unwrap();
    setup.assert_next_page_is_fine().await;
    assert!(processes(group).len() > 2);
    setup.browser.stop().await;
    assert_eq!(processes(group), []);
    assert_eq!(std::fs::read_dir(setup.scratch.path()).unwrap().count(), 0);
}

#[test]
fn nothing_stays_behind_when_the_program_just_ends() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (group, scratch) = runtime.block_on(async {
        let setup = setup().await;
        (setup.browser.process_group().await.unwrap(), setup.scratch)
    });
    drop(runtime);
    let alive = processes(group)
        .into_iter()
        .filter(|(_, status)| !status.contains("State:\tZ"));
    assert_eq!(alive.collect::<Vec<_>>(), []);
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_a_chromium_that_dies_are_visited_again() {
    let setup = setup().await;
    let group = setup.browser.process_group().await.unwrap();
    let site = Site::start(|asked| match asked.url.ends_with('/') {
        true => Reply::html("<title>again</title><script>fetch('/slow')</script>"),
        false => Reply::Late(Duration::from_millis(700), Box::new(Reply::html(""))),
    })
    .await;
    let options = quick();
    let kill = async {
        while !site.was_asked("/slow") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        kill_process_group(Pid::from_raw(group).unwrap(), Signal::KILL).unwrap();
    };
    let (visit, ()) = tokio::join!(setup.visit(&site, &options), kill);
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok", "again")
    );
    assert_eq!(visit.attempts, 2);
    assert_ne!(setup.browser.process_group().await, Some(group));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chromium_that_does_not_respond_is_killed() {
    let setup = setup().await;
    let group = setup.browser.process_group().await.unwrap();
    let site = Site::start(|asked| match asked.url.ends_with('/') {
        true => Reply::html("<script>fetch('/slow')</script>"),
        false => Reply::Never,
    })
    .await;
    let options = VisitOptions {
        deadline: Duration::from_secs(4),
        ..quick()
    };
    let freeze = async {
        while !site.was_asked("/slow") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        kill_process(Pid::from_raw(group).unwrap(), Signal::STOP).unwrap();
    };
    let (visit, ()) = tokio::join!(setup.visit(&site, &options), freeze);
    assert_eq!(visit.outcome.reason(), "browser.hang", "{visit:?}");
    assert!(visit.took < Duration::from_secs(9), "{:?}", visit.took);
    setup.assert_next_page_is_fine().await;
    assert_eq!(processes(group), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_crashes_is_that_page_alone() {
    let setup = setup().await;
    let group = setup.browser.process_group().await.unwrap();
    let site = Site::start(|asked| match asked.url.ends_with('/') {
        true => Reply::html("<script>fetch('/slow')</script>"),
        false => Reply::Never,
    })
    .await;
    let options = quick();
    let crash = async {
        while !site.was_asked("/slow") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        for (pid, status) in processes(group) {
            if is_page(&status) {
                kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL).unwrap();
            }
        }
    };
    let (visit, ()) = tokio::join!(setup.visit(&site, &options), crash);
    assert_eq!(visit.outcome.reason(), "browser.crash", "{visit:?}");
    assert_eq!(visit.attempts, 1);
    setup.assert_next_page_is_fine().await;
    assert_eq!(setup.browser.process_group().await, Some(group));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn chromium_is_replaced_after_some_pages_without_disturbing_any() {
    let setup = setup_with(|options| options.recycle_after_pages = 2).await;
    let first = setup.browser.process_group().await.unwrap();
    let slow = async {
        let site =
            Site::of("<title>slow</title><script>setTimeout(() => fetch('/x'), 450)</script>")
                .await;
        setup.visit(&site, &quick()).await
    };
    let others = async {
        for _ in 0..3 {
            setup.assert_next_page_is_fine().await;
        }
    };
    let (slow, ()) = tokio::join!(slow, others);
    assert_eq!((slow.outcome.reason().as_ref(), slow.attempts), ("ok", 1));
    assert_ne!(setup.browser.process_group().await, Some(first));
    for _ in 0..100 {
        if processes(first).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the first Chromium is still there: {:?}", processes(first));
}

#[tokio::test]
async fn a_browser_that_cannot_start_says_why() {
    let scratch = tempfile::tempdir().unwrap();
    let mut options = options(&scratch);
    options.executable = Some("/bin/false".into());
    let error = Browser::start(options).await.err().unwrap();
    // (It has a version, and no more.)
    assert!(matches!(error, BrowserError::Died { .. }), "{error}");
    assert!(error.to_string().contains("/bin/false"), "{error}");
}

/// A browser that dies so many times before it starts.
fn mortal(dir: &Path, deaths: usize) -> PathBuf {
    let all = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    };
    all(dir, 0o777);
    let died = dir.join("died");
    let script = format!(
        "#!/bin/sh\n\
         [ \"$1\" = --version ] && exec chromium-headless-shell \"$@\"\n\
         echo x >> {0}\n\
         [ $(wc -l < {0}) -le {deaths} ] && exit 1\n\
         exec chromium-headless-shell \"$@\"\n",
        died.display()
    );
    let path = dir.join("mortal-headless-shell");
    std::fs::write(&path, script).unwrap();
    all(&path, 0o755);
    path
}

#[tokio::test]
async fn a_browser_that_dies_at_once_is_started_again() {
    let check = async |deaths: usize, starts: bool| {
        let scratch = tempfile::tempdir().unwrap();
        let mut options = options(&scratch);
        options.executable = Some(mortal(scratch.path(), deaths));
        match Browser::start(options).await {
            Ok(browser) => {
                assert!(starts, "after {deaths} deaths");
                browser.stop().await;
            }
            Err(error) => {
                assert!(!starts, "{error}");
                assert!(matches!(error, BrowserError::Died { .. }), "{error}");
            }
        }
    };
    check(1, true).await;
    check(2, true).await;
    check(3, false).await;
}
