//! Rate limits, timeouts and the number of statements.

use std::time::Duration;

use serde_json::json;
use testkit::{TestApp, TestDb};

#[testkit::both_engines]
async fn too_many_requests_get_a_retry_after(db: TestDb) {
    let http = http::Settings { rate_limit_per_minute: 3, ..http::Settings::default() };
    let app = TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await;
    let (client, other) =
        (app.client_with_scopes("tags:read").await, app.client_with_scopes("tags:read").await);
    for _ in 0..3 {
        app.get("/v1/tags").bearer(&client).expect(200).await;
    }
    let answer = app.get("/v1/tags").bearer(&client).expect(429).await;
    assert_eq!(answer.text("code"), "rate_limited");
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    app.get("/v1/tags").bearer(&other).expect(200).await;
}

#[testkit::both_engines]
async fn a_list_costs_the_same_number_of_statements_at_any_length(app: TestApp) {
    let client = app.client().await;
    let user = app.user("Ada", "ada@x.org", domain::Role::Owner).await;
    let lists = [
        "/v1/incidents",
        "/v1/risks",
        "/v1/tags",
        "/v1/users",
        "/v1/documents",
        "/v1/journal",
        "/v1/risks/RSK-1/evaluations",
        "/v1/risks/RSK-1/tags",
    ];
    let mut costs = Vec::new();
    for round in 0..4 {
        let rating = json!({"likelihood": 2, "impact": 2});
        let post =
            |path: String, body: serde_json::Value| app.post(&path).bearer(&client).json(body).expect(201);
        post(
            "/v1/incidents".into(),
            json!({"title": "a", "description": "", "assigned_to": user.to_string()}),
        )
        .await;
        post(
            "/v1/risks".into(),
            json!({"title": "a", "inherent": rating, "target": rating, "owner": user.to_string()}),
        )
        .await;
        let risk = format!("/v1/risks/RSK-{}", round + 1);
        post(format!("{risk}/evaluations"), rating.clone()).await;
        post("/v1/risks/RSK-1/evaluations".into(), rating.clone()).await;
        let tag = post("/v1/tags".into(), json!({"name": format!("t{round}")})).await.text("id").to_owned();
        post("/v1/risks/RSK-1/tags".into(), json!({"tag_id": tag})).await;
        let items = json!([{"id": "a", "kind": "text", "label": "a"}]);
        post("/v1/documents".into(), json!({"slug": format!("d{round}"), "title": "a", "items": items}))
            .await;
        app.user(&format!("u{round}"), &format!("u{round}@x.org"), domain::Role::Viewer).await;
        let mut round_costs = Vec::new();
        for path in lists {
            let before = app.db.statements();
            app.get(path).bearer(&client).expect(200).await;
            round_costs.push((path, app.db.statements() - before));
        }
        costs.push(round_costs);
    }
    assert_eq!(costs[1], costs[3]);
    assert!(costs[3].iter().all(|(_, cost)| *cost <= 4), "{costs:?}");
}

#[testkit::both_engines]
async fn a_body_that_does_not_arrive_times_out(db: TestDb) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let http = http::Settings { body_timeout: Duration::from_millis(50), ..http::Settings::default() };
    let app = TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await;
    let client = app.client_with_scopes("incidents:write").await;
    let address = app.listen().await;
    let mut stream = tokio::net::TcpStream::connect(address.trim_start_matches("http://")).await.unwrap();
    let head = format!(
        "POST /v1/incidents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        client.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = vec![0; 4096];
    let read = stream.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains(r#""code":"timeout""#), "{answer}");
}
