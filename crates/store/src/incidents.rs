//! Incidents, their history, and their soft deletion.

mod bulk;
mod by_reference;
mod change_many;
mod counts;
mod details;
mod entries;
mod facet_counts;
mod facets;
mod facts;
mod figures;
mod filter;
mod journaled;
mod list;
mod news;
mod numbers;
mod originals;
mod pass;
mod read;
mod references;
mod reports;
mod spells;
mod tag_links;
mod tally;
mod texts;
mod timeline;
mod undone;
mod verify_counts;
mod verify_duplicates;
mod write;

pub use bulk::{delete_many, restore_many};
pub use by_reference::{LeftOut, Reported, get_by_reference, report};
pub use change_many::{BulkChange, Target};
pub use details::{IncidentDetails, details, details_of_all};
pub use entries::hide_entries;
pub use facets::facets;
pub(crate) use facts::surroundings_of_all;
pub use facts::{options, surroundings};
pub use figures::{FigureQuery, Figures, Group, figures};
pub use filter::{IncidentFilter, IncidentQuery, IncidentSort, found};
pub(crate) use journaled::recorded;
pub use list::{count, existing, list, list_by_number, list_ranked};
pub use news::{declared_after, latest_number};
pub(crate) use originals::chains;
pub use read::{get, get_many};
pub(crate) use read::{searched, unseen};
pub(crate) use references::with_references;
pub use reports::Kept;
pub(crate) use tag_links::TAGS;
pub use tally::StatusFacet;
pub(crate) use texts::TABLES as TEXTS;
pub use timeline::{
    TimelineItem, TimelinePosition, TimelineQuery, TimelineSort, TimelineType, TimelineWhat, timeline,
    timeline_count,
};
pub(crate) use verify_counts::check as verify_counts;
pub(crate) use verify_duplicates::check as verify_duplicates;
pub(crate) use write::change_kind;
pub use write::{create, patch_faults, update};

use domain::IncidentNumber;
use domain::incident::Incident;
use domain::search::SearchKind;

use crate::ledger::journal::Subject;
use crate::ledger::trash::{Deletable, Entries};

crate::ledger::record::record! {
    Incident in "incident" {
        number: Plain => Key,
        title: Plain => Journaled,
        description: Plain => Journaled,
        status: AWord => Journaled,
        kind: AWordOrDefault => Journaled,
        severity: AWordOrDefault => Journaled,
        severity_reasoning: Plain => Journaled,
        severity_source: AWordOrNone => Journaled,
        severity_answers: Plain => Journaled,
        source: Plain => Journaled,
        location: Plain => Journaled,
        external_source: Plain => Journaled,
        external_ref: Plain => Journaled,
        external_sent: Plain => Journaled,
        assigned_to: APerson => Journaled,
        opened_by: AnActor => Fixed,
        restricted: PlainOrDefault => Journaled,
        readers: AList => Journaled,
        occurred_date: Plain => Journaled,
        detected_date: Plain => Journaled,
        responded_date: Plain => Journaled,
        contained_date: Plain => Journaled,
        resolved_date: Plain => Journaled,
        closed_date: Plain => Journaled,
        first_contained_date: Plain => Journaled,
        first_resolved_date: Plain => Journaled,
        status_date: Plain => Journaled,
        status_reason: Plain => Journaled,
        last_step_back: Plain => Journaled,
        reopen_count: PlainOrDefault => Journaled,
        resolution_reason: AWordOrNone => Journaled,
        resolution_summary: Plain => Journaled,
        overridden: AList => Journaled,
        duplicate_of: Plain => Journaled,
        hold: AHold => Journaled,
        legal_hold: PlainOrDefault => Journaled,
        legal_hold_reason: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        deleted_date: Plain => Journaled,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

crate::ledger::record::versioned!(Incident);

impl Deletable for Incident {
    const SEARCHED: SearchKind = SearchKind::Incident;
    const ENTRIES: Entries =
        Entries { deleted: "incident.deleted", restored: "incident.restored", purged: "incident.purged" };
    const PURGEABLE: &'static str = " AND legal_hold IS NULL";
    const PARTS: &'static [(&'static str, &'static str)] = &[
        ("incident_task", "incident"),
        ("incident_review", "incident"),
        ("incident_note", "incident"),
        ("incident_note_history", "incident"),
        ("incident_note_total", "incident"),
        ("incident_tag", "incident"),
        ("incident_report", "incident"),
        ("incident_link", "incident"),
    ];

    const MORE_TEXTS: &'static [&'static str] = &["severity_answers", "readers"];

    fn subject(number: i64) -> Subject {
        subject(IncidentNumber(number))
    }
}

/// The subject of an incident's entries, and of those of its parts.
pub(crate) fn subject(number: IncidentNumber) -> Subject {
    Subject::new("incident", number.to_string())
}
