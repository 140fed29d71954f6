//! Long files: all or nothing, or in parts that go on where they were interrupted.

use domain::ImportId;
use domain::import::ImportKind;
use lists::imports::{Around, Opened};
use serde_json::json;
use store::imports::{Parts, Run};
use testkit::{TestApp, both_engines};

use super::{ALL, counts, outcomes, read, run, send};

/// Makes the first part of a run, and says how many risks that are.
async fn interrupted(app: &TestApp, id: &str) -> i64 {
    let (organization, id) = (app.organization, ImportId::parse(id).unwrap());
    let (file, around) = {
        let mut tx = app.db.read().await.unwrap();
        let file = store::imports::file(&mut tx, organization, id).await.unwrap();
        (file, Around::read(&mut tx, organization).await.unwrap())
    };
    let rows = Opened::read(ImportKind::Risks, None, &file, None, around).unwrap().rows().unwrap();
    let parts = Parts::of(&rows, 0);
    assert!(!parts.is_whole && parts.ranges.len() > 10, "{}", parts.ranges.len());
    let first = i64::try_from(parts.ranges[0].end).unwrap();
    let run = Run { id, expected: domain::ExpectedVersion::Any, read: 1, rows, skip_wrong: false, parts };
    let author = testkit::author();
    let part =
        async move |tx: &mut db::Tx| store::imports::run_part(tx, organization, &author, &run, 0).await;
    let after = app.db.write_alone(organization, part).await.unwrap();
    assert_eq!((after.done, after.counts.created), (first, first));
    first
}

fn lines(count: usize) -> String {
    let lines: String = (1..=count).map(|row| format!("R-{row},Risk {row},3,3\n")).collect();
    format!("Ref,Title,Likelihood,Impact\n{lines}")
}

#[both_engines]
async fn a_long_file_goes_on_where_it_was_interrupted(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let id = send(&app, &client, &lines(10_050)).await;
    interrupted(&app, &id).await;
    let path = format!("/v1/imports/{id}");
    assert_eq!(read(&app, &client, &path).await["state"], "running");
    let done = run(&app, &client, &id, json!({"accept_proposals": true})).await;
    assert_eq!((done.text("state"), &done.json()["counts"]), ("done", &counts(10_050, 0, 0, 0, 0)));
    let list = read(&app, &client, "/v1/risks?limit=1&include_total=true").await;
    assert_eq!((&list["total"], &list["data"][0]["external_ref"]), (&json!(10_050), &json!("R-10050")));
    let rows = read(&app, &client, &format!("{path}/rows?limit=1&include_total=true")).await;
    assert_eq!(rows["total"], 10_050);
}

#[both_engines]
async fn a_long_file_stops_before_what_cannot_be_imported(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let id = send(&app, &client, &lines(10_050)).await;
    // What is wrong is found only when it is to be written: a risk with the reference is deleted meanwhile.
    let risk = json!({"title": "Old", "external_ref": "R-9000", "inherent": {"likelihood": 1, "impact": 1}});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    app.delete("/v1/risks/RSK-1").bearer(&client).expect(204).await;
    let failed = run(&app, &client, &id, json!({"accept_proposals": true})).await;
    assert_eq!((failed.status, failed.text("state")), (200, "failed"), "{}", failed.json());
    let done = failed.json()["done"].as_i64().unwrap();
    assert!((1..9_000).contains(&done), "{done}");
    assert_eq!(failed.json()["counts"], counts(done, 0, 0, 0, 1));
    assert_eq!(outcomes(&app, &client, &id, "outcome=wrong").await.len(), 1);
    let patched = app.patch(&format!("/v1/imports/{id}")).bearer(&client).json(json!({"sheet": 0}));
    assert_eq!(patched.expect(409).await.text("code"), "import_over");
    let all = run(&app, &client, &id, json!({"accept_proposals": true, "skip_wrong": true})).await;
    assert_eq!((all.text("state"), &all.json()["counts"]), ("done", &counts(10_049, 0, 0, 0, 1)));
}

#[both_engines]
async fn up_to_10_000_records_are_written_at_once_or_not_at_all(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let id = send(&app, &client, &format!("{}R-10000,Last,3,7\n", lines(9_999))).await;
    assert_eq!(run(&app, &client, &id, json!({"accept_proposals": true})).await.status, 422);
    assert_eq!(read(&app, &client, "/v1/risks?include_total=true&limit=1").await["total"], 0);
    let done = run(&app, &client, &id, json!({"accept_proposals": true, "skip_wrong": true})).await;
    assert_eq!(done.json()["counts"], counts(9_999, 0, 0, 0, 1));
}
