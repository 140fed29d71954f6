//! In which form a file for people is made.

use http::error_codes::ParameterCode;
use http::query::{OneWord, Query};
use lists::printed_file::Form;

domain::words! {
    "FileFormat"
    /// The form of a file for people.
    pub(crate) enum FileFormat {
        /// A Word file.
        Docx = "docx",
        /// A PDF file (PDF/UA-1). One with characters that its fonts do not have, such as Chinese ones, is refused.
        Pdf = "pdf",
    }
}

http::parameters! {
    /// In which form.
    pub(crate) struct FileFormatParam {
        /// The form, `docx` by default.
        format: OneWord<FileFormat>,
    }
}

impl FileFormatParam {
    /// Reads the form. A program that was built without PDF has no other one than Word files.
    pub(crate) fn form(query: &mut Query<'_>) -> Form {
        let Self { format } = Self::read(query);
        if format == Some(FileFormat::Pdf) && !render::PRINTS_PDF {
            query.fault("format", ParameterCode::Enum, "is docx: this program was built without PDF");
        }
        match format.unwrap_or(FileFormat::Docx) {
            FileFormat::Docx => Form::Word,
            FileFormat::Pdf => Form::Pdf,
        }
    }
}
