//! Lists of incidents from elsewhere.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient, both_engines};

use super::{counts, import_as, outcomes, read, run, send_as};
use crate::api::bulk::assert_sound;

const WRITE: &str = "incidents:read incidents:write tags:read tags:write journal:read";

const TICKETS: &str = "Ticket,Title,Priority,Status,Reported,Closed,Assigned to,Site\n\
    T-7,Outage,P1,Closed,2026-01-05 14:30,2026-01-06 09:00,Head of IT,Leeds\n\
    T-8,Phishing,low,new,2026-01-07,,,\n";

#[both_engines]
async fn tickets_of_the_past_need_an_override(app: TestApp) {
    let writer = app.client_with_scopes(WRITE).await;
    let id = send_as(&app, &writer, "incidents", TICKETS).await;
    let found = read(&app, &writer, &format!("/v1/imports/{id}")).await;
    let fields: Vec<&Value> = found["columns"].as_array().unwrap().iter().map(|it| &it["field"]).collect();
    let expected = [
        "external_ref",
        "title",
        "severity",
        "status",
        "detected_date",
        "closed_date",
        "owner_name",
        "block",
    ];
    assert_eq!(fields, expected);
    let done = run(&app, &writer, &id, json!({"accept_proposals": true, "skip_wrong": true})).await;
    assert_eq!(done.json()["counts"], counts(1, 0, 0, 0, 1), "{}", done.json());
    let wrong = read(&app, &writer, &format!("/v1/imports/{id}/rows?outcome=wrong")).await;
    let detail = wrong["data"][0]["faults"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("incidents:override"), "{detail}");
    let over = app.client_with_scopes(&format!("{WRITE} incidents:override")).await;
    assert_eq!(import_as(&app, &over, "incidents", TICKETS).await, counts(1, 0, 1, 0, 0));
    let outage = read(&app, &over, "/v1/incidents/INC-0002").await;
    let shown = ["status", "severity", "external_source", "external_ref", "closed_date", "responded_date"];
    let shown: Vec<&Value> = shown.iter().map(|member| &outage[member]).collect();
    let closed = "2026-01-06T09:00:00.000000Z";
    assert_eq!(json!(shown), json!(["closed", "critical", "import", "T-7", closed, null]));
    assert_eq!(outage["overridden"], json!(["resolution_summary_missing", "review_not_published"]));
    let description = outage["description"].as_str().unwrap();
    assert!(description.contains("**Site:** Leeds"), "{description}");
    assert!(description.contains("**Assigned to:** Head of IT"), "{description}");
    let told = read(&app, &over, "/v1/journal?kind=incident.imported").await;
    assert_eq!(told["data"].as_array().map(Vec::len), Some(1), "{told}");
    assert_sound(&app).await;
}

#[both_engines]
async fn the_same_tickets_again_change_nothing_and_others_what_they_have(app: TestApp) {
    let client = app.client_with_scopes(&format!("{WRITE} incidents:override")).await;
    let import = async |file: &str| import_as(&app, &client, "incidents", file).await;
    assert_eq!(import(TICKETS).await, counts(2, 0, 0, 0, 0));
    assert_eq!(import(TICKETS).await, counts(0, 0, 2, 0, 0));
    assert_eq!(import(&TICKETS.replace("P1", "P2")).await, counts(0, 1, 1, 0, 0));
    assert_eq!(import(&TICKETS.replace("2026-01-06", "2026-01-04")).await, counts(0, 0, 1, 0, 1));
    let reopened =
        TICKETS.replace("Closed,2026-01-05 14:30,2026-01-06 09:00", "in progress,2026-01-05 14:30,");
    assert_eq!(import(&reopened).await, counts(0, 1, 1, 0, 0));
    let outage = read(&app, &client, "/v1/incidents/INC-0001").await;
    assert_eq!((&outage["status"], &outage["closed_date"]), (&json!("investigating"), &Value::Null));
    // Without references titles and times count, each as often as the file has it.
    let plain = "Title,Date,Tags,Task\nAlert,2026-01-05,\"mail, siem\",Tell them\nAlert,2026-01-05,,\nAlert,2026-01-06,,\n";
    assert_eq!(import(plain).await, counts(3, 0, 0, 0, 0));
    assert_eq!(import(plain).await, counts(0, 0, 3, 0, 0));
    let tasks = read(&app, &client, "/v1/incidents/INC-0003/tasks").await;
    assert_eq!(tasks["data"][0]["title"], "Tell them");
    assert_sound(&app).await;
}

#[both_engines]
async fn a_duplicate_finds_its_original_anywhere_in_the_file(app: TestApp) {
    let client = app.client_with_scopes(&format!("{WRITE} incidents:override")).await;
    let file = "ID,Title,Status,Duplicate of\nA,Mail,dismissed,C\nB,Mail,dismissed,A\nC,Mail,dismissed,A\n\
        D,Mail,dismissed,Z\n";
    assert_eq!(import_as(&app, &client, "incidents", file).await, counts(4, 0, 0, 0, 0));
    let of = async |id: &str| read(&app, &client, &format!("/v1/incidents/{id}")).await;
    assert_eq!(of("INC-0001").await["duplicate_of"], "INC-0003");
    assert_eq!(of("INC-0002").await["duplicate_of"], "INC-0001");
    // It would be a circle.
    assert_eq!(of("INC-0003").await["duplicate_of"], Value::Null);
    assert_eq!(of("INC-0004").await["description"], "**Duplicate of:** Z");
    assert_eq!(import_as(&app, &client, "incidents", file).await, counts(0, 0, 4, 0, 0));
    assert_sound(&app).await;
}

#[both_engines]
async fn what_is_imported_as_incidents_is_seen_by_its_sender(app: TestApp) {
    let client = app.client_with_scopes(WRITE).await;
    let id = send_as(&app, &client, "incidents", TICKETS).await;
    run(&app, &client, &id, json!({"dry_run": true})).await;
    assert_eq!(outcomes(&app, &client, &id, "").await.len(), 2);
    let other = app.client_with_scopes(WRITE).await;
    for path in [format!("/v1/imports/{id}"), format!("/v1/imports/{id}/rows")] {
        app.get(&path).bearer(&other).expect(404).await;
    }
    assert_eq!(run(&app, &other, &id, json!({"dry_run": true})).await.status, 404);
    let list = "/v1/imports?include_total=true";
    assert_eq!(read(&app, &other, list).await["total"], 0);
    let all = app.client_with_scopes(&format!("{WRITE} incidents:restricted")).await;
    for client in [&client, &all] {
        assert_eq!(read(&app, client, list).await["total"], 1);
    }
    let risks = app.client_with_scopes("risks:write").await;
    app.get(&format!("/v1/imports/{id}")).bearer(&risks).expect(404).await;
    let sent = app.post("/v1/imports?kind=incidents").bearer(&risks).body("text/csv", TICKETS);
    sent.expect(403).await;
}

#[both_engines]
async fn the_duplicates_of_a_long_file_get_their_originals_in_parts(app: TestApp) {
    let client = app.client_with_scopes(&format!("{WRITE} incidents:override")).await;
    // All lead to the last row: the first one over 101 originals, the next one over 100.
    let row = |number: usize| match number {
        1..=100 => format!("D-{number},Mail,dismissed,D-{}\n", number + 1),
        _ => format!("D-{number},Mail,dismissed,Z\n"),
    };
    let rows: String = (1..=10_050).map(row).collect();
    let file = format!("ID,Title,Status,Duplicate of\n{rows}Z,Mail,new,\n");
    assert_eq!(import_as(&app, &client, "incidents", &file).await, counts(10_050, 0, 0, 0, 1));
    for (number, original) in
        [(1, "INC-0002"), (100, "INC-10050"), (5_000, "INC-10050"), (10_049, "INC-10050")]
    {
        let found = read(&app, &client, &format!("/v1/incidents/INC-{number:04}")).await;
        assert_eq!((&found["duplicate_of"], &found["version"]), (&json!(original), &json!(3)));
    }
}

#[both_engines]
async fn times_that_lost_their_fractions_are_the_same(app: TestApp) {
    let client = app.client_with_scopes(&format!("{WRITE} incidents:override")).await;
    let import = async |client: &TestClient, file: &str| import_as(&app, client, "incidents", file).await;
    let exact = "Ticket,Title,Status,Reported,Closed\n\
        T-7,Outage,Closed,2026-01-05T14:30:00.5Z,2026-01-06T09:00:00.25Z\n\
        ,Phishing,new,2026-01-07T10:00:00.5Z,\n";
    assert_eq!(import(&client, exact).await, counts(2, 0, 0, 0, 0));
    let before = read(&app, &client, "/v1/incidents?sort=number").await["data"].clone();
    // Nothing of it is another past, which would need the override.
    let writer = app.client_with_scopes(WRITE).await;
    let cut = exact.replace(".5Z", "Z").replace(".25Z", "Z");
    assert_eq!(import(&writer, &cut).await, counts(0, 0, 2, 0, 0));
    assert_eq!(read(&app, &client, "/v1/incidents?sort=number").await["data"], before);
    assert_eq!(import(&client, &cut.replace("10:00:00", "10:00:01")).await, counts(1, 0, 1, 0, 0));
    assert_sound(&app).await;
}
