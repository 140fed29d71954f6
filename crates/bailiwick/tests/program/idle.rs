//! Many idle connections.

use std::time::{Duration, Instant};

use http::limits::HEADER_TIMEOUT;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testkit::until;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::service::{Api, Declared, Installation, Service};
use crate::wire;

/// A connection that asks nothing is left alone for so long, less some seconds: what comes within it has not waited for
/// the end of those that are idle.
const LEFT_ALONE: Duration = HEADER_TIMEOUT.saturating_sub(Duration::from_secs(4));

/// What others notice: the slowest of many reads, and a write.
async fn is_responsive(api: &Api) {
    let mut longest = Duration::ZERO;
    for _ in 0..100 {
        let from = Instant::now();
        api.read("/v1/incidents?limit=1").await;
        longest = longest.max(from.elapsed());
    }
    assert!(longest < LEFT_ALONE, "a read took {longest:?}");
    let declared = api.declare("in between", "").await;
    assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
}

/// Raises this process's limit of open files; as many as that are.
fn raise_limit() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, most).unwrap();
    limit.maximum.map_or(usize::MAX, |files| usize::try_from(files).unwrap())
}

async fn signed_in(installation: &Installation, wrapper: &[&str]) -> (Service, Api) {
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let service = installation.serve_with(wrapper, &[]);
    let api = service.sign_in(&credentials).await;
    (service, api)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_idle_connections_do_not_disturb_others() {
    let possible = raise_limit().saturating_sub(500);
    let count = possible.min(10_000);
    if count < 10_000 {
        eprintln!("only {count} connections: the system allows this process no more open files");
    }
    let installation = Installation::new();
    // A service that starts with a low limit raises it.
    let (mut service, api) = signed_in(&installation, &["prlimit", "--nofile=1024:"]).await;
    let before = service.memory();
    let mut connections = Vec::new();
    let mut last_used = Vec::new();
    for number in 0..count {
        last_used.push(Instant::now());
        let mut stream = wire::connect(&service).await;
        // Every other one has had an answer and is kept open; the rest has never said anything.
        if number % 2 == 0 {
            stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
            assert!(wire::answer(&mut stream).await.unwrap().starts_with("HTTP/1.1 200"));
        }
        connections.push(stream);
    }
    is_responsive(&api).await;
    let open = service.open_files();
    // On a slow machine the first ones have had their time.
    let young = last_used.iter().filter(|used| used.elapsed() < LEFT_ALONE).count();
    assert!(open + 100 > young, "only {open} files are open, of {young} young connections");
    let each = service.memory().saturating_sub(before) * 1024 / count as u64;
    eprintln!("{each} bytes of memory for each connection");
    assert!(each < 48 * 1024, "{each} bytes for each connection");
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    service.assert_not_held_up();
}

/// More connections than the limit: those idle for the longest time are closed, not the new ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_limit_the_longest_idle_connections_are_closed() {
    let installation = Installation::new();
    let (service, api) = signed_in(&installation, &["prlimit", "--nofile=400:400"]).await;
    let from = Instant::now();
    let mut oldest = half_asked(&service).await;
    let mut connections = Vec::new();
    for _ in 1..1_000 {
        connections.push(half_asked(&service).await);
    }
    is_responsive(&api).await;
    assert!(service.open_files() < 400, "{} files are open", service.open_files());
    // It is told once a minute.
    let most = 1 + from.elapsed().as_secs() / 60;
    let told = service.log().matches("all connections are taken").count();
    assert!((1..=most).contains(&(told as u64)), "{}", service.log());
    // The oldest were closed, the youngest can still ask.
    let mut young = [half_asked(&service).await, half_asked(&service).await, half_asked(&service).await];
    wire::until_closed(&mut oldest).await;
    for stream in &mut young {
        stream.write_all(b" x\r\n\r\n").await.unwrap();
        assert!(wire::answer(stream).await.unwrap().starts_with("HTTP/1.1 200"));
    }
}

/// A connection with half a header, which is as good as silence.
async fn half_asked(service: &Service) -> TcpStream {
    let mut stream = wire::connect(service).await;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
    stream
}

/// No file handle is left below the limit of connections: accepting pauses and resumes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_file_handles_accepting_pauses_and_goes_on() {
    let installation = Installation::new();
    let (service, api) = signed_in(&installation, &["prlimit", "--nofile=400:400"]).await;
    is_responsive(&api).await;
    limit_files(&service, "--nofile=3:400");
    let mut waiting = wire::connect(&service).await;
    waiting.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    // One that spins has no such second.
    until("a second in which it computes little", async || {
        let (from, before) = (Instant::now(), service.computed());
        tokio::time::sleep(Duration::from_secs(1)).await;
        service.computed() - before < from.elapsed() / 3
    })
    .await;
    let told = service.log().matches("a connection could not be accepted").count();
    assert_eq!(told, 1, "{}", service.log());
    limit_files(&service, "--nofile=400:400");
    assert!(wire::answer(&mut waiting).await.unwrap().starts_with("HTTP/1.1 200"));
    is_responsive(&api).await;
}

fn limit_files(service: &Service, limit: &str) {
    let mut command = std::process::Command::new("prlimit");
    assert!(command.args(["--pid", &service.pid(), limit]).status().unwrap().success());
}
