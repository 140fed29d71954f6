//! Texts and tables as Word and PDF files and workbooks, for who has to give them to somebody in that form.

use axum::http::header::{ETAG, HeaderValue};
use axum::response::Response;
use domain::Error as E;
use domain::document::sha256;
use http::App;
use http::download;
use http::error::{Error, Result};
use jiff::Timestamp;
use render::{Paper, Table, Unprintable};

/// The media type of Word's files.
pub const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// The media type of PDF files.
pub const PDF: &str = "application/pdf";

/// The media type of Excel's files.
pub const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A Word file.
    Word,
    /// A PDF, which a program that was built without them refuses.
    Pdf,
    /// A workbook of Excel with the tables.
    Workbook,
}

/// All that is in a file: see [`Paper`].
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) head: String,
    pub(crate) foot: String,
    pub(crate) draft: Option<&'static str>,
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) tables: Vec<Table<'static>>,
    pub(crate) contents: Option<&'static str>,
    pub(crate) markdown: String,
    pub(crate) sections: Vec<(&'static str, String)>,
    pub(crate) exact: bool,
}

impl Printed {
    /// The response, with a tag that changes with anything that the file has.
    pub(crate) async fn file(self, app: &App, form: Form, name: &str) -> Result<Response> {
        let key = sha256(&format!("{form:?} {self:?}"));
        let file = app.files().get(&key, move || self.make(form)).await?;
        let (ending, media_type) = match form {
            Form::Word => ("docx", WORD),
            Form::Pdf => ("pdf", PDF),
            Form::Workbook => ("xlsx", WORKBOOK),
        };
        let mut response = download::whole(&format!("{name}.{ending}"), media_type, file);
        let tag = HeaderValue::try_from(format!("\"{key}\""));
        response.headers_mut().extend(tag.ok().map(|tag| (ETAG, tag)));
        Ok(response)
    }

    fn make(self, form: Form) -> Result<Vec<u8>> {
        let paper = Paper {
            title: &self.title,
            language: &self.language,
            head: &self.head,
            foot: &self.foot,
            draft: self.draft,
            facts: self.facts,
            tables: self.tables,
            contents: self.contents,
            markdown: &self.markdown,
            sections: self.sections.iter().map(|(title, text)| (*title, text.as_str())).collect(),
            exact: self.exact,
        };
        match form {
            Form::Word => {
                render::docx(&paper).map_err(|error| Error::internal(format!("a Word file: {error}")))
            }
            Form::Workbook => {
                render::xlsx(&paper).map_err(|error| Error::internal(format!("a workbook: {error}")))
            }
            Form::Pdf => render::pdf(&paper).map_err(|error| match error {
                Unprintable::Characters(all) => E::NoGlyphs(all).into(),
                Unprintable::Failed(fault) => Error::internal(format!("a PDF: {fault}")),
            }),
        }
    }
}

/// A time as files have it.
pub(crate) fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
