//! Many idle connections.

use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::AsyncWriteExt as _;

use crate::service::{Api, Declared, Installation, Service};
use crate::wire;

/// What others notice: the slowest of many reads, and a write.
async fn is_responsive(api: &Api) {
    let mut longest = Duration::ZERO;
    for _ in 0..100 {
        let from = Instant::now();
        api.read("/v1/incidents?limit=1").await;
        longest = longest.max(from.elapsed());
    }
    assert!(longest < Duration::from_secs(6), "a read took {longest:?}");
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
    for number in 0..count {
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
    assert!(open > count - 100, "only {open} files are open");
    let each = service.memory().saturating_sub(before) * 1024 / count as u64;
    eprintln!("{each} bytes of memory for each connection");
    assert!(each < 48 * 1024, "{each} bytes for each connection");
    let from = Instant::now();
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    assert!(from.elapsed() < Duration::from_secs(10), "it took {:?} to stop", from.elapsed());
}

/// More connections than the limit: those idle for the longest time are closed, not the new ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_the_limit_the_longest_idle_connections_are_closed() {
    let installation = Installation::new();
    let (service, api) = signed_in(&installation, &["prlimit", "--nofile=400:400"]).await;
    let mut connections = Vec::new();
    for _ in 0..1_000 {
        let mut stream = wire::connect(&service).await;
        // Half a header is as good as silence.
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost:").await.unwrap();
        connections.push(stream);
    }
    is_responsive(&api).await;
    assert!(service.open_files() < 400, "{} files are open", service.open_files());
    let told = service.log().matches("all connections are taken").count();
    assert_eq!(told, 1, "{}", service.log());
    // The oldest were closed, the youngest can still ask.
    let (took, _) = wire::until_closed(&mut connections[0]).await;
    assert!(took < Duration::from_secs(5), "{took:?}");
    let mut last = connections.pop().unwrap();
    last.write_all(b" x\r\n\r\n").await.unwrap();
    assert!(wire::answer(&mut last).await.unwrap().starts_with("HTTP/1.1 200"));
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
    let before = service.computed();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let computed = service.computed() - before;
    assert!(computed < Duration::from_millis(700), "it spins: {computed:?} in two seconds");
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
