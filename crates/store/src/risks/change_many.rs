//! Changing many risks by one operation.

use db::Tx;
use domain::person::Person;
use domain::risk::{Risk, RiskPatch};
use domain::scale::Scales;
use domain::{Author, OrgId, RiskNumber};
use jiff::tz::TimeZone;

use super::list::{RiskFilter, numbers};
use crate::ledger::bulk::{self, Changeable, bulk};
use crate::ledger::error::Result;
use crate::ledger::view::View;
use crate::{organizations, people, scales};

/// Which risks are changed.
pub type Target = bulk::Target<RiskNumber, RiskFilter>;

/// A change of many risks.
pub type BulkChange = bulk::ChangeOf<Risk>;

bulk!(Risk, RiskNumber, RiskFilter, RiskPatch);

impl Changeable for Risk {
    /// The owner that the patch names, the scales, and the organization's time zone if days may follow from the patch.
    type Facts = (Option<Person>, Scales, Option<TimeZone>);
    const PLURAL: &'static str = "risks";

    fn is_seen(&self, _: &Author) -> bool {
        true
    }

    async fn numbers(
        tx: &mut Tx,
        organization: OrgId,
        _: &Author,
        filter: &RiskFilter,
        limit: i64,
    ) -> Result<Vec<i64>> {
        numbers(tx, organization, filter, limit).await
    }

    async fn facts(tx: &mut Tx, organization: OrgId, _: &Author, patch: &RiskPatch) -> Result<Self::Facts> {
        let zone = match patch.asks_for_days() {
            true => Some(organizations::time_zone(tx, organization).await?),
            false => None,
        };
        let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
        Ok((owner, scales::known(tx, organization, View::now()).await?, zone))
    }

    async fn patched(
        tx: &mut Tx,
        _: OrgId,
        found: &[Self],
        patch: &RiskPatch,
        (owner, scales, zone): &Self::Facts,
    ) -> Result<Vec<domain::Result<Option<Self>>>> {
        let with_days = |after: Self| match zone {
            Some(zone) => after.with_days(zone),
            None => after,
        };
        let patched = |before: &Self| {
            patch.apply(before, owner.clone(), scales, tx.at()).map(|after| after.map(with_days))
        };
        Ok(found.iter().map(patched).collect())
    }
}
