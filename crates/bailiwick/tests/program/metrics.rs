//! Prometheus reads what the service does, at an address of its own.

use reqwest::Method;
use serde_json::json;

use crate::service::{Installation, Service};

/// Where the metrics are, as the log says.
pub(crate) fn metrics_address(service: &Service) -> String {
    let log = service.log();
    let line = log.lines().find(|line| line.contains("/metrics")).unwrap_or_else(|| panic!("{log}"));
    let address = line.split_whitespace().find_map(|word| word.strip_prefix("address="));
    address.unwrap_or_else(|| panic!("{line}")).to_owned()
}

/// The value of a sample; the name carries the labels.
pub(crate) fn sample(text: &str, name: &str) -> f64 {
    let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')));
    line.and_then(|line| line.rsplit(' ').next())
        .and_then(|value| value.parse().ok())
        .unwrap_or_else(|| panic!("no sample {name} in\n{text}"))
}

#[tokio::test]
async fn requests_commits_and_the_process_are_measured() {
    let installation = Installation::new();
    let organization = installation.organization();
    let client = installation.client(&organization, "incidents:write incidents:read");
    let service = installation.serve_with(&[], &["--metrics-listen", "127.0.0.1:0"]);
    let api = service.sign_in(&client).await;
    for _ in 0..3 {
        let body = json!({"title": "Metrics", "description": ""});
        let answer = api.request(Method::POST, "/v1/incidents").json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 201);
    }
    api.request(Method::GET, "/v1/incidents/INC-0099").send().await.unwrap();
    api.request(Method::GET, "/nowhere/INC-0099").send().await.unwrap();

    let url = format!("http://{}/metrics", metrics_address(&service));
    let answer = reqwest::get(&url).await.unwrap();
    assert_eq!(answer.status(), 200);
    let media_type = answer.headers()["content-type"].to_str().unwrap().to_owned();
    assert!(media_type.starts_with("application/openmetrics-text"), "{media_type}");
    let text = answer.text().await.unwrap();

    let requests = |method: &str, route: &str, status: u16| {
        let name = "http_server_request_duration_seconds_count";
        sample(
            &text,
            &format!(
                "{name}{{http_request_method=\"{method}\",http_route=\"{route}\",http_response_status_code=\"{status}\"}}"
            ),
        )
    };
    assert!(requests("POST", "/v1/incidents", 201) == 3.0);
    assert!(requests("GET", "/v1/incidents/{id}", 404) == 1.0);
    assert!(requests("GET", "", 404) == 1.0);
    assert!(sample(&text, "bailiwick_db_commit_duration_seconds_count") >= 3.0);
    assert!(sample(&text, "process_resident_memory_bytes") > 1e6);
    assert!(!text.contains("INC-0099"), "a path is not a label: ids are data");
    assert!(text.ends_with("# EOF\n"));

    // The service writes by itself too.
    testkit::until("no write waits", async || {
        let text = reqwest::get(&url).await.unwrap().text().await.unwrap();
        sample(&text, "bailiwick_db_writes_waiting") == 0.0
    })
    .await;

    // The address of the API does not tell.
    let other = api.request(Method::GET, "/metrics").send().await.unwrap();
    assert_eq!(other.status(), 404);
}

#[test]
fn an_address_in_use_is_reported() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let done = Installation::new().run(&["serve", "--listen", "127.0.0.1:0", "--metrics-listen", &address]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains(&address) && done.err.contains("metrics"), "{}", done.err);
}
