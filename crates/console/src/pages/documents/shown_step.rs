//! The steps of an approval, as pages show them.

use std::collections::HashMap;

use db::Tx;
use domain::document::{
    ApprovalStep, ApprovingPeople, NamedReplacement, Proposal, StepWhen, StepWithApprovals, default_steps,
};
use domain::group::Group;
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
    /// Who approves in the place of whom, and why.
    pub(super) replaced: Vec<String>,
}

/// The steps of a proposal with whom each names.
pub(super) fn shown_steps(proposal: &Proposal, names: &StepNames) -> Vec<ShownStep> {
    let shown = |it: &StepWithApprovals| ShownStep {
        who: names.who(&it.step),
        replaced: it.replacements.iter().map(replaced).collect(),
        with: it.clone(),
    };
    proposal.steps.iter().map(shown).collect()
}

fn replaced(it: &NamedReplacement) -> String {
    texts::replaced(&it.person.name, &it.replacement.name, &it.reason)
}

/// The names of the people and groups of steps.
pub(super) struct StepNames {
    people: HashMap<UserId, Person>,
    groups: Vec<Group>,
}

impl StepNames {
    /// The names that these steps need.
    pub(super) async fn read(tx: &mut Tx, organization: OrgId, steps: &[&ApprovalStep]) -> Result<Self> {
        let users = steps.iter().flat_map(|it| it.users.clone().unwrap_or_default());
        let people = store::people::named(tx, organization, users.collect()).await?;
        let ids: Vec<_> = steps.iter().filter_map(|it| it.group).collect();
        let groups = match ids.is_empty() {
            true => Vec::new(),
            false => {
                let filter = GroupFilter { ids, ..GroupFilter::default() };
                store::groups::list(tx, organization, &filter, None, MOST_GROUPS).await?.rows
            }
        };
        Ok(Self { people, groups })
    }

    /// Who approves in a step.
    pub(super) fn who(&self, step: &ApprovalStep) -> String {
        match step.who {
            ApprovingPeople::Approvers => texts::ANYONE_WHO_CAN_APPROVE.to_owned(),
            ApprovingPeople::Role => {
                texts::with_role(word::label(step.role.map_or("", |role| role.as_str())))
            }
            ApprovingPeople::Group => match self.groups.iter().find(|group| Some(group.id) == step.group) {
                Some(group) => texts::in_group(&group.name),
                None => texts::DELETED_GROUP.to_owned(),
            },
            ApprovingPeople::Users => {
                let names: Vec<_> = step.users.iter().flatten().map(|id| self.name(*id)).collect();
                texts::names(&names, NAMED)
            }
        }
    }

    /// The steps of a document in one line. Without any, one person approves.
    pub(super) fn line(&self, steps: &[ApprovalStep]) -> String {
        let none = if steps.is_empty() { default_steps() } else { Vec::new() };
        let line = |step: &ApprovalStep| {
            let only_material = step.when == StepWhen::Material;
            texts::approval_step(&step.name, step.needed, &self.who(step), only_material)
        };
        steps.iter().chain(&none).map(line).collect::<Vec<_>>().join("; ")
    }

    fn name(&self, id: UserId) -> &str {
        self.people.get(&id).map_or("?", |person| person.name.as_str())
    }
}
