//! Notes are deleted, restored and purged with their incident.

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::note::{NewNote, NoteKind, NotePatch};
use domain::{Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind};
use store::View;
use store::notes::{NoteId, NoteQuery};
use testkit::{TestDb, author, both_engines, prose};

const ANY: ExpectedVersion = ExpectedVersion::Any;

const TABLES: [&str; 2] = ["incident_note", "incident_note_history"];

/// Two incidents, each with a note and a comment that were edited.
async fn filled(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let work = async move |tx: &mut Tx| {
        for number in 1..=2 {
            let by = author();
            store::incidents::create(tx, org, &by, &NewIncident::untitled()).await?;
            let incident = IncidentNumber(number);
            let patch = NotePatch { text: Some(prose("Blocked for good.")), ..NotePatch::default() };
            for (number, kind) in [(1, NoteKind::Action), (2, NoteKind::Comment)] {
                let new = NewNote::of(kind, prose("Blocked."));
                store::notes::create(tx, org, &by, incident, &new).await?;
                store::notes::update(tx, org, &by, NoteId { incident, number }, &ANY, &patch).await?;
            }
        }
        store::incidents::delete_many(tx, org, &author(), &[IncidentNumber(1)]).await
    };
    db.write(org, work).await.unwrap();
    org
}

async fn rows(db: &TestDb, org: OrgId) -> Vec<i64> {
    let mut tx = db.read().await.unwrap();
    let mut counts = Vec::new();
    for table in TABLES {
        let sql = format!("SELECT count(*) FROM {table} WHERE organization = $1");
        let (count,): (i64,) = tx.query_one(&sql, &[&org.uuid()]).await.unwrap();
        counts.push(count);
    }
    counts
}

#[both_engines]
async fn a_purge_takes_the_notes_of_the_incident_with_their_histories(db: TestDb) {
    let org = filled(&db).await;
    assert_eq!(rows(&db, org).await, [4; 2]);
    db.clock.advance_days(91);
    let trash = store::REGISTRY.trash_named("deleted_incidents").unwrap();
    let work = async move |tx: &mut Tx| store::housekeeping::purge(tx, org, &author(), trash).await;
    assert_eq!(db.write_alone(org, work).await.unwrap().count, 1);
    assert_eq!(rows(&db, org).await, [2; 2]);
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults, []);
    let mut tx = db.read().await.unwrap();
    let (viewer, query) = (Viewer::service(), NoteQuery::of(View::now()));
    let gone = store::notes::list(&mut tx, org, &viewer, IncidentNumber(1), &query, 10).await;
    assert_eq!(gone.unwrap_err().0, Error::NotFound(ResourceKind::Incident));
    let stays = store::notes::list(&mut tx, org, &viewer, IncidentNumber(2), &query, 10).await.unwrap();
    assert_eq!(stays.value.rows[0].text.as_str(), "Blocked for good.");
}
