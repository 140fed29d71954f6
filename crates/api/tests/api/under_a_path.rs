//! The service whose public URL has a path: every address that a response names is under it, and requests are answered as
//! proxies pass them on, with the path and without it.

use serde_json::json;
use testkit::{TestApp, TestDb, both_engines};

const URL: &str = "https://a.example/risk/register";
const ROOT: &str = "/risk/register";

#[both_engines]
async fn a_record_is_where_its_location_says(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    let client = app.client().await;
    let body = json!({"name": "Phishing"});
    let create = |path: &str| app.post(path).bearer(&client).idempotency_key("k").json(body.clone());
    let made = create("/v1/tags").expect(201).await;
    let location = made.header("location").unwrap();
    assert_eq!(location, format!("{ROOT}/v1/tags/{}", made.text("id")));
    assert_eq!(app.get(location).bearer(&client).expect(200).await.json(), made.json());
    let again = create(&format!("{ROOT}/v1/tags")).expect(201).await;
    assert_eq!(again.header("location"), Some(location), "the same request, whichever way it came");
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
}

#[both_engines]
async fn pages_of_a_list_link_to_each_other(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    let client = app.client().await;
    for name in ["a", "b", "c"] {
        app.post("/v1/tags").bearer(&client).json(json!({"name": name})).expect(201).await;
    }
    let first = app.get("/v1/tags?limit=2").bearer(&client).expect(200).await;
    let link = first.header("link").unwrap();
    let (_, next) = link.rsplit_once('<').unwrap();
    let next = next.split('>').next().unwrap();
    let path = next.strip_prefix("https://a.example").unwrap();
    assert!(path.starts_with("/risk/register/v1/tags?limit=2&cursor="), "{next}");
    let second = app.get(path).bearer(&client).expect(200).await;
    assert_eq!(second.json()["data"][0]["name"], "c");
}

#[both_engines]
async fn an_error_leads_to_its_explanation(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    let client = app.client().await;
    for path in ["/v1/tags/x", "/risk/register/v1/tags/x"] {
        let problem = app.get(path).bearer(&client).expect(404).await;
        assert_eq!(problem.text("type"), "/risk/register/docs/errors#not_found");
        assert_eq!(problem.text("instance"), "/risk/register/v1/tags/x");
    }
    let refused = app.post("/v1/oauth/token").form(&[("grant_type", "x")]).expect(400).await;
    assert_eq!(refused.text("type"), "/risk/register/docs/errors#unsupported_grant_type");
    let incident = json!({"title": "A", "description": ""});
    app.post("/v1/incidents").bearer(&client).json(incident).expect(201).await;
    let close = json!({"ids": [1], "operation": {"type": "transition", "to": "closed"}});
    let bulk = app.post("/v1/incidents/bulk").bearer(&client).json(close).expect(200).await;
    let kind = bulk.text("/results/0/problem/type");
    assert!(kind.starts_with("/risk/register/docs/errors#"), "{kind}");
    let page = app.get("/nothing").header("accept", "text/html").expect(404).await;
    let page = String::from_utf8(page.bytes.to_vec()).unwrap();
    assert!(page.contains("href=\"/risk/register/docs/errors#"), "{page}");
}

#[both_engines]
async fn the_document_names_its_server(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    let served = app.get("/risk/register/openapi.json").expect(200).await;
    let served = served.json();
    assert_eq!(served["servers"][0]["url"], ROOT);
    let flow = &served["components"]["securitySchemes"]["oauth2"]["flows"]["clientCredentials"];
    assert_eq!(flow["tokenUrl"], "/risk/register/v1/oauth/token");
    assert_eq!(flow["refreshUrl"], "/risk/register/v1/oauth/token");
}

#[both_engines]
async fn figures_and_links_with_secrets_are_whole(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    let client = app.client().await;
    let figures = app.get("/v1/incidents/metrics").bearer(&client).expect(200).await;
    let list = figures.text("incidents");
    assert!(list.starts_with("/risk/register/v1/incidents?"), "{list}");
    app.get(list).bearer(&client).expect(200).await;
    let invited = json!({"name": "Ada", "email": "ada@example.org", "role": "viewer"});
    let invitation = app.post("/v1/invitations").bearer(&client).json(invited).expect(201).await;
    let link = invitation.text("link");
    assert!(link.starts_with("https://a.example/risk/register/invitation#"), "{link}");
}

#[both_engines]
async fn only_the_whole_path_is_taken_away(db: TestDb) {
    let app = TestApp::start_at(db, URL).await;
    app.get("/risk/register/healthz").expect(200).await;
    app.get("/healthz").expect(200).await;
    app.get("/risk/registerhealthz").expect(404).await;
    app.get("/risk/healthz").expect(404).await;
    app.get("/risk/register/risk/register/healthz").expect(404).await;
}
