//! The numbers of the records on a page of a list, read from an index that has all that the filters and the order need.

use db::{Engine, FromRow, Row, Tx};

use super::order::Range;
use super::{Direction, Filter, Select, SortColumn, Text};
use crate::ledger::error::Result;
use crate::ledger::record::Record;

/// A walk over an index.
pub(crate) struct Scan<'q> {
    /// The index.
    pub(crate) index: &'static str,
    /// Its condition beside that of the view, as it is written there, so that both engines see that the index has every row.
    pub(crate) condition: &'static str,
    /// The columns that the filters need, all of them in the index.
    pub(crate) columns: &'static str,
    /// The columns that orders need beside them.
    pub(crate) sorted_by: &'static str,
    /// The filter on what the index begins with, if that is not the order.
    pub(crate) begins_with: Option<Filter<'q>>,
    /// How many records are looked at, at most; none: all.
    pub(crate) most: Option<i64>,
}

/// What a walk found.
pub(crate) struct Walked {
    /// The numbers of the records, in the order of the list.
    pub(crate) numbers: Vec<i64>,
    /// Whether it is known that no more can be found: there are as many as were asked for, or every record was looked at.
    pub(crate) is_enough: bool,
}

/// An index that records are found in.
pub(crate) struct Index {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its condition beside that of the view.
    pub(crate) condition: &'static str,
}

/// Stands for the part of a list in the row that says how many records were looked at.
const LOOKED_AT: i64 = -1;

impl<'q, R: Record> Select<'q, R> {
    /// The numbers of the first `limit` records, of those that the scan looks at. Of the present only.
    ///
    /// The index is walked in a query of its own, which ends by itself and which the filters do not reach: otherwise the
    /// engines choose another index, and sort what they find.
    pub(crate) async fn numbers(&self, tx: &mut Tx, scan: &Scan<'q>, limit: i64) -> Result<Walked> {
        let mut text = Text::new(self);
        let ranges = self.order.ranges(tx.engine(), &mut text);
        let filters: Vec<String> =
            self.filters.iter().map(|filter| filter.condition_of_each(&mut text)).collect();
        let filters = if filters.is_empty() { "1 = 1".to_owned() } else { filters.join(" AND ") };
        let begins_with = scan.begins_with.as_ref().map(|filter| filter.condition(&mut text));
        let begins_with = begins_with.map(|it| format!(" AND {it}")).unwrap_or_default();
        let conditions = format!("{}{begins_with}", scan.condition);
        let asked = text.limit(limit);
        let walks: Vec<String> = match (scan.most, tx.engine()) {
            // It has to read all of the filter anyway, and then sorts no more than is asked for.
            (None, Engine::Sqlite) => {
                let conditions = format!("{conditions} AND {filters}");
                ranges.iter().map(|range| self.walk(tx.engine(), scan, &conditions, range, &asked)).collect()
            }
            (None, Engine::Postgres) if scan.begins_with.is_some() => {
                ranges.iter().map(|range| self.sorted(scan, &conditions, &filters, range, &asked)).collect()
            }
            (most, _) => {
                let most = most.unwrap_or(i64::MAX).to_string();
                ranges.iter().map(|range| self.walk(tx.engine(), scan, &conditions, range, &most)).collect()
            }
        };
        // What follows a walk that did not come to its end is not next in the order.
        let after = walks
            .first()
            .zip(scan.most)
            .map(|(walk, most)| format!(" AND (SELECT count(*) FROM ({walk}) AS before) < {most}"));
        let after = after.unwrap_or_default();
        let part = |(part, walk): (i64, &String)| {
            let after = if part > 0 { after.as_str() } else { "" };
            format!(
                "SELECT CAST({part} AS BIGINT) AS part, r.number FROM ({walk}) AS r WHERE {filters}{after}"
            )
        };
        let mut parts: Vec<String> = (0..).zip(&walks).map(part).collect();
        if scan.most.is_some() {
            parts.push(if self.order.is_first_page() { last_of(R::TABLE) } else { looked_at(&walks) });
        }
        let sql = format!("{} LIMIT {asked}", parts.join(" UNION ALL "));
        let mut rows: Vec<(i64, i64)> = tx.query(&sql, &text.params()).await?;
        let looked_at = rows.iter().find(|(part, _)| *part == LOOKED_AT).map(|(_, count)| *count);
        rows.retain(|(part, _)| *part != LOOKED_AT);
        rows.sort_by_key(|(part, _)| *part);
        let numbers: Vec<i64> = rows.into_iter().map(|(_, number)| number).collect();
        let is_all = looked_at.is_none_or(|count| scan.most.is_none_or(|most| count < most));
        Ok(Walked { numbers, is_enough: is_all })
    }

    /// These columns of the first `limit` records, without what is joined to records; found in an index if one is named. Of the
    /// present only.
    pub(crate) async fn columns<T: FromRow>(
        self,
        tx: &mut Tx,
        columns: &str,
        index: Option<&Index>,
        limit: i64,
    ) -> Result<Vec<T>> {
        let mut text = Text::new(&self);
        let sql = self.columns_sql(tx.engine(), columns, index, &mut text);
        let limit = text.limit(limit);
        Ok(tx.query(&format!("{sql} LIMIT {limit}"), &text.params()).await?)
    }

    /// The first `limit` numbers, from the least on. Of the present only.
    pub(crate) async fn numbers_from_the_least(self, tx: &mut Tx, limit: i64) -> Result<Vec<i64>> {
        let select = self.sort(SortColumn::key(), "number", Direction::Ascending, None);
        let rows: Vec<(i64,)> = select.columns(tx, "r.number", None, limit).await?;
        Ok(rows.into_iter().map(|(number,)| number).collect())
    }

    /// Gives these columns of each record to `take`; otherwise as [`Select::columns`].
    pub(crate) async fn each(
        self,
        tx: &mut Tx,
        columns: &str,
        index: Option<&Index>,
        take: impl FnMut(&Row<'_>) -> db::Result<()> + Send,
    ) -> Result<()> {
        let mut text = Text::new(&self);
        let sql = self.columns_sql(tx.engine(), columns, index, &mut text);
        Ok(tx.each(&sql, &text.params(), take).await?)
    }

    /// The order must be by what no record lacks: it has one range.
    fn columns_sql(
        &self,
        engine: Engine,
        columns: &str,
        index: Option<&Index>,
        text: &mut Text<'q>,
    ) -> String {
        let (table, conditions) = (R::TABLE, text.conditions(self));
        let range = self.order.ranges(engine, text).into_iter().next();
        let (after, order) = range.map(|range| (range.condition, range.order)).unwrap_or_default();
        let indexed = index.map(|index| indexed_by(engine, index.name)).unwrap_or_default();
        let of_index = index.map(|index| format!(" AND {}", index.condition)).unwrap_or_default();
        format!("SELECT {columns} FROM {table} AS r{indexed} WHERE {conditions}{of_index}{after}{order}")
    }

    fn walk(&self, engine: Engine, scan: &Scan<'q>, conditions: &str, range: &Range, most: &str) -> String {
        let Scan { index, columns, .. } = scan;
        let (table, indexed_by) = (R::TABLE, indexed_by(engine, index));
        let (deleted, Range { condition, order }) = (self.view.deleted.condition(), range);
        format!(
            "SELECT {columns} FROM {table} AS r{indexed_by}
             WHERE r.organization = $1{deleted} AND {conditions}{condition}{order} LIMIT {most}"
        )
    }

    /// The first of all that a filter has, sorted. PostgreSQL chooses the index of the filter as long as neither the order nor
    /// other filters reach the inner query.
    fn sorted(&self, scan: &Scan<'q>, conditions: &str, filters: &str, range: &Range, most: &str) -> String {
        let (table, Scan { columns, sorted_by, .. }) = (R::TABLE, scan);
        let (deleted, Range { condition, order }) = (self.view.deleted.condition(), range);
        format!(
            "SELECT {columns} FROM (SELECT {columns}, {sorted_by} FROM {table} AS r
                 WHERE r.organization = $1{deleted} AND {conditions} OFFSET 0) AS r
             WHERE {filters}{condition}{order} LIMIT {most}"
        )
    }
}

/// How many records the longest of these walks looks at. Both engines work it out only when the rows before it are fewer than
/// were asked for.
fn looked_at(walks: &[String]) -> String {
    let counts: Vec<String> = (0..)
        .zip(walks)
        .map(|(number, walk)| format!("SELECT count(*) AS looked_at FROM ({walk}) AS walk_{number}"))
        .collect();
    format!(
        "SELECT CAST({LOOKED_AT} AS BIGINT), (SELECT MAX(looked_at) FROM ({}) AS walks)",
        counts.join(" UNION ALL ")
    )
}

/// The greatest number there is, which is at least as many as a walk from the beginning looks at, and costs less to know.
fn last_of(table: &str) -> String {
    format!(
        "SELECT CAST({LOOKED_AT} AS BIGINT),
                COALESCE((SELECT MAX(last.number) FROM {table} AS last WHERE last.organization = $1), 0)"
    )
}

/// Names the index for SQLite. PostgreSQL, which knows the distribution of the values, finds it by itself.
fn indexed_by(engine: Engine, index: &str) -> String {
    match engine {
        Engine::Sqlite => format!(" INDEXED BY {index}"),
        Engine::Postgres => String::new(),
    }
}
