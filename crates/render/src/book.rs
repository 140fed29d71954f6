//! A workbook that is made while it is sent: a sheet whose rows come one after the other, and one that says what its columns are.
//! Every cell is a text, so none is computed.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use zip::result::ZipResult;
use zip::write::{StreamWriter, ZipWriter};

use crate::paper::Table;
use crate::xlsx::{AFTER_ROWS, before_rows, frame, part, row, rows_of, sheet, worksheet};

/// The most rows of a sheet, its head among them.
pub const MOST_SHEET_ROWS: i64 = 1_048_576;

/// A file of Excel with a sheet of rows and a sheet about its columns. It keeps what was made of it until that is taken.
pub struct Book {
    file: ZipWriter<StreamWriter<Made>>,
    made: Made,
}

/// What was made and not taken yet.
#[derive(Clone, Default)]
struct Made(Arc<Mutex<Vec<u8>>>);

impl Made {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Made {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Book {
    /// Begins one whose sheet of rows and whose sheet about its columns have these names. Rows of more than 4 GiB are an error: Excel
    /// is known to refuse archives that announce larger parts (ZIP64) while they are made, and each one would have to.
    pub fn begin(names: [&str; 2]) -> ZipResult<Self> {
        let made = Made::default();
        let mut file = ZipWriter::new_stream(made.clone());
        frame(&mut file, &names)?;
        part(&mut file, &sheet(1), &before_rows())?;
        Ok(Self { file, made })
    }

    /// Adds a row.
    pub fn add(&mut self, cells: &[String]) -> ZipResult<()> {
        Ok(self.file.write_all(row(cells).as_bytes())?)
    }

    /// What was made since the last time.
    pub fn take(&self) -> Vec<u8> {
        self.made.take()
    }

    /// What is left to take of it, with the sheet about its columns.
    pub fn finish(mut self, about: &Table<'_>) -> ZipResult<Vec<u8>> {
        self.file.write_all(AFTER_ROWS.as_bytes())?;
        part(&mut self.file, &sheet(2), &worksheet(&rows_of(about)))?;
        self.file.finish()?;
        Ok(self.made.take())
    }
}
