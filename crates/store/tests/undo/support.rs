//! What these tests do with the store.

use db::Tx;
use domain::incident::{Incident, NewIncident, Viewer};
use domain::risk::{NewRisk, Rating, Risk};
use domain::tag::{NewTag, TagLabel};
use domain::undo::UndoOutcome;
use domain::{Author, ExpectedVersion, OrgId, TagId};
use jiff::Timestamp;
use store::incidents::IncidentQuery;
use store::risks::RiskQuery;
use store::undo::{Search, UndoneRecord};
use store::{Deleted, View};
use testkit::TestDb;

pub(crate) const ANY: ExpectedVersion = ExpectedVersion::Any;

/// The author of a request with this id.
pub(crate) fn by(request_id: &str) -> Author {
    Author { request_id: request_id.to_owned(), ..testkit::author() }
}

/// An organization with so many incidents and risks, and two tags.
pub(crate) async fn filled(db: &TestDb, incidents: usize, risks: usize) -> (OrgId, [TagId; 2]) {
    let org = db.organization("Acme").await;
    let work = async move |tx: &mut Tx| {
        for _ in 0..incidents {
            store::incidents::create(tx, org, &by("setup"), &NewIncident::untitled()).await?;
        }
        for _ in 0..risks {
            store::risks::create(tx, org, &by("setup"), &fire()).await?;
        }
        let (a, b) = (tag(tx, org, "a").await?, tag(tx, org, "b").await?);
        Ok::<_, store::Error>([a, b])
    };
    (org, db.write(org, work).await.unwrap())
}

fn fire() -> NewRisk {
    let rating = |likelihood, impact| Rating { likelihood, impact };
    NewRisk::rated("Fire".into(), rating(4, 5), rating(1, 2))
}

async fn tag(tx: &mut Tx, org: OrgId, name: &str) -> store::Result<TagId> {
    let new = NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
    Ok(store::tags::create(tx, org, &by("setup"), &new).await?.id)
}

/// Looks for a request, in a read.
pub(crate) async fn search(db: &TestDb, org: OrgId, request_id: &str) -> Search {
    let mut search = Search::new(org, &by(request_id).actor, request_id);
    let mut tx = db.read().await.unwrap();
    while search.advance(&mut tx).await.unwrap() {}
    search
}

/// Undoes a request that was searched for, in a request with another id: write by write.
pub(crate) async fn finish(
    db: &TestDb,
    org: OrgId,
    search: Search,
    own_id: &str,
) -> store::Result<Vec<UndoneRecord>> {
    let mut all = Vec::new();
    loop {
        let (found, author, done) = (search.clone(), by(own_id), all.len());
        let work = async move |tx: &mut Tx| store::undo::undo(tx, org, &author, &found, done).await;
        all.extend(db.write(org, work).await?);
        if all.len() >= search.records() {
            break;
        }
    }
    store::undo::told(&all)?;
    Ok(all)
}

/// The same at once.
pub(crate) async fn undo(
    db: &TestDb,
    org: OrgId,
    request_id: &str,
    own_id: &str,
) -> store::Result<Vec<UndoneRecord>> {
    let found = search(db, org, request_id).await;
    finish(db, org, found, own_id).await
}

/// Ids and outcomes.
pub(crate) fn outcomes(records: &[UndoneRecord]) -> Vec<(&str, UndoOutcome)> {
    let told = store::undo::told(records).unwrap();
    told.into_iter().map(|(record, result)| (record.id.as_str(), result.outcome)).collect()
}

/// Every incident and risk with its tags, and the figure, without what every change changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Register {
    pub(crate) incidents: Vec<Incident>,
    tags: Vec<Vec<TagLabel>>,
    pub(crate) risks: Vec<Risk>,
    figure: (i64, i64),
}

impl Register {
    pub(crate) async fn of(db: &TestDb, org: OrgId) -> Self {
        let view = View { deleted: Deleted::With, ..View::now() };
        let mut tx = db.read().await.unwrap();
        let mut incidents =
            store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(view), 1_000)
                .await
                .unwrap()
                .rows;
        for it in &mut incidents {
            (it.version, it.seq_from, it.updated_date) = (0, 0, Timestamp::UNIX_EPOCH);
        }
        let details =
            store::incidents::details_of_all(&mut tx, org, &Viewer::service(), view, incidents.clone())
                .await
                .unwrap();
        let tags = details.into_iter().map(|details| details.tags).collect();
        let mut risks = store::risks::list(&mut tx, org, &RiskQuery::of(view), 1_000).await.unwrap().rows;
        for it in &mut risks {
            (it.version, it.seq_from, it.updated_date) = (0, 0, Timestamp::UNIX_EPOCH);
        }
        let figure = store::performance::get(&mut tx, org, 90).await.unwrap();
        let figure = (figure.total_risks_evaluated, figure.average_performance_percentage);
        Self { incidents, tags, risks, figure }
    }
}

/// What a verification finds wrong.
pub(crate) async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}
