//! How many risks of a list have each value of a field.

use std::cmp::Reverse;

use db::Tx;
use domain::OrgId;
use domain::acceptance::RiskAcceptance;
use domain::risk::{Risk, RiskStatus};
use domain::scale::Scales;
use macros::boxed;

use super::list::{RiskFilter, count};
use super::read::of_latest;
use super::tag_links::TAGS;
use crate::ledger::error::Result;
use crate::ledger::facets::{self, FacetCount, Facets, MOST_VALUES};
use crate::ledger::list::{Select, TAGGED};
use crate::ledger::view::View;
use crate::{acceptances, scales};

/// Stands for the band of the latest evaluation, which is in no column of a risk.
const BAND: &str = "band";

/// Stands for the state of the acceptances of a risk.
const ACCEPTANCE: &str = "acceptance";

/// The facets of risks.
#[boxed]
pub async fn facets(tx: &mut Tx, organization: OrgId, view: View, filter: &RiskFilter) -> Result<Facets> {
    let total = count(tx, organization, view, filter).await?;
    let searched = filter.searched(tx, organization).await?;
    let scales = scales::known(tx, organization, view).await?;
    let today = acceptances::today(tx, organization, view).await?;
    let of = |column| -> Select<'_, Risk> {
        let others = facets::without(filter.filters(), column);
        let graded = RiskFilter {
            band: if column == BAND { Vec::new() } else { filter.band.clone() },
            evaluation: filter.evaluation.clone(),
            acceptance: if column == ACCEPTANCE { Vec::new() } else { filter.acceptance.clone() },
            decision: filter.decision,
            ..RiskFilter::default()
        };
        let select = Select::of(organization, view).filters(others).filters(searched.clone());
        select.filters(graded.judged(&scales, view, &today))
    };
    let code = of_latest(&scales::band_code(&scales, "known"), None);
    let bands = of(BAND).counts_of(tx, &code, MOST_VALUES).await?;
    let mut acceptance = Vec::new();
    for state in RiskAcceptance::ALL {
        let filter = RiskFilter { acceptance: vec![*state], ..RiskFilter::default() };
        let count = of(ACCEPTANCE).filters(filter.judged(&scales, view, &today)).count(tx).await?;
        acceptance.push(FacetCount { value: Some(state.as_str().to_owned()), label: None, count });
    }
    acceptance.retain(|it| it.count > 0);
    let status = of("status").counts(tx, "status", MOST_VALUES).await?;
    let category = of("category").counts(tx, "category", MOST_VALUES).await?;
    let owner = of("owner").counts(tx, "owner", MOST_VALUES).await?;
    let tags = of(TAGGED).tag_counts(tx, TAGS.link, MOST_VALUES).await?;
    Ok(Facets {
        total,
        facets: vec![
            ("status", facets::plain_words::<RiskStatus>(status)),
            ("category", facets::texts(category)),
            ("owner", facets::people(tx, organization, owner).await?),
            ("tag", facets::tags(tags)),
            (BAND, by_band(&scales, bands)),
            (ACCEPTANCE, acceptance),
        ],
    })
}

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
}
