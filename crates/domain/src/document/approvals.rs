//! Which steps of a proposal are done, and whose approval counts.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::approval_step::{ApprovalStep, ApprovingPeople, StepWhen};
use super::given_approval::{GivenApproval, StepState, StepWithApprovals};
use super::proposal::Proposal;
use super::proposal_status::ProposalStatus;
use super::step::check_four_eyes;
use crate::actor::Actor;
use crate::error::{Error, Result};
use crate::error_code::ErrorCode;
use crate::ids::{GroupId, UserId};
use crate::person::{Member, Person};
use crate::scope::Scope;
use crate::text::Line;

/// What the register knows that approvals depend on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalFacts {
    /// The members who may write or approve documents, by name.
    pub members: Vec<Member>,
    /// Who created the clients that have changed something in the proposal.
    pub creators: Vec<Actor>,
    /// The members of the groups that its steps name.
    pub groups: HashMap<GroupId, HashSet<UserId>>,
    /// Whom people have named as their deputies for today, by the person.
    pub deputies: HashMap<UserId, UserId>,
    /// Whether the organization lets authors approve.
    pub is_four_eyes_off: bool,
    /// The people of whom one approves in the place of the other in its steps.
    pub replaced: HashMap<UserId, Person>,
}

impl ApprovalFacts {
    /// A member who may approve documents.
    fn approver(&self, id: UserId) -> Option<&Member> {
        self.members.iter().find(|member| {
            member.person.id == id
                && member.activated_date.is_some()
                && member.roles.scopes().has(Scope::DocumentsApprove)
        })
    }

    /// The job title of a person.
    pub fn job_title(&self, person: &Actor) -> Option<Line> {
        let found = self.members.iter().find(|member| member.person.id.to_string() == person.id);
        found.and_then(|member| member.job_title.clone())
    }

    /// Whether this is a member who may approve documents.
    pub fn has_approver(&self, id: UserId) -> bool {
        self.approver(id).is_some()
    }

    /// Whether a member can approve this proposal, whatever its steps say.
    pub fn may_approve(&self, proposal: &Proposal, id: UserId) -> bool {
        self.approver(id).is_some_and(|member| self.check_four_eyes(&member.actor(), proposal).is_ok())
    }

    /// Four eyes, unless they are waived.
    pub fn check_four_eyes(&self, approver: &Actor, proposal: &Proposal) -> Result<()> {
        let is_waived = self.is_four_eyes_off || proposal.four_eyes_waived.is_some();
        check_four_eyes(approver, proposal, if is_waived { None } else { Some(&self.creators) })
    }

    /// Whether a step names a person today.
    pub fn names(&self, step: &ApprovalStep, id: UserId) -> bool {
        let is_named = match step.who {
            ApprovingPeople::Approvers => true,
            ApprovingPeople::Users => step.users.iter().flatten().any(|user| *user == id),
            ApprovingPeople::Group => {
                step.group.and_then(|group| self.groups.get(&group)).is_some_and(|group| group.contains(&id))
            }
            ApprovingPeople::Role => self
                .members
                .iter()
                .any(|member| member.person.id == id && step.role.is_some_and(|role| member.roles.has(role))),
        };
        // The latest replacement counts: somebody may replace the one who replaced them.
        let latest = step.replacements.iter().rev().find(|it| it.person == id || it.replacement == id);
        latest.map_or(is_named, |it| it.replacement == id)
    }
}

impl Proposal {
    /// Its steps, with what was approved in each.
    pub fn steps_with(&self, approvals: &[GivenApproval], facts: &ApprovalFacts) -> Vec<StepWithApprovals> {
        let mut is_pending_found = self.status != ProposalStatus::Submitted;
        let state = |(step, number): (&ApprovalStep, i64)| {
            let is_needed = step.when == StepWhen::Always || self.is_material.unwrap_or(true);
            let state = match self.is_done(step, number, approvals, facts) {
                _ if !is_needed => StepState::Skipped,
                true => StepState::Done,
                false if is_pending_found => StepState::Waiting,
                false => StepState::Pending,
            };
            is_pending_found |= state == StepState::Pending;
            let of_step = approvals.iter().filter(|it| it.steps.contains(&number));
            let replacements = step.replacements.iter().filter_map(|it| it.named(&facts.replaced)).collect();
            StepWithApprovals {
                step: step.clone(),
                state,
                replacements,
                approvals: of_step.cloned().collect(),
            }
        };
        self.approval_steps.iter().zip(1..).map(state).collect()
    }

    fn is_done(
        &self,
        step: &ApprovalStep,
        number: i64,
        all: &[GivenApproval],
        facts: &ApprovalFacts,
    ) -> bool {
        let is_closed = self.is_closed();
        let is_named = |it: &GivenApproval| {
            is_closed || UserId::parse(&it.person()).is_some_and(|id| facts.names(step, id))
        };
        // A person counts once in a step: for themselves, as a deputy, or by one.
        let (mut people, mut count) = (HashSet::new(), 0);
        for it in all.iter().filter(|it| it.steps.contains(&number) && self.counts(it, facts)) {
            if it.decided_by.is_some() {
                return true;
            }
            let (by, person) = (it.by.id.clone(), it.person());
            if is_named(it) && !people.contains(&by) && !people.contains(&person) {
                count += 1;
                people.extend([by, person]);
            }
        }
        count >= step.needed
    }

    fn is_closed(&self) -> bool {
        !matches!(self.status, ProposalStatus::Open | ProposalStatus::Submitted)
    }

    /// Whether an approval is of the present text, and was not taken back.
    fn is_of_text(&self, approval: &GivenApproval) -> bool {
        !approval.is_void && self.sha256.as_ref() == Some(&approval.sha256)
    }

    /// Whether an approval counts: of a closed proposal as it was, else while who gave it could give it today.
    fn counts(&self, approval: &GivenApproval, facts: &ApprovalFacts) -> bool {
        let may = |id: &str| UserId::parse(id).is_some_and(|id| facts.may_approve(self, id));
        let is_recorded = approval.decided_by.is_some();
        let is_there = || {
            let absent = approval.on_behalf_of.as_ref();
            may(&approval.by.id) && absent.is_none_or(|person| facts.may_approve(self, person.id))
        };
        self.is_of_text(approval) && (self.is_closed() || is_recorded || is_there())
    }

    /// For whom a person can approve in the pending step: for themselves, or for somebody whose deputy they are. If all
    /// steps are done, because somebody may approve again, the last one is open to those who approved in it.
    fn approves_for(&self, id: UserId, pending: &Pending<'_>, facts: &ApprovalFacts) -> Option<UserId> {
        if !facts.may_approve(self, id) {
            return None;
        }
        let has_approved = |id: UserId| {
            let id = id.to_string();
            let counted = pending.with.approvals.iter().filter(|it| self.counts(it, facts));
            !pending.is_done && counted.flat_map(|it| [it.person(), it.by.id.clone()]).any(|it| it == id)
        };
        if has_approved(id) {
            return None;
        }
        if facts.names(&pending.with.step, id) {
            return Some(id);
        }
        let absent = facts.deputies.iter().filter(|(_, deputy)| **deputy == id).map(|(person, _)| *person);
        let is_waited_for = |person: &UserId| {
            facts.names(&pending.with.step, *person)
                && facts.may_approve(self, *person)
                && !has_approved(*person)
        };
        absent.filter(is_waited_for).min()
    }

    /// Whether the pending step waits for a person.
    pub fn waits_for(&self, id: UserId, facts: &ApprovalFacts) -> bool {
        Pending::of(&self.steps).is_some_and(|pending| self.approves_for(id, &pending, facts).is_some())
    }

    /// The members who can approve in the pending step, by name.
    pub(super) fn approvers(&self, facts: &ApprovalFacts) -> Vec<Person> {
        let people = facts.members.iter().map(|member| &member.person);
        people.filter(|it| self.waits_for(it.id, facts)).cloned().collect()
    }

    /// The steps that an approval of a person counts in, and for whom it is. It is an error if they are an author, or if the
    /// pending step waits for others.
    pub fn approve_as(&self, approver: &Actor, facts: &ApprovalFacts) -> Result<(Vec<i64>, Option<Person>)> {
        facts.check_four_eyes(approver, self).map_err(|_| Error::FourEyes(self.approvers(facts)))?;
        let pending = Pending::of(&self.steps);
        let id = UserId::parse(&approver.id);
        let found = id
            .zip(pending)
            .and_then(|(id, pending)| Some((id, self.approves_for(id, &pending, facts)?, pending.number)));
        let (id, person, pending) = found.ok_or(Error::Conflict(ErrorCode::NotInStep))?;
        let has_part = |with: &StepWithApprovals| {
            let given = with.approvals.iter().filter(|it| self.is_of_text(it));
            let mut people = given.flat_map(|it| [it.by.id.clone(), it.person()]);
            people.any(|it| it == approver.id || it == person.to_string())
        };
        let counts_in = |(with, number): &(&StepWithApprovals, i64)| {
            let is_open = *number == pending || *number > pending && !has_part(with);
            is_open && with.state != StepState::Skipped && facts.names(&with.step, person)
        };
        let steps = self.steps.iter().zip(1..).filter(counts_in).map(|(_, number)| number).collect();
        let absent = facts.members.iter().find(|member| member.person.id == person && person != id);
        Ok((steps, absent.map(|member| member.person.clone())))
    }

    /// The number of the pending step, whose decision is recorded by somebody who is no author.
    pub fn record_as(&self, recorder: &Actor, facts: &ApprovalFacts) -> Result<i64> {
        facts.check_four_eyes(recorder, self).map_err(|_| {
            let people = facts.members.iter().map(|member| &member.person);
            Error::FourEyes(people.filter(|it| facts.may_approve(self, it.id)).cloned().collect())
        })?;
        Pending::of(&self.steps).map(|it| it.number).ok_or(Error::Conflict(ErrorCode::NotNext))
    }

    /// The approvals of its steps that count once it is approved, in the order in which they were given.
    pub fn final_approvals(&self) -> Vec<&GivenApproval> {
        let given = self.steps.iter().flat_map(|it| &it.approvals);
        let counted = given.filter(|it| self.is_of_text(it));
        counted.map(|it| (it.number, it)).collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// Whether every step that is needed is done.
    pub fn is_approved(&self, approvals: &[GivenApproval], facts: &ApprovalFacts) -> bool {
        let steps = self.steps_with(approvals, facts);
        steps.iter().all(|it| matches!(it.state, StepState::Done | StepState::Skipped))
    }
}

/// The step that waits for approvals.
struct Pending<'s> {
    with: &'s StepWithApprovals,
    number: i64,
    /// Whether it is done and only waits because nobody approved since.
    is_done: bool,
}

impl<'s> Pending<'s> {
    fn of(steps: &'s [StepWithApprovals]) -> Option<Self> {
        let numbered = || steps.iter().zip(1..);
        let pending = numbered().find(|(it, _)| it.state == StepState::Pending);
        let last = || numbered().filter(|(it, _)| it.state == StepState::Done).last();
        let (with, number) = pending.or_else(last)?;
        Some(Self { with, number, is_done: with.state == StepState::Done })
    }
}
