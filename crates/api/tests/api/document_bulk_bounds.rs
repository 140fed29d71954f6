//! How much one change of many documents writes, and that it is made once.

use db::Tx;
use domain::Role;
use domain::document::NewDocument;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::api::document_bulk::{bulk, undo};

/// Makes documents with these numbers.
async fn fill(app: &TestApp, numbers: std::ops::Range<usize>) {
    let organization = app.organization;
    let work = async move |tx: &mut Tx| {
        for number in numbers.clone() {
            let new = NewDocument::new(&format!("d{number}"), "Locks".into(), Vec::new());
            store::documents::create(tx, organization, &testkit::author(), &new).await?;
        }
        Ok::<_, store::Error>(())
    };
    app.db.write_alone(organization, work).await.unwrap();
}

#[both_engines]
async fn a_retry_of_a_change_by_a_filter_gets_the_same_answer(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    fill(&app, 0..500).await;
    let body = json!({"filter": {}, "operation": {"type": "update", "review_every_days": 90}});
    let send = || app.post("/v1/documents/bulk").bearer(&ada).json(body.clone());
    let first = send().idempotency_key("k").expect(200).await;
    fill(&app, 500..501).await;
    let retry = send().idempotency_key("k").expect(200).await;
    assert_eq!((&retry.bytes, retry.header("idempotent-replayed")), (&first.bytes, Some("true")));
    assert_eq!(send().expect(422).await.faults(), ["#/filter too_many"]);
}

#[both_engines]
async fn long_texts_are_written_in_one_write_only_if_others_need_not_wait_long(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    fill(&app, 0..400).await;
    let describe = |last: usize| {
        let ids: Vec<String> = (0..last).map(|number| format!("d{number}")).collect();
        json!({"ids": ids, "operation": {"type": "update", "description": "x".repeat(64 * 1024)}})
    };
    assert_eq!(bulk(&app, &ada, describe(400), 422).await.faults(), ["#/ids too_many"]);
    let done = bulk(&app, &ada, describe(100), 200).await;
    let back = undo(&app, &ada, &done).await;
    assert_eq!(back.json()["undone_count"], 100);
    // Each write has a time of its own.
    let sql =
        "SELECT count(DISTINCT at) FROM journal_entry WHERE organization = $1 AND kind = 'document.updated'";
    let mut tx = app.db.read().await.unwrap();
    let (writes,): (i64,) = tx.query_one(sql, &[&app.organization.uuid()]).await.unwrap();
    assert!(writes > 2, "the change is one, and its undo several: {writes}");
}
