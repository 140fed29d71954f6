//! The doctor's checks of the database.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use db::Tx;
use store::condition::{latest_write, schema, server, sqlite_faults, torn_journals};
use testkit::{EmptyDatabase, Engine, TestClock, TestDb, both_engines};

#[both_engines]
async fn a_sound_database_has_no_fault(db: TestDb) {
    let organization = db.organization("Acme").await;
    let mut tx = db.read().await.unwrap();
    let found = schema(&mut tx, store::migrations::ALL).await.unwrap();
    assert!(found.missing.is_empty() && found.newer.is_empty(), "{found:?}");
    assert_eq!(torn_journals(&mut tx).await.unwrap(), []);
    let latest = latest_write(&mut tx).await.unwrap().unwrap();
    assert!(latest >= TestClock::START.parse().unwrap());
    if tx.engine() == Engine::Sqlite {
        assert_eq!(sqlite_faults(&mut tx).await.unwrap(), Vec::<String>::new());
    } else {
        let server = server(&mut tx).await.unwrap();
        assert!(server.version.starts_with(|first: char| first.is_ascii_digit()), "{server:?}");
        assert_eq!(server.settings.len(), 4, "{server:?}");
        // The sessions overrule it, but it is the server's own that is told.
        assert!(["on", "off"].contains(&server.settings["synchronous_commit"].as_str()));
        assert_eq!(server.standbys, 0);
    }
    drop(tx);
    let _ = organization;
}

#[both_engines]
async fn a_head_that_its_journal_does_not_end_with_is_found(db: TestDb) {
    let (cut, grown) = (db.organization("Cut").await, db.organization("Grown").await);
    for organization in [cut, grown] {
        db.user(organization, "Ada", "ada@example.org", domain::Role::Viewer).await;
    }
    db.write_instance(async move |tx: &mut Tx| {
        tx.execute("DELETE FROM journal_entry WHERE organization = $1", &[&cut.uuid()]).await?;
        tx.execute("UPDATE organization_head SET seq = seq - 1 WHERE organization = $1", &[&grown.uuid()])
            .await?;
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    let mut torn = torn_journals(&mut db.read().await.unwrap()).await.unwrap();
    torn.sort_by_key(|organization| organization.uuid());
    let mut expected = [cut, grown];
    expected.sort_by_key(|organization| organization.uuid());
    assert_eq!(torn, expected);
}

#[both_engines]
async fn an_older_or_newer_schema_is_reported(db: TestDb) {
    db.write_instance(async move |tx: &mut Tx| {
        tx.execute("DELETE FROM schema_migration WHERE name = $1", &[&"0018_demo"]).await?;
        tx.execute("UPDATE schema_migration SET name = $1 WHERE name = $2", &[&"9999_future", &"0005_tags"])
            .await?;
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    let found = schema(&mut db.read().await.unwrap(), store::migrations::ALL).await.unwrap();
    assert_eq!(
        (found.missing, found.newer),
        (vec!["0005_tags", "0018_demo"], vec!["9999_future".to_owned()])
    );
}

#[both_engines]
async fn a_database_without_a_schema_is_an_error(database: EmptyDatabase) {
    let db = database.open(&TestClock::new(), 1).await;
    assert!(schema(&mut db.read().await.unwrap(), store::migrations::ALL).await.is_err());
}

#[both_engines]
async fn the_inventory_counts_every_kind_of_record(db: TestDb) {
    let organization = db.organization("Acme").await;
    db.user(organization, "Ada", "ada@example.org", domain::Role::Viewer).await;
    let inventory = store::inventory::take(&mut db.read().await.unwrap(), &store::REGISTRY).await.unwrap();
    let expected = [
        ("organization", 1),
        ("person", 1),
        ("signing_key", 0),
        ("client", 0),
        ("membership", 1),
        ("member_group", 0),
        ("group_member", 0),
        ("invitation", 0),
        ("reset_link", 0),
        ("incident", 0),
        ("incident_task", 0),
        ("incident_review", 0),
        ("incident_note", 0),
        ("incident_report", 0),
        ("incident_link", 0),
        ("risk", 0),
        ("evaluation", 0),
        ("risk_review", 0),
        ("risk_task", 0),
        ("risk_acceptance", 0),
        ("scale", 0),
        ("tag", 0),
        ("saved_view", 0),
        ("document", 0),
        ("document_review", 0),
        ("document_library_text", 0),
        ("proposal", 0),
        ("proposal_approval", 0),
        ("proposal_comment", 0),
        ("policy_exception", 0),
        ("acknowledgement_request", 0),
        ("acknowledgement", 0),
    ];
    assert_eq!(inventory.records, expected);
    assert_eq!(inventory.journals.len(), 2, "the instance's and the organization's");
}
