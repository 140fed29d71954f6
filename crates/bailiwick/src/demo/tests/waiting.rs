//! What waits for somebody in the demo, as the API shows it.

use auth::MasterKey;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, TestApp, TestClient, TestClock, TestDb, seeded};

use super::super::data::FILE;
use super::super::prepare;

/// The service on the demo, with a client that reads.
async fn served(database: EmptyDatabase) -> (TestApp, TestClient) {
    let clock = TestClock::new();
    let options = db::Options::new(database.location(), clock.handle(), seeded(3));
    let organization = prepare(FILE, testkit::patient(options)).await.unwrap().organization;
    let db = TestDb::at(database, TestClock::START).await;
    let app = TestApp::resume(db, organization, &MasterKey::generate(&*seeded(0))).await;
    let client = app.client_with_scopes("risks:read documents:read").await;
    (app, client)
}

async fn listed(app: &TestApp, client: &TestClient, path: &str) -> Vec<Value> {
    app.get(path).bearer(client).expect(200).await.json()["data"].as_array().unwrap().clone()
}

/// A member of each row.
fn each<'v>(rows: &'v [Value], pointer: &str) -> Vec<&'v Value> {
    rows.iter().map(|row| row.pointer(pointer).unwrap()).collect()
}

#[testkit::both_engines]
async fn an_acceptance_is_stale_since_its_risk_is_worse(database: EmptyDatabase) {
    let (app, client) = served(database).await;
    let stale = listed(&app, &client, "/v1/acceptances?state=stale").await;
    assert_eq!(each(&stale, "/risk_title"), ["Ransomware takes down the warehouse system"]);
    assert_eq!(
        (&stale[0]["rating"]["score"], &stale[0]["decided_by"]["name"]),
        (&json!(8), &json!("Marta Lindqvist"))
    );
    let risks = listed(&app, &client, "/v1/risks?acceptance=stale").await;
    assert_eq!(
        (each(&risks, "/id"), each(&risks, "/current/score")),
        (vec![&stale[0]["risk"]], vec![&json!(12)])
    );
    let since = format!("/v1/risks/RSK-1/evaluations/{}", stale[0]["stale_by"]);
    let since = app.get(&since).bearer(&client).expect(200).await;
    assert_eq!(since.text("note"), "Ransomware reached a file server at Pell Road before it was stopped.");
}

#[testkit::both_engines]
async fn reviews_are_overdue_and_an_exception_ends_next_week(database: EmptyDatabase) {
    let (app, client) = served(database).await;
    let overdue = listed(&app, &client, "/v1/risks?review=overdue&sort=number").await;
    let expected = ["Attack on a supplier reaches our network", "Retention periods not met"];
    assert_eq!(each(&overdue, "/title"), expected);
    let ending = listed(&app, &client, "/v1/exceptions?expiring=7").await;
    assert_eq!(each(&ending, "/title"), ["Brindle Packaging keeps its VPN tunnel"]);
    let it = &ending[0];
    assert_eq!(
        (&it["state"], &it["until"], &it["risk"]),
        (&json!("accepted"), &json!("2026-03-08"), &overdue[0]["id"])
    );
    assert_eq!(listed(&app, &client, "/v1/exceptions?expiring=6").await, [] as [Value; 0]);
}

#[testkit::both_engines]
async fn a_year_of_weekly_evaluations_has_risks_that_are_worse_than_before(database: EmptyDatabase) {
    let (app, client) = served(database).await;
    let evaluations = app.get("/v1/risks/RSK-1/evaluations?include_total=true").bearer(&client);
    assert_eq!(evaluations.expect(200).await.json()["total"], 52);
    let worse = listed(&app, &client, "/v1/risks/changes?kind=worse&from=2026-02-01").await;
    let titles = each(&worse, "/risk/title");
    for title in ["Ransomware takes down the warehouse system", "Handheld or Wi-Fi outage during a shift"] {
        assert!(titles.iter().any(|it| *it == title), "{titles:?}");
    }
    assert!(
        worse.iter().all(|it| it["before"]["score"].as_i64() < it["after"]["score"].as_i64()),
        "{worse:?}"
    );
}
