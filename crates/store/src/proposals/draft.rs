//! A proposal with the text that it would publish.

use std::collections::HashMap;

use db::Tx;
use domain::document::{
    self, ApprovalFacts, ChangeSet, Day, Document, DocumentWithItems, GivenApproval, PrintedText, Proposal,
    ProposalStatus, RecordedEdit, Submission, proposed_values,
};
use domain::{OrgId, Reason};
use macros::boxed;

use super::{ProposalRow, approvals, read};
use crate::documents;
use crate::ledger::error::Result;

/// Makes HTML of a Markdown text without front matter.
pub type Render = fn(&str) -> String;

/// A proposal with the text that it would publish, and the versions of the records that it was made from.
#[derive(Debug, Clone)]
pub struct Draft {
    pub(super) row: ProposalRow,
    /// The document as it is.
    pub published: DocumentWithItems,
    /// The document with what the proposal changes of it beside the values of its items.
    pub document: DocumentWithItems,
    /// The proposal.
    pub proposal: Proposal,
    /// The value of each item that has one, as an approval publishes them.
    pub values: HashMap<String, String>,
    /// The text, with its front matter.
    pub markdown: String,
    /// The SHA-256 of the HTML that the text becomes, if somebody noted it.
    pub(super) html_sha256: Option<String>,
    /// The approvals that were given to it.
    pub(super) approvals: Vec<GivenApproval>,
    /// What approvals depend on; nothing of a closed proposal.
    pub facts: ApprovalFacts,
}

impl Draft {
    /// The same with the hash of the HTML that `render` makes of its text. It is stored with the version.
    #[must_use]
    pub fn with_html(self, render: Render) -> Self {
        let html = render(document::body_of(&self.markdown));
        Self { html_sha256: Some(document::sha256(&html)), ..self }
    }

    /// Whether there is something to approve: something that differs from what is published, or that is confirmed.
    pub(super) fn changes(&self) -> bool {
        self.row.confirms || self.differs()
    }

    /// Whether it differs from what is published.
    fn differs(&self) -> bool {
        self.document.document.published_version.is_none() || self.approved() != self.published
    }

    /// Whether an approval confirms the latest version: it was opened for that, and nothing differs.
    pub fn confirms(&self) -> bool {
        self.row.confirms && !self.differs()
    }

    /// Whether the version is material unless its submission says otherwise.
    pub fn is_material(&self) -> bool {
        document::is_material(&self.published, &self.document, &self.values)
    }

    /// What the latest submission said of that and why, also if the proposal was opened again.
    pub fn said_of_material(&self) -> (Option<bool>, Option<&Reason>) {
        (self.row.is_material, self.row.material_reason.as_ref())
    }

    /// From when the latest submission said that it is to hold, also if the proposal was opened again.
    pub fn said_effective_date(&self) -> Option<&Day> {
        self.row.effective_date.as_ref()
    }

    /// The proposal with its steps and what it waits for, if it is this after a step.
    pub(super) fn after(&self, after: Proposal) -> Proposal {
        let steps = after.steps_with(&self.approvals, &self.facts);
        let after = Proposal { steps, ..after };
        Proposal { next: document::next(&after, self.changes(), &self.facts), ..after }
    }

    /// The document with the values of its items, as an approval publishes it.
    pub(super) fn approved(&self) -> DocumentWithItems {
        approved(&self.document, &self.values)
    }
}

/// A document with these values of its items.
pub(super) fn approved(document: &DocumentWithItems, values: &HashMap<String, String>) -> DocumentWithItems {
    let mut approved = document.clone();
    for placed in &mut approved.items {
        placed.value = values.get(&placed.item.id).cloned();
    }
    approved
}

/// A proposal with what it lacks and where its authors differ, and the value of each item that has one. `document` is the
/// `published` one with what the proposal changes of it beside these.
pub(super) fn with_edits(
    row: &ProposalRow,
    (published, document): (&DocumentWithItems, &DocumentWithItems),
    change_sets: Vec<ChangeSet>,
    mut edits: Vec<RecordedEdit>,
) -> (Proposal, HashMap<String, String>) {
    let (values, removed) = proposed_values(&published.items, &document.items, &edits);
    let places: HashMap<_, _> = document.items.iter().map(|it| it.item.id.as_str()).zip(0..).collect();
    edits.retain(|edit| places.contains_key(edit.node_id.as_str()));
    edits.sort_by_key(|edit| (places.get(edit.node_id.as_str()).copied(), edit.change_set));
    let is_missing = |id: &str| values.get(id).is_none_or(String::is_empty);
    let required = document.items.iter().map(|placed| &placed.item).filter(|item| item.required);
    let missing = required.filter(|item| is_missing(&item.id)).map(|item| item.id.clone()).collect();
    let conflicts = document::conflicts(&edits, &change_sets);
    let said = row.proposal();
    let is_material = said.is_material.or_else(|| Some(document::is_material(published, document, &values)));
    (Proposal { change_sets, missing, conflicts, removed, is_material, ..said }, values)
}

/// A proposal with its text, printed with what a `submission` says about it. It is made outside of writes, because texts are
/// long.
#[boxed]
pub async fn draft(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    number: i64,
    submission: Option<&Submission>,
) -> Result<Draft> {
    let row = read::find(tx, organization, slug, number).await?;
    let is_open = matches!(row.status, ProposalStatus::Open | ProposalStatus::Submitted);
    let published = match documents::get(tx, organization, slug).await? {
        published if is_open => published,
        // It stays as it was, whatever became of the document since.
        present => documents::as_of_proposal(tx, organization, present, number).await?,
    };
    let document = row.changes.overlaid(&published)?;
    let change_sets = read::change_sets(tx, organization, number).await?;
    let edits = read::edits(tx, organization, number, None).await?;
    let (mut proposal, values) = with_edits(&row, (&published, &document), change_sets, edits);
    let mut printed = proposal.clone();
    if let Some(submission) = submission.filter(|_| is_open) {
        submission.set(&mut printed, document::is_material(&published, &document, &values));
    }
    let of_items = values.iter().map(|(item, value)| (item.as_str(), value.as_str())).collect();
    let (effective_date, is_material) = (printed.effective_date.as_ref(), printed.is_material);
    let markdown = PrintedText::of(&document, effective_date, is_material, of_items).markdown()?;
    if row.status == ProposalStatus::Open || proposal.approval_steps.is_empty() {
        // Changed steps are approved by those that the document has.
        let steps = match published.approval_steps.is_empty() {
            true => document::default_steps(),
            false => published.approval_steps.clone(),
        };
        proposal.approval_steps = document::with_replacements(steps, &proposal.approval_steps);
    }
    let approvals = approvals::given(tx, organization, [number]).await?;
    let needs_approval = row.status == ProposalStatus::Submitted || submission.is_some();
    let facts = if !is_open {
        ApprovalFacts::default()
    } else if needs_approval {
        approvals::facts(tx, organization, &proposal.change_sets, &proposal.approval_steps).await?
    } else {
        let members = approvals::members(tx, organization).await?;
        ApprovalFacts { members, ..ApprovalFacts::default() }
    };
    let replaced = approvals::replaced(tx, organization, &proposal.approval_steps).await?;
    let (facts, html_sha256) = (ApprovalFacts { replaced, ..facts }, None);
    let mut draft =
        Draft { row, published, document, proposal, values, markdown, html_sha256, approvals, facts };
    draft.markdown = stored_text(tx, organization, &draft).await?.unwrap_or(draft.markdown);
    if is_open || draft.proposal.sha256.is_none() {
        draft.proposal.sha256 = Some(document::sha256(&draft.markdown));
    }
    draft.proposal = draft.after(draft.proposal.clone());
    Ok(draft)
}

/// The text of a published version, if it is that of the proposal: what was approved, or is confirmed.
async fn stored_text(tx: &mut Tx, organization: OrgId, draft: &Draft) -> Result<Option<String>> {
    let Document { slug, published_version, .. } = &draft.document.document;
    if draft.row.status == ProposalStatus::Approved {
        let sha256 = draft.row.sha256.as_deref().unwrap_or_default();
        let number = Some(draft.row.number);
        let approved = documents::version_with_hash(tx, organization, slug, sha256, number).await?;
        return Ok(approved.map(|it| it.markdown));
    }
    match published_version.filter(|_| draft.confirms()) {
        Some(latest) => Ok(Some(documents::version(tx, organization, slug, latest).await?.markdown)),
        None => Ok(None),
    }
}
