//! Clients that take their time: silent, slow to ask, slow to send, and those that never take their answer.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::service::{Api, Declared, Installation, Service};
use crate::wire;

/// When a client that makes no progress is given up: `web::http::limits`, and some more on a busy machine.
const GIVEN_UP: std::ops::Range<Duration> = Duration::from_secs(28)..Duration::from_secs(50);

/// Sends a byte every half second until the connection breaks or `stop` says so.
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
    let _ = tokio::io::AsyncReadExt::read_to_end(&mut read, &mut said).await;
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
    let (from, before, sockets) = (Instant::now(), service.memory(), service.sockets());
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
        // Meanwhile other clients are served.
        while from.elapsed() < Duration::from_secs(25) {
            let asked = Instant::now();
            api.read("/v1/incidents?limit=1").await;
            assert!(asked.elapsed() < Duration::from_secs(15), "a read took {:?}", asked.elapsed());
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    };
    let (silent, header, body, ()) = tokio::join!(
        async { wire::until_closed(&mut wire::connect(&service).await).await },
        dripping(&service, "GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "),
        dripping(&service, &slow_body),
        others,
    );
    assert!(GIVEN_UP.contains(&silent.0), "a silent connection lasted {:?}", silent.0);
    assert!(GIVEN_UP.contains(&header.0) && header.1.is_empty(), "a slow header: {header:?}");
    assert!(GIVEN_UP.contains(&body.0), "a slow body lasted {:?}", body.0);
    assert!(body.1.starts_with("HTTP/1.1 408 ") && body.1.contains(r#""code":"timeout""#), "{}", body.1);
    // Some took longer to get stuck.
    while service.sockets() > sockets {
        assert!(from.elapsed() < Duration::from_secs(70), "connections of clients that never read go on");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    for mut reader in readers {
        // What was on its way arrives, and no more.
        let (_, count) = wire::until_closed(&mut reader).await;
        assert!(count < 20_000_000, "{count} bytes were on their way");
    }
}
