//! How the records of an export are written: as CSV, as NDJSON or as a workbook.

use domain::{Error, ErrorCode, word, words};
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::{OneWord, Query};
use jiff::Timestamp;
use render::MOST_SHEET_ROWS;
use serde::Serialize;
use utoipa::ToSchema;

use super::cell::Cell;
use super::legend;
use super::making::Making;
use super::selection::{Selection, members};
use super::spreadsheet::{BYTE_ORDER_MARK, Spreadsheet};
use super::{Column, Columns};
use crate::printed_file::WORKBOOK;

words! {
    "ExportFormat"
    /// The format of an export.
    pub enum Format {
        /// Comma-separated values (RFC 4180) with one line of names.
        Csv = "csv",
        /// One JSON object per line.
        Ndjson = "ndjson",
        /// A workbook of Excel: a sheet with the columns of CSV, whose cells are texts, and a sheet *Legend* that says what each
        /// is.
        Xlsx = "xlsx",
    }
}

/// The media type of NDJSON.
const NDJSON: &str = "application/x-ndjson";

http::parameters! {
    /// The parameter of all exports.
    pub struct FormatParam {
        /// The format of the file; unless it is sent, the one that `Accept` prefers, or else `csv`.
        format: OneWord<Format>,
    }
}

/// Makes a line of JSON of a record, as of a time.
type ToJson<R> = Box<dyn Fn(R, Timestamp) -> Result<Vec<u8>> + Send + Sync>;

/// How the records are written.
pub struct Lines<R: 'static>(Kind<R>);

enum Kind<R: 'static> {
    /// As CSV with these columns, for a program or for a person.
    Csv(Vec<Column<R>>, Option<Spreadsheet>),
    /// The same as a workbook.
    Workbook(Vec<Column<R>>, Option<Spreadsheet>),
    /// As NDJSON.
    Ndjson(ToJson<R>),
}

impl<R: 'static> Lines<R> {
    /// A file with all of these columns for a person.
    pub(super) fn for_spreadsheet(columns: Columns<R>, spreadsheet: Spreadsheet) -> Self {
        match spreadsheet.is_workbook {
            true => Self(Kind::Workbook(columns.0, Some(spreadsheet))),
            false => Self(Kind::Csv(columns.0, Some(spreadsheet))),
        }
    }

    /// Whether it is a workbook, whose sheets have a most number of rows.
    pub(super) fn is_workbook(&self) -> bool {
        matches!(self.0, Kind::Workbook(..))
    }

    /// Refuses more records than a sheet takes below its head.
    pub(super) fn check_sheet(count: i64) -> Result<()> {
        match count < MOST_SHEET_ROWS {
            true => Ok(()),
            false => Err(Error::Conflict(ErrorCode::ExportTooLarge).into()),
        }
    }

    /// Reads `format`, or `Accept` without it, and `fields`; `view` is the record as lists show it.
    pub fn read<V: ToSchema + Serialize + 'static>(
        request: &ApiRequest,
        query: &mut Query<'_>,
        columns: Columns<R>,
        view: fn(R, Timestamp) -> V,
    ) -> Self {
        let names = columns.names();
        let columns_of_csv = || names.clone();
        let accepted = match () {
            () if request.prefers(WORKBOOK, NDJSON) && request.prefers(WORKBOOK, "text/csv") => Format::Xlsx,
            () if request.prefers(NDJSON, "text/csv") => Format::Ndjson,
            () => Format::Csv,
        };
        match FormatParam::read(query).format.unwrap_or(accepted) {
            format @ (Format::Csv | Format::Xlsx) => {
                let selection = Selection::read(query, || [columns_of_csv(), members::<V>()]);
                let columns = match selection {
                    None => columns.0,
                    Some(selection) => chosen(columns.0, &selection),
                };
                Self(if format == Format::Csv {
                    Kind::Csv(columns, None)
                } else {
                    Kind::Workbook(columns, None)
                })
            }
            Format::Ndjson => {
                Self(Kind::Ndjson(match Selection::read(query, || [members::<V>(), columns_of_csv()]) {
                    None => Box::new(move |row, at| line(&view(row, at))),
                    Some(selection) => Box::new(move |row, at| line(&selection.of(&view(row, at))?)),
                }))
            }
        }
    }

    /// The name of a file with records of this kind as of a journal entry, which is made at this time.
    pub(super) fn file_name(&self, kind: &str, seq: i64, at: Timestamp) -> String {
        let ending = match &self.0 {
            Kind::Csv(_, Some(spreadsheet)) | Kind::Workbook(_, Some(spreadsheet)) => {
                return spreadsheet.file_name(kind, at);
            }
            Kind::Csv(_, None) => Format::Csv,
            Kind::Workbook(_, None) => Format::Xlsx,
            Kind::Ndjson(_) => Format::Ndjson,
        };
        format!("{kind}-{seq}.{ending}")
    }

    pub(super) fn content_type(&self) -> &'static str {
        match &self.0 {
            Kind::Csv(..) => "text/csv; charset=utf-8; header=present",
            Kind::Ndjson(_) => NDJSON,
            Kind::Workbook(..) => WORKBOOK,
        }
    }

    /// The part of a file with these records, which is the last one or not: with the names of the columns before the first
    /// of all.
    pub(super) fn of(
        &self,
        making: &mut Making,
        (kind, rows): (&str, Vec<R>),
        is_last: bool,
        at: Timestamp,
    ) -> Result<Vec<u8>> {
        let is_first = making.is_first();
        match &self.0 {
            Kind::Csv(columns, None) => csv(
                columns,
                b',',
                &rows,
                is_first.then_some(|column: &Column<R>| column.name.clone()),
                Cell::text,
            ),
            Kind::Csv(columns, Some(it)) => {
                let names = is_first.then_some(|column: &Column<R>| it.head(column));
                let lines = csv(columns, it.separator.byte(), &rows, names, |cell| it.text(cell))?;
                Ok(if is_first { [BYTE_ORDER_MARK, &lines].concat() } else { lines })
            }
            Kind::Workbook(columns, it) => {
                let head = |column: &Column<R>| match it {
                    Some(it) => it.head(column),
                    None => column.name.clone(),
                };
                let text = |cell: Cell| match it {
                    Some(it) => it.text(cell.unguarded()),
                    None => cell.unguarded().text(),
                };
                let names = is_first.then(|| columns.iter().map(head).collect());
                let row = |row: &R| -> Vec<String> {
                    columns.iter().map(|column| text((column.cell)(row))).collect()
                };
                let legend = is_last.then(|| legend::of(columns, it.is_some(), head));
                making.rows(
                    &word::label(kind),
                    names.into_iter().chain(rows.iter().map(row)),
                    legend.as_ref(),
                )
            }
            Kind::Ndjson(to_json) => {
                let lines = rows.into_iter().map(|row| to_json(row, at)).collect::<Result<Vec<_>>>()?;
                Ok(lines.concat())
            }
        }
    }
}

/// The chosen columns, in the order of the choice.
fn chosen<R>(mut columns: Vec<Column<R>>, selection: &Selection) -> Vec<Column<R>> {
    let place = |column: &Column<R>| selection.names().iter().position(|name| *name == column.name);
    columns.retain(|column| place(column).is_some());
    columns.sort_by_key(place);
    columns
}

/// The rows with this sign between their cells, and before them a line of names if there are any.
fn csv<R>(
    columns: &[Column<R>],
    separator: u8,
    rows: &[R],
    name: Option<impl Fn(&Column<R>) -> String>,
    text: impl Fn(Cell) -> String,
) -> Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new();
    let mut writer = writer.delimiter(separator).terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: ::csv::Error| Error::Internal(format!("a line of CSV: {error}"));
    if let Some(name) = name {
        writer.write_record(columns.iter().map(name)).map_err(failed)?;
    }
    for row in rows {
        writer.write_record(columns.iter().map(|column| text((column.cell)(row)))).map_err(failed)?;
    }
    let bytes = writer.into_inner();
    Ok(bytes.map_err(|error| Error::Internal(format!("lines of CSV: {error}")))?)
}

fn line(view: &impl Serialize) -> Result<Vec<u8>> {
    let line = sonic_rs::to_vec(view).map_err(|error| Error::Internal(format!("a line of JSON: {error}")))?;
    Ok([line, vec![b'\n']].concat())
}
