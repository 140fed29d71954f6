//! Risks by their ratings: how many have each, and which.

use db::{Tx, Value};
use domain::risk::{Rating, Risk};
use domain::scale::Scales;
use domain::{OrgId, RiskNumber};
use macros::boxed;

use super::list::RiskFilter;
use super::read::{RiskRow, add_parts, of_latest, select};
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, SEQ, Select};
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

/// What a code has for each level of likelihood: more than there are levels of impact.
const LIKELIHOOD: i64 = 100;

/// The code of a rating by an earlier scale, which has no place among those by the present one.
const NOT_PLACED: i64 = 0;

impl RatingBasis {
    /// An expression over the row `r`: the code of the rating. It is null without a rating.
    fn code(self, scales: &Scales, view: View) -> String {
        let code = |likelihood, impact, version| {
            format!(
                "CASE WHEN {version} < {} THEN {NOT_PLACED} ELSE {likelihood} * {LIKELIHOOD} + {impact} END",
                scales.first_comparable()
            )
        };
        match self {
            Self::Inherent => code("r.inherent_likelihood", "r.inherent_impact", "r.scale_version"),
            Self::Current => {
                let of_known = code("known.rating_likelihood", "known.rating_impact", "known.scale_version");
                of_latest(&of_known, view.as_of_seq.map(|_| SEQ))
            }
            Self::Target => {
                let of_target = code("r.target_likelihood", "r.target_impact", "r.scale_version");
                format!("CASE WHEN r.target_likelihood IS NOT NULL THEN {of_target} END")
            }
        }
    }
}

/// The risks with a rating.
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

/// Risks by a rating.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeatMap {
    /// Those with each rating by the scale that occurs.
    pub cells: Vec<Rated>,
    /// How many have a rating by an earlier scale, which has no place among the others.
    pub not_placed: i64,
    /// How many have no such rating: they were never evaluated, or have no target.
    pub not_evaluated: i64,
}

impl HeatMap {
    /// How many risks have a place.
    pub fn placed(&self) -> i64 {
        self.cells.iter().map(|it| it.count).sum()
    }

    /// All risks that are counted.
    pub fn total(&self) -> i64 {
        self.placed() + self.not_placed + self.not_evaluated
    }
}

/// The risks of a filter by each rating by the scale of the view, with up to `named` of each.
#[boxed]
pub async fn heat_map(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    (basis, scales): (RatingBasis, &Scales),
    filter: &RiskFilter,
    named: i64,
) -> Result<HeatMap> {
    let searched = filter.searched(tx, organization).await?;
    let computed = filter.computed(tx, organization, view, scales).await?;
    let select = Select::<Risk>::of(organization, view).filters(filter.filters());
    let select = select.filters(computed).filters(searched);
    let rows = select.counts_with(tx, &basis.code(scales, view), ["number", "title"], named).await?;
    let mut map = HeatMap::default();
    for (code, count, number, title) in rows {
        let number = RiskNumber(number);
        match code {
            None => map.not_evaluated = count,
            Some(NOT_PLACED) => map.not_placed = count,
            Some(code) => {
                let rating = Rating { likelihood: code / LIKELIHOOD, impact: code % LIKELIHOOD };
                match map.cells.last_mut().filter(|it| it.rating == rating) {
                    Some(rated) => {
                        rated.titles.push(title);
                        rated.numbers.push(number);
                    }
                    None => {
                        map.cells.push(Rated { rating, count, titles: vec![title], numbers: vec![number] });
                    }
                }
            }
        }
    }
    Ok(map)
}

/// Up to `limit` risks of a filter with this rating by the scale of the view, the latest number first.
#[boxed]
pub async fn list_by_rating(
    tx: &mut Tx,
    organization: OrgId,
    view: View,
    (basis, scales): (RatingBasis, &Scales),
    filter: &RiskFilter,
    (rating, limit): (Rating, i64),
) -> Result<Page<Risk>> {
    let searched = filter.searched(tx, organization).await?;
    let computed = filter.computed(tx, organization, view, scales).await?;
    let code = vec![Value::Integer(rating.likelihood * LIKELIHOOD + rating.impact)];
    let has_rating = Filter::Expression(basis.code(scales, view), code);
    let select = select(organization, view).filters(filter.filters()).filters(computed);
    let select = select.filters(searched).filter(has_rating);
    let select = select.order(&["number"], Direction::Descending, []);
    let mut page = select.page(tx, limit).await?.map(|RiskRow(risk)| risk);
    add_parts(tx, organization, view, &mut page.rows).await?;
    Ok(page.map(|risk| risk.graded(scales)))
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
