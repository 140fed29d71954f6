//! What is sent to change an import, and to run it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::import::RowOutcome;
use domain::json::{FromJson as _, Json, Pointer};
use domain::schema::{Schema, TextSchema};
use domain::{FaultCode, Faults, Line, text};
use http::query::Words;
use macros::Body;

use super::proposal::{MOST_COLUMNS, MOST_QUESTIONS};

/// The most characters of the id of a question, and of an answer.
const TEXT_CHARACTERS: usize = 400;

const TEXT: Schema = Schema::Text(TextSchema::of(0, TEXT_CHARACTERS, text::ANY));

/// A file to import, as JSON; a larger one is sent as it is.
#[derive(Debug, Body)]
#[body(name = "ImportUpload")]
pub struct ImportUpload {
    /// The name of the file.
    #[body(example = "Risikoregister.xlsx")]
    pub name: Option<Line>,
    /// The bytes in base64 (RFC 4648, section 4).
    #[body(read = read_base64, schema = BASE64, example = "VGl0bGUsTGlrZWxpaG9vZCxJbXBhY3QKRmlyZSw0LDUK")]
    pub content: Vec<u8>,
}

const BASE64: Schema =
    Schema::text(0, 1024 * 1024, "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$");

fn read_base64(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<u8>> {
    let text = String::from_json(value, at, faults)?;
    let bytes = STANDARD.decode(text).ok();
    if bytes.is_none() {
        faults.add(at, FaultCode::Format, "must be base64");
    }
    bytes
}

/// A change of an import: what is not sent stays.
#[derive(Debug, Body)]
#[body(patch)]
pub struct ImportPatch {
    /// The sheet, from 0. Header and columns are then found again.
    #[body(range = 0..=199)]
    pub sheet: Option<i64>,
    /// The numbers of the header rows, from 1; none: they are found. Columns are then proposed again.
    #[body(most = 3, json = "[4, 5]")]
    pub header_rows: Option<Vec<i64>>,
    /// What some columns are imported as.
    #[body(most = MOST_COLUMNS, json = r#"[{"index": 3, "field": "threat"}]"#)]
    pub columns: Option<Vec<ColumnChoice>>,
    /// Answers to some questions.
    #[body(most = MOST_QUESTIONS, json = r#"[{"id": "level:impact:vorstellbar", "answer": "3"}]"#)]
    pub answers: Option<Vec<QuestionAnswer>>,
}

impl ImportPatch {
    /// A patch that only answers questions, each an id with its answer.
    pub fn answering(answers: Vec<(String, String)>) -> Self {
        let answer = |(id, answer)| QuestionAnswer { id, answer: Some(answer) };
        let answers = Some(answers.into_iter().map(answer).collect());
        Self { sheet: None, header_rows: None, columns: None, answers }
    }

    /// The same that also chooses what columns are, each an index with a field.
    #[must_use]
    pub fn choosing(self, columns: Vec<(i64, String)>) -> Self {
        let choice = |(index, field)| ColumnChoice { index, field };
        Self { columns: Some(columns.into_iter().map(choice).collect()), ..self }
    }

    /// A patch that chooses the sheet, and the numbers of its header rows; none of them: they are found.
    pub fn reading(sheet: i64, header_rows: Vec<i64>) -> Self {
        Self { sheet: Some(sheet), header_rows: Some(header_rows), columns: None, answers: None }
    }
}

/// What a column is imported as.
#[derive(Debug, Body)]
#[body(name = "ImportColumnChoice")]
pub struct ColumnChoice {
    /// The index of the column, from 0.
    #[body(range = 0..=1023, example = 3)]
    pub index: i64,
    /// The field; `block` is a paragraph in the description, `ignore` nothing.
    #[body(schema = TEXT, example = "threat")]
    pub field: String,
}

/// The answer to a question.
#[derive(Debug, Body)]
#[body(name = "ImportAnswer")]
pub struct QuestionAnswer {
    /// The id of the question.
    #[body(schema = TEXT, example = "level:impact:vorstellbar")]
    pub id: String,
    /// One of its choices; for an owner also the id of a member. Null takes the answer away.
    #[body(schema = TEXT, example = "3")]
    pub answer: Option<String>,
}

http::parameters! {
    /// Which rows of an import a list has.
    pub struct RowParams {
        /// Rows with one of these outcomes.
        outcome: Words<RowOutcome>,
    }
}

/// How an import is run.
#[derive(Debug, Clone, Copy, Body)]
pub struct ImportRun {
    /// Whether to say what would become of each row, and change nothing.
    #[body(default = false)]
    pub dry_run: bool,
    /// Whether questions without an answer get the one that is proposed. A dry run takes it in any case.
    #[body(default = false)]
    pub accept_proposals: bool,
    /// Whether what cannot be imported is left out; nothing is imported otherwise.
    #[body(default = false)]
    pub skip_wrong: bool,
}
