//! A page of a list with a search.

use std::collections::HashSet;

use db::{FromRow, Tx};

use super::found::{Found, FoundOrder, Ranked};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Position, Select, SortColumn};
use crate::ledger::record::Record;

/// The records of a page after a position, of those that were found. `of` selects those of the list that fit a filter, `number`
/// is the number of one.
///
/// What was found is looked up in growing portions. However large one is, only the records of the page are read.
pub(crate) async fn page<'q, R: Record, T: FromRow>(
    tx: &mut Tx,
    found: &Found,
    (order, after, limit): (FoundOrder, Option<&Position>, i64),
    of: impl Fn(Filter<'q>) -> Select<'q, R>,
    number: fn(&T) -> i64,
) -> Result<Ranked<T>> {
    let engine = tx.engine();
    let among = |portion: &[(_, i64)]| of(Filter::among(engine, portion.iter().map(|(_, number)| *number)));
    let mut page = Ranked::new(limit);
    let mut is_first = true;
    for mut portion in found.portions(order, after, limit) {
        let left = page.left();
        let rows = match order {
            FoundOrder::Number(direction) => {
                among(&portion).sort(SortColumn::key(), "number", direction, None).first(tx, left).await?
            }
            FoundOrder::Best => {
                if !is_first {
                    let fitting: Vec<(i64,)> =
                        among(&portion).columns(tx, "r.number", None, i64::MAX).await?;
                    let fitting: HashSet<i64> = fitting.into_iter().map(|(number,)| number).collect();
                    portion.retain(|(_, number)| fitting.contains(number));
                    portion.truncate(usize::try_from(left).unwrap_or(usize::MAX));
                }
                among(&portion).all(tx).await?
            }
        };
        if page.add(portion, rows, number) {
            break;
        }
        is_first = false;
    }
    Ok(page)
}
