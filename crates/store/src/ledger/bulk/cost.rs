//! How long others wait for the write of many records: about in proportion to the bytes that it writes.

use std::collections::HashMap;

use db::{Param, Tx};
use domain::{Error, FaultCode, OrgId};

use crate::ledger::dialect::{numbers_parameter, wanted_numbers};
use crate::ledger::error::Result;
use crate::ledger::trash::Deletable;

/// What a record costs beside its texts: its rows, its journal entry and its places in indexes.
pub(crate) const OF_A_RECORD: i64 = 4 * 1024;

/// The most that one of several writes may cost: 20 ms on SQLite, and 50 ms on a slower disk. How it was measured is told in
/// docs/benchmarks.md, as for the other.
pub(crate) const MOST_OF_A_PART: i64 = 2 * 1024 * 1024;

/// The most that a write may cost which cannot be cut: 400 ms.
pub(crate) const MOST_OF_ONE: i64 = 48 * 1024 * 1024;

/// What is written of the texts of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    /// Nothing.
    Kept,
    /// They are copied to the history and written again. Their words are left to what follows the journal.
    Written,
}

/// So few records fit into one write however long their texts are.
pub(crate) const FEW: usize = 8;

/// How many records fit into a write at most.
pub(crate) fn most_records(most: i64) -> usize {
    usize::try_from(most / OF_A_RECORD).unwrap_or(usize::MAX)
}

/// What it costs to write each of these records, by number. Those that do not exist cost nothing.
pub(crate) async fn of<R: Deletable>(
    tx: &mut Tx,
    organization: OrgId,
    numbers: &[i64],
    texts: Texts,
) -> Result<HashMap<i64, i64>> {
    if texts == Texts::Kept || numbers.len() <= FEW {
        return Ok(numbers.iter().map(|number| (*number, OF_A_RECORD)).collect());
    }
    // The engines know the length of a text without reading it.
    let texts = R::written().chain(R::MORE_TEXTS.iter().copied());
    let lengths: Vec<String> = texts.map(|column| format!("COALESCE(octet_length(r.{column}), 0)")).collect();
    let sql = format!(
        "SELECT wanted.number, (SELECT CAST({} AS BIGINT) FROM {} AS r
                                WHERE r.organization = $1 AND r.number = wanted.number)
         FROM {}",
        lengths.join(" + "),
        R::TABLE,
        wanted_numbers(tx.engine())
    );
    let numbers = numbers_parameter(numbers.iter().copied());
    let params: [&dyn Param; 2] = [&organization.uuid(), &numbers];
    let rows: Vec<(i64, Option<i64>)> = tx.query(&sql, &params).await?;
    Ok(rows.into_iter().filter_map(|(number, bytes)| Some((number, OF_A_RECORD + bytes?))).collect())
}

/// How many of these records, from the first on, one write may write: as many as cost no more than `most`, and at least one.
pub(crate) fn fitting(costs: impl Iterator<Item = Option<i64>>, most: i64) -> usize {
    let mut sum = 0;
    let fits = |(place, cost): &(usize, Option<i64>)| {
        sum += cost.unwrap_or_default();
        *place == 0 || sum <= most
    };
    costs.enumerate().take_while(fits).count()
}

/// The fault of records that cannot be written at once.
pub(crate) fn too_much(pointer: &str, advice: &str) -> Error {
    let megabytes = MOST_OF_ONE / 1024 / 1024;
    let detail = format!(
        "would keep others waiting: one transaction writes at most {megabytes} MiB of texts, of which each record takes 4 KiB \
         beside its own; {advice}"
    );
    Error::invalid(pointer, FaultCode::TooMany, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_fit_as_cost_no_more_than_the_most_and_at_least_one() {
        let fit = |costs: &[i64], most| fitting(costs.iter().map(|cost| Some(*cost)), most);
        assert_eq!((fit(&[], 10), fit(&[11], 10), fit(&[11, 1], 10)), (0, 1, 1));
        assert_eq!((fit(&[4, 6, 1], 10), fit(&[4, 5, 1, 1], 10), fit(&[1, 1], 10)), (2, 3, 2));
        assert_eq!(fitting([None, Some(10), None, Some(1)].into_iter(), 10), 3);
    }
}
