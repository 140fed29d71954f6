//! The numbers of the records on a page of a list, read from an index that has all that the filters and the order need.

use db::{Engine, Tx};

use super::order::Range;
use super::{Filter, Select, Text};
use crate::error::Result;
use crate::record::Record;

/// A walk over an index.
pub(crate) struct Scan<'q> {
    /// The index.
    pub(crate) index: &'static str,
    /// Its condition beside that of the view, as it is written there, so that both engines see that the index has every row.
    pub(crate) condition: &'static str,
    /// The columns that the filters need, all of them in the index.
    pub(crate) columns: &'static str,
    /// The filter on what the index begins with, if that is not the order.
    pub(crate) begins_with: Option<Filter<'q>>,
    /// How many records are looked at, at most.
    pub(crate) most: i64,
}

impl<'q, R: Record> Select<'q, R> {
    /// The numbers of the first `limit` records, of those that the scan looks at. Of the present only.
    ///
    /// The index is walked in a query of its own, which ends by itself and which the filters do not reach: otherwise the
    /// engines choose another index, and sort what they find.
    pub(crate) async fn numbers(&self, tx: &mut Tx, scan: &Scan<'q>, limit: i64) -> Result<Vec<i64>> {
        let mut text = Text::new(self);
        let ranges = self.order.ranges(&mut text);
        let filters: Vec<String> = self.filters.iter().map(|filter| filter.condition(&mut text)).collect();
        let filters = if filters.is_empty() { "1 = 1".to_owned() } else { filters.join(" AND ") };
        let begins_with = scan.begins_with.as_ref().map(|filter| filter.condition(&mut text));
        let conditions =
            format!("{}{}", scan.condition, begins_with.map(|it| format!(" AND {it}")).unwrap_or_default());
        let (most, limit) = (text.add(scan.most.into()), text.add(limit.into()));
        let parts: Vec<String> = (0..)
            .zip(ranges)
            .map(|(part, range)| {
                let walk = self.walk(tx.engine(), scan, &conditions, &range, &most);
                format!("SELECT CAST({part} AS BIGINT) AS part, r.number FROM ({walk}) AS r WHERE {filters}")
            })
            .collect();
        let sql = format!("{} LIMIT {limit}", parts.join(" UNION ALL "));
        let mut rows: Vec<(i64, i64)> = tx.query(&sql, &text.params()).await?;
        rows.sort_by_key(|(part, _)| *part);
        Ok(rows.into_iter().map(|(_, number)| number).collect())
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
}

/// Names the index for SQLite. PostgreSQL, which knows the distribution of the values, finds it by itself.
fn indexed_by(engine: Engine, index: &str) -> String {
    match engine {
        Engine::Sqlite => format!(" INDEXED BY {index}"),
        Engine::Postgres => String::new(),
    }
}
