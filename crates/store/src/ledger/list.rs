//! Lists of records: filters, order, cursor, current or past state, and total count.

mod figure;
mod filter;
mod order;
mod scan;
mod seen;
mod sort;
mod tag_count;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use db::{FromRow, Param, Tx, Value};
use domain::OrgId;

pub use figure::FigureFilter;
pub use filter::{Filter, Links, Match, TagFilter, TagLink, TimeRange};
pub(crate) use filter::{REVIEWED, TAGGED};
use order::{Order, Range};
pub(crate) use scan::{Index, Scan};
pub(crate) use seen::{of_risk, seen};
pub(crate) use sort::SortColumn;
pub use sort::{Direction, Position, Sort, SortValue};
pub(crate) use tag_count::TagCount;

use crate::ledger::error::Result;
use crate::ledger::page::Page;
use crate::ledger::record::{Owner, Record};
use crate::ledger::view::{Deleted, View};

/// How many records are usually read at once, one more than a page has: of a list if nothing else is asked for, of an export; and
/// all.
const USUAL_LIMITS: [i64; 3] = [51, 501, i64::MAX];

/// The parameter with the number of the journal entry, in a list of records of an organization in the past.
pub(crate) const SEQ: &str = "$2";

/// What a caller asks of a list that has filters `F` and can be sorted by `S`.
#[derive(Debug, Clone)]
pub struct ListQuery<F, S> {
    /// The state of the register.
    pub view: View,
    /// Which records.
    pub filter: F,
    /// In which order.
    pub sort: Sort<S>,
    /// Only those after this position in the order.
    pub after: Option<Position>,
}

impl<F: Default, S> ListQuery<F, S>
where
    Sort<S>: Default,
{
    /// The list of all records that the view sees, in its usual order.
    pub fn of(view: View) -> Self {
        Self { view, filter: F::default(), sort: Sort::default(), after: None }
    }
}

/// A query for records of one kind. Rows are called `r`; the organization is `$1`, unless the table is the instance's.
pub(crate) struct Select<'q, R> {
    organization: uuid::Uuid,
    view: View,
    filters: Vec<Filter<'q>>,
    order: Order<'q>,
    more_columns: &'static str,
    more_joins: Option<fn(Option<&str>) -> String>,
    of: PhantomData<R>,
}

impl<'q, R: Record> Select<'q, R> {
    /// Every record of the organization, or of the instance, that the view sees.
    pub(crate) fn of(organization: OrgId, view: View) -> Self {
        Self {
            organization: organization.uuid(),
            view,
            filters: Vec::new(),
            order: Order::default(),
            more_columns: "",
            more_joins: None,
            of: PhantomData,
        }
    }

    /// Only those that the filter lets through.
    pub(crate) fn filter(mut self, filter: Filter<'q>) -> Self {
        self.filters.push(filter);
        self
    }

    /// Only those that all these filters let through.
    pub(crate) fn filters(mut self, filters: impl IntoIterator<Item = Filter<'q>>) -> Self {
        self.filters.extend(filters);
        self
    }

    /// In the order of these columns, which end with the key; with a cursor only those after the row with these values.
    pub(crate) fn order(
        mut self,
        columns: &[&'static str],
        direction: Direction,
        after: impl IntoIterator<Item = Value<'q>>,
    ) -> Self {
        self.order = Order::of_columns(columns, direction, after.into_iter().collect());
        self
    }

    /// In the order that a caller chose, of records whose key is the column `key`; with a position only those after it.
    pub(crate) fn sort(
        mut self,
        column: SortColumn,
        key: &'static str,
        direction: Direction,
        after: Option<&Position>,
    ) -> Self {
        self.order = Order::of_choice(column, key, direction, after);
        self
    }

    /// With further columns after those of the record, from further tables; the joins get the parameter with the number
    /// of the journal entry if the view is of the past.
    pub(crate) fn with(mut self, columns: &'static str, joins: fn(Option<&str>) -> String) -> Self {
        (self.more_columns, self.more_joins) = (columns, Some(joins));
        self
    }

    /// The one record.
    pub(crate) async fn one<T: FromRow>(self, tx: &mut Tx) -> Result<Option<T>> {
        Ok(self.rows(tx, 1).await?.pop())
    }

    /// Every record, where their number has a bound.
    pub(crate) async fn all<T: FromRow>(self, tx: &mut Tx) -> Result<Vec<T>> {
        self.rows(tx, i64::MAX).await
    }

    /// The first `limit` records.
    pub(crate) async fn first<T: FromRow>(self, tx: &mut Tx, limit: i64) -> Result<Vec<T>> {
        self.rows(tx, limit).await
    }

    /// The first `limit` records, and whether more follow.
    pub(crate) async fn page<T: FromRow>(self, tx: &mut Tx, limit: i64) -> Result<Page<T>> {
        Ok(Page::cut(self.rows(tx, limit + 1).await?, limit))
    }

    /// How many records there are on all pages.
    pub(crate) async fn count(self, tx: &mut Tx) -> Result<i64> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let table = R::TABLE;
        let sql = match &text.seq {
            // Both counts are read from an index alone; a condition on `deleted_date` would read every row: four times
            // the work among a million.
            None if self.filters.is_empty() && self.view.deleted == Deleted::Without => format!(
                "SELECT (SELECT count(*) FROM {table} AS r WHERE r.organization = $1)
                      - (SELECT count(*) FROM {table} AS r WHERE r.organization = $1{deleted})",
                deleted = Deleted::Only.condition()
            ),
            None => format!("SELECT count(*) FROM {table} AS r WHERE {conditions}"),
            Some(seq) => format!(
                "SELECT (SELECT count(*) FROM {table} AS r WHERE {conditions} AND r.seq_from <= {seq})
                      + (SELECT count(*) FROM {table}_history AS r
                         WHERE {conditions} AND r.seq_from <= {seq} AND r.seq_to > {seq})"
            ),
        };
        let (count,) = tx.query_one(&sql, &text.params()).await?;
        Ok(count)
    }

    /// What all these records together give for columns such as `count(*)`, over the records `r` and what is joined to them. The
    /// columns get the parameters with these values.
    pub(crate) async fn aggregate<T: FromRow, const N: usize>(
        self,
        tx: &mut Tx,
        values: [Value<'q>; N],
        columns: impl FnOnce([String; N]) -> String,
    ) -> Result<T> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let columns = columns(values.map(|value| text.add(value)));
        let (table, stored, joins) = (R::TABLE, &R::statements().stored, self.more_joins(text.seq()));
        let sql = match text.seq() {
            None => format!("SELECT {columns} FROM {table} AS r{joins} WHERE {conditions}"),
            Some(seq) => format!(
                "SELECT {columns} FROM (
                     SELECT {stored} FROM {table} AS r WHERE {conditions} AND r.seq_from <= {seq}
                     UNION ALL
                     SELECT {stored} FROM {table}_history AS r
                     WHERE {conditions} AND r.seq_from <= {seq} AND r.seq_to > {seq}
                 ) AS r{joins}"
            ),
        };
        Ok(tx.query_one(&sql, &text.params()).await?)
    }

    /// How many records have each value of a column: the most frequent values first, up to `limit`. Of the present only.
    pub(crate) async fn counts<V>(
        self,
        tx: &mut Tx,
        column: &'static str,
        limit: i64,
    ) -> Result<Vec<(Option<V>, i64)>>
    where
        (Option<V>, i64): FromRow,
    {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let limit = text.add(Value::Integer(limit));
        let table = R::TABLE;
        let sql = format!(
            "SELECT r.{column}, count(*) AS counted FROM {table} AS r WHERE {conditions}
             GROUP BY r.{column} ORDER BY counted DESC, r.{column} LIMIT {limit}"
        );
        Ok(tx.query(&sql, &text.params()).await?)
    }

    /// How many records have each value of an expression over the row `r`: the most frequent values first, up to `limit`. Of the
    /// present only.
    pub(crate) async fn counts_of(
        self,
        tx: &mut Tx,
        expression: &str,
        limit: i64,
    ) -> Result<Vec<(Option<i64>, i64)>> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let limit = text.add(Value::Integer(limit));
        let sql = format!(
            "SELECT found.value, count(*) AS counted
             FROM (SELECT {expression} AS value FROM {} AS r WHERE {conditions}) AS found
             GROUP BY found.value ORDER BY counted DESC, found.value LIMIT {limit}",
            R::TABLE
        );
        Ok(tx.query(&sql, &text.params()).await?)
    }

    /// How many records have each value of an expression over the row `r`, by value, with two columns of up to `named` of them,
    /// which go by the first column, the greatest first.
    pub(crate) async fn counts_with(
        self,
        tx: &mut Tx,
        expression: &str,
        [key, name]: [&'static str; 2],
        named: i64,
    ) -> Result<Vec<(Option<i64>, i64, i64, String)>> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let table = R::TABLE;
        let part = |table: &str, at: &str| {
            format!(
                "SELECT {expression} AS value, r.{key} AS found_key, r.{name} AS found_name
                 FROM {table} AS r WHERE {conditions}{at}"
            )
        };
        let parts = match text.seq() {
            None => part(table, ""),
            Some(seq) => {
                let at = format!(" AND r.seq_from <= {seq}");
                let ended = format!("{at} AND r.seq_to > {seq}");
                format!("{} UNION ALL {}", part(table, &at), part(&format!("{table}_history"), &ended))
            }
        };
        let named = text.add(Value::Integer(named));
        let sql = format!(
            "SELECT value, counted, found_key, found_name FROM
                (SELECT value, found_key, found_name, count(*) OVER (PARTITION BY value) AS counted,
                    row_number() OVER (PARTITION BY value ORDER BY found_key DESC) AS place
                 FROM ({parts}) AS found) AS placed
             WHERE place <= {named} ORDER BY value, place"
        );
        Ok(tx.query(&sql, &text.params()).await?)
    }

    /// How many records have each tag: its id, its name and the count, the most frequent tags first, up to `limit`. Of the
    /// present only.
    pub(crate) async fn tag_counts(self, tx: &mut Tx, link: TagLink, limit: i64) -> Result<Vec<TagCount>> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let limit = text.add(Value::Integer(limit));
        let (table, TagLink { table: links, record, key }) = (R::TABLE, link);
        // CROSS JOIN, because SQLite keeps its order: the records may be few, and the links are many.
        let sql = format!(
            "SELECT tag.id, tag.name, found.counted FROM (
                 SELECT link.tag, count(*) AS counted FROM {table} AS r CROSS JOIN {links} AS link
                 WHERE link.organization = $1 AND link.{record} = r.{key} AND link.seq_to IS NULL AND {conditions}
                 GROUP BY link.tag ORDER BY counted DESC, link.tag LIMIT {limit}
             ) AS found
             JOIN tag ON tag.organization = $1 AND tag.id = found.tag
             ORDER BY found.counted DESC, tag.name_folded"
        );
        Ok(tx.query(&sql, &text.params()).await?)
    }

    async fn rows<T: FromRow>(self, tx: &mut Tx, limit: i64) -> Result<Vec<T>> {
        let mut text = Text::new(&self);
        let conditions = text.conditions(&self);
        let ranges = self.order.ranges(tx.engine(), &mut text);
        let limit = text.limit(limit);
        let sql = match (text.seq(), ranges.as_slice()) {
            (None, [range]) => self.rows_of_one_range(&conditions, range, &limit),
            _ => self.rows_of_ranges(&conditions, &ranges, text.seq(), &limit),
        };
        Ok(tx.query(&sql, &text.params()).await?)
    }

    fn rows_of_one_range(&self, conditions: &str, range: &Range, limit: &str) -> String {
        let (statements, table, more_columns) = (R::statements(), R::TABLE, self.more_columns);
        let (columns, joins, more_joins) = (&statements.columns, &statements.joins, self.more_joins(None));
        let Range { condition, order } = range;
        format!(
            "SELECT {columns}{more_columns} FROM {table} AS r{joins}{more_joins}
             WHERE {conditions}{condition}{order} LIMIT {limit}"
        )
    }

    /// Rows are chosen before they are joined, and each part ends by itself: otherwise PostgreSQL reads and sorts the
    /// whole register for one page. Rows that are younger than the entry `seq` are passed over: 0.3 s for a page when
    /// 700,000 of a million are.
    fn rows_of_ranges(&self, conditions: &str, ranges: &[Range], seq: Option<&str>, limit: &str) -> String {
        let (statements, table, more_columns) = (R::statements(), R::TABLE, self.more_columns);
        let (columns, joins, more_joins) = (&statements.columns, &statements.joins, self.more_joins(seq));
        let tables = match seq {
            None => vec![(table.to_owned(), String::new())],
            Some(seq) => vec![
                (table.to_owned(), format!(" AND r.seq_from <= {seq}")),
                (format!("{table}_history"), format!(" AND r.seq_from <= {seq} AND r.seq_to > {seq}")),
            ],
        };
        let chosen = format!("{}{}", statements.stored, self.order.sorted_by());
        let needed = if self.order.needs_joins() { more_joins.as_str() } else { "" };
        let parts: Vec<String> = tables
            .iter()
            .flat_map(|(table, at)| {
                ranges.iter().map(move |Range { condition, order }| {
                    (table, format!("{conditions}{condition}{at}{order}"))
                })
            })
            .enumerate()
            .map(|(number, (table, conditions))| {
                format!(
                    "SELECT * FROM (SELECT {chosen} FROM {table} AS r{needed}
                         WHERE {conditions} LIMIT {limit}) AS part_{number}"
                )
            })
            .collect();
        format!(
            "SELECT {columns}{more_columns} FROM ({}) AS r{joins}{more_joins}{} LIMIT {limit}",
            parts.join(" UNION ALL "),
            self.order.by_of_chosen()
        )
    }

    fn more_joins(&self, seq: Option<&str>) -> String {
        self.more_joins.map(|joins| joins(seq)).unwrap_or_default()
    }
}

/// The parameters of a statement as its text is written.
pub(crate) struct Text<'q> {
    values: Vec<Value<'q>>,
    /// The parameter with the number of the journal entry, in a view of the past.
    seq: Option<String>,
}

impl<'q> Text<'q> {
    fn new<R: Record>(select: &Select<'q, R>) -> Self {
        let organization = (R::OWNER == Owner::Organization).then_some(Value::Uuid(select.organization));
        let mut text = Self { values: organization.into_iter().collect(), seq: None };
        text.seq = select.view.as_of_seq.map(|seq| text.add(Value::Integer(seq)));
        text
    }

    /// A statement on the records of an organization, as they are now.
    pub(crate) fn of(organization: OrgId) -> Self {
        Self { values: vec![Value::Uuid(organization.uuid())], seq: None }
    }

    /// Adds a value and returns its placeholder, such as `$2`.
    pub(crate) fn add(&mut self, value: Value<'q>) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    /// What follows LIMIT: a parameter, or a usual number itself. PostgreSQL knows how many rows of a usual number are read, and
    /// then makes one plan for all values of the other parameters; more numbers would be too many statements.
    pub(crate) fn limit(&mut self, limit: i64) -> String {
        if USUAL_LIMITS.contains(&limit) { limit.to_string() } else { self.add(limit.into()) }
    }

    /// The parameter with the number of the journal entry, in a view of the past.
    pub(crate) fn seq(&self) -> Option<&str> {
        self.seq.as_deref()
    }

    fn conditions<R: Record>(&mut self, select: &Select<'q, R>) -> String {
        let mut sql = match R::OWNER {
            Owner::Organization => "r.organization = $1".to_owned(),
            Owner::Instance => "1 = 1".to_owned(),
        };
        for filter in &select.filters {
            sql.push_str(" AND ");
            sql.push_str(&filter.condition(self));
        }
        sql.push_str(select.view.deleted.condition());
        sql
    }

    /// The values, in the order of their placeholders.
    pub(crate) fn params(&self) -> Vec<&dyn Param> {
        self.values.iter().map(|value| value as &dyn Param).collect()
    }
}
