//! The people and groups that the steps of a document name.

use db::Tx;
use domain::document::ApprovalStep;
use domain::{FaultCode, Faults, OrgId, UserId};

use crate::groups::{self, GroupFilter};
use crate::ledger::error::Result;
use crate::ledger::members;

/// What is wrong with steps at `pointer` beside the organization: whom they name are members and groups of it.
pub(crate) async fn check_steps(
    tx: &mut Tx,
    organization: OrgId,
    steps: &[ApprovalStep],
    pointer: &str,
) -> Result<Faults> {
    let mut faults = Faults::new();
    let users: Vec<UserId> = steps.iter().flat_map(|step| step.users.iter().flatten().copied()).collect();
    if !users.is_empty() {
        let known = members::among(tx, organization, &users).await?;
        for (place, step) in steps.iter().enumerate() {
            let users = step.users.iter().flatten().enumerate();
            for (user, _) in users.filter(|(_, user)| !known.contains(user)) {
                let detail = "No member of the organization has this id.";
                let pointer = format_args!("{pointer}/{place}/users/{user}");
                faults.add(pointer, FaultCode::UnknownUser, detail);
            }
        }
    }
    for (place, group) in steps.iter().enumerate().filter_map(|(place, step)| Some((place, step.group?))) {
        let filter = GroupFilter { ids: vec![group], ..GroupFilter::default() };
        if groups::count(tx, organization, &filter).await? == 0 {
            let detail = "No group of the organization has this id.";
            faults.add(format_args!("{pointer}/{place}/group"), FaultCode::UnknownGroup, detail);
        }
    }
    Ok(faults)
}
