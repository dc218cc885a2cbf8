//! A rule from the page of administration holds at once, everywhere, and can be taken back.

use super::{Browser, PAGE, archive, bearer, desk};
use crate::archive::TIME;
use crate::asking::Running;
use serde_json::json;
use std::time::{Duration, Instant};

/// What the interfaces answer about the page.
fn statuses(running: &Running) -> [u16; 5] {
    [
        running.get(PAGE, "document").status,
        running.own(&format!("/web/{TIME}/{PAGE}")).status,
        running.own(&format!("/timemap/link/{PAGE}")).status,
        running.own(&format!("/timegate/{PAGE}")).status,
        running.own(&format!("/record/{TIME}/{PAGE}")).status,
    ]
}

/// Whether lists, search and downloads have it.
fn is_listed(running: &Running) -> [bool; 3] {
    let has = |target: &str, what: &str| running.own(target).text().contains(what);
    [
        has("/cdx?url=h.test/*", "h.test/page"),
        has("/search?q=words", &format!("/web/{TIME}/{PAGE}")),
        has("/collections.json", ".wacz"),
    ]
}

/// Words are found when a thread has read them.
fn wait_for_words(running: &Running) {
    let began = Instant::now();
    while !is_listed(running)[1] {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_url_is_taken_down_and_comes_back() {
    let running = desk();
    wait_for_words(&running);
    assert_eq!(statuses(&running), [200, 200, 200, 302, 200]);
    assert_eq!(is_listed(&running), [true; 3]);
    for (access, status) in [("block", 451), ("exclude", 404)] {
        let form = format!("url={PAGE}&access={access}");
        let answer = running.post_form("/admin/access", &bearer(), &form);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let found = statuses(&running);
        assert!(
            found.iter().all(|found| *found == status),
            "{access}: {found:?}"
        );
        assert_eq!(is_listed(&running), [false; 3], "{access}");
        let rules = running.asked_by_program("/admin/access");
        let rule = rules["rules"][0].as_str().unwrap();
        assert!(rule.starts_with("test,h)/page### - {"), "{rule}");
        let rule: String = url::form_urlencoded::byte_serialize(rule.as_bytes()).collect();
        let form = format!("action=remove&rule={rule}");
        let answer = running.post_form("/admin/access", &bearer(), &form);
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(statuses(&running), [200, 200, 200, 302, 200]);
        assert_eq!(is_listed(&running), [true; 3]);
        let again = running.post_form("/admin/access", &bearer(), &form);
        assert_eq!(again.status, 404);
    }
    let list = running.dir.path().join("access.aclj");
    assert_eq!(std::fs::read_to_string(list).unwrap(), "# our rules\n");
}

#[test]
fn the_later_of_two_rules_for_the_same_urls_holds() {
    let running = desk();
    let status = || running.get(PAGE, "document").status;
    for (access, expected) in [("block", 451), ("exclude", 404), ("allow", 200)] {
        let form = format!("url=h.test&match=host&access={access}");
        running.post_form("/admin/access", &bearer(), &form);
        assert_eq!(status(), expected, "{access}");
    }
    // An exception from a wider rule, and one for other times.
    running.post_form("/admin/access", &bearer(), "url=h.test/pa&match=prefix");
    assert_eq!(status(), 451);
    let form = format!("url={PAGE}&access=allow&to=2025");
    running.post_form("/admin/access", &bearer(), &form);
    assert_eq!(status(), 451);
    let form = format!("url={PAGE}&access=allow&from=2026");
    running.post_form("/admin/access", &bearer(), &form);
    assert_eq!(status(), 200);
    let rules = running.asked_by_program("/admin/access");
    assert_eq!(rules["rules"].as_array().unwrap().len(), 6);
}

#[test]
fn people_use_the_forms() {
    let running = desk();
    let browser = Browser::sign_in(&running);
    let form = format!("csrf={}&action=add&url={PAGE}", browser.csrf);
    let answer = running.post_form("/admin/access", &browser.fields, &form);
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("location"), "/admin?done=add#access");
    let page = running.own_with("/admin?done=add", &browser.fields).text();
    assert!(page.contains("The rule is in force."), "{page}");
    assert!(page.contains("test,h)/page### - "), "{page}");
    assert_eq!(statuses(&running)[0], 451);
    let bad = format!("csrf={}&action=add&url=javascript:x", browser.csrf);
    let answer = running.post_form("/admin/access", &browser.fields, &bad);
    assert_eq!(answer.status, 400);
    assert!(
        answer.text().contains("is not a URL of the web"),
        "{}",
        answer.text()
    );
}

#[test]
fn a_list_with_a_mistake_is_left_to_those_who_made_it() {
    let running = desk();
    let list = running.dir.path().join("access.aclj");
    std::fs::write(&list, "no rule\n").unwrap();
    let answer = running.post_form("/admin/access", &bearer(), "url=h.test");
    assert_eq!(answer.status, 409);
    assert!(answer.text().contains("line 1"), "{}", answer.text());
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "no rule\n");
}

#[test]
fn without_a_list_the_page_says_how_to_have_one() {
    let dir = archive();
    let token = dir.path().join("token");
    std::fs::write(&token, super::TOKEN).unwrap();
    let own: std::fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&token, own).unwrap();
    let running = Running::chosen(dir, |options| {
        options.admin = Some(varve_serve::AdminOptions::new(token));
    });
    let browser = Browser::sign_in(&running);
    let page = running.own_with("/admin", &browser.fields).text();
    assert!(page.contains("--access FILE"), "{page}");
    let answer = running.post_form("/admin/access", &bearer(), "url=h.test");
    assert_eq!(answer.status, 409);
    let told: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    let why = "there is no access list: start the server with --access FILE";
    assert_eq!(told, json!({"message": why}));
}
