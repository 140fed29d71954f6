//! Tasks of incidents. The entries of the incident tell of them: they are parts of it.

mod list;
mod read;
mod write;

pub(crate) use list::first_due;
pub use list::{TaskFilter, TaskQuery, TaskSort, count, list};
pub(crate) use read::with_open_mandatory;
pub use read::{TaskDetails, count_of_incident, get, list_of_incident};
pub use write::{create, delete, patch_faults, update};

use domain::task::Task;
use jiff::Timestamp;

use crate::part::Part;
use crate::verify::recorded::Made;

crate::record::record! {
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

impl Part for Task {
    const PREFIX: &'static str = "tasks";
    const WHOLE: &'static str = "incident";

    fn whole(&self) -> i64 {
        self.incident.number()
    }

    fn id(&self) -> String {
        self.number.to_string()
    }

    fn entries(&self) -> (i64, i64) {
        (self.seq, self.seq_from)
    }

    fn made(&self) -> Made {
        Made::by(self.created_date, &self.created_by)
    }

    fn version(&self) -> Option<(i64, Timestamp)> {
        Some((self.version, self.updated_date))
    }
}
