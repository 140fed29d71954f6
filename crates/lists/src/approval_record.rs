//! The record of an approval as files and pages show it: each step with who approved in it, and the ways out that were taken.

use db::Tx;
use domain::OrgId;
use domain::document::{Day, DocumentVersion, GivenApproval, Proposal, StepState};
use http::error::Result;
use jiff::Timestamp;

/// The proposal that a version was published by.
#[derive(Debug)]
pub struct ApprovalRecord {
    proposal: Proposal,
}

/// A line of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The step, or what it is about.
    pub step: String,
    /// What was decided, and by whom.
    pub what: String,
    /// When, if it is an approval.
    pub when: Option<When>,
}

/// When something was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// An approval by a person who signed in.
    At(Timestamp),
    /// A decision that was recorded.
    On(Day),
}

impl ApprovalRecord {
    /// The record of the proposal with this number, if there is one.
    pub async fn read(tx: &mut Tx, organization: OrgId, proposal: i64) -> Result<Option<Self>> {
        let mut found = store::proposals::with_approvals(tx, organization, &[proposal]).await?;
        Ok(found.remove(&proposal).map(Self::of))
    }

    /// The record of a proposal that was read with its approvals.
    pub fn of(proposal: Proposal) -> Self {
        Self { proposal }
    }

    /// The lines, step by step.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut lines = Vec::new();
        let final_ones: Vec<_> = self.proposal.final_approvals();
        for with in &self.proposal.steps {
            let mut line = |what, when| lines.push(Decision { step: with.step.name.to_string(), what, when });
            for it in &with.replacements {
                line(
                    format!("{} in the place of {}: {}", it.replacement.name, it.person.name, it.reason),
                    None,
                );
            }
            if with.state == StepState::Skipped {
                line("Not needed, because the change is not material".to_owned(), None);
            }
            for it in with.approvals.iter().filter(|it| final_ones.contains(it)) {
                line(decided(it), Some(when(it)));
            }
        }
        lines.extend(self.proposal.four_eyes_waived.as_ref().map(|reason| Decision {
            step: "Four eyes".to_owned(),
            what: format!("Authors may approve: {reason}"),
            when: None,
        }));
        lines
    }
}

/// Who approved a version, as its proposal says, each once, with the job titles of their latest approvals.
pub fn approvers(version: &DocumentVersion, proposal: Option<&Proposal>) -> String {
    let mut latest: Vec<&GivenApproval> = Vec::new();
    for it in proposal.iter().flat_map(|it| it.final_approvals()) {
        match latest.iter_mut().find(|before| before.is_by_same(it)) {
            Some(before) => *before = it,
            None => latest.push(it),
        }
    }
    let names: Vec<_> = latest.into_iter().map(GivenApproval::decider_with_title).collect();
    if names.is_empty() { version.approved_by.name.clone() } else { names.join(", ") }
}

impl ApprovalRecord {
    /// Who approved this version, which the proposal published.
    pub fn approvers(&self, version: &DocumentVersion) -> String {
        approvers(version, Some(&self.proposal))
    }
}

fn decided(it: &GivenApproval) -> String {
    let decider = it.decider_with_title();
    let who = match (&it.minutes, &it.on_behalf_of) {
        (Some(minutes), _) => format!("{decider} ({minutes}), recorded by {}", it.by_with_title()),
        (None, Some(person)) => format!("{decider} as deputy of {}", person.name),
        (None, None) => decider,
    };
    it.note.as_ref().map_or_else(|| who.clone(), |note| format!("{who}: {}", render::plain(note)))
}

fn when(it: &GivenApproval) -> When {
    it.decided_date.clone().map_or(When::At(it.at), When::On)
}
