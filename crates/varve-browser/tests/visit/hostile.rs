//! Pages that misbehave. Each ends in time, with the right reason, and does not harm the next.

use std::time::{Duration, Instant};

use varve_browser::{Visit, VisitOptions};

use crate::setup::{Setup, quick, setup, setup_with};
use crate::site::{Reply, Site};

const DEADLINE: Duration = Duration::from_secs(6);
/// For pages that end by themselves after so many rounds, for which a slow machine takes its time.
const PATIENCE: Duration = Duration::from_secs(60);

/// Visits a page that misbehaves; checks the reason, the time it took, and the next page.
async fn check(setup: &Setup, site: &Site, reason: &str) -> Visit {
    check_within(DEADLINE, setup, site, reason).await
}

async fn check_within(deadline: Duration, setup: &Setup, site: &Site, reason: &str) -> Visit {
    let options = VisitOptions {
        deadline,
        screenshot: true,
        ..quick()
    };
    let began = Instant::now();
    let visit = setup.visit(site, &options).await;
    let took = began.elapsed();
    assert_eq!(visit.outcome.reason(), reason, "{:?} {visit:?}", visit.took);
    assert!(took < deadline + Duration::from_secs(5), "{took:?}");
    setup.assert_next_page_is_fine().await;
    visit
}

async fn check_page(html: &'static str, reason: &str) -> Visit {
    check(&setup().await, &Site::of(html).await, reason).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_loop_is_a_hang_and_what_came_before_is_kept() {
    let html = "<title>loop</title><p>before<a href=/next>n</a><script>for(;;);</script><p>after";
    let visit = check_page(html, "browser.hang").await;
    assert!(visit.text.contains("before"), "{visit:?}");
    assert_eq!(visit.links.len(), 1);
    assert!(visit.screenshot.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_that_begins_later_is_a_hang() {
    let html = "<p>before<script>setTimeout(() => { for(;;); }, 50)</script>";
    check_page(html, "browser.hang").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_never_answers_is_a_timeout() {
    let setup = setup().await;
    let site = Site::start(|_| Reply::Never).await;
    let visit = check(&setup, &site, "timeout.page").await;
    assert_eq!(visit.status, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_never_comes_does_not_hold_up_the_page() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.ends_with("/") {
        true => Reply::html("<title>waits</title><img src=/never>"),
        false => Reply::Never,
    })
    .await;
    let options = VisitOptions {
        deadline: Duration::from_secs(20),
        ..quick()
    };
    let visit = setup.visit(&site, &options).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok.partial", "waits")
    );
    assert!(visit.took < Duration::from_secs(12), "{:?}", visit.took);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_never_quiet_is_left_all_the_same() {
    let setup = setup().await;
    let site = Site::of(
        "<title>busy</title><script>let n = 0; setInterval(() => fetch('/poll?' + n++), 100)</script>",
    )
    .await;
    let options = VisitOptions {
        deadline: Duration::from_secs(25),
        ..quick()
    };
    let visit = setup.visit(&site, &options).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok.partial", "busy")
    );
    assert!(visit.took < Duration::from_secs(16), "{:?}", visit.took);
    setup.assert_next_page_is_fine().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dialogs_are_dismissed() {
    let html = "<body onbeforeunload='return 1'><script>
      alert('one'); document.title = [confirm('two'), prompt('three')]; print();
      </script><input type=file id=f><script>f.click()</script>";
    let visit = check_page(html, "ok").await;
    assert_eq!(visit.title, "false,");
    assert_eq!(visit.dialogs.count, 3);
    assert_eq!(visit.dialogs.examples, ["one", "two", "three"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_dialogs_are_ended() {
    let site = Site::of("<p>text<script>for(;;) alert('again')</script>").await;
    let visit = check_within(PATIENCE, &setup().await, &site, "browser.dialog").await;
    assert!(
        visit.text.contains("text") && visit.screenshot.is_some(),
        "{:?}",
        visit.notes
    );
    assert!(visit.dialogs.count < 5000, "{}", visit.dialogs.count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn popups_are_written_down_and_not_opened() {
    let html = "<a href=/linked target=_blank id=a></a><script>
      for (let n = 0; n < 500; n++) window.open('/popup?' + n); a.click();</script>";
    let setup = setup().await;
    let site = Site::of(html).await;
    let visit = check_within(PATIENCE, &setup, &site, "ok").await;
    assert_eq!(
        (visit.popups.count, visit.popups.examples.len()),
        (501, 100)
    );
    assert_eq!(visit.popups.examples[1], "http://site.test/popup?1");
    assert_eq!(site.asked(), ["http://site.test/"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_download_is_no_page() {
    let attachment = || {
        let head = [
            "content-type: application/zip",
            "content-disposition: attachment",
        ];
        Reply::Full(200, head.map(str::to_owned).to_vec(), b"PK".to_vec())
    };
    let setup = setup().await;
    let site = Site::start(move |_| attachment()).await;
    let visit = check(&setup, &site, "browser.download").await;
    assert_eq!(visit.downloads.examples, ["http://site.test/"]);

    let site = Site::start(move |asked| match asked.url.ends_with("/") {
        true => {
            Reply::html("<title>with</title><a id=a href=/file>f</a><script>a.click()</script>")
        }
        false => attachment(),
    })
    .await;
    let visit = check(&setup, &site, "ok").await;
    assert_eq!(visit.title, "with");
    assert_eq!(visit.downloads.examples, ["http://site.test/file"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_loop_is_ended() {
    let setup = setup().await;
    let by_script = Site::of("<title>round</title><script>location.reload()</script>").await;
    let visit = check_within(PATIENCE, &setup, &by_script, "redirect.loop").await;
    assert!(visit.requests.len() < 100, "{}", visit.requests.len());
    let by_meta = Site::of("<meta http-equiv=refresh content=0>").await;
    check_within(PATIENCE, &setup, &by_meta, "redirect.loop").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_without_end_concerns_one_page() {
    let setup = setup_with(|options| options.max_memory = 600 << 20).await;
    let greedy = async {
        let html =
            "<script>const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))</script>";
        let options = VisitOptions {
            deadline: Duration::from_secs(20),
            ..quick()
        };
        setup.visit(&Site::of(html).await, &options).await
    };
    let modest = async {
        let html = "<title>modest</title><script>setTimeout(() => fetch('/late'), 400)</script>";
        setup.visit(&Site::of(html).await, &quick()).await
    };
    let (greedy, modest) = tokio::join!(greedy, modest);
    assert_eq!(greedy.outcome.reason(), "browser.oom", "{greedy:?}");
    assert_eq!(
        (modest.outcome.reason().as_ref(), modest.title.as_str()),
        ("ok", "modest")
    );
    setup.assert_next_page_is_fine().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_are_too_much_only_together_are_all_visited() {
    let setup = setup_with(|options| options.max_memory = 600 << 20).await;
    let large = async || {
        let html = "<title>large</title><script>window.all = [];
          for (let n = 0; n < 150; n++) all.push(new Uint8Array(1 << 20).fill(1));
          setTimeout(() => fetch('/late'), 1500)</script>";
        let options = VisitOptions {
            deadline: Duration::from_secs(40),
            ..quick()
        };
        setup.visit(&Site::of(html).await, &options).await
    };
    let (one, two, three) = tokio::join!(large(), large(), large());
    let visits = [one, two, three];
    for visit in &visits {
        assert_eq!(visit.outcome.reason(), "ok", "{visit:?}");
    }
    // Or else there was room for all.
    assert!(visits.iter().any(|visit| visit.attempts == 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drawing_without_end_is_a_page_like_others() {
    let html = "<p>storm<canvas id=c></canvas><script>
      const draw = () => { requestAnimationFrame(draw);
        document.body.append(document.createElement('i'));
        c.getContext('2d').fillRect(0, 0, Math.random() * 99, 9); }; draw();</script>";
    let visit = check_page(html, "ok").await;
    assert!(visit.screenshot.is_some(), "{:?}", visit.notes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_without_end_do_no_harm() {
    let html = "<script>const code = URL.createObjectURL(new Blob(['for(;;);']));
      for (let n = 0; n < 30; n++) new Worker(code)</script><p>text";
    let setup = setup().await;
    let site = Site::of(html).await;
    let visit = setup
        .visit(
            &site,
            &VisitOptions {
                deadline: DEADLINE * 2,
                ..quick()
            },
        )
        .await;
    assert!(visit.text.contains("text"), "{visit:?}");
    setup.assert_next_page_is_fine().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_wants_a_password_is_shown_without() {
    let setup = setup().await;
    let site = Site::start(|_| {
        let head = ["www-authenticate: Basic realm=x", "content-type: text/html"];
        Reply::Full(
            401,
            head.map(str::to_owned).to_vec(),
            b"<p>members only".to_vec(),
        )
    })
    .await;
    let visit = check(&setup, &site, "ok").await;
    assert_eq!(visit.status, Some(401));
    assert!(visit.text.contains("members only"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_breaks_is_named() {
    let setup = setup().await;
    let site = Site::start(|_| Reply::Late(Duration::ZERO, Box::new(Reply::Broken))).await;
    check(&setup, &site, "navigation.empty-response").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_without_a_page_is_no_page() {
    let setup = setup().await;
    let site = Site::start(|_| Reply::Full(204, vec![], vec![])).await;
    check(&setup, &site, "navigation.aborted").await;
}
