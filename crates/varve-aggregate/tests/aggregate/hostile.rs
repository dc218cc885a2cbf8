//! What peers may do to us. Each is answered for within the deadline, named, and leaves the others'
//! answers alone.

use crate::peers::{
    Peer, URL, look_up, memento, missing, ok, options, path, response, send, timemap, told,
};
use std::io::Write;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use varve_aggregate::{Aggregator, Archive};

/// Looks up with a bad peer beside a good one; the good one is heard, and the bad one accused.
async fn check(bad: &Peer, reason: &str, of_it: &[&str]) {
    check_archive(bad.archive("bad"), reason, of_it).await;
}

async fn check_archive(bad: Archive, reason: &str, of_it: &[&str]) {
    let good = Peer::with("good", &[2014]).await;
    let mut options = options(vec![bad, good.archive("good")]);
    options.body_bytes = 1 << 20;
    let deadline = options.deadline;
    let aggregator = Aggregator::new(options).unwrap();
    let began = Instant::now();
    let answer = look_up(&aggregator).await;
    let took = began.elapsed();
    assert!(took < deadline + Duration::from_secs(2), "{took:?}");
    let expected: Vec<&str> = of_it.iter().chain(&["good 2014"]).copied().collect();
    assert_eq!(told(&answer), expected);
    assert_eq!(missing(&answer), [format!("bad={reason}")]);
    assert_eq!(aggregator.peers()[0].counts.errors[reason], 1);
}

#[tokio::test]
async fn one_that_hangs() {
    check(&Peer::hanging().await, "deadline", &[]).await;
}

#[tokio::test]
async fn one_that_hangs_up() {
    let peer = Peer::start(|stream, _, _| async move { drop(stream) }).await;
    check(&peer, "http.disconnected", &[]).await;
}

#[tokio::test]
async fn one_that_is_not_there() {
    let peer = Peer::answering("").await;
    let mut archive = peer.archive("bad");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    archive.timemap = Some(format!("http://{}/", free.local_addr().unwrap()));
    drop(free);
    check_archive(archive, "connect.refused", &[]).await;
}

#[tokio::test]
async fn one_that_streams_for_ever() {
    let peer = Peer::start(|mut stream, _, _| async move {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let _ = stream.write_all(head.as_bytes()).await;
        let line = format!("{},\n", memento("bad", 2010));
        let chunk = format!("{:x}\r\n{line}\r\n", line.len());
        while stream.write_all(chunk.as_bytes()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    check(&peer, "deadline", &[]).await;
}

#[tokio::test]
async fn one_that_streams_fast_for_ever() {
    let peer = Peer::start(|mut stream, _, _| async move {
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
        let _ = stream.write_all(head.as_bytes()).await;
        let _ = stream
            .write_all(format!("{},\n", timemap("bad", &[2010])).as_bytes())
            .await;
        let spaces = vec![b' '; 1 << 16];
        while stream.write_all(&spaces).await.is_ok() {}
    })
    .await;
    // What came before the limit counts.
    check(&peer, "truncated.length", &["bad 2010"]).await;
}

#[tokio::test]
async fn one_whose_head_has_no_end() {
    let peer = Peer::start(|mut stream, _, _| async move {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
        while stream
            .write_all(b"X-Filler: filler filler filler\r\n")
            .await
            .is_ok()
        {}
    })
    .await;
    check(&peer, "limit.header", &[]).await;
}

#[tokio::test]
async fn one_that_redirects_in_circles() {
    let there = "Location: /there\r\n";
    check(
        &Peer::answering(response("302 Found", there, "")).await,
        "redirects",
        &[],
    )
    .await;
}

#[tokio::test]
async fn one_that_leads_to_private_places() {
    let peer = Peer::answering(response("302 Found", "Location: http://10.0.0.1/\r\n", "")).await;
    check(&peer, "blocked.ssrf", &[]).await;
    let peer = Peer::answering(response(
        "302 Found",
        "Location: file:///etc/passwd\r\n",
        "",
    ))
    .await;
    check(&peer, "blocked.scheme", &[]).await;
}

#[tokio::test]
async fn one_that_speaks_something_else() {
    check(
        &Peer::answering("SSH-2.0-OpenSSH_9.6\r\n\r\n").await,
        "http.malformed",
        &[],
    )
    .await;
    let page = "<!doctype html><title>Sorry</title><p>We are moving.";
    check(&Peer::answering(ok(page)).await, "malformed", &[]).await;
}

#[tokio::test]
async fn one_whose_links_are_broken() {
    let broken = format!(
        "<{URL}>; rel=\"original,\n<http://bad/1; rel=\"memento\",\n<<>;;=,{}\n,<http://bad/2>; rel=\"memento",
        memento("bad", 2010)
    );
    check(
        &Peer::answering(ok(&broken)).await,
        "lie.mementos",
        &["bad 2010"],
    )
    .await;
}

#[tokio::test]
async fn one_that_answers_with_errors() {
    check(
        &Peer::answering(response("500 Oh", "", "")).await,
        "status.500",
        &[],
    )
    .await;
    check(
        &Peer::answering(response("429 Slow down", "", "")).await,
        "status.429",
        &[],
    )
    .await;
}

#[tokio::test]
async fn one_whose_answer_is_cut() {
    let body = timemap("bad", &[2010]);
    let cut = format!("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\nConnection: close\r\n\r\n{body}");
    check(
        &Peer::answering(cut).await,
        "truncated.disconnect",
        &["bad 2010"],
    )
    .await;
}

#[tokio::test]
async fn one_that_tells_of_another_url() {
    let other = timemap("bad", &[2010]).replace("a.example", "b.example");
    check(&Peer::answering(ok(&other)).await, "lie.url", &[]).await;
    // Or hides it among those that were asked for.
    let one = memento("bad", 2011).replace("a.example", "b.example");
    let mixed = format!("{},\n{one}", timemap("bad", &[2010]));
    check(
        &Peer::answering(ok(&mixed)).await,
        "lie.mementos",
        &["bad 2010"],
    )
    .await;
}

#[tokio::test]
async fn one_that_lies_about_dates() {
    let future = memento("bad", 2090);
    let other = memento("bad", 2011).replace("01 Jan 2011", "01 Jan 1999");
    let script =
        "<javascript:alert(1)>; rel=\"memento\"; datetime=\"Fri, 01 Jan 2010 00:00:00 GMT\"";
    let lies = format!(
        "{},\n{future},\n{other},\n{script}",
        timemap("bad", &[2010])
    );
    check(
        &Peer::answering(ok(&lies)).await,
        "lie.mementos",
        &["bad 2010"],
    )
    .await;
}

#[tokio::test]
async fn one_that_sends_a_bomb() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..200 {
        gzip.write_all(&spaces).unwrap();
    }
    let bomb = gzip.finish().unwrap();
    let length = bomb.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let mut answer = head.into_bytes();
    answer.extend(bomb);
    let peer = Peer::start(move |stream, _, _| send(stream, answer.clone())).await;
    check(&peer, "coding", &[]).await;
}

#[tokio::test]
async fn one_whose_timemap_never_ends() {
    let peer = Peer::start(|stream, _, number| async move {
        let year = 1991 + number as u32 % 30;
        let next = format!("</timemap/page-{}>; rel=\"timemap next\"", number + 1);
        send(stream, ok(&format!("{},\n{next}", timemap("bad", &[year])))).await;
    })
    .await;
    let good = Peer::with("good", &[2014]).await;
    let options = options(vec![peer.archive("bad"), good.archive("good")]);
    let answer = look_up(&Aggregator::new(options).unwrap()).await;
    assert_eq!(missing(&answer), ["bad=limit.mementos"]);
    assert_eq!(peer.asked(), 64);
    // The parts that were read count: one memento of each of the years.
    assert_eq!(answer.mementos.len(), 31);
}

#[tokio::test]
async fn one_whose_parts_are_elsewhere() {
    let other = Peer::with("other", &[2012]).await;
    let elsewhere = format!("http://localhost:{}/", other.address.port());
    let peer = Peer::start(move |stream, head, _| {
        assert!(path(&head).starts_with("/timemap/"));
        let next = format!("<{elsewhere}>; rel=\"timemap next\"");
        send(stream, ok(&format!("{},\n{next}", timemap("one", &[2010]))))
    })
    .await;
    let aggregator = Aggregator::new(options(vec![peer.archive("one")])).unwrap();
    assert_eq!(told(&look_up(&aggregator).await), ["one 2010"]);
    assert_eq!(other.asked(), 0, "nobody is asked for another");
}

#[tokio::test]
async fn one_with_a_coding_that_nobody_knows() {
    let fields = "Content-Encoding: rot13\r\n";
    check(
        &Peer::answering(response("200 OK", fields, "uryyb")).await,
        "coding",
        &[],
    )
    .await;
}
