//! A change of many records that is made in several writes, and what comes between them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult};
use domain::incident::{Incident, IncidentPatch, NewIncident};
use domain::{
    Actor, ActorKind, Author, Error, ExpectedVersion, IncidentNumber, OrgId, Permissions, Role, Scope,
    Scopes, TagId,
};
use store::bulk::{Bulk as _, Call, ChangeOf, Target, Writes};
use store::undo::Search;
use testkit::{TestDb, both_engines};
use uuid::Uuid;

/// More than two writes change.
const COUNT: i64 = 1_100;

type Results = Vec<ItemResult<IncidentNumber>>;

fn by(request_id: &str) -> Author {
    Author { request_id: request_id.to_owned(), ..testkit::author() }
}

async fn filled(db: &TestDb, org: OrgId) {
    let work = async move |tx: &mut Tx| {
        for _ in 0..COUNT {
            store::incidents::create(tx, org, &by("setup"), &NewIncident::untitled()).await?;
        }
        Ok::<_, store::Error>(())
    };
    db.write(org, work).await.unwrap();
}

fn retitle_all(title: &str, writes: Writes) -> ChangeOf<Incident> {
    let patch = IncidentPatch { title: Some(domain::Line::stored(title)), ..IncidentPatch::default() };
    let ids = (1..=COUNT).map(IncidentNumber).collect();
    ChangeOf::<Incident> {
        target: Target::Ids(ids),
        operation: BulkOperation::Change(Box::new(patch)),
        writes,
    }
}

async fn begin(db: &TestDb, org: OrgId, author: &Author, bulk: &ChangeOf<Incident>) -> Call<IncidentNumber> {
    Incident::BEGIN(&mut db.read().await.unwrap(), org, author, bulk).await.unwrap()
}

async fn part(
    db: &TestDb,
    org: OrgId,
    author: &Author,
    (bulk, call): (&Arc<ChangeOf<Incident>>, &Call<IncidentNumber>),
    done: usize,
) -> Results {
    let (bulk, call, author) = (Arc::clone(bulk), call.clone(), author.clone());
    let work = async move |tx: &mut Tx| Incident::APPLY_PART(tx, org, &author, &bulk, &call, done).await;
    db.write_alone(org, work).await.unwrap()
}

/// Makes what is left of a call; how many writes it took.
async fn rest(
    db: &TestDb,
    org: OrgId,
    author: &Author,
    (bulk, call): (&Arc<ChangeOf<Incident>>, &Call<IncidentNumber>),
    results: &mut Results,
) -> usize {
    let mut writes = 0;
    while results.len() < call.count() {
        results.extend(part(db, org, author, (bulk, call), results.len()).await);
        writes += 1;
    }
    writes
}

fn count(results: &Results, outcome: &ItemOutcome) -> usize {
    results.iter().filter(|it| it.outcome == *outcome).count()
}

async fn retitle(db: &TestDb, org: OrgId, number: i64, title: &str) {
    let patch = IncidentPatch { title: Some(domain::Line::stored(title)), ..IncidentPatch::default() };
    let work = async move |tx: &mut Tx| {
        let (author, any) = (by("other"), ExpectedVersion::Any);
        store::incidents::update(tx, org, &author, IncidentNumber(number), &any, &patch).await
    };
    db.write(org, work).await.unwrap();
}

async fn titles(db: &TestDb, org: OrgId) -> Vec<String> {
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT title FROM incident WHERE organization = $1 ORDER BY number";
    let rows: Vec<(String,)> = tx.query(sql, &[&org.uuid()]).await.unwrap();
    rows.into_iter().map(|(title,)| title).collect()
}

async fn undo(db: &TestDb, org: OrgId, request_id: &str, own_id: &str) -> usize {
    let mut search = Search::new(org, &by(request_id).actor, request_id);
    let mut tx = db.read().await.unwrap();
    while search.advance(&mut tx).await.unwrap() {}
    drop(tx);
    let mut all = Vec::new();
    while all.len() < search.records() {
        let (search, author, done) = (search.clone(), by(own_id), all.len());
        let work = async move |tx: &mut Tx| store::undo::undo(tx, org, &author, &search, done).await;
        all.extend(db.write_alone(org, work).await.unwrap());
    }
    store::undo::undone_count(&all)
}

async fn assert_sound(db: &TestDb, org: OrgId) {
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::verify::verify(&mut tx, org, None).await.unwrap().faults, []);
}

/// What another writes between two writes of a call stays, whether it comes before or after that record's turn.
#[both_engines]
async fn an_undo_takes_back_all_writes_of_a_call_and_nothing_between_them(db: TestDb) {
    let org = db.organization("Acme").await;
    filled(&db, org).await;
    retitle(&db, org, 3, "Before").await;
    let before = titles(&db, org).await;
    // An earlier request under the same id is not undone.
    let earlier = Arc::new(retitle_all("Earlier", Writes::Several));
    let call = begin(&db, org, &by("r"), &earlier).await;
    rest(&db, org, &by("r"), (&earlier, &call), &mut Results::new()).await;
    undo(&db, org, "r", "u0").await;
    assert_eq!(titles(&db, org).await, before);
    retitle(&db, org, 3, "Under another id").await;
    let bulk = Arc::new(retitle_all("All", Writes::Several));
    let call = begin(&db, org, &by("r"), &bulk).await;
    let mut results = part(&db, org, &by("r"), (&bulk, &call), 0).await;
    assert!(results.len() < 600, "{}", results.len());
    retitle(&db, org, 1, "After its turn").await;
    retitle(&db, org, COUNT, "Before its turn").await;
    let writes = rest(&db, org, &by("r"), (&bulk, &call), &mut results).await;
    assert_eq!((writes, count(&results, &ItemOutcome::Changed)), (2, 1_100));
    let after = titles(&db, org).await;
    assert_eq!(undo(&db, org, "r", "u").await, 1_099);
    let mut expected = before.clone();
    expected[0] = "After its turn".to_owned();
    expected[2] = "Under another id".to_owned();
    expected[1_099] = "Before its turn".to_owned();
    assert_eq!(titles(&db, org).await, expected);
    assert_eq!(undo(&db, org, "u", "again").await, 1_099, "the undo is undone as a whole, too");
    assert_eq!(titles(&db, org).await, after);
    assert_sound(&db, org).await;
}

/// Only the first write is made before the process ends.
#[both_engines]
async fn a_call_that_is_made_again_does_what_is_missing(db: TestDb) {
    let org = db.organization("Acme").await;
    filled(&db, org).await;
    let bulk = Arc::new(retitle_all("All", Writes::Several));
    let call = begin(&db, org, &by("r"), &bulk).await;
    let first = part(&db, org, &by("r"), (&bulk, &call), 0).await;
    let call = begin(&db, org, &by("again"), &bulk).await;
    let mut results = Results::new();
    rest(&db, org, &by("again"), (&bulk, &call), &mut results).await;
    assert_eq!(count(&results, &ItemOutcome::Unchanged), first.len());
    assert_eq!(count(&results, &ItemOutcome::Changed), 1_100 - first.len());
    assert!(titles(&db, org).await.iter().all(|title| title == "All"));
    assert_sound(&db, org).await;
}

#[both_engines]
async fn an_author_who_loses_the_right_in_between_fails_for_the_rest(db: TestDb) {
    let org = db.organization("Acme").await;
    filled(&db, org).await;
    let ada = db.user(org, "Ada", "ada@x.org", Role::Responder).await;
    let activate = async move |tx: &mut Tx| {
        let sql = "UPDATE membership SET activated_date = $2 WHERE organization = $1 AND person = $3";
        Ok::<_, store::Error>(tx.execute(sql, &[&org.uuid(), &tx.at(), &ada.uuid()]).await?)
    };
    assert_eq!(db.write(org, activate).await.unwrap(), 1);
    let actor = Actor { kind: ActorKind::User, id: ada.to_string(), name: "Ada".to_owned() };
    let author = Author::new(actor, "r").with(Permissions::new(Scopes::all()));
    author.permissions.note_required(Scope::IncidentsWrite.into());
    let bulk = Arc::new(retitle_all("All", Writes::Several));
    let call = begin(&db, org, &author, &bulk).await;
    let mut results = part(&db, org, &author, (&bulk, &call), 0).await;
    results.extend(part(&db, org, &author, (&bulk, &call), results.len()).await);
    let changed = results.len();
    assert_eq!(count(&results, &ItemOutcome::Changed), changed);
    let demote = async move |tx: &mut Tx| {
        let sql = "UPDATE membership SET roles = 'viewer' WHERE organization = $1 AND person = $2";
        Ok::<_, store::Error>(tx.execute(sql, &[&org.uuid(), &ada.uuid()]).await?)
    };
    assert_eq!(db.write(org, demote).await.unwrap(), 1);
    rest(&db, org, &author, (&bulk, &call), &mut results).await;
    let forbidden = ItemOutcome::Failed(Error::Forbidden(Scope::IncidentsWrite.into()));
    assert_eq!(count(&results, &forbidden), 1_100 - changed);
    assert_eq!(titles(&db, org).await.iter().filter(|title| *title == "All").count(), changed);
}

#[both_engines]
async fn what_is_to_be_one_write_is_refused_if_others_would_wait_too_long(db: TestDb) {
    let org = db.organization("Acme").await;
    filled(&db, org).await;
    let whole = retitle_all("All", Writes::One);
    begin(&db, org, &by("r"), &whole).await.check().unwrap();
    let lengthen = async move |tx: &mut Tx| {
        let (sql, long) =
            ("UPDATE incident SET description = $2 WHERE organization = $1", "x".repeat(64 * 1024));
        Ok::<_, store::Error>(tx.execute(sql, &[&org.uuid(), &long]).await?)
    };
    db.write_alone(org, lengthen).await.unwrap();
    let refused = begin(&db, org, &by("r"), &whole).await.check();
    assert!(matches!(refused, Err(store::Error(Error::Invalid(_)))), "{refused:?}");
    // The texts count in each of several writes, and none of a tag's.
    let bulk = Arc::new(retitle_all("All", Writes::OneIfShort));
    let call = begin(&db, org, &by("r"), &bulk).await;
    let first = part(&db, org, &by("r"), (&bulk, &call), 0).await;
    assert!((20..40).contains(&first.len()), "{}", first.len());
    let tag = BulkOperation::Tag(TagId(Uuid::nil()));
    let tagged = ChangeOf::<Incident> { operation: tag, ..whole };
    begin(&db, org, &by("r"), &tagged).await.check().unwrap();
    assert_eq!(undo(&db, org, "r", "u").await, first.len());
}
