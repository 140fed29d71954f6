//! Open risks by their ratings: how many have each, and which.

use db::Tx;
use domain::risk::{Rating, Risk};
use domain::scale::{DEFAULT_VERSION, Scales};
use domain::{OrgId, RiskNumber};
use macros::boxed;

use super::read::{RiskRow, add_parts, latest_evaluation, select};
use crate::ledger::error::Result;
use crate::ledger::list::Filter;
use crate::ledger::page::Page;
use crate::ledger::view::View;
use crate::scales;

domain::words! {
    "RatingBasis"
    /// One of the ratings of a risk.
    pub enum RatingBasis {
        /// Without controls.
        Inherent = "inherent",
        /// That of the latest evaluation.
        Current = "current",
        /// The aim of the treatment.
        Target = "target",
    }
}

impl RatingBasis {
    /// The columns of likelihood, impact and the version of the scale, in the tables of [`open_risks`].
    fn columns(self) -> [&'static str; 3] {
        match self {
            Self::Inherent => ["r.inherent_likelihood", "r.inherent_impact", "r.scale_version"],
            Self::Current => ["e.rating_likelihood", "e.rating_impact", "e.scale_version"],
            Self::Target => ["r.target_likelihood", "r.target_impact", "r.scale_version"],
        }
    }
}

/// The open risks `r` of the organization `$1` with their latest evaluations `e`.
fn open_risks() -> String {
    let joins = latest_evaluation(None);
    format!("risk AS r{joins} WHERE r.organization = $1 AND r.deleted_date IS NULL AND r.status = 'open'")
}

/// The open risks with a rating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rated {
    /// The rating.
    pub rating: Rating,
    /// How many they are.
    pub count: i64,
    /// The titles of the latest ones.
    pub titles: Vec<String>,
    /// Their numbers.
    pub numbers: Vec<RiskNumber>,
}

/// The open risks by each rating by the present scale that occurs, with up to `named` of each; a risk that was never evaluated
/// has no current one.
#[boxed]
pub async fn count_by_rating(
    tx: &mut Tx,
    organization: OrgId,
    basis: RatingBasis,
    scales: &Scales,
    named: i64,
) -> Result<Vec<Rated>> {
    let ([likelihood, impact, version], open) = (basis.columns(), open_risks());
    let sql = format!(
        "SELECT likelihood, impact, risks, title, number FROM
            (SELECT {likelihood} AS likelihood, {impact} AS impact, r.title AS title, r.number AS number,
                count(*) OVER (PARTITION BY {likelihood}, {impact}) AS risks,
                row_number() OVER (PARTITION BY {likelihood}, {impact} ORDER BY r.number DESC) AS place
             FROM {open} AND {likelihood} IS NOT NULL AND {version} >= $3) AS rated
         WHERE place <= $2 ORDER BY likelihood, impact, place"
    );
    let params: [&dyn db::Param; 3] = [&organization.uuid(), &named, &first_version(scales)];
    let rows: Vec<(i64, i64, i64, String, i64)> = tx.query(&sql, &params).await?;
    let mut all: Vec<Rated> = Vec::new();
    for (likelihood, impact, count, title, number) in rows {
        let (rating, number) = (Rating { likelihood, impact }, RiskNumber(number));
        match all.last_mut().filter(|it| it.rating == rating) {
            Some(rated) => {
                rated.titles.push(title);
                rated.numbers.push(number);
            }
            None => all.push(Rated { rating, count, titles: vec![title], numbers: vec![number] }),
        }
    }
    Ok(all)
}

/// How many open risks have a rating by an earlier scale, which has no place among those by the present one.
#[boxed]
pub async fn count_not_placed(
    tx: &mut Tx,
    organization: OrgId,
    basis: RatingBasis,
    scales: &Scales,
) -> Result<i64> {
    let ([likelihood, _, version], open) = (basis.columns(), open_risks());
    let sql = format!("SELECT count(*) FROM {open} AND {likelihood} IS NOT NULL AND {version} < $2");
    let (count,) = tx.query_one(&sql, &[&organization.uuid(), &first_version(scales)]).await?;
    Ok(count)
}

/// The first version of the present scale, by which ratings can be compared.
pub(super) fn first_version(scales: &Scales) -> i64 {
    scales.generations().next().map_or(DEFAULT_VERSION, |(first, _)| first)
}

/// Up to `limit` open risks with this rating by the present scale, the latest number first.
#[boxed]
pub async fn list_by_rating(
    tx: &mut Tx,
    organization: OrgId,
    (basis, scales): (RatingBasis, &Scales),
    rating: Rating,
    limit: i64,
) -> Result<Page<Risk>> {
    let ([likelihood, impact, version], open) = (basis.columns(), open_risks());
    let sql = format!(
        "SELECT r.number FROM {open} AND {likelihood} = $2 AND {impact} = $3 AND {version} >= $5
         ORDER BY r.number DESC LIMIT $4"
    );
    let params: [&dyn db::Param; 5] =
        [&organization.uuid(), &rating.likelihood, &rating.impact, &(limit + 1), &first_version(scales)];
    let numbers: Vec<(i64,)> = tx.query(&sql, &params).await?;
    let numbers = Page::cut(numbers, limit);
    let mut risks = of_numbers(tx, organization, numbers.rows.into_iter().map(|(number,)| number)).await?;
    risks.sort_by_key(|risk| std::cmp::Reverse(risk.number));
    Ok(Page { rows: risks, has_more: numbers.has_more })
}

/// The risks with these numbers that are not deleted, in no particular order.
pub(crate) async fn of_numbers(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl Iterator<Item = i64>,
) -> Result<Vec<Risk>> {
    let Some(numbers) = Filter::any_of("number", numbers.map(Into::into)) else { return Ok(Vec::new()) };
    let select = select(organization, View::now()).filter(numbers);
    let mut risks = select.all(tx).await?.into_iter().map(|RiskRow(risk)| risk).collect::<Vec<_>>();
    add_parts(tx, organization, View::now(), &mut risks).await?;
    let scales = scales::known(tx, organization, View::now()).await?;
    Ok(risks.into_iter().map(|risk| risk.graded(&scales)).collect())
}
