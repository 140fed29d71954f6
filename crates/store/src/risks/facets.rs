//! How many risks of a list have each value of a field.

use std::cmp::Reverse;

use db::Tx;
<<<<<<< HEAD
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskStatus, Treatment};
use domain::{OrgId, Word};
=======
use domain::OrgId;
use domain::risk::{Risk, RiskStatus};
use domain::scale::Scales;
>>>>>>> ce10a84e (risks: Rate by versions of a scale with bands)
use macros::boxed;

use super::due::{self, EVALUATION};
use super::list::{RiskFilter, count};
use super::read::of_latest;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, FacetCount, Facets, MOST_VALUES};
<<<<<<< HEAD
use crate::ledger::list::{Filter, REVIEWED, Select, TAGGED};
=======
use crate::ledger::list::{Select, TAGGED};
>>>>>>> ce10a84e (risks: Rate by versions of a scale with bands)
use crate::ledger::view::View;
use crate::scales;

/// Stands for the band of the latest evaluation, which is in no column of a risk.
const BAND: &str = "band";

/// The facets of risks.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let total = count(tx, organization, view, filter).await?;
    let searched = filter.searched(tx, organization).await?;
<<<<<<< HEAD
    let today = due::today(tx, organization, view).await?;
    let of = |column| -> Select<'_, Risk> {
        let others = facets::without(filter.filters().chain(filter.due.filters_on(&today)), column);
        Select::of(organization, view).filters(others).filters(searched.clone())
=======
    let scales = scales::known(tx, organization, view).await?;
    let of = |column| -> Select<'_, Risk> {
        let others = facets::without(filter.filters(), column);
        let graded = RiskFilter {
            band: if column == BAND { Vec::new() } else { filter.band.clone() },
            evaluation: filter.evaluation.clone(),
            ..RiskFilter::default()
        };
        let select = Select::of(organization, view).filters(others).filters(searched.clone());
        select.filters(graded.graded(&scales, view))
>>>>>>> ce10a84e (risks: Rate by versions of a scale with bands)
    };
    let code = of_latest(&scales::band_code(&scales, "known"), None);
    let bands = of(BAND).counts_of(tx, &code, MOST_VALUES).await?;
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
<<<<<<< HEAD
            ("review", review),
            ("evaluation", evaluation),
=======
            (BAND, by_band(&scales, bands)),
>>>>>>> ce10a84e (risks: Rate by versions of a scale with bands)
        ],
    })
}

<<<<<<< HEAD
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
=======
/// Counts by codes as counts by the names of the bands, from the highest band on; none is a risk that was never evaluated.
fn by_band(scales: &Scales, mut counts: Vec<(Option<i64>, i64)>) -> Vec<FacetCount> {
    counts.sort_by_key(|(code, _)| Reverse(*code));
    let mut bands: Vec<FacetCount> = Vec::new();
    for (code, count) in counts {
        let value = code.and_then(|code| scales::band_of_code(scales, code)).map(|it| it.name.to_string());
        match bands.iter_mut().find(|it| it.value == value) {
            Some(band) => band.count += count,
            None => bands.push(FacetCount { value, label: None, count }),
        }
    }
    bands
>>>>>>> ce10a84e (risks: Rate by versions of a scale with bands)
}
