//! One fetch per resource: what was fetched is served again, within the rules.

use crate::server::{Client, Server, answer, body};
use std::env::temp_dir;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{sleep, timeout};
use url::Url;
use varve_fetch::{Begin, Exchange, Request, Reuse, Spooled, Ticket};

fn get(url: &str, fields: &[(&str, &str)]) -> Request {
    let mut request = Request::get(Url::parse(url).unwrap());
    let own = |(name, value): &(&str, &str)| (name.as_bytes().into(), value.as_bytes().into());
    request.fields = fields.iter().map(own).collect();
    request
}

async fn ticket(reuse: &Reuse, request: &Request) -> Ticket {
    match reuse.get_or_begin(request).await {
        Begin::Fetch(ticket) => ticket,
        Begin::Known(_) => panic!("{} is known", request.url),
        Begin::Alone => panic!("{} is not shared", request.url),
    }
}

async fn known(reuse: &Reuse, request: &Request) -> Option<Arc<Exchange>> {
    match reuse.get_or_begin(request).await {
        Begin::Known(exchange) => Some(exchange),
        Begin::Fetch(_) | Begin::Alone => None,
    }
}

/// An exchange as a server would give it.
async fn exchange(head: &str, content: &str) -> Arc<Exchange> {
    let length = content.len();
    let bytes = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n{content}");
    Arc::new(answer(bytes).await.unwrap())
}

const URL: &str = "http://a.test/x?y";

#[tokio::test]
async fn what_was_fetched_is_known() {
    let reuse = Reuse::new(1 << 20, temp_dir());
    let request = get(URL, &[("Accept", "*/*")]);
    ticket(&reuse, &request)
        .await
        .fill(exchange("200 OK", "hello").await);
    let again = get("http://a.test/x?y#fragment", &[("Cookie", "a=1")]);
    assert_eq!(body(&known(&reuse, &again).await.unwrap()), b"hello");
    assert!(
        known(&reuse, &get("http://a.test/x?z", &[]))
            .await
            .is_none()
    );
    assert!(
        known(&reuse, &get("https://a.test/x?y", &[]))
            .await
            .is_none()
    );
}

#[tokio::test]
async fn some_responses_are_kept_and_some_are_not() {
    for (head, kept) in [
        ("200 OK", true),
        ("203 Changed", true),
        ("301 Moved\r\nLocation: /", true),
        ("308 Moved\r\nLocation: /", true),
        ("404 Not Found", true),
        ("410 Gone", true),
        ("200 OK\r\nVary: Accept-Encoding, Origin", true),
        ("200 OK\r\nCache-Control: no-cache, max-age=0", true),
        ("206 Part", false),
        ("302 Found\r\nLocation: /", false),
        ("500 Error", false),
        ("503 Busy", false),
        ("200 OK\r\nVary: Accept, *", false),
        ("200 OK\r\nSet-Cookie: a=1", false),
        (
            "200 OK\r\nCache-Control: private\r\ncache-control: No-Store",
            false,
        ),
        (
            "200 OK\r\nContent-Type: text/event-stream;charset=utf-8",
            false,
        ),
    ] {
        let reuse = Reuse::new(1 << 20, temp_dir());
        let request = get(URL, &[]);
        ticket(&reuse, &request)
            .await
            .fill(exchange(head, "x").await);
        assert_eq!(known(&reuse, &request).await.is_some(), kept, "{head}");
    }
    let reuse = Reuse::new(1 << 20, temp_dir());
    let cut = answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut")
        .await
        .unwrap();
    ticket(&reuse, &get(URL, &[])).await.fill(Arc::new(cut));
    assert!(known(&reuse, &get(URL, &[])).await.is_none());
}

#[tokio::test]
async fn some_requests_are_not_shared() {
    let reuse = Reuse::new(1 << 20, temp_dir());
    ticket(&reuse, &get(URL, &[]))
        .await
        .fill(exchange("200 OK", "x").await);
    let mut post = get(URL, &[]);
    post.method = "POST".into();
    let mut with_body = get(URL, &[]);
    with_body.body = "x".into();
    for request in [
        post,
        with_body,
        get(URL, &[("range", "bytes=0-1")]),
        get(URL, &[("Authorization", "Basic eA==")]),
        get(URL, &[("Upgrade", "websocket")]),
        get(URL, &[("Accept", "text/event-stream")]),
    ] {
        let begin = reuse.get_or_begin(&request).await;
        assert!(matches!(begin, Begin::Alone), "{request:?}");
    }
}

#[tokio::test]
async fn variants_are_kept_side_by_side() {
    let reuse = Reuse::new(1 << 20, temp_dir());
    let languages = ["de", "en", "fr"];
    for language in languages {
        let request = get(URL, &[("Accept-Language", language)]);
        let exchange = exchange("200 OK\r\nVary: accept-language", language).await;
        ticket(&reuse, &request).await.fill(exchange);
    }
    for language in languages {
        let request = get(URL, &[("accept-language", language), ("Accept", "x")]);
        let exchange = known(&reuse, &request).await.unwrap();
        assert_eq!(body(&exchange), language.as_bytes());
    }
    assert!(known(&reuse, &get(URL, &[])).await.is_none());
    let both = [("Accept-Language", "de"), ("Accept-Language", "en")];
    assert!(known(&reuse, &get(URL, &both)).await.is_none());
}

#[tokio::test]
async fn what_was_not_used_for_longest_goes_first() {
    let reuse = Reuse::new(20_000, temp_dir());
    let content = "x".repeat(4_000);
    let url = |number: usize| format!("http://a.test/{number}");
    for number in 0..10 {
        let exchange = exchange("200 OK", &content).await;
        ticket(&reuse, &get(&url(number), &[])).await.fill(exchange);
        // The first stays in use.
        assert!(known(&reuse, &get(&url(0), &[])).await.is_some());
    }
    let mut left = Vec::new();
    for number in 0..10 {
        if known(&reuse, &get(&url(number), &[])).await.is_some() {
            left.push(number);
        }
    }
    assert_eq!(left, [0, 8, 9]);
    let too_large = exchange("200 OK", &"x".repeat(20_000)).await;
    ticket(&reuse, &get(URL, &[])).await.fill(too_large);
    assert!(known(&reuse, &get(URL, &[])).await.is_none());
    assert!(known(&reuse, &get(&url(9), &[])).await.is_some());
}

#[tokio::test]
async fn what_is_no_longer_in_memory_is_the_same() {
    const COUNT: usize = 40;
    let reuse = Reuse::new(64 << 20, temp_dir());
    let url = |number: usize| format!("http://a.test/{number}");
    let content = |number: usize| number.to_string().repeat(300_000);
    let mut heads = Vec::new();
    for number in 0..COUNT {
        let head = format!("200 OK\r\nETag: {number}");
        let exchange = exchange(&head, &content(number)).await;
        heads.push((exchange.peer, exchange.response_head.clone()));
        ticket(&reuse, &get(&url(number), &[])).await.fill(exchange);
    }
    let mut in_files = 0;
    for (number, head) in heads.into_iter().enumerate() {
        let exchange = known(&reuse, &get(&url(number), &[])).await.unwrap();
        assert!(body(&exchange) == content(number).as_bytes(), "{number}");
        assert_eq!((exchange.peer, exchange.response_head.clone()), head);
        in_files += usize::from(matches!(exchange.body, Spooled::File { .. }));
    }
    assert!((20..COUNT).contains(&in_files), "{in_files} of {COUNT}");
}

#[tokio::test]
async fn those_who_ask_meanwhile_get_the_same_exchange() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let server = Server::answering("HTTP/1.1 200 OK\r\n\r\nhello").await;
    let (client, reuse) = (Arc::new(Client::new()), Reuse::new(1 << 20, temp_dir()));
    let mut waiting = Vec::new();
    for _ in 0..20 {
        let (client, reuse) = (Arc::clone(&client), reuse.clone());
        let (request, fetched) = (Request::get(server.url("/")), Arc::clone(&fetched));
        waiting.push(tokio::spawn(async move {
            match reuse.get_or_begin(&request).await {
                Begin::Known(exchange) => exchange,
                Begin::Fetch(ticket) => {
                    fetched.fetch_add(1, Ordering::Relaxed);
                    let exchange = Arc::new(client.send(request).await.unwrap());
                    ticket.fill(Arc::clone(&exchange));
                    exchange
                }
                Begin::Alone => panic!("it can be shared"),
            }
        }));
    }
    for exchange in waiting {
        assert_eq!(body(&exchange.await.unwrap()), b"hello");
    }
    assert_eq!(fetched.load(Ordering::Relaxed), 1);
}

/// Asks for something that is being fetched, and waits until the asking waits.
async fn ask_in_vain(reuse: &Reuse) -> tokio::task::JoinHandle<&'static str> {
    let reuse = reuse.clone();
    let asking = tokio::spawn(async move {
        match reuse.get_or_begin(&get(URL, &[])).await {
            Begin::Known(_) => "known",
            Begin::Fetch(_) => "fetch",
            Begin::Alone => "alone",
        }
    });
    sleep(Duration::from_millis(50)).await;
    assert!(!asking.is_finished());
    asking
}

#[tokio::test]
async fn a_ticket_that_is_given_up_goes_to_the_next() {
    let reuse = Reuse::new(1 << 20, temp_dir());
    let first = ticket(&reuse, &get(URL, &[])).await;
    let asking = ask_in_vain(&reuse).await;
    drop(first);
    assert_eq!(asking.await.unwrap(), "fetch");
}

#[tokio::test]
async fn nobody_waits_for_what_will_not_be_shared() {
    let reuse = Reuse::new(1 << 20, temp_dir());
    let first = ticket(&reuse, &get(URL, &[])).await;
    let asking = ask_in_vain(&reuse).await;
    first.streaming();
    assert_eq!(asking.await.unwrap(), "alone");
    let late = timeout(Duration::from_secs(5), known(&reuse, &get(URL, &[]))).await;
    assert!(late.unwrap().is_none());
    drop(first);

    let first = ticket(&reuse, &get(URL, &[])).await;
    let asking = ask_in_vain(&reuse).await;
    first.fill(exchange("200 OK\r\nCache-Control: no-store", "x").await);
    assert_eq!(asking.await.unwrap(), "alone");
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let reuse = Reuse::with_patience(1 << 20, temp_dir(), Duration::from_millis(300));
    let _first = ticket(&reuse, &get(URL, &[])).await;
    let asking = ask_in_vain(&reuse).await;
    assert_eq!(asking.await.unwrap(), "alone");
}
