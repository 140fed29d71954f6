//! Notes are deleted, restored and purged with their incident.

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::note::{CommentPatch, EntryKind, EntryPatch, NewComment, NewEntry};
use domain::{Error, ExpectedVersion, IncidentNumber, OrgId, ResourceKind};
use store::View;
use store::comments::{CommentQuery, NoteId};
use store::housekeeping::Trash;
use testkit::{TestDb, author, both_engines};

const ANY: ExpectedVersion = ExpectedVersion::Any;

const TABLES: [&str; 4] =
    ["incident_entry", "incident_entry_history", "incident_comment", "incident_comment_history"];

/// Two incidents, each with an entry and a comment that were edited.
async fn filled(db: &TestDb) -> OrgId {
    let org = db.organization("Acme").await;
    let work = async move |tx: &mut Tx| {
        for number in 1..=2 {
            let by = author();
            store::incidents::create(tx, org, &by, &NewIncident::untitled()).await?;
            let (incident, text) = (IncidentNumber(number), "Blocked.".to_owned());
            let new = NewEntry { kind: EntryKind::Action, text: text.clone(), at: None, pinned: false };
            store::entries::create(tx, org, &by, incident, &new).await?;
            let new = NewComment { text, mentions: Vec::new() };
            store::comments::create(tx, org, &by, incident, &new).await?;
            let (id, text) = (NoteId { incident, number: 1 }, Some("Blocked for good.".to_owned()));
            let patch = EntryPatch { text: text.clone(), ..EntryPatch::default() };
            store::entries::update(tx, org, &by, id, &ANY, &patch).await?;
            let patch = CommentPatch { text, ..CommentPatch::default() };
            store::comments::update(tx, org, &by, id, &ANY, &patch).await?;
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
    assert_eq!(rows(&db, org).await, [2; 4]);
    db.clock.advance_days(91);
    let trash = Trash::named("deleted_incidents").unwrap();
    let work = async move |tx: &mut Tx| store::housekeeping::purge(tx, org, &author(), trash).await;
    assert_eq!(db.write_alone(org, work).await.unwrap().count, 1);
    assert_eq!(rows(&db, org).await, [1; 4]);
    let report = store::journal::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults, []);
    let mut tx = db.read().await.unwrap();
    let (viewer, query) = (Viewer::service(), CommentQuery::of(View::now()));
    let gone = store::comments::list(&mut tx, org, &viewer, IncidentNumber(1), &query, 10).await;
    assert_eq!(gone.unwrap_err().0, Error::NotFound(ResourceKind::Incident));
    let stays = store::comments::list(&mut tx, org, &viewer, IncidentNumber(2), &query, 10).await.unwrap();
    assert_eq!(stays.value.rows[0].note.text, "Blocked for good.");
}
