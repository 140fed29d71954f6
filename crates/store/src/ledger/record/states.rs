//! The states of records by their numbers: the present ones and earlier ones.

use db::{FromRow, Row, Tx};
use domain::OrgId;

use super::{Reader, Record, Statements, Stored};
use crate::ledger::dialect::{among, among_parameter, numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;

/// The records with these numbers as they are, deleted ones too.
pub(crate) async fn present<R: Record>(tx: &mut Tx, organization: OrgId, numbers: &[i64]) -> Result<Vec<R>> {
    let Statements { columns, joins, .. } = R::statements();
    // CROSS JOIN, because SQLite keeps its order: each record is looked up.
    let sql = format!(
        "SELECT {columns} FROM {} CROSS JOIN {} AS r{joins}
         WHERE r.organization = $1 AND r.number = wanted.number",
        wanted_numbers(tx.engine()),
        R::TABLE
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let rows: Vec<Stored<R>> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().map(|Stored(record)| record).collect())
}

/// The records with these numbers as they were after the entry `seq`; those that have changed since.
pub(crate) async fn past<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    seq: i64,
) -> Result<Vec<R>> {
    let Statements { columns, joins, .. } = R::statements();
    let history = format!("{}_history", R::TABLE);
    let sql = format!(
        "SELECT {columns} FROM {} CROSS JOIN {history} AS r{joins}
         WHERE r.organization = $1 AND r.number = wanted.number AND r.seq_to > $3 AND r.seq_from =
             (SELECT MAX(earlier.seq_from) FROM {history} AS earlier
              WHERE earlier.organization = $1 AND earlier.number = wanted.number AND earlier.seq_from <= $3)",
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let rows: Vec<Stored<R>> = tx.query(&sql, &[&organization.uuid(), &numbers, &seq]).await?;
    Ok(rows.into_iter().map(|Stored(record)| record).collect())
}

/// The earlier states of the records with these numbers, by number and then in order, each with the entry that ended it.
pub(crate) async fn history<R: Record>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: impl IntoIterator<Item = i64>,
) -> Result<Vec<(R, i64)>> {
    let Statements { columns, joins, .. } = R::statements();
    let sql = format!(
        "SELECT {columns}, r.seq_to FROM {}_history AS r{joins}
         WHERE r.organization = $1 AND {}
         ORDER BY r.number, r.seq_from",
        R::TABLE,
        among(tx.engine(), "r.number", "$2")
    );
    let numbers = among_parameter(tx.engine(), numbers);
    let rows: Vec<Earlier<R>> = tx.query(&sql, &[&organization.uuid(), &numbers]).await?;
    Ok(rows.into_iter().map(|Earlier(record, seq_to)| (record, seq_to)).collect())
}

struct Earlier<R>(R, i64);

impl<R: Record> FromRow for Earlier<R> {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        let record = R::read(&mut row)?;
        Ok(Self(record, row.next()?))
    }
}
