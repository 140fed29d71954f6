//! Why a file is not read, and the bounds within which one is.

/// The most bytes that the parts of an archive may have when they are unpacked, together.
pub const MOST_BYTES: u64 = 320 * 1024 * 1024;

/// The most bytes of texts in all sheets.
pub const MOST_TEXT: usize = 96 * 1024 * 1024;

/// The most bytes of the text of one cell; spreadsheets hold 32,767 characters.
pub const MOST_CELL_TEXT: usize = 128 * 1024;

/// The most sheets.
pub const MOST_SHEETS: usize = 200;

/// The most rows with something in them, of all sheets.
pub const MOST_ROWS: usize = 250_000;

/// The most columns of a sheet that have something in them.
pub const MOST_COLUMNS: u32 = 1_024;

/// The most cells with something in them, of all sheets.
pub const MOST_CELLS: usize = 3_000_000;

/// Why a file is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is none of the formats.
    #[error("The file is not a CSV, TSV, XLSX, XLSM or ODS file.")]
    Unknown,
    /// It has a password, or is of Excel 97 to 2003.
    #[error("The file has a password, or is of an old Excel: save it as XLSX without a password.")]
    Protected,
    /// It contradicts its format.
    #[error("The file is damaged.")]
    Broken,
    /// It is larger than what is read.
    #[error("The file is too large: more than {most} {what}.")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much is read.
        most: u64,
    },
    /// No sheet has anything in it.
    #[error("The file is empty.")]
    Empty,
}

impl Refused {
    pub(crate) fn too_many(what: &'static str, most: usize) -> Self {
        Self::TooLarge { what, most: most as u64 }
    }
}
