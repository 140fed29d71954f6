//! Responses that do not need the request's body, on connections that stay open.

use std::time::Duration;

use testkit::TestApp;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Reads one response with a Content-Length; returns its head in lower case.
async fn answer(stream: &mut TcpStream) -> String {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(stream.read_u8().await.expect("the connection goes on"));
    }
    let head = String::from_utf8(read).unwrap().to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).await.unwrap();
    head
}

/// Sends the head, lets the server process it, and sends the body separately, as clients do.
async fn send(stream: &mut TcpStream, path: &str, header: &str, body: &[u8]) {
    let head = format!("POST {path} HTTP/1.1\r\nhost: x\r\n{header}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    // After a refusal the client may be unable to send it.
    let _ = stream.write_all(body).await;
}

#[testkit::both_engines]
async fn a_refusal_before_the_body_keeps_the_connection(app: TestApp) {
    let mut stream = TcpStream::connect(app.listen().await.trim_start_matches("http://")).await.unwrap();
    let long = vec![b'x'; 3_000_000];
    for (path, body) in [("/v1/incidents", &b"{}"[..]), ("/no/such/path", b"{}"), ("/v1/incidents", &long)] {
        send(&mut stream, path, &format!("content-length: {}", body.len()), body).await;
        let head = answer(&mut stream).await;
        assert!(head.starts_with("http/1.1 40") && !head.contains("connection: close"), "{path}: {head}");
    }
    send(&mut stream, "/v1/incidents", "transfer-encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n").await;
    assert!(answer(&mut stream).await.starts_with("http/1.1 401"));
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert!(answer(&mut stream).await.starts_with("http/1.1 200"));
}

#[testkit::both_engines]
async fn an_unread_body_closes_the_connection(app: TestApp) {
    let address = app.listen().await;
    // A body too long to discard, and one that is sent only after a 100 response.
    for header in ["content-length: 20000000", "content-length: 2\r\nexpect: 100-continue"] {
        let mut stream = TcpStream::connect(address.trim_start_matches("http://")).await.unwrap();
        send(&mut stream, "/v1/incidents", header, b"").await;
        let head = answer(&mut stream).await;
        assert!(head.starts_with("http/1.1 401") && head.contains("connection: close"), "{header}: {head}");
    }
}
