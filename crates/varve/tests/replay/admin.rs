//! Administration as people meet it: in a browser, with the keyboard alone.

use crate::open_browser::{OpenBrowser, Tab};
use crate::served::{Saved, Served, TIME, save};
use crate::tour::{LOOKS, axe, enter, judge, look, tab_to, take};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use varve_serve::AdminOptions;

const TOKEN: &str = "correct-horse-battery";
const OLD: &str = "https://old.test/";
const NEW: &str = "https://new.test/";

/// An archive with a page, an empty access list and a token.
fn served() -> Served {
    let dir = tempfile::tempdir().unwrap();
    save(dir.path(), &[Saved::page(OLD, "<p>old")]);
    let (token, list) = (dir.path().join("token"), dir.path().join("access.aclj"));
    std::fs::write(&token, TOKEN).unwrap();
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o600)).unwrap();
    std::fs::write(&list, "# our rules\n").unwrap();
    Served::begin(dir, |options| {
        options.access = Some(list);
        options.admin = Some(AdminOptions::new(token));
    })
}

/// A WARC file that the browser can read, whoever it runs as.
fn warc(dir: &TempDir) -> PathBuf {
    let collection = dir.path().join("other");
    save(&collection, &[Saved::page(NEW, "<p>new").titled("New")]);
    let mut layers = std::fs::read_dir(collection.join("layers")).unwrap();
    let archive = layers.next().unwrap().unwrap().path().join("archive");
    let mut files = std::fs::read_dir(archive).unwrap();
    let readable = dir.path().join("new.warc.gz");
    std::fs::copy(files.next().unwrap().unwrap().path(), &readable).unwrap();
    for (path, mode) in [(dir.path(), 0o755), (readable.as_path(), 0o644)] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }
    readable
}

/// Chooses a file, as nobody can with the keys of a page alone: the browser's own window is next.
fn choose(browser: &mut OpenBrowser, tab: &Tab, file: &Path) {
    let expression = json!({"expression": "document.getElementById('files')"});
    let field = browser.tell(tab, "Runtime.evaluate", expression);
    let chosen = json!({"files": [file], "objectId": field["result"]["objectId"]});
    let answer = browser.tell(tab, "DOM.setFileInputFiles", chosen);
    assert!(answer["error"].is_null(), "{answer}");
}

fn sign_in(browser: &mut OpenBrowser, tab: &Tab, served: &Served) {
    browser.lead(tab, &format!("{}/admin", served.ui()));
    tab_to(browser, tab, "#token");
    browser.tell(tab, "Input.insertText", json!({"text": TOKEN}));
    browser.press(tab, "Enter", 13);
    browser.wait(tab, "Boolean(document.getElementById('files'))");
}

fn text(browser: &mut OpenBrowser, tab: &Tab, address: &str) -> String {
    browser.lead(tab, address);
    let text = browser.evaluate(tab, "document.body.innerText");
    text.as_str().unwrap().to_owned()
}

#[test]
fn files_are_added_and_urls_taken_down_with_the_keyboard() {
    let (served, sent) = (served(), tempfile::tempdir().unwrap());
    let file = warc(&sent);
    let mut browser = OpenBrowser::start(&[]);
    let tab = look(&mut browser, LOOKS[0]);
    let focus = json!({"enabled": true});
    browser.tell(&tab, "Emulation.setFocusEmulationEnabled", focus);
    let (ui, axe) = (served.ui(), axe());
    sign_in(&mut browser, &tab, &served);
    let cookies = browser.cookies();
    assert_eq!(cookies.len(), 1);
    let cookie = ["name", "path", "httpOnly", "sameSite"].map(|name| cookies[0][name].clone());
    assert_eq!(
        json!(cookie),
        json!(["varve_admin", "/admin", true, "Strict"])
    );
    // A file is added.
    choose(&mut browser, &tab, &file);
    tab_to(&mut browser, &tab, "form[action='/admin/import'] button");
    enter(&mut browser, &tab, "/admin?done=import");
    let (admin, mut told) = (format!("{ui}/admin"), String::new());
    for _ in 0..200 {
        told = text(&mut browser, &tab, &admin);
        if told.contains("(1 page)") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(
        told.contains("new.warc.gz") && told.contains("done"),
        "{told}"
    );
    assert!(told.contains("(1 page)"), "{told}");
    let captures = text(&mut browser, &tab, &format!("{ui}/web/*/{NEW}"));
    assert!(captures.contains("1 capture"), "{captures}");
    // It is taken down.
    browser.lead(&tab, &admin);
    tab_to(&mut browser, &tab, "#rule-url");
    browser.tell(&tab, "Input.insertText", json!({"text": NEW}));
    tab_to(
        &mut browser,
        &tab,
        "form[action='/admin/access'].form button",
    );
    enter(&mut browser, &tab, "/admin?done=add");
    judge(&mut browser, &tab, &axe, "/admin?done=add");
    let view = format!("{ui}/web/{TIME}/{NEW}");
    let shown = text(&mut browser, &tab, &view);
    assert!(shown.contains("The rules of this archive"), "{shown}");
    // And restored.
    browser.lead(&tab, &admin);
    tab_to(
        &mut browser,
        &tab,
        "form[action='/admin/access'] button.second",
    );
    enter(&mut browser, &tab, "/admin?done=remove");
    browser.lead(&tab, &view);
    browser.wait(&tab, "Boolean(document.querySelector('iframe'))");
    // Nobody is left signed in.
    browser.lead(&tab, &admin);
    tab_to(&mut browser, &tab, "form[action='/admin/sign-out'] button");
    browser.press(&tab, "Enter", 13);
    browser.wait(&tab, "Boolean(document.getElementById('token'))");
    assert_eq!(browser.cookies(), Vec::<serde_json::Value>::new());
    assert_eq!(browser.evaluate(&tab, "window.reports"), json!([]));
}

#[test]
fn its_pages_are_for_everybody_whatever_they_look_at_them_with() {
    let served = served();
    let mut browser = OpenBrowser::start(&[]);
    let axe = axe();
    for looks in LOOKS {
        let tab = look(&mut browser, looks);
        let focus = json!({"enabled": true});
        browser.tell(&tab, "Emulation.setFocusEmulationEnabled", focus);
        let admin = format!("{}/admin", served.ui());
        browser.lead(&tab, &admin);
        take(&mut browser, &tab, &admin, looks);
        judge(&mut browser, &tab, &axe, &format!("{admin} {looks:?}"));
        sign_in(&mut browser, &tab, &served);
        let open = "document.querySelectorAll('details').forEach((it) => { it.open = true })";
        browser.evaluate(&tab, open);
        take(&mut browser, &tab, &format!("{admin}/in"), looks);
        judge(
            &mut browser,
            &tab,
            &axe,
            &format!("{admin}, signed in {looks:?}"),
        );
        tab_to(&mut browser, &tab, "#rule-url");
        browser.tell(&tab, "Input.insertText", json!({"text": "javascript:x"}));
        browser.press(&tab, "Enter", 13);
        browser.wait(&tab, "document.title.startsWith('This was not done')");
        judge(&mut browser, &tab, &axe, &format!("refused {looks:?}"));
        browser.lead(&tab, &admin);
        tab_to(&mut browser, &tab, "form[action='/admin/sign-out'] button");
        browser.press(&tab, "Enter", 13);
        browser.wait(&tab, "Boolean(document.getElementById('token'))");
        browser.close_all();
    }
}
