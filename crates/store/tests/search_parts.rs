//! What the index costs: a write is about the note that it changes, and not about the others of its incident.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use db::Tx;
use domain::incident::{NewIncident, Viewer};
use domain::note::{MAX_NOTE_BYTES, MAX_NOTES, NotePatch};
use domain::search::{SearchKind, SearchQuery};
use domain::{Error, ExpectedVersion, FaultCode, IncidentNumber, OrgId};
use store::notes::NoteId;
use store::search::STEP_BYTES;
use testkit::{TestDb, author, both_engines, comment, prose};

const ANY: ExpectedVersion = ExpectedVersion::Any;

/// A text of about so many bytes, with words of its own.
fn long(number: usize, bytes: usize) -> String {
    (0..bytes / 10).map(|word| format!("w{number:03}{word:05} ")).collect()
}

async fn declare(db: &TestDb, org: OrgId) -> IncidentNumber {
    let new = NewIncident { title: "alpha".into(), ..NewIncident::untitled() };
    let work = async move |tx: &mut Tx| store::incidents::create(tx, org, &author(), &new).await;
    db.write(org, work).await.unwrap().number
}

async fn write(db: &TestDb, org: OrgId, incident: IncidentNumber, text: &str) -> store::Result<i64> {
    let new = comment(text);
    let work = async move |tx: &mut Tx| store::notes::create(tx, org, &author(), incident, &new).await;
    db.write(org, work).await.map(|it| it.value.number)
}

async fn edit(db: &TestDb, org: OrgId, id: NoteId, text: &str) -> store::Result<()> {
    let patch = NotePatch { text: Some(prose(text)), ..NotePatch::default() };
    let work =
        async move |tx: &mut Tx| store::notes::update(tx, org, &author(), id, &ANY, &patch).await.map(drop);
    db.write(org, work).await
}

async fn delete(db: &TestDb, org: OrgId, id: NoteId) -> store::Result<()> {
    db.write(org, async move |tx: &mut Tx| store::notes::delete(tx, org, &author(), id, &ANY).await).await
}

async fn restore(db: &TestDb, org: OrgId, id: NoteId) -> store::Result<()> {
    let work = async move |tx: &mut Tx| store::notes::restore(tx, org, &author(), id, &ANY).await.map(drop);
    db.write(org, work).await
}

/// Lets the index follow to the end. Returns how many steps that took.
async fn follow_all(db: &TestDb, org: OrgId) -> usize {
    for steps in 0.. {
        let step = store::search::step(&mut db.read().await.unwrap(), org, 500).await.unwrap();
        let work = async move |tx: &mut Tx| store::search::follow(tx, org, 500, step.as_ref()).await;
        if db.write(org, work).await.unwrap().is_done {
            return steps;
        }
    }
    0
}

async fn one(db: &TestDb, sql: &str, org: OrgId) -> i64 {
    let (value,): (i64,) = db.read().await.unwrap().query_one(sql, &[&org.uuid()]).await.unwrap();
    value
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// Counts the rows of the index that a write changes, by a trigger on each of its tables.
async fn count_changes(db: &TestDb, org: OrgId) {
    let work = async move |tx: &mut Tx| {
        tx.execute("CREATE TABLE changed_row (at BIGINT)", &[]).await?;
        if tx.engine() == db::Engine::Postgres {
            let function = "CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN INSERT INTO changed_row VALUES (1); RETURN NULL; END $$";
            tx.execute(function, &[]).await?;
        }
        for table in ["search_word", "search_record", "search_part", "search_part_word", "search_due"] {
            for change in ["INSERT", "UPDATE", "DELETE"] {
                let (name, on) = (format!("note_{table}_{change}"), format!("AFTER {change} ON {table}"));
                let sql = match tx.engine() {
                    db::Engine::Sqlite => {
                        format!("CREATE TRIGGER {name} {on} BEGIN INSERT INTO changed_row VALUES (1); END")
                    }
                    db::Engine::Postgres => {
                        format!("CREATE TRIGGER {name} {on} FOR EACH ROW EXECUTE FUNCTION note_change()")
                    }
                };
                tx.execute(&sql, &[]).await?;
            }
        }
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
}

async fn changes_since(db: &TestDb, before: &mut i64) -> i64 {
    let mut tx = db.read().await.unwrap();
    let (now,): (i64,) = tx.query_one("SELECT count(*) FROM changed_row", &[]).await.unwrap();
    now - std::mem::replace(before, now)
}

#[both_engines]
async fn a_write_changes_the_index_of_its_note_alone_however_many_others_there_are(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let mut costs = Vec::new();
    for (others, bytes) in [(0, 0), (40, 2_000)] {
        let incident = declare(&db, org).await;
        for number in 0..others {
            write(&db, org, incident, &long(number, bytes)).await.unwrap();
        }
        follow_all(&db, org).await;
        if costs.is_empty() {
            count_changes(&db, org).await;
        }
        let (mut before, mut cost) = (0, Vec::new());
        changes_since(&db, &mut before).await;
        let number = write(&db, org, incident, "gamma").await.unwrap();
        let id = NoteId { incident, number };
        follow_all(&db, org).await;
        cost.push(changes_since(&db, &mut before).await);
        edit(&db, org, id, "delta").await.unwrap();
        cost.push(changes_since(&db, &mut before).await);
        delete(&db, org, id).await.unwrap();
        cost.push(changes_since(&db, &mut before).await);
        follow_all(&db, org).await;
        changes_since(&db, &mut before).await;
        let work =
            async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &[incident]).await;
        db.write(org, work).await.unwrap();
        cost.push(changes_since(&db, &mut before).await);
        costs.push(cost);
        follow_all(&db, org).await;
    }
    assert_eq!(costs[0], costs[1]);
    assert!(costs[0].iter().all(|changed| *changed <= 8), "{costs:?}");
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_deleted_or_restored_incident_is_followed_in_steps_of_a_bounded_size(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let incident = declare(&db, org).await;
    let (notes, bytes) = (6, usize::try_from(STEP_BYTES).unwrap() / 2);
    for number in 0..notes {
        write(&db, org, incident, &long(number, bytes)).await.unwrap();
    }
    assert!(follow_all(&db, org).await >= notes / 2);
    let parts = "SELECT count(*) FROM search_part WHERE organization = $1";
    assert_eq!(one(&db, parts, org).await, 6);
    let work = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &author(), &[incident]).await;
    db.write(org, work).await.unwrap();
    assert!(follow_all(&db, org).await > notes / 2);
    for table in ["search_word", "search_record", "search_part", "search_part_word", "search_due"] {
        let rows = one(&db, &format!("SELECT count(*) FROM {table} WHERE organization = $1"), org).await;
        assert_eq!(rows, 0, "{table}");
    }
    let work = async move |tx: &mut Tx| store::incidents::restore_many(tx, org, &author(), &[incident]).await;
    db.write(org, work).await.unwrap();
    assert!(follow_all(&db, org).await > notes / 2);
    assert_eq!(one(&db, parts, org).await, 6);
    assert_eq!(faults(&db, org).await, [""; 0]);
    let mut tx = db.read().await.unwrap();
    let asked = SearchQuery::parse("w00500001");
    let what = (SearchKind::ALL, &asked);
    let hits = store::hits::hits(&mut tx, org, &Viewer::service(), what, None, 9).await.unwrap();
    let hits = store::hits::with_snippets(hits, &asked).rows;
    assert_eq!(hits.len(), 1);
    assert!(hits[0].snippet.parts.iter().any(|part| part.is_match && part.text == "w00500001"));
}

fn code<T: std::fmt::Debug>(refused: store::Result<T>) -> FaultCode {
    match refused.unwrap_err().0 {
        Error::Invalid(faults) => faults[0].code,
        other => panic!("{other:?}"),
    }
}

/// Makes an incident have so many notes with so many bytes, as if there were.
async fn pretend(db: &TestDb, org: OrgId, notes: i64, bytes: i64) {
    let sql = "UPDATE incident_note_total SET notes = $2, bytes = $3 WHERE organization = $1";
    let work = async move |tx: &mut Tx| {
        tx.execute(sql, &[&org.uuid(), &notes, &bytes]).await.map_err(store::Error::from)
    };
    db.write(org, work).await.unwrap();
}

#[both_engines]
async fn the_limits_hold_on_every_door_and_the_total_is_that_of_the_notes(db: TestDb) {
    let org = db.organization("Example Ltd").await;
    let incident = declare(&db, org).await;
    let [first, second] = [1, 2].map(|number| NoteId { incident, number });
    for text in ["one", "zwölf"] {
        write(&db, org, incident, text).await.unwrap();
    }
    let total = async |db: &TestDb| {
        let sql = "SELECT notes * 1000 + bytes FROM incident_note_total WHERE organization = $1";
        one(db, sql, org).await
    };
    assert_eq!(total(&db).await, 2_009);
    edit(&db, org, first, "eleven").await.unwrap();
    delete(&db, org, second).await.unwrap();
    assert_eq!(total(&db).await, 1_006);
    assert_eq!(faults(&db, org).await, [""; 0]);
    pretend(&db, org, MAX_NOTES, 6).await;
    assert_eq!(faults(&db, org).await.len(), 1);
    assert_eq!(code(write(&db, org, incident, "x").await), FaultCode::TooManyNotes);
    assert_eq!(code(restore(&db, org, second).await), FaultCode::TooManyNotes);
    edit(&db, org, first, "eleven!").await.unwrap();
    pretend(&db, org, 1, MAX_NOTE_BYTES - 2).await;
    assert_eq!(code(write(&db, org, incident, "xyz").await), FaultCode::NotesTooLarge);
    assert_eq!(code(restore(&db, org, second).await), FaultCode::NotesTooLarge);
    assert_eq!(code(edit(&db, org, first, "eleven!abc").await), FaultCode::NotesTooLarge);
    edit(&db, org, first, "eleven!ab").await.unwrap();
    edit(&db, org, first, "x").await.unwrap();
    restore(&db, org, second).await.unwrap();
}
