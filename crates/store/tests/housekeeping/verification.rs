//! The verification distinguishes a purged record from one that was removed directly.

use db::Tx;
use domain::OrgId;
use testkit::TestDb;

use crate::housekeeping::support::{declare, delete, faults, incidents, purge};

async fn meddle(db: &TestDb, org: OrgId, sql: &'static str) {
    let work = async move |tx: &mut Tx| Ok::<_, store::Error>(tx.execute(sql, &[&org.uuid()]).await?);
    assert_eq!(db.write(org, work).await.unwrap(), 1);
}

#[testkit::both_engines]
async fn a_record_that_was_taken_away_is_missed(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["One", "Two"] {
        declare(&db, org, title).await;
    }
    assert_eq!(faults(&db, org).await, Vec::<String>::new());
    meddle(&db, org, "DELETE FROM incident WHERE organization = $1 AND number = 2").await;
    assert_eq!(
        faults(&db, org).await,
        ["The incident INC-0002 is not there, and no entry says that it went."]
    );
}

#[testkit::both_engines]
async fn a_purged_record_that_came_back_is_found(db: TestDb) {
    let org = db.organization("Acme").await;
    let number = declare(&db, org, "One").await;
    delete(&db, org, &[number]).await;
    db.clock.advance_days(91);
    purge(&db, org, incidents()).await;
    declare(&db, org, "Two").await;
    meddle(&db, org, "UPDATE incident SET number = 1 WHERE organization = $1 AND number = 2").await;
    let expected = [
        "An entry says that the incident INC-0001 was purged, and it is there.",
        "The incident INC-0002 is not there, and no entry says that it went.",
    ];
    assert_eq!(faults(&db, org).await, expected);
}

/// The payloads are gone, the hashes are not: a changed entry is found as before.
#[testkit::both_engines]
async fn the_chain_still_holds_after_a_purge(db: TestDb) {
    let org = db.organization("Acme").await;
    let number = declare(&db, org, "One").await;
    delete(&db, org, &[number]).await;
    db.clock.advance_days(91);
    purge(&db, org, incidents()).await;
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!((report.entries, report.erased, report.records), (3, 2, 0));
    assert_eq!(report.faults, []);
    meddle(&db, org, "UPDATE journal_entry SET actor_id = 'x' WHERE organization = $1 AND seq = 2").await;
    assert_eq!(faults(&db, org).await, ["The entry is not the one that was hashed."]);
}
