//! Lists of records: filters, order, cursor, current or past state, and total count.

mod filter;
mod seen;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use db::{FromRow, Param, Tx, Value};
use domain::OrgId;

pub use filter::{Filter, Match, TagLink};

use crate::error::Result;
use crate::page::Page;
use crate::record::{Owner, Record};
use crate::view::{Deleted, View};

/// The direction of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The least first.
    Ascending,
    /// The greatest first.
    Descending,
}

impl Direction {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Ascending => ("ASC", ">"),
            Self::Descending => ("DESC", "<"),
        }
    }
}

/// A query for records of one kind. Rows are called `r`; the organization is `$1`, unless the table is the instance's.
pub(crate) struct Select<'q, R> {
    organization: uuid::Uuid,
    view: View,
    filters: Vec<Filter<'q>>,
    columns: Vec<&'static str>,
    direction: Direction,
    after: Vec<Value<'q>>,
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
            columns: Vec::new(),
            direction: Direction::Ascending,
            after: Vec::new(),
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

    /// In the order of these columns, which end with the key; with a cursor only those after the row with these values.
    pub(crate) fn order(
        mut self,
        columns: &[&'static str],
        direction: Direction,
        after: impl IntoIterator<Item = Value<'q>>,
    ) -> Self {
        (self.columns, self.direction) = (columns.to_vec(), direction);
        self.after = after.into_iter().collect();
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

    async fn rows<T: FromRow>(self, tx: &mut Tx, limit: i64) -> Result<Vec<T>> {
        let mut text = Text::new(&self);
        let conditions = text.page_conditions(&self);
        let limit = text.add(Value::Integer(limit));
        let seq = text.seq.clone();
        let (statements, table) = (R::statements(), R::TABLE);
        let (columns, more_columns, joins) = (&statements.columns, self.more_columns, &statements.joins);
        let more_joins = self.more_joins.map(|joins| joins(seq.as_deref())).unwrap_or_default();
        let order = self.order_by();
        let sql = match seq {
            None => format!(
                "SELECT {columns}{more_columns} FROM {table} AS r{joins}{more_joins}
                 WHERE {conditions}{order} LIMIT {limit}"
            ),
            Some(seq) => {
                // Rows are chosen before they are joined. Each part ends by itself: otherwise PostgreSQL reads and sorts
                // the whole register for one page. Rows that are younger than the entry are passed over: 0.3 s for a
                // page when 700,000 of a million are.
                let stored = &statements.stored;
                format!(
                    "SELECT {columns}{more_columns} FROM (
                         SELECT * FROM (SELECT {stored} FROM {table} AS r
                             WHERE {conditions} AND r.seq_from <= {seq}{order} LIMIT {limit}) AS present
                         UNION ALL
                         SELECT * FROM (SELECT {stored} FROM {table}_history AS r
                             WHERE {conditions} AND r.seq_from <= {seq} AND r.seq_to > {seq}{order} LIMIT {limit})
                             AS past
                     ) AS r{joins}{more_joins}{order} LIMIT {limit}"
                )
            }
        };
        Ok(tx.query(&sql, &text.params()).await?)
    }

    fn order_by(&self) -> String {
        let (word, _) = self.direction.words();
        let columns: Vec<String> = self.columns.iter().map(|column| format!("r.{column} {word}")).collect();
        if columns.is_empty() { String::new() } else { format!(" ORDER BY {}", columns.join(", ")) }
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

    /// Adds a value and returns its placeholder, such as `$2`.
    pub(crate) fn add(&mut self, value: Value<'q>) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
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

    fn page_conditions<R: Record>(&mut self, select: &Select<'q, R>) -> String {
        let mut sql = self.conditions(select);
        if !select.after.is_empty() {
            let (_, follows) = select.direction.words();
            let columns: Vec<String> = select.columns.iter().map(|column| format!("r.{column}")).collect();
            let places: Vec<String> = select.after.iter().map(|value| self.add(value.clone())).collect();
            sql.push_str(&match (columns.as_slice(), places.as_slice()) {
                ([column], [place]) => format!(" AND {column} {follows} {place}"),
                _ => format!(" AND ({}) {follows} ({})", columns.join(", "), places.join(", ")),
            });
        }
        sql
    }

    fn params(&self) -> Vec<&dyn Param> {
        self.values.iter().map(|value| value as &dyn Param).collect()
    }
}
