//! Tasks of incidents and risks. The entries of the record tell of them: they are parts of it.

mod list;
mod many;
mod read;
mod row;
mod rows;
mod whole;
mod write;

pub(crate) use list::first_due;
pub use list::{TaskFilter, TaskQuery, TaskSort, count, list};
pub(crate) use many::{create_all, titles};
pub(crate) use read::with_open_mandatory;
pub use read::{TaskDetails, count_of, get, list_of, progress_of};
pub(crate) use row::{TaskKey, TaskRow};
pub use write::{create, delete, patch_faults, restore, step, update};

use domain::task::Task;

crate::ledger::record::columns! {
    Task {
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
