//! What a proposal waits for, and who can do it.

#[cfg(test)]
mod tests;

use super::approvals::ApprovalFacts;
use super::given_approval::StepState;
use super::proposal::{MOST_NAMED, Next, NextAction, Proposal};
use super::proposal_status::ProposalStatus;
use crate::person::Member;
use crate::scope::Scope;

/// What decides whether an open proposal can be submitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Readiness {
    /// Whether its authors set an item differently.
    pub has_conflicts: bool,
    /// Whether a required item has no value.
    pub misses_values: bool,
    /// Whether there is something to approve.
    pub changes: bool,
}

/// What this proposal waits for; nothing once it is closed. `changes` says whether it differs from what is published.
pub fn next(proposal: &Proposal, changes: bool, facts: &ApprovalFacts) -> Option<Next> {
    let (has_conflicts, misses_values) = (!proposal.conflicts.is_empty(), !proposal.missing.is_empty());
    let ready = Readiness { has_conflicts, misses_values, changes };
    next_if(proposal, ready, facts).map(Next::shortened)
}

impl Next {
    /// The same with as many people as answers name.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        self.who.truncate(MOST_NAMED);
        self
    }
}

/// The same of a proposal of which this is known instead of its edits, with everybody who can do it.
pub fn next_if(proposal: &Proposal, ready: Readiness, facts: &ApprovalFacts) -> Option<Next> {
    use NextAction as A;
    let (action, reason) = match proposal.status {
        ProposalStatus::Submitted => return Some(approval(proposal, facts)),
        ProposalStatus::Open if ready.has_conflicts => (A::Resolve, "Its authors set items differently."),
        ProposalStatus::Open if ready.misses_values => (A::Edit, "Required items have no value."),
        ProposalStatus::Open if !ready.changes => (A::Edit, "It changes nothing yet."),
        ProposalStatus::Open => (A::Submit, "It is complete and not submitted."),
        ProposalStatus::Approved | ProposalStatus::Rejected | ProposalStatus::Withdrawn => return None,
    };
    let can = |member: &&Member| {
        let scopes = member.roles.scopes();
        let (writes, approves) = (scopes.has(Scope::DocumentsWrite), scopes.has(Scope::DocumentsApprove));
        member.activated_date.is_some() && (writes || approves && action == A::Resolve)
    };
    let who: Vec<_> = facts.members.iter().filter(can).map(|member| member.person.clone()).collect();
    let reason = match who.is_empty() {
        false => reason,
        true => "Nobody can: no member may change documents. An admin gives somebody the role owner.",
    };
    Some(Next { action, who, reason: reason.to_owned() })
}

/// The approval that a submitted proposal waits for.
fn approval(proposal: &Proposal, facts: &ApprovalFacts) -> Next {
    let who = proposal.approvers(facts);
    let reason = match who.is_empty() {
        false => "Someone who has changed nothing in it approves it.",
        true => {
            "Nobody can: those who approve have changed it, have approved it already or may not approve. An admin names \
             another person in their place or waives four eyes, or somebody else records a decision."
        }
    };
    let pending = proposal.steps.iter().find(|it| it.state == StepState::Pending);
    let reason = match pending.filter(|_| proposal.steps.len() > 1) {
        Some(pending) => format!("Step “{}”. {reason}", pending.step.name),
        None => reason.to_owned(),
    };
    Next { action: NextAction::Approve, who, reason }
}
