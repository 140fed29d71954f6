//! Real connections: the behaviour of hyper and the server before and around the router.

use serde_json::json;
use testkit::{PATIENCE, TestApp, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(crate) async fn talk(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address.trim_start_matches("http://")).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A server that refuses a request may close before it has read all of it.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[testkit::both_engines]
async fn what_is_not_http_is_refused(app: TestApp) {
    let address = app.listen().await;
    for request in ["nonsense\r\n\r\n", "GET / HTTP/1.1\r\nhost : x\r\n\r\n"] {
        let answer = talk(&address, request).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{request}: {answer:?}");
    }
}

/// RFC 9112, sections 3.2 and 6.1.
#[testkit::both_engines]
async fn a_request_without_one_host_or_with_another_coding_than_chunked_is_refused(app: TestApp) {
    let address = app.listen().await;
    for head in [
        "GET /healthz HTTP/1.1\r\n",
        "GET /healthz HTTP/1.1\r\nhost: a\r\nhost: a\r\n",
        "GET /v1/nothing HTTP/1.1\r\nhost: a b\r\n",
        "POST /v1/oauth/token HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n",
        "POST /v1/session HTTP/1.1\r\nhost: a\r\ntransfer-encoding: identity\r\n",
        "POST /v1/session HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
    ] {
        let body = if head.contains("chunked") { "0\r\n\r\n" } else { "" };
        let answer = talk(&address, &format!("{head}\r\n{body}")).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{head}: {answer}");
        assert!(answer.to_lowercase().contains("\r\nconnection: close\r\n"), "{head}: {answer}");
    }
    let answer = talk(&address, "GET /healthz HTTP/1.1\r\n\r\n").await;
    assert!(answer.contains(r#""code":"malformed_request""#), "{answer}");
    for head in ["GET /healthz HTTP/1.0\r\n", "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n"] {
        let answer = talk(&address, &format!("{head}\r\n")).await;
        assert!(
            answer.starts_with("HTTP/1.1 200 ") || answer.starts_with("HTTP/1.0 200 "),
            "{head}: {answer}"
        );
    }
}

/// Up to 64 KiB the refusal gives the reason; beyond that it has no body and the connection is closed.
#[testkit::both_engines]
async fn what_is_too_long_is_refused(app: TestApp) {
    let address = app.listen().await;
    let header = |bytes| format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: {}\r\n", "x".repeat(bytes));
    let uri = |bytes| format!("GET /{} HTTP/1.1\r\nhost: x\r\n", "x".repeat(bytes));
    for (request, status, code) in [
        (uri(8_192), "414 URI Too Long", "uri_too_long"),
        (header(33_000), "431 Request Header Fields Too Large", "header_too_large"),
    ] {
        let answer = talk(&address, &format!("{request}connection: close\r\n\r\n")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{answer}");
        assert!(answer.contains("\r\nx-content-type-options: nosniff\r\n"), "{answer}");
        assert!(answer.contains(&format!(r#""code":"{code}""#)), "{answer}");
    }
    assert!(talk(&address, &format!("{}\r\n", header(100_000))).await.starts_with("HTTP/1.1 431"));
    let answer = talk(&address, &format!("{}\r\n", uri(100_000))).await;
    assert!(answer.starts_with("HTTP/1.1 414") || answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[testkit::both_engines]
async fn every_method_of_a_known_path_is_answered(app: TestApp) {
    let address = app.listen().await;
    for method in ["TRACE", "CONNECT", "PUT", "BREW", "get"] {
        let request = format!("{method} /v1/incidents HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        let answer = talk(&address, &request).await;
        assert!(answer.starts_with("HTTP/1.1 405") && answer.contains("\r\nallow: "), "{method}: {answer}");
    }
    let options = "OPTIONS /v1/incidents HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let answer = talk(&address, options).await;
    assert!(answer.starts_with("HTTP/1.1 204") && answer.ends_with("\r\n\r\n"), "{answer}");
    assert!(answer.contains("\r\nallow: GET, HEAD, POST, DELETE, OPTIONS\r\n"), "{answer}");
    let everywhere = talk(&address, "OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(everywhere.starts_with("HTTP/1.1 204") && everywhere.contains("\r\nallow: "), "{everywhere}");
    let head = talk(&address, "HEAD /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
}

#[testkit::both_engines]
async fn a_stop_lets_running_requests_finish(app: TestApp) {
    let client = app.client_with_scopes("incidents:write").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(http::serve(listener, app.router(), async move { drop(stopped.await) }));
    let mut running = TcpStream::connect(&address).await.unwrap();
    let body = json!({"title": "a", "description": ""}).to_string();
    let head = format!(
        "POST /v1/incidents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        client.token,
        body.len()
    );
    running.write_all(head.as_bytes()).await.unwrap();
    // It waits for the body.
    let mut goes_on = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    running.read_exact(&mut goes_on).await.unwrap();
    assert_eq!(&goes_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    stop.send(()).unwrap();
    until("no new connection is taken", async || TcpStream::connect(&address).await.is_err()).await;
    running.write_all(body.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    running.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 201") && answer.contains("\r\nconnection: close\r\n"), "{answer}");
    tokio::time::timeout(PATIENCE, server).await.expect("the server stops").unwrap();
}
