//! CSV and TSV.

use super::encoding::Encoding;
use super::records::{Record, Records};
use super::{Reading, separator};
use crate::draft::Draft;
use crate::kept::Kind;
use crate::own;
use crate::refused::Refused;
use crate::sheet::{Format, Workbook};

/// The most bytes of the header of one of our own exports.
const MOST_HEADER: usize = 16 * 1024;

pub(super) fn read(bytes: &[u8], is_tsv: bool, reading: Reading) -> Result<Workbook, Refused> {
    let encoding = reading.encoding.unwrap_or_else(|| Encoding::of(bytes));
    let text = encoding.decode(bytes);
    // A picture or a program is no text.
    if text.chars().take(4_096).any(|letter| letter == '\0') {
        return Err(Refused::Unknown);
    }
    let chosen = reading.separator.and_then(|separator| u8::try_from(separator).ok());
    let ours = of_ours(&text);
    let (separator, text, skipped) = match (separator::named(&text), ours) {
        (Some((named, rest)), _) => (chosen.unwrap_or(named), rest, 1),
        (None, Some(separator)) => (separator, &*text, 0),
        (None, None) => (chosen.unwrap_or_else(|| separator::of(&text, is_tsv)), &*text, 0),
    };
    let mut draft = Draft::default();
    draft.begin_sheet("", false)?;
    if ours.is_some() {
        draft.keep_exact();
    }
    records(text, separator, skipped, &mut draft)?;
    draft.finish(Format::Text, Some(encoding), Some(char::from(separator)))
}

/// The separator, if it is one of our own exports as we wrote it.
fn of_ours(text: &str) -> Option<u8> {
    let line = text.split(['\r', '\n']).next().filter(|line| line.len() <= MOST_HEADER)?;
    let is_one = |separator: &u8| own::is_header(&line.split(char::from(*separator)).collect::<Vec<_>>());
    [b',', b';'].into_iter().find(is_one)
}

/// The records, each with the number of its row: empty lines count, the line ends within quotes do not.
fn records(text: &str, separator: u8, skipped: u32, draft: &mut Draft) -> Result<(), Refused> {
    let mut records = Records::of(text, separator);
    let line_end = if text.contains('\n') { b'\n' } else { b'\r' };
    let count = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == line_end).count();
    // Line ends before the record, and those of them that are within values.
    let (mut lines, mut within) = (0, 0);
    while let Some(Record { values, read }) = records.next()? {
        let empty = read.iter().take_while(|byte| b"\r\n".contains(byte)).count();
        let (before, own) = read.split_at_checked(empty).unwrap_or_default();
        lines += count(before);
        let row = u32::try_from(lines.saturating_sub(within))
            .map_err(|_| Refused::Broken)?
            .saturating_add(1 + skipped);
        lines += count(own);
        for (column, value) in (0..).zip(values) {
            within += count(value);
            let value = std::str::from_utf8(value).map_err(|_| Refused::Broken)?;
            let text = draft.text(value)?;
            draft.put(row, column, Kind::Text(text))?;
        }
    }
    Ok(())
}
