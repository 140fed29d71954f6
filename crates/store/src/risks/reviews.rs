//! Reviews of risks.

use std::collections::HashMap;

use db::{Param, Tx, Value};
use domain::risk::{NewRiskReview, Risk, RiskReview, RiskStatus};
use domain::{Author, Error, ErrorCode, OrgId, RiskNumber};
use macros::boxed;
use serde_json::json;

use super::{read, subject};
use crate::ledger::dialect::{among, among_parameter};
use crate::ledger::error::Result;
use crate::ledger::journal::{self, Payload};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{self, Record as _, Stored, record};
use crate::ledger::verify::recorded::{Link, Made};
use crate::ledger::view::View;
use crate::organizations;

record! {
    RiskReview in "risk_review" {
        risk: Plain => Key,
        number: Plain => Key,
        note: Plain => Fixed,
        reviewed_by: AnActor => Fixed,
        reviewed_date: Plain => Fixed,
        seq_from: Plain => Fixed,
    }
}

/// Records that the author has reviewed an open risk, which moves the day of its next review. If that day stays the same, the
/// risk is not changed.
#[boxed]
pub async fn review(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    risk: RiskNumber,
    new: &NewRiskReview,
) -> Result<RiskReview> {
    let before = read::get_without_tags(tx, organization, risk, View::now()).await?;
    if before.status == RiskStatus::Closed {
        return Err(Error::Conflict(ErrorCode::RiskClosed).into());
    }
    let after = before.reviewed(tx.at(), &organizations::time_zone(tx, organization).await?);
    let mut review = RiskReview {
        risk,
        number: count_reviews(tx, organization, risk).await? + 1,
        note: new.note.clone(),
        reviewed_by: author.actor.clone(),
        reviewed_date: tx.at(),
        seq_from: 0,
    };
    let moved = after.as_ref().map_or_else(Payload::new, |after| record::changes(Some(&before), after));
    let payload = moved.set(&field(review.number), journaled(&review));
    review.seq_from =
        journal::append(tx, organization, author, "risk.reviewed", subject(risk), payload).await?;
    record::insert(tx, organization, &review).await?;
    if let Some(after) = after {
        let after = Risk { seq_from: review.seq_from, ..after };
        record::keep_history(tx, organization, &after, after.seq_from).await?;
        record::replace(tx, organization, &after).await?;
    }
    Ok(review)
}

/// Up to `limit` reviews of a risk that is not deleted, the latest first: those before the review `before`.
#[boxed]
pub async fn reviews(
    tx: &mut Tx,
    organization: OrgId,
    risk: RiskNumber,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<RiskReview>> {
    read::get_without_tags(tx, organization, risk, View::now()).await?;
    let select =
        of_risk(organization, risk).order(&["number"], Direction::Descending, before.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(review)| review))
}

/// How many reviews a risk has, deleted or not.
#[boxed]
pub async fn count_reviews(tx: &mut Tx, organization: OrgId, risk: RiskNumber) -> Result<i64> {
    of_risk(organization, risk).count(tx).await
}

fn of_risk<'q>(organization: OrgId, risk: RiskNumber) -> Select<'q, RiskReview> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("risk", risk.number().into()))
}

/// The reviews of a risk as they are held against the journal.
#[derive(Default)]
pub(super) struct Reviewed {
    /// The fields that tell of them.
    pub(super) fields: Vec<(String, serde_json::Value)>,
    /// The entries that recorded them.
    pub(super) links: Vec<Link>,
}

/// Those of the risks with these numbers.
pub(super) async fn recorded(
    tx: &mut Tx,
    organization: OrgId,
    risks: &[i64],
) -> Result<HashMap<i64, Reviewed>> {
    let (statements, wanted) = (RiskReview::statements(), among(tx.engine(), "r.risk", "$2"));
    let sql = format!(
        "SELECT {} FROM risk_review AS r{}
         WHERE r.organization = $1 AND {wanted}",
        statements.columns, statements.joins
    );
    let params: [&dyn Param; 2] =
        [&organization.uuid(), &among_parameter(tx.engine(), risks.iter().copied())];
    let rows: Vec<Stored<RiskReview>> = tx.query(&sql, &params).await?;
    let mut all: HashMap<_, Reviewed> = HashMap::new();
    for Stored(review) in rows {
        let (field, made) = (field(review.number), Made::by(review.reviewed_date, &review.reviewed_by));
        let reviewed = all.entry(review.risk.number()).or_default();
        reviewed.fields.push((field.clone(), journaled(&review)));
        reviewed.links.push(Link { field, seq_from: review.seq_from, seq_to: None, made: Some(made) });
    }
    Ok(all)
}

/// The field of a risk's entry that tells of a review. Who reviewed, and when, is the entry's.
fn field(number: i64) -> String {
    format!("reviews/{number}")
}

fn journaled(review: &RiskReview) -> serde_json::Value {
    json!({"note": review.note})
}
