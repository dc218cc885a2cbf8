//! Nonsense gets an answer or a closed connection, and harms nobody else.

use crate::client::{exchange, get, split, start};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn nonsense_is_refused_by_its_fault() {
    let web = start().await;
    let long_field = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(70_000));
    let many_fields = format!("GET / HTTP/1.1\r\n{}\r\n", "X: 1\r\n".repeat(300));
    let huge_chunk = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n";
    for (name, request, status) in [
        ("no request line", "\r\n\r\n", 400),
        ("two words", "GET /\r\n\r\n", 400),
        ("four words", "GET / / HTTP/1.1\r\n\r\n", 400),
        ("no path", "GET garden HTTP/1.1\r\n\r\n", 400),
        ("unknown version", "GET / HTTP/3.0\r\n\r\n", 505),
        ("field without colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
        (
            "space in a field's name",
            "GET / HTTP/1.1\r\nHo st: x\r\n\r\n",
            400,
        ),
        (
            "length is no number",
            "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            400,
        ),
        (
            "length is negative",
            "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            400,
        ),
        (
            "length is huge",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            413,
        ),
        (
            "length beyond numbers",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            400,
        ),
        (
            "unknown coding",
            "POST / HTTP/1.1\r\nTransfer-Encoding: lzw\r\n\r\n",
            400,
        ),
        (
            "chunk size is no number",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
            400,
        ),
        (
            "chunk size has a sign",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\n",
            400,
        ),
        ("chunk is huge", huge_chunk, 413),
        ("field is long", &long_field, 431),
        ("fields are many", &many_fields, 431),
        (
            "no host",
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
            421,
        ),
    ] {
        let response = split(exchange(web.address(), request.as_bytes()).await);
        assert_eq!(response.status(), status, "{name}");
    }
    assert_eq!(get(&web, "garden.example", "/").await.status(), 200);
}

#[tokio::test]
async fn clients_that_vanish_harm_nobody() {
    let web = start().await;
    for start in [
        "",
        "GE",
        "GET / HTTP/1.1\r\nHost",
        "\u{16}\u{3}\u{1}",
        "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc",
    ] {
        let mut stream = TcpStream::connect(web.address()).await.unwrap();
        stream.write_all(start.as_bytes()).await.unwrap();
    }
    assert_eq!(get(&web, "garden.example", "/").await.status(), 200);
}

#[tokio::test]
async fn what_clients_send_cannot_break_out_of_fields_or_pages() {
    let web = start().await;
    let target = "/search?q=%3Cscript%3E%22%0d%0aX-Evil:1";
    let response = get(&web, "garden.example", target).await;
    assert!(!response.text().contains("<script>\""));
    assert!(response.text().contains("&lt;script&gt;&quot;"));
    let target = "/plants%0d%0aX-Evil:%201/../x";
    assert_eq!(
        get(&web, "garden.example", target).await.field("x-evil"),
        None
    );
    assert_eq!(
        get(&web, "garden.example", "/../layout.html")
            .await
            .status(),
        404
    );
}

#[tokio::test]
async fn hundreds_of_connections_are_served() {
    let web = start().await;
    let mut open = Vec::new();
    for _ in 0..400 {
        open.push(TcpStream::connect(web.address()).await.unwrap());
    }
    assert_eq!(get(&web, "garden.example", "/").await.status(), 200);
}
