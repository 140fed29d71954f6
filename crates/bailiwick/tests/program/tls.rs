//! HTTPS by the program itself.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use testkit::until;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::service::{Installation, Service};

/// A certificate for a name and 127.0.0.1, with its key.
pub(crate) struct Pair {
    certificate: String,
    key: String,
    der: CertificateDer<'static>,
}

impl Pair {
    pub(crate) fn new(name: &str, last_year: i32) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned(), "127.0.0.1".to_owned()]).unwrap();
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(last_year, 1, 1);
        let made = params.self_signed(&key).unwrap();
        Self { certificate: made.pem(), key: key.serialize_pem(), der: made.der().clone() }
    }
}

/// Where the two files are.
pub(crate) struct Files(tempfile::TempDir);

impl Files {
    pub(crate) fn with(pair: &Pair) -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.write(&pair.certificate, &pair.key);
        files
    }

    fn paths(&self) -> [PathBuf; 2] {
        ["cert.pem", "key.pem"].map(|name| self.0.path().join(name))
    }

    fn write(&self, certificate: &str, key: &str) {
        let [certificate_file, key_file] = self.paths();
        std::fs::write(certificate_file, certificate).unwrap();
        std::fs::write(key_file, key).unwrap();
    }

    /// The flags that name them.
    pub(crate) fn flags(&self) -> [String; 4] {
        let [certificate, key] = self.paths().map(|path| path.display().to_string());
        ["--tls-cert".to_owned(), certificate, "--tls-key".to_owned(), key]
    }

    fn serve(&self, installation: &Installation) -> Service {
        let flags = self.flags();
        installation.serve_with(&[], &flags.each_ref().map(String::as_str))
    }
}

/// A connection on which only this certificate is accepted.
async fn connect(service: &Service, pair: &Pair) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(pair.der.clone()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let stream = TcpStream::connect(service.base.strip_prefix("https://").unwrap()).await?;
    let name = ServerName::try_from("127.0.0.1").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// The beginning of the answer to a GET on a connection that stays open.
async fn get(stream: &mut TlsStream<TcpStream>, path: &str) -> String {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let count = stream.read(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer[..count]).into_owned()
}

#[tokio::test]
async fn https_is_served_and_plain_http_is_sent_away() {
    let pair = Pair::new("bailiwick.example", 2100);
    let service = Files::with(&pair).serve(&Installation::new());
    assert!(service.base.starts_with("https://127.0.0.1:"), "{}", service.base);
    let mut stream = connect(&service, &pair).await.unwrap();
    assert!(get(&mut stream, "/healthz").await.starts_with("HTTP/1.1 200 "));
    assert!(get(&mut stream, "/v1/incidents").await.starts_with("HTTP/1.1 401 "));
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));

    let mut plain = std::net::TcpStream::connect(service.base.strip_prefix("https://").unwrap()).unwrap();
    plain.write_all(b"GET /v1/incidents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n\r\n").unwrap();
    let mut answer = String::new();
    plain.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("https_required"), "{answer}");
}

#[tokio::test]
async fn https_may_be_served_to_other_machines() {
    let pair = Pair::new("bailiwick.example", 2100);
    let files = Files::with(&pair);
    let flags = files.flags();
    let arguments = [&["serve", "--listen", "0.0.0.0:0"][..], &flags.each_ref().map(String::as_str)].concat();
    let service = Service::start(&mut Installation::new().command(&arguments)).unwrap();
    assert!(service.base.starts_with("https://0.0.0.0:"), "{}", service.base);
}

#[tokio::test]
async fn a_replaced_certificate_greets_the_next_connection() {
    let (old, new) = (Pair::new("old.example", 2100), Pair::new("new.example", 2100));
    let files = Files::with(&old);
    let service = files.serve(&Installation::new());
    let mut running = connect(&service, &old).await.unwrap();
    assert!(get(&mut running, "/healthz").await.starts_with("HTTP/1.1 200 "));

    files.write(&new.certificate, &new.key);
    until("the new one is used", async || connect(&service, &new).await.is_ok()).await;
    assert!(connect(&service, &old).await.is_err());
    assert!(get(&mut running, "/healthz").await.starts_with("HTTP/1.1 200 "), "the old connection broke");

    // One that does not work changes nothing, and it is told once.
    files.write(&new.certificate, &old.key);
    assert!(service.signal("-HUP"));
    service.until_logged("cannot be used").await;
    assert!(connect(&service, &new).await.is_ok());

    // SIGHUP takes a good one at once.
    files.write(&old.certificate, &old.key);
    assert!(service.signal("-HUP"));
    until("the good one is used", async || connect(&service, &old).await.is_ok()).await;
    for private in [&old.key, &new.key] {
        let line = private.lines().nth(1).unwrap();
        assert!(!service.log().contains(line), "a key is in the log");
    }
}

#[test]
fn a_hangup_ends_no_service_and_a_silent_caller_holds_no_stop_up() {
    let pair = Pair::new("bailiwick.example", 2100);
    for files in [None, Some(Files::with(&pair))] {
        let installation = Installation::new();
        let mut service = match &files {
            Some(files) => files.serve(&installation),
            None => installation.serve(),
        };
        assert!(service.signal("-HUP"));
        std::thread::sleep(Duration::from_millis(300));
        let address = service.base.split_once("://").unwrap().1.to_owned();
        let _silent = std::net::TcpStream::connect(address).expect("it still runs");
        service.terminate();
        assert_eq!(service.wait(), Some(0));
        service.assert_not_held_up();
    }
}

#[test]
fn a_certificate_that_cannot_be_used_is_refused_at_the_start() {
    let (one, other) = (Pair::new("a.example", 2100), Pair::new("b.example", 2100));
    let files = Files::with(&one);
    files.write(&one.certificate, &other.key);
    let flags = files.flags();
    let serve = |flags: &[String]| {
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        Installation::new().run(&[&["serve", "--listen", "127.0.0.1:0"][..], &flags].concat())
    };
    let done = serve(&flags);
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
    assert!(done.err.contains("key.pem: it is not the key of the certificate"), "{}", done.err);
    let done = serve(&flags[..2]);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
    assert!(done.err.contains("requires tls_key"), "{}", done.err);
}
