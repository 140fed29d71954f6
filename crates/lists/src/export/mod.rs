//! Exports: everything that a list has, as a file that shows the register as of one journal entry.
//!
//! Records with a history are read in short pages while the file is sent (`by_page.rs`), so a million of them need no more
//! memory than a thousand. The others are read at once and kept until they are sent (`at_once.rs`). Either way a receiver that
//! stalls keeps no snapshot of the register.

mod acknowledgements;
mod at_once;
mod by_page;
mod cell;
mod documents;
mod evaluations;
mod incidents;
mod legend;
mod lines;
mod making;
mod records;
mod risks;
mod selection;
mod spreadsheet;
mod tags;
#[cfg(test)]
mod tests;
mod users;

use std::future::Future;

use db::Tx;
use domain::OrgId;
use domain::record::{Holds, Record, Value};
use domain::risk::Rating;
use http::error::Result;
use jiff::Timestamp;
use store::{View, journal};

pub use acknowledgements::{Acknowledgements, acknowledgement_columns};
use cell::Cell;
pub use documents::{Documents, document_columns};
pub use evaluations::{Evaluations, evaluation_columns};
use legend::Values;
pub use lines::{Format, FormatParam, Lines};
use making::Making;
pub use records::{Export, Exported};
pub use selection::Fields;
pub use spreadsheet::{Separator, Spreadsheet};
pub use tags::{NamedTag, Tags, tag_columns};
pub use users::{Users, user_columns};

/// Records that are read at a time.
const PAGE: i64 = 500;

/// A column of a CSV file or a workbook.
struct Column<R> {
    /// What programs call it.
    name: String,
    /// What people call it.
    label: String,
    /// What it is, in a sentence.
    about: &'static str,
    /// What may be in it.
    values: Values,
    has_times: bool,
    /// What a record has in it.
    cell: Box<dyn Fn(&R) -> Cell + Send + Sync>,
}

/// The columns of a CSV file or a workbook, in their order.
pub struct Columns<R>(Vec<Column<R>>);

impl<R: 'static> Columns<R> {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn with(
        mut self,
        (name, label): (&str, &str),
        cell: impl Fn(&R) -> Cell + Send + Sync + 'static,
    ) -> Self {
        let (name, label) = (name.to_owned(), label.to_owned());
        let (about, values) = ("", Values::from(""));
        self.0.push(Column { name, label, about, values, has_times: false, cell: Box::new(cell) });
        self
    }

    /// Says of the last column what it is, and what may be in it.
    fn about(mut self, about: &'static str, values: impl Into<Values>) -> Self {
        if let Some(column) = self.0.last_mut() {
            (column.about, column.values) = (about, values.into());
        }
        self
    }

    /// The same with times.
    fn with_time(
        self,
        names: (&str, &str),
        time: impl Fn(&R) -> Option<Timestamp> + Send + Sync + 'static,
    ) -> Self {
        let mut columns = self.with(names, move |row| Cell::maybe(time(row), Cell::Time)).about("", "A time");
        columns.0.iter_mut().next_back().into_iter().for_each(|column| column.has_times = true);
        columns
    }

    /// The fields that the record of a row exports.
    fn fields<T: Record>(self, record: fn(&R) -> &T) -> Self {
        let exported = T::FIELDS.iter().filter(|field| field.is_exported);
        exported.fold(self, |columns, field| {
            // The field itself, or a part of it.
            let with = |columns: Self, part: (&str, &str), cell: fn(Value<'_>) -> Cell| {
                let (name, label) =
                    (format!("{}{}", field.name, part.0), format!("{}{}", field.label, part.1));
                let columns = columns.with((&name, &label), move |row| cell((field.value)(record(row))));
                columns.about(field.about, Values::of(field, part.0))
            };
            match field.holds {
                Holds::Person => {
                    let columns = with(columns, ("", ""), Cell::of);
                    with(columns, ("_email", " (e-mail address)"), |it| Cell::email(&it))
                }
                Holds::Rating => {
                    let columns = with(columns, ("_likelihood", ": likelihood"), |it| {
                        Cell::level(&it, |it| it.likelihood)
                    });
                    let columns =
                        with(columns, ("_impact", ": impact"), |it| Cell::level(&it, |it| it.impact));
                    with(columns, ("_score", ": score"), |it| Cell::level(&it, Rating::score))
                }
                Holds::Date => {
                    let columns = columns.with_time((field.name, field.label), move |row| {
                        match (field.value)(record(row)) {
                            Value::Time(at) => Some(at),
                            _ => None,
                        }
                    });
                    columns.about(field.about, Values::of(field, ""))
                }
                _ => with(columns, ("", ""), Cell::of),
            }
        })
    }

    fn names(&self) -> Vec<String> {
        self.0.iter().map(|column| column.name.clone()).collect()
    }
}

/// Where the records of an export come from.
trait Source: Send + Sync + 'static {
    /// A record.
    type Row: Send + 'static;
    /// The place of a record in their order.
    type Position: Send + 'static;
    /// What the records are, for the name of the file.
    const NAME: &'static str;

    /// The first records after the position, at most [`PAGE`].
    fn page(
        &self,
        tx: &mut Tx,
        after: Option<Self::Position>,
    ) -> impl Future<Output = store::Result<store::Page<Self::Row>>> + Send;

    /// The position of a record.
    fn position(row: &Self::Row) -> Self::Position;

    /// Whether the file has a record of a page.
    fn has(&self, _: &Self::Row) -> bool {
        true
    }
}

/// The view of records as of a journal entry: as they are while that is the latest, which is less to read.
async fn view_as_of(tx: &mut Tx, organization: OrgId, view: View, seq: i64) -> store::Result<View> {
    let is_latest = journal::head(tx, organization).await?.seq == seq;
    Ok(View { as_of_seq: (!is_latest).then_some(seq), ..view })
}

/// The part of a file with the first records after a position, and the position of the last one if more follow.
async fn part<S: Source>(
    tx: &mut Tx,
    source: &S,
    (lines, making): (&Lines<S::Row>, &mut Making),
    after: Option<S::Position>,
    at: Timestamp,
) -> Result<(Vec<u8>, Option<S::Position>)> {
    let page = source.page(tx, after).await?;
    let next = page.rows.last().map(S::position).filter(|_| page.has_more);
    let rows = page.rows.into_iter().filter(|row| source.has(row)).collect();
    Ok((lines.of(making, (S::NAME, rows), next.is_none(), at)?, next))
}
