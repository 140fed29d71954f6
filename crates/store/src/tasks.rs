//! Tasks of incidents. The entries of the incident tell of them: they are parts of it.

mod list;
mod read;
mod write;

pub(crate) use list::first_due;
pub use list::{TaskFilter, TaskQuery, TaskSort, count, list};
pub(crate) use read::with_open_mandatory;
pub use read::{TaskDetails, count_of_incident, get, list_of_incident};
pub use write::{create, delete, patch_faults, restore, step, update};

use domain::task::Task;

use crate::ledger::part::part;

crate::ledger::record::record! {
    Task in "incident_task" {
        incident: Plain => Key,
        number: Plain => Key,
        title: Plain => Journaled,
        notes: Plain => Journaled,
        owner: APerson => Journaled,
        due: Plain => Journaled,
        mandatory: Plain => Journaled,
        status: AWord => Journaled,
        reason: Plain => Journaled,
        position: Plain => Journaled,
        created_by: AnActor => Fixed,
        created_date: Plain => Fixed,
        done_date: Plain => Journaled,
        updated_date: Plain => Counted,
        deleted_date: Plain => Journaled,
        version: Plain => Counted,
        seq_from: Plain => Fixed,
        seq: Plain => Counted,
    }
}

part! {
    Task as "tasks" |it| {
        id: it.number,
        entries: (it.seq, it.seq_from),
        made: (it.created_date, &it.created_by),
        version: (it.version, it.updated_date),
    }
}
