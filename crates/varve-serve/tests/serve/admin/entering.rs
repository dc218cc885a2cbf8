//! Nobody comes in without the token, and nobody makes another's browser act.

use super::{Browser, PAGE, TOKEN, archive, bearer, desk};
use crate::archive::Saved;
use crate::asking::{Running, answer, raw};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;
use varve_serve::{AdminOptions, ServeOptions, Server};

const PATHS: [&str; 6] = [
    "/admin",
    "/admin/sign-in",
    "/admin/sign-out",
    "/admin/import",
    "/admin/jobs",
    "/admin/access",
];

#[test]
fn without_a_token_there_is_only_reading() {
    let running = Running::path(&[Saved::page(PAGE, "x")]);
    for path in PATHS {
        assert_eq!(running.own(path).status, 404, "{path}");
        let sent = running.post_form(path, &bearer(), &format!("token={TOKEN}"));
        assert_eq!(sent.status, 405, "{path}");
    }
    for path in ["/", "/cdx?url=h.test", "/collections.json"] {
        assert_eq!(running.post(path, "", b"x").status, 405, "{path}");
    }
}

#[test]
fn with_one_all_else_is_still_only_for_reading() {
    let running = desk();
    let browser = Browser::sign_in(&running);
    for path in ["/", "/cdx?url=h.test", "/collections.json", "/administer"] {
        for fields in [&browser.fields, &bearer()] {
            assert_eq!(running.post(path, fields, b"x").status, 405, "{path}");
        }
    }
    let put = format!(
        "PUT /admin/access HTTP/1.1\r\nHost: {}\r\n{}Connection: close\r\n\r\n",
        running.ui(),
        bearer()
    );
    let put = answer(&raw(running.ui(), put.as_bytes())).unwrap();
    assert_eq!(put.status, 405);
}

#[test]
fn a_stranger_is_asked_for_the_token() {
    let running = desk();
    let page = running.own("/admin");
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("action=\"/admin/sign-in\""), "{text}");
    assert!(
        !text.contains(TOKEN) && !text.contains("Add files"),
        "{text}"
    );
    assert_eq!(page.header("cache-control"), "no-store");
    let policy = page.header("content-security-policy");
    assert!(policy.contains("form-action 'self'") && !policy.contains("unsafe"));
    for path in ["/admin/jobs", "/admin/access", "/admin/nothing"] {
        let answer = running.own(path);
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"varve\"");
    }
    for path in ["/admin/import", "/admin/access", "/admin/sign-out"] {
        assert_eq!(running.post_form(path, "", "x=1").status, 401, "{path}");
        let fields = "Cookie: varve_admin=00\r\n";
        assert_eq!(running.post_form(path, fields, "x=1").status, 401, "{path}");
    }
}

#[test]
fn a_wrong_token_opens_nothing_and_many_have_to_wait() {
    let running = desk();
    for attempt in 0..10 {
        let answer = match attempt % 2 {
            0 => running.own_with("/admin/jobs", "Authorization: Bearer wrong-wrong-wrong\r\n"),
            _ => running.post_form("/admin/sign-in", "", "token=correct-horse"),
        };
        assert_eq!(answer.status, 401, "{}", answer.text());
        assert_eq!(answer.header("set-cookie"), "");
    }
    let limited = running.post_form("/admin/sign-in", "", &format!("token={TOKEN}"));
    assert_eq!(limited.status, 429, "{}", limited.text());
    let wait: u64 = limited.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(running.own_with("/admin/jobs", &bearer()).status, 429);
    // Reading is for everybody, all the time.
    assert_eq!(running.own("/").status, 200);
}

#[test]
fn a_session_is_a_cookie_for_administration_alone() {
    let running = desk();
    let form = format!("token={TOKEN}");
    let origin = format!("Origin: http://{}\r\n", running.ui());
    let answer = running.post_form("/admin/sign-in", &origin, &form);
    let cookie = answer.header("set-cookie");
    let (value, attributes) = cookie.split_once("; ").unwrap();
    assert!(
        value.starts_with("varve_admin=") && value.len() > 40,
        "{cookie}"
    );
    assert_eq!(
        attributes,
        "Path=/admin; Max-Age=43200; HttpOnly; SameSite=Strict"
    );
    let origin = format!("Origin: https://{}\r\n", running.ui());
    let answer = running.post_form("/admin/sign-in", &origin, &form);
    assert!(answer.header("set-cookie").ends_with("; Secure"));
    // It ends when its owner says so, on the server, too.
    let browser = Browser::sign_in(&running);
    let out = format!("csrf={}", browser.csrf);
    let answer = running.post_form("/admin/sign-out", &browser.fields, &out);
    assert_eq!(answer.status, 303);
    assert!(
        answer
            .header("set-cookie")
            .starts_with("varve_admin=; Path=/admin; Max-Age=0;")
    );
    let page = running.own_with("/admin", &browser.fields).text();
    assert!(page.contains("action=\"/admin/sign-in\""), "{page}");
}

#[test]
fn forms_of_other_sessions_and_pages_of_other_sites_change_nothing() {
    let running = desk();
    let (browser, other) = (Browser::sign_in(&running), Browser::sign_in(&running));
    let rule = "action=add&url=https://h.test/page&match=url&access=block";
    let own = format!("{rule}&csrf={}", browser.csrf);
    let host = running.ui();
    for (fields, form) in [
        (String::new(), rule.to_owned()),
        (String::new(), format!("{rule}&csrf=")),
        (String::new(), format!("{rule}&csrf={}", other.csrf)),
        ("Origin: https://evil.test\r\n".to_owned(), own.clone()),
        ("Origin: null\r\n".to_owned(), own.clone()),
        (
            format!("Origin: http://{}\r\n", running.replay_address()),
            own.clone(),
        ),
        ("Sec-Fetch-Site: cross-site\r\n".to_owned(), own.clone()),
        ("Sec-Fetch-Site: same-site\r\n".to_owned(), own.clone()),
    ] {
        let fields = format!("{}{fields}", browser.fields);
        let answer = running.post_form("/admin/access", &fields, &form);
        assert_eq!(answer.status, 403, "{fields} {form}");
    }
    for fields in [
        "Origin: https://evil.test\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let fields = format!("{}{fields}", bearer());
        assert_eq!(
            running.post_form("/admin/access", &fields, rule).status,
            403
        );
    }
    let both = format!("{}{}", browser.fields, bearer());
    assert_eq!(running.post_form("/admin/access", &both, &own).status, 400);
    assert_eq!(
        running.asked_by_program("/admin/access")["rules"],
        serde_json::json!([])
    );
    let fields = format!(
        "{}Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n",
        browser.fields
    );
    assert_eq!(
        running.post_form("/admin/access", &fields, &own).status,
        303
    );
}

#[test]
fn another_name_for_this_machine_is_refused() {
    let running = desk();
    for (method, path) in [
        ("GET", "/admin"),
        ("POST", "/admin/sign-in"),
        ("GET", "/admin/jobs"),
    ] {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: rebound.test:{}\r\n{}Content-Length: 0\r\n\
             Connection: close\r\n\r\n",
            running.ui().port(),
            bearer()
        );
        let answer = answer(&raw(running.ui(), request.as_bytes())).unwrap();
        assert_eq!(answer.status, 403, "{method} {path}");
    }
    // Nor is there anything of it where archived content is.
    let replay = format!("http://{}/admin", running.replay_address());
    for method in ["GET", "POST"] {
        let answer = running.send(method, &replay, &bearer(), "");
        assert_eq!(answer.status, 404, "{method}");
    }
}

#[test]
fn what_is_done_is_written_down_without_secrets() {
    let running = desk();
    let wrong = running.post_form("/admin/sign-in", "", "token=a-wrong-token-here");
    assert_eq!(wrong.status, 401);
    let browser = Browser::sign_in(&running);
    let form = format!("csrf={}&url=h.test/page", browser.csrf);
    running.post_form("/admin/access", &browser.fields, &form);
    running.post_form("/admin/access", &bearer(), "url=h.test/page");
    let log = running.dir.path().join("state/admin.jsonl");
    let mode = log.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = std::fs::read_to_string(log).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<_> = lines
        .iter()
        .map(|line| ["who", "from", "did", "outcome"].map(|name| line[name].as_str().unwrap()))
        .collect();
    let there = "this rule is in the access list already";
    assert_eq!(
        told,
        [
            [
                "nobody",
                "127.0.0.1",
                "showed a token",
                "this is not the token"
            ],
            ["session 1", "127.0.0.1", "signed in", "done"],
            ["session 1", "127.0.0.1", "added a rule", "done"],
            ["bearer", "127.0.0.1", "added a rule", there],
        ]
    );
    let id = browser.fields.split("varve_admin=").nth(1).unwrap().trim();
    for secret in [TOKEN, "a-wrong-token-here", id, &browser.csrf] {
        assert!(!text.contains(secret), "{text}");
    }
    let metrics = running.own("/metrics").text();
    assert!(!metrics.contains(TOKEN), "{metrics}");
}

#[test]
fn a_server_does_not_start_with_a_token_that_others_can_read() {
    let dir: TempDir = archive();
    let token = dir.path().join("token");
    std::fs::write(&token, TOKEN).unwrap();
    std::fs::set_permissions(&token, PermissionsExt::from_mode(0o644)).unwrap();
    let anywhere = "127.0.0.1:0".parse().unwrap();
    let options = ServeOptions {
        admin: Some(AdminOptions::new(token)),
        ..ServeOptions::new(vec![dir.path().to_owned()], anywhere)
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let started = runtime.block_on(Server::start(options));
    let error = started.err().unwrap().to_string();
    assert!(error.contains("token: others may read"), "{error}");
    assert!(!error.contains(TOKEN), "{error}");
}

#[test]
fn what_is_described_for_programs_is_what_they_are_answered() {
    let running = desk();
    let described = running.own("/openapi.json").text();
    let described: serde_json::Value = serde_json::from_str(&described).unwrap();
    let scheme = &described["components"]["securitySchemes"]["token"];
    assert_eq!(scheme["scheme"], "bearer");
    let paths = described["paths"].as_object().unwrap();
    let mut asked = 0;
    for (path, methods) in paths.iter().filter(|(path, _)| path.starts_with("/admin")) {
        for (method, known) in methods.as_object().unwrap() {
            assert_eq!(known["security"], serde_json::json!([{"token": []}]));
            let path = path.replace("{job}", "1");
            for fields in [String::new(), bearer()] {
                let answer = match method.as_str() {
                    "get" => running.own_with(&path, &fields),
                    _ => running.post_form(&path, &fields, ""),
                };
                let told = &known["responses"][answer.status.to_string()];
                assert!(told.is_object(), "{method} {path}: {}", answer.status);
                assert_eq!(answer.header("content-type"), "application/json");
                asked += 1;
            }
        }
    }
    assert_eq!(asked, 10);
}
