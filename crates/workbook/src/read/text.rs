//! CSV and TSV.

use csv::ByteRecord;

use super::encoding::Encoding;
use super::{Reading, separator};
use crate::draft::Draft;
use crate::refused::Refused;
use crate::sheet::{Format, Kind, Workbook};

pub(super) fn read(bytes: &[u8], is_tsv: bool, reading: Reading) -> Result<Workbook, Refused> {
    let encoding = reading.encoding.unwrap_or_else(|| Encoding::of(bytes));
    let text = encoding.decode(bytes);
    // A picture or a program is no text.
    if text.chars().take(4_096).any(|letter| letter == '\0') {
        return Err(Refused::Unknown);
    }
    let chosen = reading.separator.and_then(|separator| u8::try_from(separator).ok());
    let (separator, text, skipped) = match separator::named(&text) {
        Some((named, rest)) => (chosen.unwrap_or(named), rest, 1),
        None => (chosen.unwrap_or_else(|| separator::of(&text, is_tsv)), &*text, 0),
    };
    let mut draft = Draft::default();
    draft.begin_sheet("", false)?;
    records(text, separator, skipped, &mut draft)?;
    draft.finish(Format::Text, Some(encoding), Some(char::from(separator)))
}

/// The records, each with the number of its row: empty lines count, the line ends within quotes do not.
fn records(text: &str, separator: u8, skipped: u64, draft: &mut Draft) -> Result<(), Refused> {
    let mut reader = separator::reader(text, separator);
    let mut record = ByteRecord::new();
    let (mut inside, mut last) = (0, 0);
    while reader.read_byte_record(&mut record).map_err(|_| Refused::Broken)? {
        let line = record.position().map_or(0, csv::Position::line) + skipped;
        let row = u32::try_from(line.saturating_sub(inside)).map_err(|_| Refused::Broken)?.max(last + 1);
        last = row;
        for (column, value) in (0..).zip(&record) {
            inside += value.iter().filter(|byte| **byte == b'\n').count() as u64;
            let value = std::str::from_utf8(value).map_err(|_| Refused::Broken)?;
            if !value.trim().is_empty() {
                let text = draft.text(value)?;
                draft.put(row, column, Kind::Text(text))?;
            }
        }
    }
    Ok(())
}
