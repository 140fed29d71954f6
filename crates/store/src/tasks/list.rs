//! Tasks across the incidents that a caller sees.

use db::{FromRow, Row, Tx};
use domain::incident::Viewer;
use domain::task::{Task, TaskStatus};
use domain::{Line, OrgId, UserId};
use macros::boxed;

use super::read::TaskDetails;
use crate::ledger::error::Result;
use crate::ledger::list::{
    Direction, Filter, ListQuery, Position, Select, Sort, SortColumn, SortValue, TimeRange,
};
use crate::ledger::page::Page;
use crate::ledger::record::{Columns as _, Reader};
use crate::ledger::view::View;

/// What a caller asks of the list of tasks.
pub type TaskQuery = ListQuery<TaskFilter, TaskSort>;

/// Which tasks a list has. What is empty lets every task through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Tasks of one of these owners; `None` is a task without an owner.
    pub owner: Vec<Option<UserId>>,
    /// Tasks with one of these statuses.
    pub status: Vec<TaskStatus>,
    /// Of those, tasks with one of these statuses.
    pub due_status: Vec<TaskStatus>,
    /// Tasks that are due at this time.
    pub due: TimeRange,
}

domain::words! {
    "TaskSort"
    /// What tasks can be sorted by.
    pub enum TaskSort {
        /// When the task is due; a task that has no such date comes last.
        Due = "due",
        /// When the task was made.
        CreatedDate = "created_date",
    }
}

/// What is due first comes first.
impl Default for Sort<TaskSort> {
    fn default() -> Self {
        Self { by: TaskSort::Due, direction: Direction::Ascending }
    }
}

/// The key of a task in the organization: the entry that made it. Tasks count per incident.
const KEY: &str = "seq_from";

impl TaskFilter {
    fn filters(&self) -> impl Iterator<Item = Filter<'_>> {
        let filters = [
            Filter::people("owner", &self.owner),
            Filter::words("status", &self.status),
            Filter::words("status", &self.due_status),
            Filter::times("due", self.due),
        ];
        filters.into_iter().flatten()
    }
}

impl TaskSort {
    fn column(self) -> SortColumn {
        match self {
            Self::Due => SortColumn::nullable("due"),
            Self::CreatedDate => SortColumn::column(self.as_str()),
        }
    }

    /// Where a task stands in this order.
    pub fn position(self, task: &Task) -> Position {
        let value: Option<SortValue> = match self {
            Self::Due => task.due.map(SortValue::from),
            Self::CreatedDate => Some(task.created_date.into()),
        };
        Position::of(value, task.seq_from)
    }
}

/// Up to `limit` tasks of a list.
#[boxed]
pub async fn list(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &TaskQuery,
    limit: i64,
) -> Result<Page<TaskDetails>> {
    let ListQuery { filter, sort, after, .. } = query;
    let select = sorted(seen(organization, viewer, filter), *sort, after.as_ref());
    Ok(select.page(tx, limit).await?.map(|TaskRow(details)| details))
}

/// The first of these tasks: what is due first comes first.
pub(crate) async fn first_due(tx: &mut Tx, select: Select<'_, Task>, limit: i64) -> Result<Vec<TaskDetails>> {
    let rows: Vec<TaskRow> = sorted(select, Sort::default(), None).first(tx, limit).await?;
    Ok(rows.into_iter().map(|TaskRow(details)| details).collect())
}

fn sorted<'q>(select: Select<'q, Task>, sort: Sort<TaskSort>, after: Option<&Position>) -> Select<'q, Task> {
    let select = select.with(", incident.title", |_| {
        " JOIN incident ON incident.organization = r.organization AND incident.number = r.incident".to_owned()
    });
    select.sort(sort.by.column(), KEY, sort.direction, after)
}

/// How many tasks a list has on all its pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, viewer: &Viewer, filter: &TaskFilter) -> Result<i64> {
    seen(organization, viewer, filter).count(tx).await
}

/// The tasks of the incidents that the caller sees and that are not deleted.
fn seen<'q>(organization: OrgId, viewer: &'q Viewer, filter: &'q TaskFilter) -> Select<'q, Task> {
    Select::of(organization, View::now()).filter(Filter::OfSeenIncident(viewer)).filters(filter.filters())
}

/// A task with the title of its incident.
struct TaskRow(TaskDetails);

impl FromRow for TaskRow {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let task = Task::read(&mut row)?;
        Ok(Self(TaskDetails { task, incident_title: Line::stored(row.next::<String>()?) }))
    }
}
