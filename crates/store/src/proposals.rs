//! Proposals: what callers want to change of a document, one change set each.

mod approvals;
mod asked_documents;
mod change;
mod comments;
mod delete;
mod draft;
mod edit;
mod impact;
mod journaled;
mod keep_report;
mod kept_next;
mod next_steps;
mod offer;
mod open;
mod provenance;
mod read;
mod readiness;
mod resolve;
mod seen;
mod step;
mod take_back;
mod waiting;
mod waivers;

use domain::document::{
    ApprovalStep, Day, KeptText, NodeType, Proposal, ProposalField, ProposalStatus, ProposedChanges,
    RecordedEdit, ReportSource, TakenText,
};
use domain::{Actor, Prose, Reason};
use jiff::Timestamp;

pub use approvals::with_approvals;
pub use asked_documents::AskedDocuments;
pub use change::change;
pub use comments::{adopt, comment, comments, count_comments, resolve_comment};
pub use delete::are_worked_on;
pub(crate) use delete::{DELETED, delete_all};
pub use draft::{Draft, Render, draft};
pub use edit::edit;
pub use impact::{ConcernedRisk, Impact, WeakeningOption, impact};
pub(crate) use journaled::recorded;
pub use keep_report::keep_report;
pub use kept_next::KeptNext;
pub use next_steps::next_steps;
pub use offer::{MergedOffer, decline_offer, offer, take_offer};
pub use open::open;
pub use provenance::{ApprovedVersion, Provenance, SetValue, proposed_provenance, provenance};
pub use read::{count, count_edits, list, list_edits, proposed};
pub use resolve::resolve;
pub use seen::{SeenText, see, seen};
pub use step::step;
pub(crate) use step::withdraw_open;
pub use take_back::take_back;
pub use waiting::{Waiting, waiting};
pub use waivers::{count_waivers, replace_person, waive_four_eyes, waivers};

use crate::ledger::journal::Subject;
use crate::ledger::record::record;

/// The field of a proposal's entry that tells what it changes of the document, from what to what.
fn changes_field(field: ProposalField) -> String {
    format!("changes/{field}")
}

/// The subject of a proposal's entries.
fn subject(number: i64) -> Subject {
    Subject::new("proposal", number.to_string())
}

/// A proposal as its table has it.
#[derive(Debug, Clone)]
pub(crate) struct ProposalRow {
    number: i64,
    document: String,
    status: ProposalStatus,
    confirms: bool,
    sha256: Option<String>,
    summary: Option<Prose>,
    is_material: Option<bool>,
    material_reason: Option<Reason>,
    effective_date: Option<Day>,
    changes: ProposedChanges,
    /// Whether these are changes of the items.
    changes_items: bool,
    reason: Option<Reason>,
    approval_steps: Vec<ApprovalStep>,
    four_eyes_waived: Option<Reason>,
    library_sha256: Option<String>,
    library_release: Option<i64>,
    /// Where the document kept its own words when that was taken.
    library_kept: Vec<KeptText>,
    /// What the text of a kept report was made from.
    report: Option<ReportSource>,
    text_bytes: i64,
    created_date: Timestamp,
    updated_date: Timestamp,
    version: i64,
}

record! {
    ProposalRow in "proposal" {
        number: Plain => Key,
        document: Plain => Fixed,
        status: AWord => Journaled,
        confirms: Plain => Journaled,
        sha256: Plain => Journaled,
        summary: Plain => Journaled,
        is_material: Plain => Journaled,
        material_reason: Plain => Journaled,
        effective_date: Plain => Journaled,
        changes: SomeChanges => Counted,
        changes_items: Plain => Counted,
        reason: Plain => Journaled,
        approval_steps: AStepList => Journaled,
        four_eyes_waived: Plain => Journaled,
        library_sha256: Plain => Journaled,
        library_release: Plain => Journaled,
        library_kept: AKeptList => Journaled,
        report: ASource => Journaled,
        text_bytes: Plain => Counted,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        version: Plain => Counted,
    }
}

impl ProposalRow {
    /// A proposal as it is opened.
    fn opened(number: i64, document: String, at: Timestamp) -> Self {
        Self {
            number,
            document,
            status: ProposalStatus::Open,
            confirms: false,
            sha256: None,
            summary: None,
            is_material: None,
            material_reason: None,
            effective_date: None,
            changes: ProposedChanges::default(),
            changes_items: false,
            reason: None,
            approval_steps: Vec::new(),
            four_eyes_waived: None,
            library_sha256: None,
            library_release: None,
            library_kept: Vec::new(),
            report: None,
            text_bytes: 0,
            created_date: at,
            updated_date: at,
            version: 1,
        }
    }

    /// The row of the same proposal after a change that is none of its texts.
    fn with(&self, it: &Proposal) -> Self {
        Self {
            number: it.number,
            document: it.document.clone(),
            status: it.status,
            confirms: it.confirms,
            sha256: it.sha256.clone().filter(|_| it.status != ProposalStatus::Open),
            summary: it.summary.clone(),
            is_material: it.is_material,
            material_reason: it.material_reason.clone(),
            effective_date: it.effective_date.clone(),
            changes: it.changes.clone(),
            changes_items: it.changes.get(ProposalField::Items).is_some(),
            reason: it.reason.clone(),
            approval_steps: it.approval_steps.clone(),
            four_eyes_waived: it.four_eyes_waived.clone(),
            library_sha256: self.library_sha256.clone(),
            library_release: self.library_release,
            library_kept: self.library_kept.clone(),
            report: self.report.clone(),
            text_bytes: self.text_bytes,
            created_date: it.created_date,
            updated_date: it.updated_date,
            version: it.version,
        }
    }

    /// The proposal without what its change sets say. Of an open one nobody has said yet whether it is material and from when it
    /// holds: what an earlier submission said is not of its present text.
    fn proposal(&self) -> Proposal {
        let it = self.clone();
        let is_said = it.status != ProposalStatus::Open;
        Proposal {
            number: it.number,
            document: it.document,
            status: it.status,
            confirms: it.confirms,
            created_date: it.created_date,
            updated_date: it.updated_date,
            change_sets: Vec::new(),
            missing: Vec::new(),
            conflicts: Vec::new(),
            changes: it.changes,
            removed: Vec::new(),
            next: None,
            sha256: it.sha256,
            summary: it.summary,
            is_material: it.is_material.filter(|_| is_said),
            material_reason: it.material_reason.filter(|_| is_said),
            effective_date: it.effective_date.filter(|_| is_said),
            reason: it.reason,
            approval_steps: it.approval_steps,
            steps: Vec::new(),
            four_eyes_waived: it.four_eyes_waived,
            library: it.library_sha256.map(|sha256| TakenText { sha256, kept: it.library_kept }),
            report: it.report,
            version: it.version,
        }
    }
}

/// A change set as its table has it.
struct ChangeSetRow {
    number: i64,
    proposal: i64,
    author: Actor,
    created_date: Timestamp,
    updated_date: Option<Timestamp>,
    fields: Vec<ProposalField>,
}

record! {
    ChangeSetRow in "change_set" {
        number: Plain => Key,
        proposal: Plain => Fixed,
        author: AnActor => Fixed,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        fields: AList => Counted,
    }
}

/// An edit as its table has it.
struct EditRow {
    change_set: i64,
    item: String,
    kind: NodeType,
    value: String,
    previous: Option<String>,
    set_date: Timestamp,
    is_adopted: bool,
}

record! {
    EditRow in "change_set_edit" {
        change_set: Plain => Key,
        item: Plain => Key,
        kind: AWord => Counted,
        value: Plain => Counted,
        previous: Plain => Counted,
        set_date: Plain => Counted,
        is_adopted: Plain => Counted,
    }
}

impl EditRow {
    fn of(it: RecordedEdit) -> Self {
        let RecordedEdit {
            change_set,
            node_id: item,
            node_type: kind,
            value,
            previous,
            set_date,
            is_adopted,
        } = it;
        Self { change_set, item, kind, value, previous, set_date, is_adopted }
    }
}

impl From<EditRow> for RecordedEdit {
    fn from(it: EditRow) -> Self {
        let EditRow { change_set, item, kind, value, previous, set_date, is_adopted } = it;
        Self { change_set, node_id: item, node_type: kind, value, previous, set_date, is_adopted }
    }
}
