//! The trusted sources of a client's address, and requests that arrive unencrypted.

use testkit::{TestApp, TestDb};

use crate::api::connections::talk;

/// The service behind a proxy on this machine.
async fn behind_a_proxy(db: TestDb, trusted: &str, insecure_http: bool) -> (TestApp, String) {
    let http = http::Settings {
        trusted_proxies: http::network(trusted).into_iter().collect(),
        insecure_http,
        rate_limit_per_minute: 0,
        ..http::Settings::default()
    };
    let app = TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await;
    let address = app.listen().await;
    (app, address)
}

/// The response to a GET without a token, reduced to its status and the `code` of its problem.
async fn get(address: &str, path: &str, headers: &[&str]) -> String {
    let headers: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{headers}connection: close\r\n\r\n");
    let answer = talk(address, &request).await;
    let code =
        answer.split_once("\"code\":\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default();
    format!("{} {code}", answer.split(' ').nth(1).unwrap_or_default())
}

const CLIENT: &str = "x-forwarded-for: 203.0.113.7";
const HTTPS: &str = "x-forwarded-proto: https";
const FORBIDDEN: &str = "403 https_required";
const TAKEN: &str = "401 unauthenticated";

#[testkit::both_engines]
async fn what_a_trusted_proxy_took_in_the_clear_is_refused(db: TestDb) {
    let (_app, address) = behind_a_proxy(db, "127.0.0.0/8", false).await;
    for (headers, expected) in [
        (&[CLIENT][..], FORBIDDEN),
        (&[CLIENT, "x-forwarded-proto: http"], FORBIDDEN),
        (&["forwarded: for=203.0.113.7;proto=http"], FORBIDDEN),
        (&[CLIENT, HTTPS, "forwarded: for=198.51.100.1;proto=https"], FORBIDDEN),
        (&[CLIENT, HTTPS, "forwarded: for=203.0.113.7;proto=https"], TAKEN),
        (&[CLIENT, HTTPS], TAKEN),
        (&["forwarded: for=203.0.113.7;proto=https"], TAKEN),
        (&["x-forwarded-for: 127.0.0.1"], TAKEN),
        (&[], TAKEN),
    ] {
        assert_eq!(get(&address, "/v1/incidents", headers).await, expected, "{headers:?}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(get(&address, path, &[CLIENT]).await, "200 ", "{path}");
    }
}

#[testkit::both_engines]
async fn a_forwarding_header_of_an_untrusted_peer_is_ignored(db: TestDb) {
    let (_app, address) = behind_a_proxy(db, "192.0.2.1", false).await;
    assert_eq!(get(&address, "/v1/incidents", &[CLIENT, "x-forwarded-proto: http"]).await, TAKEN);
}

#[testkit::both_engines]
async fn plain_http_is_taken_when_the_operator_insists(db: TestDb) {
    let (_app, address) = behind_a_proxy(db, "127.0.0.0/8", true).await;
    assert_eq!(get(&address, "/v1/incidents", &[CLIENT]).await, TAKEN);
}
