//! Requests that are far too long or far too many.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use crate::service::{Api, Declared, Installation, Service};
use crate::wire;

const GIB: u64 = 1 << 30;

async fn started() -> (Installation, Service, Api) {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let declared = api.declare("the first", "").await;
    assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
    (installation, service, api)
}

/// Sends a head and then a GiB of `part`: what was answered, and how much was taken.
async fn send(service: &Service, head: &str, part: &[u8]) -> (String, u64) {
    let (mut read, mut write) = wire::connect(service).await.into_split();
    write.write_all(head.as_bytes()).await.unwrap();
    let part = part.to_vec();
    let pouring = tokio::spawn(async move { wire::pour(&mut write, &part, GIB).await });
    let mut said = Vec::new();
    let _ = read.read_to_end(&mut said).await;
    drop(read);
    (String::from_utf8_lossy(&said).into_owned(), pouring.await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_a_gibibyte_is_refused_at_once_and_held_nowhere() {
    let (_installation, service, api) = started().await;
    let before = service.memory();
    let json = wire::head(&api, "POST", "/v1/incidents") + "content-type: application/json\r\n";
    let spaces = vec![b' '; 1 << 16];
    let chunk = [b"10000\r\n", &spaces[..], b"\r\n"].concat();
    let no_token = "POST /v1/incidents HTTP/1.1\r\nhost: x\r\n";
    for (head, part, status, code) in [
        (format!("{json}content-length: {GIB}\r\n\r\n"), &spaces, "413 ", "body_too_large"),
        (format!("{json}transfer-encoding: chunked\r\n\r\n"), &chunk, "413 ", "body_too_large"),
        (format!("{no_token}content-length: {GIB}\r\n\r\n"), &spaces, "401 ", "unauthenticated"),
        (format!("{no_token}transfer-encoding: chunked\r\n\r\n"), &chunk, "401 ", "unauthenticated"),
    ] {
        let (said, taken) = send(&service, &head, part).await;
        // The answer arrives whole although the client is still sending.
        assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{head}: {said:?}");
        assert!(said.contains(&format!(r#""code":"{code}""#)) && said.ends_with('}'), "{said}");
        assert!(said.contains("\r\nconnection: close\r\n"), "{said}");
        assert!(taken < GIB, "all of it was taken before it was refused");
    }
    let grown = service.memory().saturating_sub(before) / 1024;
    assert!(grown < 64, "{grown} MiB more than before");
    assert_eq!(api.incidents().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_thousand_pipelined_requests_are_answered_in_order() {
    const COUNT: u32 = 200_000;
    let (_installation, service, api) = started().await;
    let before = service.memory();
    let (read, mut write) = wire::connect(&service).await.into_split();
    let writing = tokio::spawn(async move {
        let mut requests = String::new();
        for number in 0..COUNT {
            use std::fmt::Write as _;
            let last = if number + 1 == COUNT { "connection: close\r\n" } else { "" };
            write!(requests, "GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: n-{number}\r\n{last}\r\n")
                .unwrap();
            if requests.len() > 60_000 {
                write.write_all(requests.as_bytes()).await.unwrap();
                requests.clear();
            }
        }
        write.write_all(requests.as_bytes()).await.unwrap();
        // Dropping it would signal to the service that the client does not read the rest.
        write
    });
    // Meanwhile the answers are not read: the service stops reading requests instead of hoarding them.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!writing.is_finished(), "two hundred thousand requests were taken without an answer");
    let hoarded = service.memory().saturating_sub(before) / 1024;
    assert!(hoarded < 16, "{hoarded} MiB are held for one connection");
    let mut lines = BufReader::new(read).lines();
    let (mut ids, mut answers) = (0, 0);
    while let Some(line) = lines.next_line().await.unwrap() {
        // The body has no line end, so the next answer follows it on its line.
        answers += u32::from(line.ends_with("HTTP/1.1 200 OK"));
        if let Some(id) = line.strip_prefix("x-request-id: ") {
            assert_eq!(id, format!("n-{ids}"));
            ids += 1;
        }
    }
    drop(writing.await.unwrap());
    assert_eq!((answers, ids), (COUNT, COUNT));
    let grown = service.memory().saturating_sub(before) / 1024;
    assert!(grown < 32, "{grown} MiB more than before");
    api.read("/v1/incidents").await;
}
