//! The tables of tasks: one for each kind of record that has them, which differ only in how they name it.

use std::sync::LazyLock;

use db::Value;
use domain::incident::Viewer;
use domain::task::{Task, TaskOf};
use domain::{IncidentNumber, RecordNumber, RiskNumber};
use jiff::Timestamp;

use crate::ledger::journal::Subject;
use crate::ledger::list::Filter;
use crate::ledger::part::Part;
use crate::ledger::record::{Columns, Field, Owner, Plain, Reader, Record, Role, Statements};
use crate::ledger::verify::recorded::Made;
use crate::{incidents, risks};

/// The kinds of entries about tasks.
pub(crate) struct Kinds {
    pub(crate) created: &'static str,
    pub(crate) updated: &'static str,
    pub(crate) deleted: &'static str,
    pub(crate) restored: &'static str,
}

/// What names a record that has tasks.
pub(crate) trait TaskKey: RecordNumber {
    /// The table of the tasks.
    const TABLE: &'static str;
    /// Its column that names the record; the table of these records is called the same.
    const COLUMN: &'static str;
    /// The kinds of entries about them.
    const KINDS: Kinds;

    /// The record, of whichever kind.
    fn whole(self) -> TaskOf;

    /// The subject of the record's entries.
    fn subject(self) -> Subject;

    /// The condition that the caller sees the record, and that it is not deleted.
    fn seen(viewer: &Viewer) -> Filter<'_>;

    /// Whether the caller lists such tasks.
    fn is_listed_by(viewer: &Viewer) -> bool;

    /// The statements on the table.
    fn statements() -> &'static Statements;
}

impl TaskKey for IncidentNumber {
    const TABLE: &'static str = "incident_task";
    const COLUMN: &'static str = "incident";
    const KINDS: Kinds = Kinds {
        created: "incident.task_created",
        updated: "incident.task_updated",
        deleted: "incident.task_deleted",
        restored: "incident.task_restored",
    };

    fn whole(self) -> TaskOf {
        TaskOf::Incident(self)
    }

    fn subject(self) -> Subject {
        incidents::subject(self)
    }

    fn seen(viewer: &Viewer) -> Filter<'_> {
        Filter::OfSeenIncident(viewer)
    }

    fn is_listed_by(viewer: &Viewer) -> bool {
        viewer.lists_incidents()
    }

    fn statements() -> &'static Statements {
        static STATEMENTS: LazyLock<Statements> = LazyLock::new(Statements::of::<TaskRow<IncidentNumber>>);
        &STATEMENTS
    }
}

impl TaskKey for RiskNumber {
    const TABLE: &'static str = "risk_task";
    const COLUMN: &'static str = "risk";
    const KINDS: Kinds = Kinds {
        created: "risk.task_created",
        updated: "risk.task_updated",
        deleted: "risk.task_deleted",
        restored: "risk.task_restored",
    };

    fn whole(self) -> TaskOf {
        TaskOf::Risk(self)
    }

    fn subject(self) -> Subject {
        risks::subject(self)
    }

    fn seen(_: &Viewer) -> Filter<'_> {
        Filter::OfRisk
    }

    fn is_listed_by(viewer: &Viewer) -> bool {
        viewer.sees_risks()
    }

    fn statements() -> &'static Statements {
        static STATEMENTS: LazyLock<Statements> = LazyLock::new(Statements::of::<TaskRow<RiskNumber>>);
        &STATEMENTS
    }
}

/// A task with the record that it belongs to: a row of one of the tables.
pub(crate) struct TaskRow<K> {
    pub(crate) of: K,
    pub(crate) task: Task,
}

impl<K: TaskKey> Columns for TaskRow<K> {
    fn fields() -> Vec<Field> {
        let of = Field { name: K::COLUMN, role: Role::Key, shape: Plain::SHAPE };
        [vec![of], Task::fields()].concat()
    }

    fn values(&self, roles: &[Role]) -> Vec<Value<'_>> {
        let of = roles.contains(&Role::Key).then_some(Value::Integer(self.of.number()));
        of.into_iter().chain(self.task.values(roles)).collect()
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Self> {
        Ok(Self { of: K::of(row.next()?), task: Task::read(row)? })
    }
}

impl<K: TaskKey> Record for TaskRow<K> {
    const TABLE: &'static str = K::TABLE;
    const OWNER: Owner = Owner::Organization;

    fn statements() -> &'static Statements {
        K::statements()
    }
}

impl<K: TaskKey> Part for TaskRow<K> {
    const PREFIX: &'static str = "tasks";
    const WHOLE: &'static str = K::COLUMN;

    fn whole(&self) -> i64 {
        self.of.number()
    }

    fn id(&self) -> String {
        self.task.number.to_string()
    }

    fn entries(&self) -> (i64, i64) {
        (self.task.seq, self.task.seq_from)
    }

    fn made(&self) -> Made {
        Made::by(self.task.created_date, &self.task.created_by)
    }

    fn version(&self) -> Option<(i64, Timestamp)> {
        Some((self.task.version, self.task.updated_date))
    }
}
