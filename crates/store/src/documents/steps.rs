//! The people and groups that the steps of a document name.

use db::Tx;
use domain::document::ApprovalStep;
use domain::{Faults, OrgId};

use crate::groups::{self, Named};
use crate::ledger::error::Result;

/// What is wrong with steps at `pointer` beside the organization: whom they name are members and groups of it.
pub(crate) async fn check_steps(
    tx: &mut Tx,
    organization: OrgId,
    steps: &[ApprovalStep],
    pointer: &str,
) -> Result<Faults> {
    let named = steps.iter().enumerate().map(|(place, step)| Named {
        pointer: format!("{pointer}/{place}"),
        users: step.users.as_deref().unwrap_or_default(),
        group: step.group,
    });
    groups::check_named(tx, organization, &named.collect::<Vec<_>>()).await
}
