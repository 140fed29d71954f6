//! Clients that take their time: silent, slow to ask, slow to send, and those that never take their answer.

use std::time::{Duration, Instant};

use testkit::until;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::service::{Api, Declared, Installation, PATIENCE, Service};
use crate::wire;

/// A client that makes no progress is borne for so long at least: `http::limits`.
const BORNE: Duration = Duration::from_secs(28);

/// Sends a byte every half second until the connection breaks.
async fn drip(stream: &mut tokio::net::tcp::OwnedWriteHalf) {
    while stream.write_all(b"x").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Says `beginning`, then drips: how long the service bore it, and what it said.
async fn dripping(service: &Service, beginning: &str) -> (Duration, String) {
    let from = Instant::now();
    let (mut read, mut write) = wire::connect(service).await.into_split();
    write.write_all(beginning.as_bytes()).await.unwrap();
    let dripping = tokio::spawn(async move { drip(&mut write).await });
    let mut said = Vec::new();
    let read = tokio::io::AsyncReadExt::read_to_end(&mut read, &mut said);
    let _ = tokio::time::timeout(PATIENCE, read).await.expect("a slow client is given up");
    dripping.abort();
    (from.elapsed(), String::from_utf8_lossy(&said).into_owned())
}

/// Asks for much again and again and takes none of it.
async fn never_reads(service: &Service, api: &Api) -> TcpStream {
    let mut stream = wire::connect_narrow(service).await;
    let request = wire::head(api, "GET", "/v1/incidents?limit=100") + "\r\n";
    for _ in 0..20 {
        stream.write_all(request.as_bytes()).await.unwrap();
    }
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_disconnected_and_do_not_disturb_others() {
    let installation = Installation::new();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for number in 0..30 {
        let declared = api.declare(&format!("number {number}"), &"x".repeat(60_000)).await;
        assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
    }
    let before = service.memory();
    let mut readers = Vec::new();
    for _ in 0..20 {
        readers.push(never_reads(&service, &api).await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    // Twenty times twenty answers of 2 MB were asked for.
    let held = service.memory().saturating_sub(before) / 1024;
    assert!(held < 160, "{held} MiB are held for clients that do not read");

    let slow_body = wire::head(&api, "POST", "/v1/incidents")
        + "content-type: application/json\r\ncontent-length: 1000\r\n\r\n";
    let others = async {
        let (from, mut served) = (Instant::now(), 0);
        while from.elapsed() < Duration::from_secs(25) {
            api.read("/v1/incidents?limit=1").await;
            served += u32::from(from.elapsed() < BORNE);
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        served
    };
    let (silent, header, body, served) = tokio::join!(
        async { wire::until_closed(&mut wire::connect(&service).await).await },
        dripping(&service, "GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "),
        dripping(&service, &slow_body),
        others,
    );
    // One that had to wait until the slow ones are given up would have been the only one.
    assert!(served > 1, "other clients are not served meanwhile");
    assert!(silent.0 > BORNE, "a silent connection lasted {:?}", silent.0);
    assert!(header.0 > BORNE && header.1.is_empty(), "a slow header: {header:?}");
    assert!(body.0 > BORNE, "a slow body lasted {:?}", body.0);
    assert!(body.1.starts_with("HTTP/1.1 408 ") && body.1.contains(r#""code":"timeout""#), "{}", body.1);
    for mut reader in readers {
        // Some took longer to get stuck.
        until("a connection of a client that never reads ends", async || !wire::is_held(&service, &reader))
            .await;
        // What was on its way arrives, and no more.
        let (_, count) = wire::until_closed(&mut reader).await;
        assert!(count < 20_000_000, "{count} bytes were on their way");
    }
}
