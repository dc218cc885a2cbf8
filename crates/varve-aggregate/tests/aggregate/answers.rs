//! What peers say, as one.

use crate::peers::{
    Peer, URL, aggregator, look_up, memento, missing, not_found, ok, options, path, response, send,
    timemap, told,
};
use std::time::Duration;
use varve_aggregate::{Aggregator, Original, Question};
use varve_model::Timestamp;

#[tokio::test]
async fn mementos_of_all_are_merged() {
    let (one, two) = (
        Peer::with("one", &[2010, 2014]).await,
        Peer::with("two", &[2012]).await,
    );
    let nothing = Peer::answering(not_found()).await;
    let aggregator = aggregator(&[("one", &one), ("two", &two), ("nothing", &nothing)]);
    let answer = look_up(&aggregator).await;
    assert_eq!(told(&answer), ["one 2010", "two 2012", "one 2014"]);
    assert_eq!(
        (missing(&answer).len(), answer.asked, answer.answered),
        (0, 3, 3)
    );
    let facts = aggregator.peers();
    assert_eq!((facts[0].counts.hits, facts[2].counts.misses), (1, 1));
    assert_eq!(facts[0].counts.mementos, 2);
}

#[tokio::test]
async fn parts_of_a_timemap_are_followed() {
    let peer = Peer::start(|stream, head, _| async move {
        let page = |number: u32| {
            let beside = |relation: &str, page: u32| {
                format!("</timemap/link/page-{page}/{URL}>; rel=\"timemap {relation}\"")
            };
            let next = beside("next", number + 1);
            let prev = match number {
                1 => format!("</timemap/link/{URL}>; rel=\"timemap prev\""),
                _ => beside("prev", number.saturating_sub(1)),
            };
            let mementos = timemap("one", &[2000 + number]);
            let links = match number {
                0 => format!("{mementos},\n{next}"),
                3 => format!("{mementos},\n{prev}"),
                _ => format!("{mementos},\n{prev},\n{next}"),
            };
            ok(&links)
        };
        let number = path(&head)
            .split("page-")
            .nth(1)
            .map_or(0, |rest| rest[..1].parse().unwrap());
        send(stream, page(number)).await;
    })
    .await;
    let answer = look_up(&aggregator(&[("one", &peer)])).await;
    assert_eq!(
        told(&answer),
        ["one 2000", "one 2001", "one 2002", "one 2003"]
    );
    assert_eq!((missing(&answer).len(), peer.asked()), (0, 4));
}

#[tokio::test]
async fn an_index_of_timemaps_is_followed() {
    let peer = Peer::start(|stream, head, _| async move {
        let date = "Fri, 01 Jan 2010 00:00:00 GMT";
        let part = |name: &str| {
            format!("</{name}/{URL}>; rel=\"timemap\"; type=\"application/link-format\"; from=\"{date}\"")
        };
        let body = match path(&head) {
            first if first.starts_with("/a/") => timemap("one", &[2010]),
            second if second.starts_with("/b/") => timemap("one", &[2011]),
            _ => format!("<{URL}>; rel=\"original\",\n{},\n{}", part("a"), part("b")),
        };
        send(stream, ok(&body)).await;
    })
    .await;
    let answer = look_up(&aggregator(&[("one", &peer)])).await;
    assert_eq!(told(&answer), ["one 2010", "one 2011"]);
}

#[tokio::test]
async fn parts_that_came_before_the_deadline_count() {
    let peer = Peer::start(|stream, head, _| async move {
        if path(&head).contains("page-2") {
            return tokio::time::sleep(Duration::from_secs(60)).await;
        }
        let next = format!("</timemap/link/page-2/{URL}>; rel=\"timemap next\"");
        send(stream, ok(&format!("{},\n{next}", timemap("one", &[2010])))).await;
    })
    .await;
    let answer = look_up(&aggregator(&[("one", &peer)])).await;
    assert_eq!(told(&answer), ["one 2010"]);
    assert_eq!(missing(&answer), ["one=deadline"]);
}

#[tokio::test]
async fn around_a_time_the_timegates_are_asked() {
    let peer = Peer::start(|stream, head, _| async move {
        assert!(
            head.contains("\r\nAccept-Datetime: Sun, 01 Jan 2012 00:00:00 GMT\r\n"),
            "{head}"
        );
        assert!(path(&head).starts_with("/timegate/http"), "{head}");
        let links = format!("{}, {}", memento("one", 2010), memento("one", 2012));
        let fields = format!("Location: http://one/web/20120101000000/{URL}\r\nLink: {links}\r\n");
        send(stream, response("302 Found", &fields, "")).await;
    })
    .await;
    let mut archive = peer.archive("one");
    archive.timegate = Some(peer.url("/timegate/"));
    let aggregator = Aggregator::new(options(vec![archive])).unwrap();
    let time = Timestamp::earliest_of("2012").unwrap();
    let original = Original::parse(URL).unwrap();
    let answer = aggregator
        .look_up(&original, Question::Around(time))
        .await
        .unwrap();
    assert_eq!(told(&answer), ["one 2010", "one 2012"]);
    assert_eq!(answer.closest(time), Some(1));
}

#[tokio::test]
async fn timegates_may_lead_on_show_mementos_or_say_only_where_they_are() {
    let check = |answers: Vec<String>, expected: &'static str| async move {
        let peer = Peer::start(move |stream, _, number| {
            let answer = answers[number.min(answers.len() - 1)].clone();
            send(stream, answer)
        })
        .await;
        let mut archive = peer.archive("one");
        archive.timegate = Some(peer.url("/timegate/"));
        let aggregator = Aggregator::new(options(vec![archive])).unwrap();
        let time = Timestamp::earliest_of("2012").unwrap();
        let original = Original::parse(URL).unwrap();
        let answer = aggregator
            .look_up(&original, Question::Around(time))
            .await
            .unwrap();
        assert_eq!(
            told(&answer).join(" ") + &missing(&answer).join(" "),
            expected
        );
    };
    let place = format!("Location: http://one/web/20120101000000/{URL}\r\n");
    check(vec![response("302 Found", &place, "")], "one 2012").await;
    let shown = "Memento-Datetime: Sun, 01 Jan 2012 00:00:00 GMT\r\nContent-Location: /m/1\r\n";
    check(vec![response("200 OK", shown, "")], "one 2012").await;
    let on = response("302 Found", "Location: /timegate2/\r\n", "");
    check(vec![on.clone(), response("200 OK", shown, "")], "one 2012").await;
    // Some do not know HEAD.
    let no = response("405 Method Not Allowed", "", "");
    check(vec![no, response("302 Found", &place, "")], "one 2012").await;
    check(vec![not_found()], "").await;
    check(vec![on], "one=redirects").await;
    check(vec![response("503 Busy", "", "")], "one=status.503").await;
}

#[tokio::test]
async fn whole_answers_are_kept_for_a_while() {
    let peer = Peer::with("one", &[2010]).await;
    let mut options = options(vec![peer.archive("one")]);
    options.cache_time = Duration::from_secs(60);
    let aggregator = Aggregator::new(options).unwrap();
    for _ in 0..3 {
        assert_eq!(told(&look_up(&aggregator).await), ["one 2010"]);
    }
    assert_eq!(peer.asked(), 1);
}

#[tokio::test]
async fn the_same_question_at_the_same_time_is_asked_once() {
    let peer = Peer::start(|stream, _, _| async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        send(stream, ok(&timemap("one", &[2010]))).await;
    })
    .await;
    let aggregator = aggregator(&[("one", &peer)]);
    let answers = futures_util::future::join_all((0..20).map(|_| look_up(&aggregator))).await;
    assert!(answers.iter().all(|answer| told(answer) == ["one 2010"]));
    assert_eq!(peer.asked(), 1);
    assert_eq!(told(&look_up(&aggregator).await), ["one 2010"]);
    assert_eq!(peer.asked(), 2, "an answer is nobody's once it was given");
}

#[tokio::test]
async fn who_gives_up_leaves_the_question_to_others() {
    let peer = Peer::start(|stream, _, _| async move {
        tokio::time::sleep(Duration::from_millis(200)).await;
        send(stream, ok(&timemap("one", &[2010]))).await;
    })
    .await;
    let aggregator = aggregator(&[("one", &peer)]);
    let short = tokio::time::timeout(Duration::from_millis(50), look_up(&aggregator));
    let (gone, answer) = tokio::join!(short, look_up(&aggregator));
    assert!(gone.is_err());
    assert_eq!(told(&answer), ["one 2010"]);
    assert_eq!(peer.asked(), 2);
}

#[tokio::test]
async fn private_addresses_are_not_contacted_unless_allowed() {
    let peer = Peer::with("one", &[2010]).await;
    let mut options = options(vec![peer.archive("one")]);
    options.policy = Default::default();
    let answer = look_up(&Aggregator::new(options).unwrap()).await;
    assert_eq!(missing(&answer), ["one=blocked.ssrf"]);
    assert!(answer.is_nobodys());
    assert_eq!(peer.asked(), 0);
}
