//! What was sent and received is kept byte for byte.

use crate::server::{Client, Server, answer, body, finish, read_head};
use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use url::Url;
use varve_fetch::{Protocol, Request};

#[tokio::test]
async fn heads_are_kept_as_they_came() {
    let heads: [&[u8]; 9] = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n",
        b"HTTP/1.1 200\r\ncontent-LENGTH:4\r\nX-Twice: 1\r\nx-twice:  2  \r\n\r\n",
        b"HTTP/1.1 200 \r\nContent-Length : 4\r\n\r\n",
        b"HTTP/1.0 200 bare line feeds\nContent-Length: 4\n\n",
        b"HTTP/1.1 200 mixed\nContent-Length: 4\r\n\n",
        b"\r\n\r\nHTTP/1.1 200 blank lines first\r\nContent-Length: 4\r\n\r\n",
        b"HTTP/1.1 200 folded\r\nX-Fold: a\r\n\tb\r\n  c\r\nContent-Length: 4\r\n\r\n",
        b"ICY 200 OK\r\nicy-name: radio\r\nContent-Length: 4\r\n\r\n",
        b"HTTP/1.1 200 \xe4\xf6\xfc\x00\r\nX-Raw: \xff\x00\rx\r\nno field\r\nContent-Length: 4\r\n\r\n",
    ];
    for head in heads {
        let shown = String::from_utf8_lossy(head);
        let exchange = answer([head, b"body"].concat()).await.unwrap();
        assert_eq!(exchange.response_head, head, "{shown}");
        assert_eq!(body(&exchange), b"body", "{shown}");
        assert_eq!(exchange.truncated, None, "{shown}");
    }
}

#[tokio::test]
async fn requests_are_written_as_asked() {
    let (told, mut heard) = mpsc::unbounded_channel();
    let server = Server::start(move |mut stream, _| {
        let told = told.clone();
        async move {
            let mut request = read_head(&mut stream).await;
            let mut rest = [0; 5];
            stream.read_exact(&mut rest).await.unwrap();
            request.extend_from_slice(&rest);
            told.send(request).unwrap();
            stream
                .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
                .await
                .unwrap();
            finish(stream).await;
        }
    })
    .await;
    let field = |name: &str, value: &[u8]| (name.as_bytes().to_vec(), value.to_vec());
    let exchange = Client::new()
        .send(Request {
            method: "POST".into(),
            url: Url::parse(&format!("http://{}/a%20b?q=|#fragment", server.address)).unwrap(),
            fields: vec![
                field("ACCEPT", b"*/*"),
                field("x-bytes", b"\xff\xfe"),
                field("Content-Length", b"5"),
                field("accept", b"again"),
            ],
            body: Bytes::from_static(b"12345"),
        })
        .await
        .unwrap();
    let expected = [
        b"POST /a%20b?q=| HTTP/1.1\r\nHost: ".as_slice(),
        server.address.to_string().as_bytes(),
        b"\r\nACCEPT: */*\r\nx-bytes: \xff\xfe\r\nContent-Length: 5\r\naccept: again\r\n\r\n",
    ]
    .concat();
    assert_eq!(
        heard.recv().await.unwrap(),
        [&expected, b"12345".as_slice()].concat()
    );
    assert_eq!(exchange.request_head, expected);
    assert_eq!(&exchange.request_body.read_at(0, 9).unwrap()[..], b"12345");
    assert_eq!(exchange.url.fragment(), None);
    assert_eq!(exchange.peer, server.address);
    assert_eq!(exchange.protocol, Protocol::Http1);
    assert!(!exchange.encrypted);
}
