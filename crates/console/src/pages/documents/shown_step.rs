//! The steps of an approval, as pages show them.

use std::collections::HashMap;

use db::Tx;
use domain::document::{ApprovalStep, ApprovingPeople, Proposal, StepWithApprovals};
use domain::person::Person;
use domain::{OrgId, UserId, word};
use store::groups::GroupFilter;

use crate::frame::page_request::Result;
use crate::texts;

/// So many names stand for the people of a step.
const NAMED: usize = 3;

/// The most groups that are looked up.
const MOST_GROUPS: i64 = 100;

/// A step as a page shows it.
pub(super) struct ShownStep {
    pub(super) with: StepWithApprovals,
    /// Who approves in it.
    pub(super) who: String,
}

/// The steps of a proposal with whom each names.
pub(super) async fn shown_steps(
    tx: &mut Tx,
    organization: OrgId,
    proposal: &Proposal,
) -> Result<Vec<ShownStep>> {
    let users = proposal.steps.iter().flat_map(|it| it.step.users.clone().unwrap_or_default());
    let replacements =
        proposal.steps.iter().flat_map(|it| it.step.replacements.iter().map(|it| it.replacement));
    let people = store::people::named(tx, organization, users.chain(replacements).collect()).await?;
    let ids: Vec<_> = proposal.steps.iter().filter_map(|it| it.step.group).collect();
    let groups = match ids.is_empty() {
        true => Vec::new(),
        false => {
            let filter = GroupFilter { ids, ..GroupFilter::default() };
            store::groups::list(tx, organization, &filter, None, MOST_GROUPS).await?.rows
        }
    };
    let who = |step: &ApprovalStep| match step.who {
        ApprovingPeople::Approvers => texts::ANYONE_WHO_CAN_APPROVE.to_owned(),
        ApprovingPeople::Role => texts::with_role(word::label(step.role.map_or("", |role| role.as_str()))),
        ApprovingPeople::Group => match groups.iter().find(|group| Some(group.id) == step.group) {
            Some(group) => texts::in_group(&group.name),
            None => texts::DELETED_GROUP.to_owned(),
        },
        ApprovingPeople::Users => names(step, &people),
    };
    let shown = |it: &StepWithApprovals| ShownStep { who: who(&it.step), with: it.clone() };
    Ok(proposal.steps.iter().map(shown).collect())
}

pub(super) fn names(step: &ApprovalStep, people: &HashMap<UserId, Person>) -> String {
    let names = step.users.iter().flatten().filter_map(|id| people.get(id));
    let names: Vec<_> = names.map(|person| person.name.as_str()).collect();
    texts::names(&names, NAMED)
}
