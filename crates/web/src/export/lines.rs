//! How the records of an export are written: as CSV or as NDJSON.

use domain::{Error, words};
use jiff::Timestamp;
use utoipa::IntoParams;

use super::Column;
use crate::http::error::Result;
use crate::http::query::Query;
use crate::http::word::OneOf;

words! {
    "ExportFormat"
    /// The format of an export.
    pub enum Format {
        /// Comma-separated values (RFC 4180) with one line of names.
        Csv = "csv",
        /// One JSON object per line.
        Ndjson = "ndjson",
    }
}

type FormatView = OneOf<Format>;

/// The parameter of exports, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameter, which the handlers read")]
pub(crate) struct FormatParam {
    /// The format of the file; `csv` unless it is sent.
    #[param(inline)]
    format: Option<FormatView>,
}

/// What makes the JSON of a record, as of a time.
type ToJson<R> = fn(R, Timestamp) -> serde_json::Result<Vec<u8>>;

/// How the records are written.
pub enum Lines<R: 'static> {
    /// As CSV.
    Csv,
    /// As NDJSON.
    Ndjson(ToJson<R>),
}

impl<R> Lines<R> {
    /// Reads `format`.
    pub(crate) fn read(query: &mut Query<'_>, to_json: ToJson<R>) -> Self {
        match query.word("format") {
            None | Some(Format::Csv) => Self::Csv,
            Some(Format::Ndjson) => Self::Ndjson(to_json),
        }
    }

    /// The name of a file with records of this kind as of a journal entry.
    pub(super) fn file_name(&self, kind: &str, seq: i64) -> String {
        let ending = match self {
            Self::Csv => Format::Csv,
            Self::Ndjson(_) => Format::Ndjson,
        };
        format!("{kind}-{seq}.{ending}")
    }

    pub(super) fn content_type(&self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Ndjson(_) => "application/x-ndjson",
        }
    }

    /// The lines of these records, with the names of the columns before the first of all.
    pub(super) fn of(
        &self,
        columns: &[Column<R>],
        rows: Vec<R>,
        is_first: bool,
        at: Timestamp,
    ) -> Result<Vec<u8>> {
        match self {
            Self::Csv => csv(columns, &rows, is_first),
            Self::Ndjson(to_json) => ndjson(rows, *to_json, at),
        }
    }
}

fn csv<R>(columns: &[Column<R>], rows: &[R], with_names: bool) -> Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: ::csv::Error| Error::Internal(format!("a line of CSV: {error}"));
    if with_names {
        writer.write_record(columns.iter().map(|Column(name, _)| name)).map_err(failed)?;
    }
    for row in rows {
        writer.write_record(columns.iter().map(|Column(_, cell)| cell(row).text())).map_err(failed)?;
    }
    let bytes = writer.into_inner();
    Ok(bytes.map_err(|error| Error::Internal(format!("lines of CSV: {error}")))?)
}

fn ndjson<R>(rows: Vec<R>, to_json: ToJson<R>, at: Timestamp) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for row in rows {
        let line = to_json(row, at);
        bytes.extend(line.map_err(|error| Error::Internal(format!("a line of JSON: {error}")))?);
        bytes.push(b'\n');
    }
    Ok(bytes)
}
