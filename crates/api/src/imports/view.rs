//! An import and its rows as responses show them.

use domain::import::{Import, ImportCounts, ImportKind, ImportRow, ImportState, RowFault, RowOutcome};
use http::timestamp::Timestamp;
use http::word::OneOf;
use lists::imports::{Column, Proposal, Question};
use macros::View;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shared::ActorView;

type KindView = OneOf<ImportKind>;
type StateView = OneOf<ImportState>;
type OutcomeView = OneOf<RowOutcome>;

/// An import of a spreadsheet.
#[derive(Serialize, ToSchema)]
#[schema(as = Import)]
pub(crate) struct ImportView {
    /// Its id.
    id: Uuid,
    /// What the file is imported as.
    kind: KindView,
    /// How far it is.
    state: StateView,
    /// The name of the file; null if none was sent.
    #[schema(max_length = 200, examples("Risikoregister.xlsx"))]
    file_name: Option<String>,
    /// The sheet, from 0.
    #[schema(minimum = 0, maximum = 199)]
    sheet: i64,
    /// The names of all sheets.
    #[schema(max_items = 200, max_length = 100, examples(json!(["Register"])))]
    sheets: Vec<String>,
    /// The numbers of the header rows, from 1.
    #[schema(max_items = 3, examples(json!([4, 5])))]
    header_rows: Vec<i64>,
    /// Why this sheet and these rows.
    #[schema(max_length = 400, examples("Of all rows, these have the most known words: 9."))]
    reason: String,
    /// The columns, and what each is imported as.
    #[schema(max_items = 1024)]
    columns: Vec<Column>,
    /// What the file does not say.
    #[schema(max_items = 2000)]
    questions: Vec<Question>,
    /// What became of the rows, or would by the latest dry run.
    counts: CountsView,
    /// How many entries the file has, records and ranges of rows that are skipped; 0 before it is run.
    #[schema(minimum = 0)]
    entries: i64,
    /// How many of them are written.
    #[schema(minimum = 0)]
    done: i64,
    /// Who sent the file.
    created_by: ActorView,
    /// When the file was sent. It is kept for 7 days.
    created_date: Timestamp,
    /// When the import was last changed.
    updated_date: Timestamp,
    /// The version: 1 at first, and 1 more with each change.
    #[schema(minimum = 1)]
    version: i64,
}

impl From<Import> for ImportView {
    fn from(it: Import) -> Self {
        let Proposal { sheet, sheets, header_rows, reason, columns, questions } =
            Proposal::of_stored(&it.proposal).unwrap_or_default();
        let done = it.written();
        Self {
            id: it.id.uuid(),
            kind: it.kind.into(),
            state: it.state.into(),
            file_name: it.file_name,
            sheet,
            sheets,
            header_rows,
            reason,
            columns,
            questions,
            counts: it.counts.into(),
            entries: it.entries,
            done,
            created_by: it.created_by.into(),
            created_date: it.created_date.into(),
            updated_date: it.updated_date.into(),
            version: it.version,
        }
    }
}

/// How many rows have each outcome; the rows of a record count once.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ImportCounts)]
#[view(ImportCounts)]
struct CountsView {
    /// Records that are made.
    #[schema(minimum = 0)]
    created: i64,
    /// Records that are changed.
    #[schema(minimum = 0)]
    updated: i64,
    /// Records that are so already.
    #[schema(minimum = 0)]
    unchanged: i64,
    /// Rows without anything that could be imported.
    #[schema(minimum = 0)]
    skipped: i64,
    /// Records that cannot be imported.
    #[schema(minimum = 0)]
    wrong: i64,
}

/// What becomes of a record of the file, or of rows without one.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ImportRow)]
#[view(ImportRow)]
pub(super) struct RowView {
    /// The number of its first row.
    #[schema(minimum = 0)]
    first_row: i64,
    /// The number of its last row.
    #[schema(minimum = 0)]
    last_row: i64,
    /// The title of the record; null if the file has none.
    #[schema(max_length = 200, examples("Fire in the warehouse"))]
    title: Option<String>,
    /// What becomes of it.
    outcome: OutcomeView,
    /// The id of the record; null if there is none.
    #[schema(max_length = 40, examples("RSK-42"))]
    record: Option<String>,
    /// What is wrong; of a record that is imported what is remarkable.
    #[schema(max_items = 2000)]
    faults: Vec<RowFaultView>,
}

/// Something about a row that somebody has to look at.
#[derive(Serialize, ToSchema, View)]
#[schema(as = ImportFault)]
#[view(RowFault)]
struct RowFaultView {
    /// The number of the row.
    #[schema(minimum = 0)]
    row: i64,
    /// The index of the column, from 0; null if something is missing that no column has.
    #[schema(minimum = 0, maximum = 1023)]
    column: Option<i64>,
    /// What was read.
    #[schema(max_length = 200, examples("9"))]
    read: String,
    /// What is wrong.
    #[schema(max_length = 4000, examples("A level of impact is a number from 1 to 5, or its name."))]
    detail: String,
    /// The nearest right value; null if there is none.
    #[schema(max_length = 200, examples("5"))]
    nearest: Option<String>,
}
