//! Tasks across the incidents and risks that a caller sees.

use std::cmp::Ordering;

use db::{FromRow, Row, Tx};
use domain::incident::Viewer;
use domain::task::{Task, TaskStatus};
use domain::{IncidentNumber, Line, OrgId, RiskNumber, UserId};
use jiff::Timestamp;
use macros::boxed;

use super::read::TaskDetails;
use super::row::{TaskKey, TaskRow};
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

/// The key of a task in the organization: the entry that made it. Tasks count per record.
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

    fn value(self, task: &Task) -> Option<Timestamp> {
        match self {
            Self::Due => task.due,
            Self::CreatedDate => Some(task.created_date),
        }
    }

    /// Where a task stands in this order.
    pub fn position(self, task: &Task) -> Position {
        Position::of(self.value(task).map(SortValue::from), task.seq_from)
    }
}

impl Sort<TaskSort> {
    /// The order of two tasks in a list: as the database has it.
    fn compare(self, a: &Task, b: &Task) -> Ordering {
        let [a, b] = [a, b].map(|task| (self.by.value(task), task.seq_from));
        let order = match self.direction {
            Direction::Ascending => a.cmp(&b),
            Direction::Descending => b.cmp(&a),
        };
        a.0.is_none().cmp(&b.0.is_none()).then(order)
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
    // Each table has the first rows of the list that are in it.
    let mut rows = first::<IncidentNumber>(tx, organization, viewer, query, limit + 1).await?;
    rows.extend(first::<RiskNumber>(tx, organization, viewer, query, limit + 1).await?);
    rows.sort_by(|a, b| query.sort.compare(&a.task, &b.task));
    Ok(Page::cut(rows, limit))
}

async fn first<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    query: &TaskQuery,
    limit: i64,
) -> Result<Vec<TaskDetails>> {
    if !K::is_listed_by(viewer) {
        return Ok(Vec::new());
    }
    let ListQuery { filter, sort, after, .. } = query;
    rows(tx, sorted(seen::<K>(organization, viewer, filter), *sort, after.as_ref()), limit).await
}

/// The first of these tasks: what is due first comes first.
pub(crate) async fn first_due<K: TaskKey>(
    tx: &mut Tx,
    select: Select<'_, TaskRow<K>>,
    limit: i64,
) -> Result<Vec<TaskDetails>> {
    rows(tx, sorted(select, Sort::default(), None), limit).await
}

async fn rows<K: TaskKey>(
    tx: &mut Tx,
    select: Select<'_, TaskRow<K>>,
    limit: i64,
) -> Result<Vec<TaskDetails>> {
    let rows: Vec<Titled<K>> = select.first(tx, limit).await?;
    let details =
        |Titled { row, title }: Titled<K>| TaskDetails { of: row.of.whole(), title, task: row.task };
    Ok(rows.into_iter().map(details).collect())
}

fn sorted<'q, K: TaskKey>(
    select: Select<'q, TaskRow<K>>,
    sort: Sort<TaskSort>,
    after: Option<&Position>,
) -> Select<'q, TaskRow<K>> {
    let joins = |_: Option<&str>| {
        let record = K::COLUMN;
        format!(
            " JOIN {record} AS named ON named.organization = r.organization AND named.number = r.{record}"
        )
    };
    select.with(", named.title", joins).sort(sort.by.column(), KEY, sort.direction, after)
}

/// How many tasks a list has on all its pages.
#[boxed]
pub async fn count(tx: &mut Tx, organization: OrgId, viewer: &Viewer, filter: &TaskFilter) -> Result<i64> {
    let of_incidents = count_of::<IncidentNumber>(tx, organization, viewer, filter).await?;
    Ok(of_incidents + count_of::<RiskNumber>(tx, organization, viewer, filter).await?)
}

async fn count_of<K: TaskKey>(
    tx: &mut Tx,
    organization: OrgId,
    viewer: &Viewer,
    filter: &TaskFilter,
) -> Result<i64> {
    if K::is_listed_by(viewer) { seen::<K>(organization, viewer, filter).count(tx).await } else { Ok(0) }
}

/// The tasks of the records that the caller sees and that are not deleted.
fn seen<'q, K: TaskKey>(
    organization: OrgId,
    viewer: &'q Viewer,
    filter: &'q TaskFilter,
) -> Select<'q, TaskRow<K>> {
    Select::of(organization, View::now()).filter(K::seen(viewer)).filters(filter.filters())
}

/// A task with the title of its record.
struct Titled<K> {
    row: TaskRow<K>,
    title: Line,
}

impl<K: TaskKey> FromRow for Titled<K> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        Ok(Self { row: TaskRow::read(&mut row)?, title: Line::stored(row.next::<String>()?) })
    }
}
