//! How many risks of a list have each value of a field.

use db::Tx;
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskStatus, Treatment};
use domain::{OrgId, Word};
use macros::boxed;

use super::due::{self, EVALUATION};
use super::list::{RiskFilter, count};
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, FacetCount, Facets, MOST_VALUES};
use crate::ledger::list::{Filter, REVIEWED, Select, TAGGED};
use crate::ledger::view::View;

/// The facets of risks.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let total = count(tx, organization, view, filter).await?;
    let searched = filter.searched(tx, organization).await?;
    let today = due::today(tx, organization, view).await?;
    let of = |column| -> Select<'_, Risk> {
        let others = facets::without(filter.filters().chain(filter.due.filters_on(&today)), column);
        Select::of(organization, view).filters(others).filters(searched.clone())
    };
    let status = of("status").counts(tx, "status", MOST_VALUES).await?;
    let category = of("category").counts(tx, "category", MOST_VALUES).await?;
    let owner = of("owner").counts(tx, "owner", MOST_VALUES).await?;
    let treatment = of("treatment").counts(tx, "treatment", MOST_VALUES).await?;
    let tags = of(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await?;
    let one = |state: ReviewDue| due::review(&[state], &today);
    let review = states(tx, (ReviewDue::ALL, one), || of(REVIEWED)).await?;
    let one = |state: EvaluationDue| due::evaluation(&[state], &today);
    let evaluation = states(tx, (EvaluationDue::ALL, one), || of(EVALUATION)).await?;
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<RiskStatus>(status)),
            ("category", facets::texts(category)),
            ("owner", facets::people(tx, organization, owner).await?),
            ("treatment", facets::plain_words::<Treatment>(treatment)),
            ("tag", facets::tags(tags)),
            ("review", review),
            ("evaluation", evaluation),
        ],
    })
}

/// How many risks are in each of these states.
async fn states<'q, W: Word>(
    tx: &mut Tx,
    (all, filter): (&[W], impl Fn(W) -> Filter<'static>),
    of: impl Fn() -> Select<'q, Risk>,
) -> Result<Vec<FacetCount>> {
    let mut counts = Vec::new();
    for state in all {
        let count = of().filter(filter(*state)).count(tx).await?;
        counts.push(FacetCount { value: Some(state.as_str().to_owned()), label: None, count });
    }
    counts.retain(|it| it.count > 0);
    Ok(counts)
}
