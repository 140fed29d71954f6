//! A change of many records is made in several writes, unless it must be one.

use db::Tx;
use domain::incident::NewIncident;
use serde_json::{Value, json};
use testkit::{TestApp, TestClient, TestDb, both_engines};

use crate::api::bulk::{assert_sound, bulk, seq};
use crate::api::undo::{outcomes as undone, request_id, undo};

const ALL: &str = "incidents:read incidents:write incidents:delete journal:read";

/// Declares so many incidents with a description of so many bytes.
async fn declare(app: &TestApp, count: usize, bytes: usize) {
    let organization = app.organization;
    let work = async move |tx: &mut Tx| {
        let new = NewIncident {
            description: domain::ProseOrEmpty::stored("x".repeat(bytes)),
            ..NewIncident::untitled()
        };
        for _ in 0..count {
            store::incidents::create(tx, organization, &testkit::author(), &new).await?;
        }
        Ok::<_, store::Error>(())
    };
    app.db.write_alone(organization, work).await.unwrap();
}

/// How many writes changed something in this request.
async fn writes(app: &TestApp, request_id: &str) -> i64 {
    let sql = "SELECT count(DISTINCT at) FROM journal_entry WHERE organization = $1 AND request_id = $2";
    let mut tx = app.db.read().await.unwrap();
    let (count,) = tx.query_one(sql, &[&app.organization.uuid(), &request_id]).await.unwrap();
    count
}

async fn total(app: &TestApp, client: &TestClient, filter: &str) -> Value {
    let path = format!("/v1/incidents?{filter}&include_total=true&limit=1");
    app.get(&path).bearer(client).expect(200).await.json()["total"].clone()
}

#[both_engines]
async fn many_are_changed_in_several_writes_and_one_undo_takes_all_back(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, 1_100, 0).await;
    let assign = json!({"filter": {}, "operation": {"type": "update", "source": "SIEM"}});
    let send = || app.post("/v1/incidents/bulk").bearer(&client).idempotency_key("k").json(assign.clone());
    let answer = send().expect(200).await;
    assert_eq!(answer.json()["results"].as_array().unwrap().len(), 1_100);
    assert_eq!(writes(&app, request_id(&answer)).await, 3);
    let before = seq(&app, &client).await;
    let again = send().expect(200).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((again.json(), seq(&app, &client).await), (answer.json(), before));
    let undoing = undo(&app, &client, request_id(&answer)).await;
    assert_eq!(undone(&undoing).0, 1_100);
    assert!(writes(&app, request_id(&undoing)).await >= 3, "it is undone as it was done");
    assert_eq!(total(&app, &client, "source=SIEM").await, 0);
    assert_eq!(undone(&undo(&app, &client, request_id(&undoing)).await).0, 1_100);
    assert_eq!(total(&app, &client, "source=SIEM").await, 1_100);
    assert_sound(&app).await;
    // A deletion is one write, if others need not wait long for it.
    let ids: Vec<i64> = (1..=1_100).collect();
    let deleted = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": ids})).expect(200).await;
    assert_eq!(writes(&app, request_id(&deleted)).await, 1);
}

/// Two senders of one request: the second one waits for the first, and gets the same answer.
#[both_engines]
async fn a_request_that_is_sent_twice_at_once_is_made_once(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, 1_100, 0).await;
    let body = json!({"filter": {}, "operation": {"type": "update", "source": "SIEM"}});
    let send = || app.post("/v1/incidents/bulk").bearer(&client).idempotency_key("k").json(body.clone());
    let (one, other) = tokio::join!(send().expect(200), send().expect(200));
    assert_eq!(one.json(), other.json());
    let replayed = [&one, &other].iter().filter(|it| it.header("idempotent-replayed").is_some()).count();
    assert_eq!(replayed, 1);
}

#[both_engines]
async fn what_must_be_one_write_has_a_limit_and_a_deletion_is_cut_beyond_it(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    declare(&app, 800, 64 * 1024).await;
    let before = seq(&app, &client).await;
    let mut body = json!({"filter": {}, "operation": {"type": "update", "source": "SIEM"}, "atomic": true});
    for is_dry_run in [true, false] {
        body["dry_run"] = json!(is_dry_run);
        let refused = bulk(&app, &client, body.clone(), 422).await;
        assert_eq!(refused.faults(), ["#/atomic too_many"]);
    }
    assert_eq!(seq(&app, &client).await, before);
    let ids: Vec<i64> = (1..=801).collect();
    let deleted = app.delete("/v1/incidents").bearer(&client).json(json!({"ids": ids})).expect(200).await;
    assert_eq!(deleted.json(), &json!({"deleted_count": 800, "not_found": ["INC-0801"]}));
    assert!(writes(&app, request_id(&deleted)).await > 20);
    assert_eq!(undone(&undo(&app, &client, request_id(&deleted)).await).0, 800);
    assert_eq!(total(&app, &client, "").await, 800);
}

/// The remaining requests, from `"default";r=2;t=20`.
fn left(answer: &testkit::Answer) -> u64 {
    let text = answer.header("ratelimit").unwrap().strip_prefix("\"default\";r=").unwrap();
    text.split_once(';').unwrap().0.parse().unwrap()
}

#[both_engines]
async fn a_dry_run_and_a_refused_run_count_what_they_look_at(db: TestDb) {
    // So many that hardly one is regained meanwhile.
    let http = http::Settings { rate_limit_per_minute: 60, ..http::Settings::default() };
    let app = TestApp::start_with(db, http, auth::Settings::new("http://bailiwick.test")).await;
    declare(&app, 12, 0).await;
    let cost = async |body: Value, status: u16| {
        let client = app.client_with_scopes(ALL).await;
        let answer = app.post("/v1/incidents/bulk").bearer(&client).json(body).expect(status).await;
        60 - left(&answer)
    };
    let close = json!({"type": "transition", "to": "closed"});
    let same = json!({"type": "update", "source": null});
    assert_eq!(cost(json!({"filter": {}, "operation": same, "dry_run": true}), 200).await, 12);
    assert_eq!(cost(json!({"filter": {}, "operation": same}), 200).await, 12, "what is so already, too");
    assert_eq!(cost(json!({"filter": {}, "operation": close, "atomic": true}), 409).await, 12);
    assert_eq!(
        cost(json!({"filter": {}, "operation": close, "atomic": true, "dry_run": true}), 409).await,
        12
    );
    assert_eq!(cost(json!({"ids": [1, 2, 2, 99], "operation": close, "dry_run": true}), 200).await, 3);
    assert_eq!(cost(json!({"ids": [], "operation": close, "dry_run": true}), 200).await, 1);
}
