//! Pages as they should be.

use std::time::Duration;

use varve_browser::{Stacks, VisitOptions};

use crate::setup::{quick, setup};
use crate::site::{Reply, Site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_tells_what_it_is() {
    let setup = setup().await;
    let site = Site::of(
        "<title>A garden</title><h1>Hello</h1><a href='/next' rel=nofollow>the <b>next</b></a>
         <map><area href=/area alt=corner></map>
         <svg><a href='drawn'><text>x</text></a></svg><a href='javascript:void 0'>no</a>",
    )
    .await;
    let visit = setup.visit(&site, &VisitOptions::default()).await;
    assert_eq!(visit.outcome.reason(), "ok", "{visit:?}");
    assert_eq!(
        (visit.status, visit.title.as_str()),
        (Some(200), "A garden")
    );
    assert!(visit.text.contains("Hello"), "{}", visit.text);
    let links: Vec<_> = visit
        .links
        .iter()
        .map(|l| (l.url.path(), l.text.as_str(), l.rel.as_str()))
        .collect();
    let expected = [
        ("/next", "the next", "nofollow"),
        ("/area", "corner", ""),
        ("/drawn", "x", ""),
    ];
    assert_eq!(links, expected);
    assert!(visit.screenshot.unwrap().starts_with(b"\x89PNG"));
    assert!(visit.thumbnail.unwrap().starts_with(b"\xff\xd8"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_after_load_are_waited_for() {
    let setup = setup().await;
    let site = Site::of(
        "<script>onload = () => setTimeout(async () => {
           await fetch('/first'); setTimeout(async () => {
             await fetch('/second'); document.body.append('all there');
           }, 300);
         }, 300)</script>",
    )
    .await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(visit.outcome.reason(), "ok");
    assert!(site.was_asked("/second"), "{:?}", site.asked());
    assert!(visit.text.contains("all there"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_moves_without_end_is_told() {
    let setup = setup().await;
    let site = Site::of(
        "<style>body { margin: 0 } @keyframes turn { to { rotate: 1turn } }
         div { height: 50px; width: 50px } #once { animation: turn 1s } #ever { animation: turn 1s infinite }
         video { display: block; height: 40px; width: 70px }</style>
         <video></video><div id=once></div><div></div><div id=ever></div>",
    )
    .await;
    let options = VisitOptions {
        screenshot: true,
        ..quick()
    };
    let visit = setup.visit(&site, &options).await;
    let tops: Vec<i64> = visit
        .moving
        .iter()
        .map(|area| area.y.round() as i64)
        .collect();
    // What turns has another box at each moment, around the same centre.
    assert_eq!(visit.moving.len(), 2, "{:?}", visit.moving);
    assert_eq!((tops[0], visit.moving[0].width), (0, 70.0));
    assert!((125..=140).contains(&tops[1]), "{tops:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_looked_at_for_as_long_as_wished() {
    let setup = setup().await;
    let site = Site::of("<p>as usual").await;
    let at_least = Duration::from_secs(3);
    let options = VisitOptions {
        at_least,
        ..quick()
    };
    let visit = setup.visit(&site, &options).await;
    assert_eq!(visit.outcome.reason(), "ok");
    assert!(visit.took >= at_least, "{:?}", visit.took);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scrolling_loads_what_is_further_down() {
    let setup = setup().await;
    let site = Site::of(
        "<body>
         <div style='height:6000px'></div><img loading=lazy src=/lazy width=10 height=10>
         <div style='height:3000px'></div><p id=watched>end</p>
         <script>new IntersectionObserver(seen => seen[0].isIntersecting && fetch('/watched'))
           .observe(watched)</script>",
    )
    .await;
    let visit = setup
        .visit(
            &site,
            &VisitOptions {
                scroll: true,
                ..quick()
            },
        )
        .await;
    assert_eq!(visit.outcome.reason(), "ok");
    assert!(
        site.was_asked("/lazy") && site.was_asked("/watched"),
        "{:?}",
        site.asked()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_page_is_scrolled_if_one_of_its_scripts_could_see_it() {
    const WATCHES: &str = "new IntersectionObserver(seen => seen[0].isIntersecting \
        && fetch('/watched')).observe(document.getElementById('watched'))";
    for (script, scrolls) in [(WATCHES, true), ("console.log('only this')", false)] {
        let setup = setup().await;
        let site = Site::start(move |asked| match asked.url.ends_with("/code.js") {
            true => Reply::of_type("text/javascript", script),
            false => Reply::html(
                "<div style='height:9000px'></div><p id=watched>end</p><script src=/code.js></script>
                 <script>let told; setInterval(() => { if (scrollY > 0) told ??= fetch('/moved') }, 5)</script>",
            ),
        })
        .await;
        let options = VisitOptions {
            scroll: true,
            ..quick()
        };
        setup.visit(&site, &options).await;
        assert_eq!(site.was_asked("/moved"), scrolls, "{:?}", site.asked());
        assert_eq!(site.was_asked("/watched"), scrolls, "{:?}", site.asked());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scrolling_goes_through_the_container_that_scrolls() {
    let setup = setup().await;
    let site = Site::of(
        "<style>body{margin:0;overflow:hidden}</style><main style='height:100vh;overflow:auto'>
         <div style='height:5000px'></div><p id=watched>end</p></main>
         <script>new IntersectionObserver(seen => seen[0].isIntersecting && fetch('/watched'))
           .observe(watched)</script>",
    )
    .await;
    setup
        .visit(
            &site,
            &VisitOptions {
                scroll: true,
                ..quick()
            },
        )
        .await;
    assert!(site.was_asked("/watched"), "{:?}", site.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_listens_to_scrolling_hears_it() {
    let setup = setup().await;
    let site = Site::of(
        "<div style='height:9000px'></div>
         <script>document.addEventListener('scroll', () => scrollY > 8000 && fetch('/heard'))</script>",
    )
    .await;
    setup
        .visit(
            &site,
            &VisitOptions {
                scroll: true,
                ..quick()
            },
        )
        .await;
    assert!(site.was_asked("/heard"), "{:?}", site.asked());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_infinite_list_is_left_at_some_point() {
    let setup = setup().await;
    let site = Site::of(
        "<body><div id=list style='height:2000px'></div><p id=end>end</p><script>
           let n = 0;
           new IntersectionObserver(async seen => {
             if (!seen[0].isIntersecting) return;
             await fetch('/more?' + n++);
             list.style.height = list.offsetHeight + 2000 + 'px';
           }).observe(end)</script>",
    )
    .await;
    let options = VisitOptions {
        scroll: true,
        deadline: Duration::from_secs(40),
        ..quick()
    };
    let visit = setup.visit(&site, &options).await;
    assert_eq!(visit.outcome.reason(), "ok");
    let more = site
        .asked()
        .iter()
        .filter(|url| url.contains("/more"))
        .count();
    assert!((5..=41).contains(&more), "{more}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_and_shadow_roots_are_read_too() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.as_str() {
        "http://site.test/" => Reply::html(
            "<p>outside<div id=host></div><iframe src=/same></iframe>
             <iframe src=http://other.example/frame></iframe>
             <script>host.attachShadow({mode: 'open'}).innerHTML =
               '<p>in the shade</p><a href=/shaded>x</a>'</script>",
        ),
        "http://site.test/same" => Reply::html("<p>same site<a href=inner>i</a>"),
        "http://other.example/frame" => Reply::html("<p>other site<a href=/far>f</a>"),
        _ => Reply::of_type("text/plain", ""),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    for part in ["outside", "in the shade", "same site", "other site"] {
        assert!(visit.text.contains(part), "{part}: {}", visit.text);
    }
    let links: Vec<String> = visit
        .links
        .iter()
        .map(|link| link.url.to_string())
        .collect();
    for url in [
        "http://site.test/shaded",
        "http://site.test/same",
        "http://site.test/inner",
        "http://other.example/frame",
        "http://other.example/far",
    ] {
        assert!(links.iter().any(|link| link == url), "{url}: {links:?}");
    }
    let far = visit
        .links
        .iter()
        .find(|link| link.url.path() == "/far")
        .unwrap();
    assert_eq!(visit.frames[far.frame].url, "http://other.example/frame");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_words_of_a_page_are_sent() {
    let setup = setup().await;
    let site = Site::of(
        "<script>
           for (const event of ['pagehide', 'visibilitychange', 'beforeunload'])
             addEventListener(event, () => navigator.sendBeacon('/beacon-' + event), true);
           addEventListener('pagehide', () => fetch('/kept', {method: 'POST', keepalive: true}));
         </script>",
    )
    .await;
    setup.visit(&site, &quick()).await;
    for last in [
        "/beacon-pagehide",
        "/beacon-visibilitychange",
        "/beacon-beforeunload",
        "/kept",
    ] {
        assert!(site.was_asked(last), "{last}: {:?}", site.asked());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redirects_of_all_kinds_are_followed() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.as_str() {
        "http://site.test/" => Reply::Full(302, vec!["location: /meta".into()], vec![]),
        "http://site.test/meta" => {
            Reply::html("<meta http-equiv=refresh content='1; url=/script'>")
        }
        "http://site.test/script" => Reply::html("<script>location = '/end#here'</script>"),
        _ => Reply::html("<title>the end</title>"),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(visit.final_url.as_str(), "http://site.test/end#here");
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok", "the end")
    );
    let first = &visit.requests[0];
    assert_eq!(first.redirects.len(), 1);
    assert_eq!(
        (first.redirects[0].url.as_str(), first.redirects[0].status),
        ("http://site.test/", 302)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_says_who_caused_what() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.rsplit('/').next().unwrap() {
        "" => Reply::html(
            "<link rel=stylesheet href=/style.css><script src=/code.js></script>
             <iframe src=http://other.example/frame></iframe>",
        ),
        "style.css" => Reply::of_type("text/css", "body{background:url(/picture.png)}"),
        "code.js" => Reply::of_type(
            "text/javascript",
            "function load() { return fetch('/json') }\nload();
             new Worker('/worker.js'); new SharedWorker('/shared.js');
             fetch('/missing');
             console.error('oh', 'no'); setTimeout(() => { throw new Error('thrown') });",
        ),
        "worker.js" => Reply::of_type("text/javascript", "fetch('/from-worker')"),
        "shared.js" => Reply::of_type(
            "text/javascript",
            "setTimeout(() => fetch('/from-shared'), 100)",
        ),
        "frame" => Reply::html("<script>fetch('/from-frame')</script>"),
        "missing" => Reply::Full(404, vec![], vec![]),
        _ => Reply::of_type("text/plain", "."),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    let find = |part: &str| {
        let found = visit
            .requests
            .iter()
            .find(|request| request.url.ends_with(part));
        found.unwrap_or_else(|| panic!("{part} is not among {:#?}", visit.requests))
    };
    let json = find("/json");
    assert_eq!(
        (json.resource_type.as_str(), json.initiator.kind.as_str()),
        ("Fetch", "script")
    );
    assert_eq!(json.initiator.stack[0].function, "load");
    assert_eq!(
        json.initiator.url.as_deref(),
        Some("http://site.test/code.js")
    );
    assert_eq!((json.initiator.line, json.status), (Some(0), Some(200)));
    assert_eq!(find("/style.css").initiator.kind, "parser");
    assert_eq!(find("/picture.png").resource_type, "Image");
    assert_eq!(find("/from-worker").target, "worker");
    assert_eq!(find("/from-shared").target, "shared_worker");
    assert_eq!(
        find("/from-frame").document_url,
        "http://other.example/frame"
    );
    assert_eq!(find("/missing").status, Some(404));
    let errors: Vec<&str> = visit
        .console_errors
        .iter()
        .map(|error| error.text.as_str())
        .collect();
    assert!(errors.contains(&"oh no"), "{errors:?}");
    assert!(
        errors
            .iter()
            .any(|error| error.starts_with("Error: thrown")),
        "{errors:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_does_not_keep_a_page_from_being_quiet() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.ends_with("/events") {
        true => Reply::Events,
        false => Reply::html("<script>new EventSource('/events')</script>"),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(visit.outcome.reason(), "ok");
    assert!(site.was_asked("/events"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_pages_at_once_do_not_meet() {
    let setup = setup().await;
    let visit = async |n: u32| {
        let script = format!("document.title = {n} + document.cookie; document.cookie = 'n={n}'");
        let site = Site::start(move |_| Reply::html(format!("<script>{script}</script>"))).await;
        let visit = setup.visit(&site, &quick()).await;
        (visit.title, visit.outcome.reason().into_owned())
    };
    let (one, two, three, four) = tokio::join!(visit(1), visit(2), visit(3), visit(4));
    for (n, found) in [(1, one), (2, two), (3, three), (4, four)] {
        assert_eq!(found, (n.to_string(), "ok".to_owned()));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_stacks_go_back_through_timers() {
    let setup = setup().await;
    let site = Site::of(
        "<script>function outer() { setTimeout(function inner() { fetch('/x') }) } outer()</script>",
    )
    .await;
    for (stacks, expected) in [
        (Stacks::Short, &["inner"][..]),
        (Stacks::Long, &["inner", "outer", ""]),
    ] {
        let visit = setup
            .visit(&site, &VisitOptions { stacks, ..quick() })
            .await;
        let request = visit
            .requests
            .iter()
            .find(|request| request.url.ends_with("/x"))
            .unwrap();
        let stack: Vec<&str> = request
            .initiator
            .stack
            .iter()
            .map(|f| f.function.as_str())
            .collect();
        assert_eq!(stack, expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_busy_is_waited_for() {
    let html = "<title>waits</title><script>const code = URL.createObjectURL(new Blob([`
        const end = Date.now() + 1500; while (Date.now() < end); postMessage('computed')`]));
        new Worker(code).onmessage = (event) => { document.title = event.data }</script>";
    let visit = setup().await.visit(&Site::of(html).await, &quick()).await;
    assert_eq!(
        (visit.outcome.reason().as_ref(), visit.title.as_str()),
        ("ok", "computed")
    );
}
