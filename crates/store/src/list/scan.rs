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
    /// How many records are looked at, at most; none: all.
    pub(crate) most: Option<i64>,
}

/// What a walk found.
pub(crate) struct Walked {
    /// The numbers of the records, in the order of the list.
    pub(crate) numbers: Vec<i64>,
    /// Whether no more can be found: there are as many as were asked for, or every record was looked at.
    pub(crate) is_enough: bool,
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
        let filters: Vec<String> = self.filters.iter().map(|filter| filter.condition(&mut text)).collect();
        let filters = if filters.is_empty() { "1 = 1".to_owned() } else { filters.join(" AND ") };
        let begins_with = scan.begins_with.as_ref().map(|filter| filter.condition(&mut text));
        let begins_with = begins_with.map(|it| format!(" AND {it}")).unwrap_or_default();
        let mut conditions = format!("{}{begins_with}", scan.condition);
        let asked = text.add(limit.into());
        let most = match (scan.most, tx.engine()) {
            (None, Engine::Sqlite) => {
                // It has to read this index anyway, and then sorts no more than is asked for.
                conditions = format!("{conditions} AND {filters}");
                asked.clone()
            }
            (most, _) => text.add(most.unwrap_or(i64::MAX).into()),
        };
        let walks = ranges.iter().map(|range| self.walk(tx.engine(), scan, &conditions, range, &most));
        let walks: Vec<String> = walks.collect();
        let part = |(part, walk): (i64, &String)| {
            format!("SELECT CAST({part} AS BIGINT) AS part, r.number FROM ({walk}) AS r WHERE {filters}")
        };
        let mut parts: Vec<String> = (0..).zip(&walks).map(part).collect();
        if scan.most.is_some() {
            parts.push(looked_at(&walks));
        }
        let sql = format!("{} LIMIT {asked}", parts.join(" UNION ALL "));
        let mut rows: Vec<(i64, i64)> = tx.query(&sql, &text.params()).await?;
        let looked_at = rows.iter().find(|(part, _)| *part == LOOKED_AT).map(|(_, count)| *count);
        rows.retain(|(part, _)| *part != LOOKED_AT);
        rows.sort_by_key(|(part, _)| *part);
        let is_all = looked_at.is_none_or(|count| scan.most.is_none_or(|most| count < most));
        Ok(Walked { numbers: rows.into_iter().map(|(_, number)| number).collect(), is_enough: is_all })
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

/// Names the index for SQLite. PostgreSQL, which knows the distribution of the values, finds it by itself.
fn indexed_by(engine: Engine, index: &str) -> String {
    match engine {
        Engine::Sqlite => format!(" INDEXED BY {index}"),
        Engine::Postgres => String::new(),
    }
}
