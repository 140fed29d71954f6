//! Exports: everything that a list has, as a file. It shows the register as of one journal entry, and is read in short pages
//! while it is sent, so it needs no more memory for a million records than for a thousand, and a receiver that stalls keeps
//! no snapshot.

mod cell;
mod incidents;
mod risks;

use std::future::Future;

use axum::response::Response;
use domain::words;
use jiff::Timestamp;
use utoipa::IntoParams;

use crate::http::download;
use crate::http::error::Result;
use crate::http::word::OneOf;

use cell::Cell;
pub use incidents::Incidents;
pub use risks::Risks;

/// Records that are read at a time.
const PAGE: i64 = 500;

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

/// How the records are written.
pub enum Lines<R: 'static> {
    /// As CSV.
    Csv,
    /// As NDJSON: what makes the JSON of a record, as of a time.
    Ndjson(fn(R, Timestamp) -> serde_json::Result<Vec<u8>>),
}

/// A column of a CSV file: its name, and what a record has in it.
struct Column<R>(&'static str, fn(&R) -> Cell);

/// Where the records of an export come from.
trait Source: Send + Sync + 'static {
    /// A record.
    type Row: Send + 'static;
    /// What the records are, for the name of the file.
    const NAME: &'static str;
    /// The columns of a CSV file.
    const COLUMNS: &'static [Column<Self::Row>];

    /// The journal entry as of which the records are shown.
    fn seq(&self) -> i64;

    /// The records that follow the position, in the order of their numbers.
    fn page(
        &self,
        after: Option<store::list::Position>,
    ) -> impl Future<Output = Result<store::Page<Self::Row>>> + Send;

    /// The position of a record.
    fn position(row: &Self::Row) -> store::list::Position;
}

/// Where the next part of a file begins.
enum Place {
    Start,
    After(store::list::Position),
    End,
}

/// The response with all records of a source. `at` is the time of the export.
fn file<S: Source>(source: S, lines: Lines<S::Row>, at: Timestamp) -> Response {
    let (ending, content_type) = match lines {
        Lines::Csv => ("csv", "text/csv; charset=utf-8; header=present"),
        Lines::Ndjson(_) => ("ndjson", "application/x-ndjson"),
    };
    let name = format!("{}-{}.{ending}", S::NAME, source.seq());
    let shared = std::sync::Arc::new((source, lines));
    download::file(&name, content_type, Place::Start, move |place| {
        let shared = std::sync::Arc::clone(&shared);
        async move {
            let (source, lines) = &*shared;
            part(source, lines, place, at).await
        }
    })
}

async fn part<S: Source>(
    source: &S,
    lines: &Lines<S::Row>,
    place: Place,
    at: Timestamp,
) -> Result<Option<(Vec<u8>, Place)>> {
    let (after, is_first) = match place {
        Place::Start => (None, true),
        Place::After(position) => (Some(position), false),
        Place::End => return Ok(None),
    };
    let page = source.page(after).await?;
    let next = page.rows.last().map(S::position).filter(|_| page.has_more);
    let bytes = match lines {
        Lines::Csv => csv(S::COLUMNS, &page.rows, is_first)?,
        Lines::Ndjson(line) => ndjson(page.rows, *line, at)?,
    };
    Ok(Some((bytes, next.map_or(Place::End, Place::After))))
}

fn csv<R>(columns: &[Column<R>], rows: &[R], with_names: bool) -> Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: ::csv::Error| domain::Error::Internal(format!("a line of CSV: {error}"));
    if with_names {
        writer.write_record(columns.iter().map(|Column(name, _)| name)).map_err(failed)?;
    }
    for row in rows {
        writer.write_record(columns.iter().map(|Column(_, cell)| cell(row).text())).map_err(failed)?;
    }
    let bytes = writer.into_inner();
    Ok(bytes.map_err(|error| domain::Error::Internal(format!("lines of CSV: {error}")))?)
}

fn ndjson<R>(
    rows: Vec<R>,
    line: fn(R, Timestamp) -> serde_json::Result<Vec<u8>>,
    at: Timestamp,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for row in rows {
        let line = line(row, at);
        bytes.extend(line.map_err(|error| domain::Error::Internal(format!("a line of JSON: {error}")))?);
        bytes.push(b'\n');
    }
    Ok(bytes)
}
