//! Proposals: what callers want to change of a document, one change set each.

mod edit;
mod journaled;
mod read;

use domain::Actor;
use domain::document::{NodeType, ProposalStatus};
use jiff::Timestamp;

pub use edit::edit;
pub(crate) use journaled::recorded;
pub use read::{count_edits, get, list_edits};

use crate::ledger::journal::Subject;
use crate::ledger::record::record;

/// The subject of a proposal's entries.
fn subject(number: i64) -> Subject {
    Subject::new("proposal", number.to_string())
}

/// A proposal as its table has it.
pub(crate) struct ProposalRow {
    number: i64,
    document: String,
    status: ProposalStatus,
    text_bytes: i64,
    created_date: Timestamp,
    updated_date: Timestamp,
}

record! {
    ProposalRow in "proposal" {
        number: Plain => Key,
        document: Plain => Fixed,
        status: AWord => Counted,
        text_bytes: Plain => Counted,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
    }
}

/// A change set as its table has it.
struct ChangeSetRow {
    number: i64,
    proposal: i64,
    author: Actor,
    created_date: Timestamp,
    updated_date: Option<Timestamp>,
}

record! {
    ChangeSetRow in "change_set" {
        number: Plain => Key,
        proposal: Plain => Fixed,
        author: AnActor => Fixed,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
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
}

record! {
    EditRow in "change_set_edit" {
        change_set: Plain => Key,
        item: Plain => Key,
        kind: AWord => Counted,
        value: Plain => Counted,
        previous: Plain => Counted,
        set_date: Plain => Counted,
    }
}
