//! Changing many incidents by one operation.

use std::collections::HashMap;

use db::Tx;
use domain::incident::{Incident, IncidentPatch, Viewer};
use domain::{Author, IncidentNumber, OrgId};

use super::facts::{CommonFacts, surroundings_of_all};
use super::filter::IncidentFilter;
use super::list::numbers;
use crate::ledger::bulk::{self, Changeable, bulk};
use crate::ledger::error::Result;

/// Which incidents are changed.
pub type Target = bulk::Target<IncidentNumber, IncidentFilter>;

/// A change of many incidents.
pub type BulkChange = bulk::ChangeOf<Incident>;

bulk!(Incident, IncidentNumber, IncidentFilter, IncidentPatch);

impl Changeable for Incident {
    type Facts = CommonFacts;
    const PLURAL: &'static str = "incidents";

    fn is_seen(&self, author: &Author) -> bool {
        Viewer::of(author).sees_incident(self)
    }

    async fn numbers(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        filter: &IncidentFilter,
        limit: i64,
    ) -> Result<Vec<i64>> {
        numbers(tx, organization, &Viewer::of(author), filter, limit).await
    }

    async fn facts(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        patch: &IncidentPatch,
    ) -> Result<CommonFacts> {
        CommonFacts::of(tx, organization, author, patch).await
    }

    async fn patched(
        tx: &mut Tx,
        organization: OrgId,
        found: &[Self],
        patch: &IncidentPatch,
        facts: &CommonFacts,
    ) -> Result<Vec<domain::Result<Option<Self>>>> {
        let mut around = match found.iter().any(|it| patch.depends_on_surroundings(it.status)) {
            true => surroundings_of_all(tx, organization, found).await?,
            false => HashMap::new(),
        };
        let changed = found.iter().map(|before| {
            let number = before.number;
            let facts = facts.for_one(number, patch, around.remove(&number).unwrap_or_default());
            patch.apply(before, &facts, tx.at())
        });
        Ok(changed.collect())
    }
}
