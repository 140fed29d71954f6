//! Where the service listens, and callers that take too long.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::service::{Installation, PATIENCE, Service};

#[test]
fn the_one_line_on_standard_output_says_where_it_listens() {
    let installation = Installation::new();
    let service = installation.serve();
    let port: u16 = service.base.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
    assert_ne!(port, 0);
    drop(TcpStream::connect(("127.0.0.1", port)).unwrap());
}

#[test]
fn off_loopback_plain_http_is_refused() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let done = Installation::new().run(&["serve", "--listen", address]);
        assert!([Some(1), Some(2)].contains(&done.code), "{address}: {:?}", done.code);
        assert!(done.err.contains("--insecure-http"), "{}", done.err);
        assert_eq!(done.out, "", "it listened");
    }
}

#[test]
fn off_loopback_plain_http_is_served_when_it_is_insisted_on() {
    let installation = Installation::new();
    let mut command = installation.command(&["serve", "--listen", "0.0.0.0:0", "--insecure-http"]);
    let service = Service::start(&mut command).unwrap();
    assert!(service.base.starts_with("http://0.0.0.0:"), "{}", service.base);
}

#[test]
fn a_port_in_use_is_reported() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let done = Installation::new().run(&["serve", "--listen", &address]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains(&address), "{}", done.err);
}

#[test]
fn a_connection_that_never_finishes_its_headers_is_closed() {
    let installation = Installation::new();
    let service = installation.serve();
    until_closed(&service, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
}

#[test]
fn a_connection_that_never_finishes_its_body_is_closed() {
    let installation = Installation::new();
    let service = installation.serve();
    let head = "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    until_closed(&service, head);
}

/// Sends `text`, then nothing, until the service gives up (whether or not it answers first).
fn until_closed(service: &Service, text: &str) {
    let mut stream = TcpStream::connect(service.base.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        // A reset closes it as well.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "it was not closed"),
    }
    assert!(!answer.starts_with(b"HTTP/1.1 2"), "half a request succeeded");
}
