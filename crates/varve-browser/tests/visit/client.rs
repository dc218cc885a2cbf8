//! What pages see of their visitor is what was asked for.

use varve_browser::{Client, ColourScheme};

use crate::setup::{quick, setup, setup_with};
use crate::site::{Reply, Site};

/// A page whose title is what its script finds.
fn asking(script: &str) -> Reply {
    Reply::html(format!(
        "<meta name=viewport content='width=device-width'><script>{script}</script>"
    ))
}

const ASK: &str = "document.title = [innerWidth, innerHeight, screen.width, devicePixelRatio,
    navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone,
    new Date(0).getTimezoneOffset(), navigator.maxTouchPoints, 'ontouchstart' in window,
    matchMedia('(prefers-color-scheme: dark)').matches, navigator.hardwareConcurrency,
    (1.5).toLocaleString()].join(' ')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_usual_client() {
    let setup = setup().await;
    let site = Site::start(|_| asking(ASK)).await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(
        visit.title,
        "1280 800 1280 1 en-US,en UTC 0 0 false false 4 1.5"
    );
    let seen = &visit.client;
    assert_eq!(
        (seen.width, seen.height, seen.pixel_ratio),
        (1280.0, 800.0, 1.0)
    );
    assert_eq!(
        (seen.time_zone.as_str(), seen.platform.as_str()),
        ("UTC", "Linux x86_64")
    );
    assert!(
        seen.user_agent.contains("Chrome/") && !seen.user_agent.contains("Headless"),
        "{seen:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_telephone_in_tokyo() {
    let client = Client {
        width: 390,
        height: 844,
        pixel_ratio: 3.0,
        mobile: true,
        touch: true,
        languages: "ja,fr".to_owned(),
        time_zone: "Asia/Tokyo".to_owned(),
        colour_scheme: ColourScheme::Dark,
        processors: 6,
        ..Client::default()
    };
    let setup = setup_with(|options| options.client = client).await;
    let site = Site::start(|_| asking(ASK)).await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(
        visit.title,
        "390 844 390 3 ja,fr Asia/Tokyo -540 5 true true 6 1.5"
    );
    let seen = &visit.client;
    assert!(seen.user_agent.contains("Mobile"), "{seen:?}");
    let screen = seen.screen.as_ref().unwrap();
    let orientation = screen.orientation.as_ref().unwrap();
    assert_eq!(
        (screen.avail_width, orientation.kind.as_str()),
        (390.0, "portrait-primary")
    );
    assert_eq!(
        (seen.vendor.as_str(), seen.language.as_str()),
        ("Google Inc.", "ja")
    );
    assert_eq!(seen.cookies, Some(true));
    for (feature, word) in [("pointer", "coarse"), ("any-hover", "none")] {
        assert_eq!(seen.media[feature], [word], "{seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secure_pages_see_more() {
    let setup = setup().await;
    let site = Site::start(|_| asking("")).await;
    let plain = setup.visit(&site, &quick()).await.client;
    assert_eq!(
        (plain.secure, &plain.hints, plain.memory),
        (false, &None, None)
    );
    let url = "http://secure.localhost/".parse().unwrap();
    let secure = setup.browser.visit(&url, &site, &quick()).await.client;
    assert!(secure.secure && secure.memory.is_some(), "{secure:?}");
    let hints = secure.hints.unwrap();
    assert_eq!(
        (&hints["platform"], &hints["architecture"]),
        (&"Linux".into(), &"x86".into())
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_anywhere_says_headless() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.rsplit('/').next().unwrap() {
        "" => asking(
            "new Worker('/worker.js'); new SharedWorker('/worker.js?shared');
             const f = document.createElement('iframe'); f.src = 'http://other.example/frame';
             document.documentElement.append(f)",
        ),
        "frame" => asking("fetch('/ua?' + navigator.userAgent)"),
        "worker.js" | "worker.js?shared" => Reply::of_type(
            "text/javascript",
            "fetch('/ua?' + [navigator.userAgent, navigator.languages, new Date(0).getHours()])",
        ),
        _ => Reply::of_type("text/plain", ""),
    })
    .await;
    setup.visit(&site, &quick()).await;
    let requests = site.requests();
    assert_eq!(
        requests
            .iter()
            .filter(|asked| asked.url.contains("/ua?"))
            .count(),
        3
    );
    for asked in requests {
        assert!(!format!("{asked:?}").contains("Headless"), "{asked:?}");
        let languages = asked
            .headers
            .iter()
            .find(|line| line.starts_with("Accept-Language"));
        assert_eq!(
            languages.unwrap(),
            "Accept-Language: en-US,en;q=0.9",
            "{asked:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shared_workers_see_the_client_from_their_first_line_on() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.rsplit('/').next().unwrap() {
        "" => asking("new SharedWorker('/worker.js')"),
        "worker.js" => Reply::of_type(
            "text/javascript",
            "fetch('/seen?' + [navigator.hardwareConcurrency, ...navigator.languages])",
        ),
        _ => Reply::of_type("text/plain", ""),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    let page = visit.client;
    let expected = format!("/seen?{},{}", page.processors, page.languages.join(","));
    let asked = site.requests();
    assert!(
        asked.iter().any(|it| it.url.ends_with(&expected)),
        "{expected}: {asked:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_do_not_notice_how_large_they_are_drawn() {
    let setup = setup().await;
    let site = Site::start(|asked| match asked.url.ends_with('/') {
        true => Reply::html(
            "<img srcset='/1x 1x, /2x 2x'><img srcset='/s 400w, /l 1200w' sizes=100vw>
             <script>document.title = [visualViewport.scale, visualViewport.width,
             matchMedia('(resolution: 1dppx)').matches, matchMedia('(width: 1280px)').matches,
             document.documentElement.clientWidth].join(' ')</script>",
        ),
        false => Reply::html(""),
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    assert_eq!(visit.title, "1 1280 true true 1280");
    let asked: Vec<&str> = (visit.requests.iter())
        .map(|request| request.url.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(asked, ["", "1x", "l"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_line_is_what_the_page_was_told_first() {
    let setup = setup().await;
    let site = Site::start(|_| {
        asking("let {rtt, downlink} = navigator.connection; document.title = `${rtt} ${downlink}`")
    })
    .await;
    let visit = setup.visit(&site, &quick()).await;
    let line = visit.client.connection.unwrap();
    let told = format!("{} {}", line.rtt.unwrap(), line.downlink.unwrap());
    assert_eq!(visit.title, told);
}
