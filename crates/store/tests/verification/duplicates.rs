//! A duplicate that leads nowhere, or in a circle.

use db::Tx;
use domain::incident::{IncidentPatch, NewIncident, ResolutionReason, Status};
use domain::{ExpectedVersion, IncidentNumber, OrgId};
use testkit::{TestDb, author, both_engines};

use super::faults;

/// An incident; with `of`, one that was dismissed as a duplicate of that.
async fn incident(db: &TestDb, org: OrgId, of: Option<i64>) -> i64 {
    let work = async move |tx: &mut Tx| -> store::Result<i64> {
        let number = store::incidents::create(tx, org, &author(), &NewIncident::untitled()).await?.number;
        if let Some(of) = of {
            let patch = IncidentPatch {
                status: Some(Status::Dismissed),
                resolution_reason: Some(ResolutionReason::Duplicate),
                duplicate_of: Some(IncidentNumber(of)),
                ..IncidentPatch::default()
            };
            store::incidents::update(tx, org, &author(), number, &ExpectedVersion::Any, &patch).await?;
        }
        Ok(number.number())
    };
    db.write(org, work).await.unwrap()
}

/// Changes an original behind the journal.
async fn set_original(db: &TestDb, org: OrgId, number: i64, original: i64) {
    let sql = "UPDATE incident SET duplicate_of = $3 WHERE organization = $1 AND number = $2";
    let work = async move |tx: &mut Tx| tx.execute(sql, &[&org.uuid(), &number, &original]).await;
    assert_eq!(db.write(org, work).await.unwrap(), 1);
}

/// The faults about duplicates, without those that tell of the change behind the journal.
async fn found(db: &TestDb, org: OrgId) -> Vec<String> {
    let mut found = faults(db, org).await;
    found.retain(|fault| !fault.starts_with("duplicate_of of the incident"));
    found
}

fn circle(number: i64) -> String {
    format!("The incident INC-000{number} is a duplicate in a circle of duplicates.")
}

#[both_engines]
async fn a_circle_of_duplicates_is_found(db: TestDb) {
    let org = db.organization("Acme").await;
    let one = incident(&db, org, None).await;
    let other = incident(&db, org, Some(one)).await;
    let third = incident(&db, org, Some(other)).await;
    assert_eq!(found(&db, org).await, [""; 0]);
    set_original(&db, org, third, third).await;
    assert_eq!(found(&db, org).await, [circle(third)], "of itself");
    // Over another one, and one that leads into the circle.
    set_original(&db, org, one, other).await;
    set_original(&db, org, third, one).await;
    assert_eq!(found(&db, org).await, [circle(one), circle(other), circle(third)]);
}

#[both_engines]
async fn a_duplicate_of_nothing_is_found(db: TestDb) {
    let org = db.organization("Acme").await;
    let original = incident(&db, org, None).await;
    let duplicate = incident(&db, org, Some(original)).await;
    for absent in [99, -1] {
        set_original(&db, org, duplicate, absent).await;
        let name = IncidentNumber(absent);
        let expected =
            format!("The incident INC-0002 is a duplicate of {name}, which is not there and was not purged.");
        assert_eq!(found(&db, org).await, [expected]);
    }
    set_original(&db, org, duplicate, original).await;
    // One in the trash can be restored.
    let ids = [IncidentNumber(original)];
    let delete = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &ids).await;
    db.write(org, delete).await.unwrap();
    assert_eq!(found(&db, org).await, [""; 0]);
}

/// What a purge removes leaves its duplicates as they are.
#[both_engines]
async fn a_duplicate_of_a_purged_incident_is_sound(db: TestDb) {
    let org = db.organization("Acme").await;
    let original = incident(&db, org, None).await;
    let duplicate = incident(&db, org, Some(original)).await;
    let ids = [IncidentNumber(original)];
    let delete = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &ids).await;
    db.write(org, delete).await.unwrap();
    db.clock.advance_days(91);
    let trash = store::REGISTRY.trash_named("deleted_incidents").unwrap();
    let purge = async move |tx: &mut Tx| store::housekeeping::purge(tx, org, &author(), trash).await;
    assert_eq!(db.write_alone(org, purge).await.unwrap().count, 1);
    assert_eq!(found(&db, org).await, [""; 0]);
    // The same when the duplicate is in the trash, or comes back.
    let ids = [IncidentNumber(duplicate)];
    let delete = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &ids).await;
    db.write(org, delete).await.unwrap();
    assert_eq!(found(&db, org).await, [""; 0]);
    let restore = async move |tx: &mut Tx| store::incidents::restore_many(tx, org, &author(), &ids).await;
    db.write(org, restore).await.unwrap();
    assert_eq!(found(&db, org).await, [""; 0]);
}
