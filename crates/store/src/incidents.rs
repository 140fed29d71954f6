//! Incidents, their history, and their soft deletion.

mod bulk;
mod journaled;
mod read;
mod write;

pub use bulk::{delete_many, restore_many};
pub(crate) use journaled::recorded;
pub use read::{count, get, list};
pub use write::{create, patch_faults, update};

use domain::IncidentNumber;
use domain::incident::Incident;

use crate::journal::Subject;
use crate::trash::{Deletable, Entries};

crate::record::record! {
    Incident in "incident" {
        number: Plain => Key,
        title: Plain => Journaled,
        description: Plain => Journaled,
        status: AWord => Journaled,
        severity_reasoning: Plain => Journaled,
        source: Plain => Journaled,
        assigned_to: APerson => Journaled,
        opened_by: AnActor => Fixed,
        occurred_date: Plain => Journaled,
        detected_date: Plain => Journaled,
        responded_date: Plain => Journaled,
        contained_date: Plain => Journaled,
        created_date: Plain => Fixed,
        updated_date: Plain => Counted,
        deleted_date: Plain => Journaled,
        version: Plain => Counted,
        seq_from: Plain => Counted,
    }
}

crate::record::versioned!(Incident);

impl Deletable for Incident {
    const ENTRIES: Entries =
        Entries { deleted: "incident.deleted", restored: "incident.restored", purged: "incident.purged" };
    const PARTS: &'static [(&'static str, &'static str)] = &[];

    fn subject(number: i64) -> Subject {
        subject(IncidentNumber(number))
    }
}

/// The subject of an incident's entries.
fn subject(number: IncidentNumber) -> Subject {
    Subject::new("incident", number.to_string())
}
