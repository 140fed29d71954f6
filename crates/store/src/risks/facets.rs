//! How many risks of a list have each value of a field.

use std::cmp::Reverse;

use db::Tx;
use domain::acceptance::RiskAcceptance;
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskStatus, Treatment};
use domain::scale::Scales;
use domain::text::folded;
use domain::{OrgId, Word};
use macros::boxed;

use super::due::{self, EVALUATION};
use super::list::{ACCEPTANCE, BAND, RiskFilter};
use super::read::of_latest;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, FacetCount, Facets, MOST_VALUES};
use crate::ledger::list::{Filter, REVIEWED, Select, TAGGED};
use crate::ledger::view::View;
use crate::{acceptances, scales};

/// The facets of risks.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let searched = filter.searched(tx, organization).await?;
    let today = due::today(tx, organization, view).await?;
    let scales = scales::known(tx, organization, view).await?;
    let day = acceptances::today(tx, organization, view).await?;
    let of = |column| -> Select<'_, Risk> {
        let computed = filter.due.filters_on(&today, &scales).into_iter().chain(filter.graded(&scales, view));
        let computed = computed.chain(filter.accepted_on(&day, &scales, view));
        let others = facets::without(filter.filters().chain(computed), column);
        Select::of(organization, view).filters(others).filters(searched.clone())
    };
    let total = of("").count(tx).await?;
    let code = of_latest(&scales::band_code(&scales, "known"), None);
    let bands = of(BAND).counts_of(tx, &code, MOST_VALUES).await?;
    let status = of("status").counts(tx, "status", MOST_VALUES).await?;
    let category = of("category").counts(tx, "category", MOST_VALUES).await?;
    let owner = of("owner").counts(tx, "owner", MOST_VALUES).await?;
    let treatment = of("treatment").counts(tx, "treatment", MOST_VALUES).await?;
    let tags = of(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await?;
    let one = |state: ReviewDue| vec![due::review(&[state], &today)];
    let review = states(tx, (ReviewDue::ALL, one), || of(REVIEWED)).await?;
    let one = |state: EvaluationDue| vec![due::evaluation(&[state], &today, &scales)];
    let evaluation = states(tx, (EvaluationDue::ALL, one), || of(EVALUATION)).await?;
    let one = |state: RiskAcceptance| {
        let filter = RiskFilter { acceptance: vec![state], ..RiskFilter::default() };
        filter.accepted_on(&day, &scales, view)
    };
    let acceptance = states(tx, (RiskAcceptance::ALL, one), || of(ACCEPTANCE)).await?;
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<RiskStatus>(status)),
            ("category", facets::texts(category)),
            ("owner", facets::people(tx, organization, owner).await?),
            ("treatment", facets::plain_words::<Treatment>(treatment)),
            ("tag", facets::tags(tags)),
            (BAND, by_band(&scales, bands)),
            ("review", review),
            ("evaluation", evaluation),
            (ACCEPTANCE, acceptance),
        ],
    })
}

/// How many risks are in each of these states.
async fn states<'q, W: Word>(
    tx: &mut Tx,
    (all, filter): (&[W], impl Fn(W) -> Vec<Filter<'static>>),
    of: impl Fn() -> Select<'q, Risk>,
) -> Result<Vec<FacetCount>> {
    let mut counts = Vec::new();
    for state in all {
        let count = of().filters(filter(*state)).count(tx).await?;
        counts.push(FacetCount { value: Some(state.as_str().to_owned()), label: None, count });
    }
    counts.retain(|it| it.count > 0);
    Ok(counts)
}

/// Counts by codes as counts by the names of the bands, from the highest band on; none is a risk that was never evaluated. Names
/// that the filter takes for one are counted together, as the latest scale that has one spells it.
fn by_band(scales: &Scales, mut counts: Vec<(Option<i64>, i64)>) -> Vec<FacetCount> {
    // The scales say how a name is spelled, also where no risk is in the band.
    counts.extend(scales::codes(scales).map(|code| (Some(code), 0)));
    counts.sort_by_key(|(code, _)| Reverse(*code));
    let mut bands: Vec<FacetCount> = Vec::new();
    for (code, count) in counts {
        let value = code.and_then(|code| scales::band_of_code(scales, code)).map(|it| it.name.to_string());
        let name = value.as_deref().map(folded);
        match bands.iter_mut().find(|it| it.value.as_deref().map(folded) == name) {
            Some(band) => band.count += count,
            None => bands.push(FacetCount { value, label: None, count }),
        }
    }
    bands.retain(|it| it.count > 0);
    bands
}
