//! What a proposal waits for, and who can do it.

#[cfg(test)]
mod tests;

use super::proposal::{MOST_NAMED, Next, NextAction, Proposal};
use super::proposal_status::ProposalStatus;
use super::step::check_four_eyes;
use crate::actor::Actor;
use crate::person::Member;
use crate::scope::Scope;

/// What this proposal waits for; nothing once it is closed. `changes` says whether it differs from what is published;
/// `members` are the people who may write or approve, and `creators` made the clients that have an edit in it.
pub fn next(proposal: &Proposal, changes: bool, members: &[Member], creators: &[Actor]) -> Option<Next> {
    use {NextAction as A, Scope as S};
    let (action, reason) = match proposal.status {
        ProposalStatus::Submitted => (A::Approve, "Someone who has changed nothing in it approves it."),
        ProposalStatus::Open if !proposal.conflicts.is_empty() => {
            (A::Resolve, "Its authors set items differently.")
        }
        ProposalStatus::Open if !proposal.missing.is_empty() => (A::Edit, "Required items have no value."),
        ProposalStatus::Open if !changes => (A::Edit, "It changes nothing yet."),
        ProposalStatus::Open => (A::Submit, "It is complete and not submitted."),
        ProposalStatus::Approved | ProposalStatus::Rejected | ProposalStatus::Withdrawn => return None,
    };
    let can = |member: &&Member| {
        let scopes = member.roles.scopes();
        let (writes, approves) = (scopes.has(S::DocumentsWrite), scopes.has(S::DocumentsApprove));
        member.activated_date.is_some()
            && match action {
                A::Approve => approves && check_four_eyes(&member.actor(), proposal, creators).is_ok(),
                A::Resolve => writes || approves,
                A::Edit | A::Submit => writes,
            }
    };
    let who: Vec<_> =
        members.iter().filter(can).take(MOST_NAMED).map(|member| member.person.clone()).collect();
    let reason = match (who.is_empty(), action) {
        (false, _) => reason,
        (true, A::Approve) => {
            "Nobody can: every member who may approve has changed it. An admin makes another member an approver, or \
             an author takes back their changes."
        }
        (true, _) => "Nobody can: no member may change documents. An admin gives somebody the role owner.",
    };
    Some(Next { action, who, reason })
}
