//! What these tests do with the store, in one write each.

use db::Tx;
use domain::evaluation::{Evaluation, NewEvaluation};
use domain::risk::{NewRisk, Rating, Risk, RiskPatch};
use domain::tag::{NewTag, Tag};
use domain::{Author, Error, ExpectedVersion, FaultCode, OrgId, ResourceKind, RiskNumber, TagId};
use store::risks::RiskQuery;
use store::{Deleted, View};
use testkit::TestDb;

/// An operator has no name besides the id, also when read back.
pub(crate) fn by() -> Author {
    let mut author = testkit::author();
    author.actor.name.clone_from(&author.actor.id);
    author
}

pub(crate) fn rating(likelihood: i64, impact: i64) -> Rating {
    Rating { likelihood, impact }
}

/// A risk of inherent score 20 that is to come down to 6.
pub(crate) fn titled(title: &str) -> NewRisk {
    NewRisk::rated(domain::Line::stored(title), rating(4, 5), rating(2, 3))
}

pub(crate) fn rated(likelihood: i64, impact: i64) -> NewEvaluation {
    NewEvaluation {
        rating: rating(likelihood, impact),
        evaluated_at: None,
        note: None,
        supersedes: None,
        inherent: None,
        target: None,
    }
}

pub(crate) async fn create(db: &TestDb, org: OrgId, new: NewRisk) -> Risk {
    db.write(org, async move |tx: &mut Tx| store::risks::create(tx, org, &by(), &new).await).await.unwrap()
}

pub(crate) async fn update(db: &TestDb, org: OrgId, number: i64, patch: RiskPatch) -> store::Result<Risk> {
    let number = RiskNumber(number);
    db.write(org, async move |tx: &mut Tx| {
        store::risks::update(tx, org, &by(), number, &ExpectedVersion::Any, &patch).await
    })
    .await
}

pub(crate) async fn delete(db: &TestDb, org: OrgId, number: i64) -> store::Result<()> {
    let number = RiskNumber(number);
    db.write(org, async move |tx: &mut Tx| {
        store::risks::delete(tx, org, &by(), number, &ExpectedVersion::Any).await
    })
    .await
}

pub(crate) async fn restore(db: &TestDb, org: OrgId, number: i64) -> store::Result<Risk> {
    let number = RiskNumber(number);
    db.write(org, async move |tx: &mut Tx| {
        store::risks::restore(tx, org, &by(), number, &ExpectedVersion::Any).await
    })
    .await
}

pub(crate) async fn get(db: &TestDb, org: OrgId, number: i64, view: View) -> store::Result<Risk> {
    store::risks::get(&mut db.read().await.unwrap(), org, RiskNumber(number), view).await
}

pub(crate) async fn list(db: &TestDb, org: OrgId, view: View) -> Vec<Risk> {
    let mut tx = db.read().await.unwrap();
    store::risks::list(&mut tx, org, &RiskQuery::of(view), 1_000).await.unwrap().rows
}

pub(crate) async fn numbers(db: &TestDb, org: OrgId, view: View) -> Vec<i64> {
    list(db, org, view).await.iter().map(|risk| risk.number.number()).collect()
}

pub(crate) async fn evaluate(
    db: &TestDb,
    org: OrgId,
    risk: i64,
    new: NewEvaluation,
) -> store::Result<Evaluation> {
    let risk = RiskNumber(risk);
    db.write(org, async move |tx: &mut Tx| store::evaluations::record(tx, org, &by(), risk, &new).await).await
}

pub(crate) async fn create_tag(db: &TestDb, org: OrgId, name: &str) -> store::Result<Tag> {
    let new = NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
    db.write(org, async move |tx: &mut Tx| store::tags::create(tx, org, &by(), &new).await).await
}

pub(crate) async fn add_tag(db: &TestDb, org: OrgId, risk: i64, tag: TagId) -> store::Result<()> {
    let risk = RiskNumber(risk);
    db.write(org, async move |tx: &mut Tx| store::listed::add_tag::<Risk>(tx, org, &by(), risk, tag).await)
        .await
}

pub(crate) async fn remove_tag(db: &TestDb, org: OrgId, risk: i64, tag: TagId) -> store::Result<()> {
    let risk = RiskNumber(risk);
    db.write(org, async move |tx: &mut Tx| store::listed::remove_tag::<Risk>(tx, org, &by(), risk, tag).await)
        .await
}

/// The figure as (risks, per cent).
pub(crate) async fn figure(db: &TestDb, org: OrgId, period_days: i64) -> (i64, i64) {
    let mut tx = db.read().await.unwrap();
    let figure = store::performance::get(&mut tx, org, period_days).await.unwrap();
    (figure.total_risks_evaluated, figure.average_performance_percentage)
}

/// The kinds, subjects and payloads of an organization's entries after `after`.
pub(crate) async fn journal(db: &TestDb, org: OrgId, after: i64) -> Vec<(String, String, String)> {
    let mut tx = db.read().await.unwrap();
    let entries = store::journal::list(&mut tx, org, after, 1_000).await.unwrap();
    entries.into_iter().map(|entry| (entry.kind, entry.subject_id, entry.payload.unwrap())).collect()
}

pub(crate) async fn head(db: &TestDb, org: OrgId) -> i64 {
    store::journal::head(&mut db.read().await.unwrap(), org).await.unwrap().seq
}

/// What a verification finds wrong.
pub(crate) async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

pub(crate) fn view(deleted: Deleted) -> View {
    View { deleted, ..View::now() }
}

pub(crate) fn not_found<T>(noun: ResourceKind) -> store::Result<T> {
    Err(store::Error(Error::NotFound(noun)))
}

/// The pointers and codes of the faults of a refused input.
pub(crate) fn input_faults<T: std::fmt::Debug>(refused: store::Result<T>) -> Vec<(String, FaultCode)> {
    let Err(store::Error(Error::Invalid(faults))) = refused else { panic!("{refused:?}") };
    faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
}

/// The code of a conflict.
pub(crate) fn conflict<T: std::fmt::Debug>(refused: &store::Result<T>) -> &'static str {
    match refused {
        Err(store::Error(Error::Conflict(code))) => code.as_str(),
        Err(store::Error(Error::TagAlreadyAssociated(_))) => "tag_already_associated",
        other => panic!("{other:?}"),
    }
}
