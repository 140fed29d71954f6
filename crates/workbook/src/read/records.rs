//! The records of a text with separators, one at a time.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::refused::{MOST_COLUMNS, Refused};

/// The most values of a record; those behind the columns that are read have to be empty.
const MOST_VALUES: usize = 16 * MOST_COLUMNS as usize;

/// A record, and what was read for it: also the line ends before it.
pub(super) struct Record<'r, 't> {
    pub(super) values: Vec<&'r [u8]>,
    pub(super) read: &'t [u8],
}

/// Reads records into one buffer. A record with too many values is refused before it is kept.
pub(super) struct Records<'t> {
    reader: Reader,
    text: &'t [u8],
    /// How much of the text was read.
    at: usize,
    values: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
}

impl<'t> Records<'t> {
    pub(super) fn of(text: &'t str, separator: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(separator).build();
        let (values, ends) = (vec![0; 4_096], vec![0; MOST_VALUES]);
        Self { reader, text: text.as_bytes(), at: 0, values, ends }
    }

    /// The next record; none after the last one.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_, 't>>, Refused> {
        let (from, mut filled, mut ended) = (self.at, 0, 0);
        loop {
            let text = self.text.get(self.at..).unwrap_or_default();
            let values = self.values.get_mut(filled..).unwrap_or_default();
            let ends = self.ends.get_mut(ended..).unwrap_or_default();
            let (result, read, written, found) = self.reader.read_record(text, values, ends);
            (self.at, filled, ended) = (self.at + read, filled + written, ended + found);
            match result {
                // The next time there is no text left, which ends the last record.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.values.resize(2 * self.values.len(), 0),
                ReadRecordResult::OutputEndsFull => {
                    return Err(Refused::too_many("columns", MOST_COLUMNS as usize));
                }
                ReadRecordResult::End => return Ok(None),
                ReadRecordResult::Record => break,
            }
        }
        let ends = self.ends.get(..ended).unwrap_or_default();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let values = starts.zip(ends).map(|(start, end)| self.values.get(start..*end).unwrap_or_default());
        let read = self.text.get(from..self.at).unwrap_or_default();
        Ok(Some(Record { values: values.collect(), read }))
    }
}
