//! A workbook while it is read; what is too much is refused at once.

use std::borrow::Cow;

use crate::cell::Cell;
use crate::kept::{Kept, Kind, Slot, Texts};
use crate::merges::Merge;
use crate::own;
use crate::read::encoding::Encoding;
use crate::refused::{MOST_CELL_TEXT, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, MOST_SHEETS, MOST_TEXT, Refused};
use crate::sheet::{Format, Workbook};

/// The highest number of a row; spreadsheets have at most 16,777,216.
const MOST_ROW_NUMBER: u32 = 1 << 24;

#[derive(Debug, Default)]
pub(crate) struct Draft {
    texts: Texts,
    sheets: Vec<Kept>,
    rows: usize,
    cells: usize,
    /// Whether texts of the sheet that was begun last are kept to the letter.
    is_exact: bool,
    /// Whether the header of that sheet was looked at.
    is_noticed: bool,
}

impl Draft {
    /// Keeps the texts of the sheet that follow to the letter, also the spaces around them.
    pub(crate) fn keep_exact(&mut self) {
        self.is_exact = true;
    }

    /// Keeps the texts of the sheet that follow to the letter, if the one row that was read of it is the header of one of our own
    /// exports. It is looked at once, however often a file has a second row.
    pub(crate) fn notice_header(&mut self) {
        let Some(sheet) = self.sheets.last().filter(|sheet| sheet.rows.len() == 1) else { return };
        if std::mem::replace(&mut self.is_noticed, true) {
            return;
        }
        let name = |slot: &Slot| match sheet.cell(*slot, &self.texts) {
            Cell::Text(name) => name,
            _ => "",
        };
        self.is_exact = own::is_header(&sheet.slots.iter().map(name).collect::<Vec<_>>());
    }

    pub(crate) fn begin_sheet(&mut self, name: &str, is_hidden: bool) -> Result<(), Refused> {
        if self.sheets.len() >= MOST_SHEETS {
            return Err(Refused::too_many("sheets", MOST_SHEETS));
        }
        let name = name.chars().take(100).collect();
        (self.is_exact, self.is_noticed) = (false, false);
        self.sheets.push(Kept { name, is_hidden, ..Kept::default() });
        Ok(())
    }

    /// Keeps a text, without the spaces around it unless it is exact; it may be empty.
    pub(crate) fn text(&mut self, text: &str) -> Result<u32, Refused> {
        let text = if self.is_exact { text } else { text.trim() };
        if text.len() > MOST_CELL_TEXT {
            return Err(Refused::too_many("bytes in a cell", MOST_CELL_TEXT));
        }
        if self.texts.all.len() + text.len() > MOST_TEXT || self.texts.ends.len() > MOST_CELLS {
            return Err(Refused::too_many("bytes of text", MOST_TEXT));
        }
        let number = u32::try_from(self.texts.ends.len()).map_err(|_| Refused::Broken)?;
        // No character that no text may have, nor, unless it is exact, one that a spreadsheet writes for a line end.
        let mut text = Cow::Borrowed(text);
        if text.contains('\0') {
            text = Cow::Owned(text.replace('\0', ""));
        }
        if !self.is_exact && text.contains('\r') {
            text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
        self.texts.all.push_str(&text);
        self.texts.ends.push(u32::try_from(self.texts.all.len()).map_err(|_| Refused::Broken)?);
        Ok(number)
    }

    /// Keeps a cell of the sheet that was begun last; rows are counted from 1, columns from 0, and both ascend.
    pub(crate) fn put(&mut self, row: u32, column: u32, kind: Kind) -> Result<(), Refused> {
        if matches!(kind, Kind::Text(text) if self.texts.get(text).is_empty()) {
            return Ok(());
        }
        if column >= MOST_COLUMNS {
            return Err(Refused::too_many("columns", MOST_COLUMNS as usize));
        }
        let column = u16::try_from(column).map_err(|_| Refused::Broken)?;
        let sheet = self.sheets.last_mut().ok_or(Refused::Broken)?;
        let last = sheet.rows.last().map_or(0, |(number, _)| *number);
        if row == 0
            || row > MOST_ROW_NUMBER
            || row < last
            || (row == last && sheet.slots.last().is_some_and(|slot| slot.column >= column))
        {
            return Err(Refused::Broken);
        }
        if row > last {
            self.rows += 1;
            sheet.rows.push((row, sheet.slots.len()));
        }
        self.cells += 1;
        sheet.put(column, kind);
        if self.rows > MOST_ROWS {
            return Err(Refused::too_many("rows", MOST_ROWS));
        }
        if self.cells > MOST_CELLS {
            return Err(Refused::too_many("cells", MOST_CELLS));
        }
        Ok(())
    }

    pub(crate) fn merge(&mut self, merge: Merge) {
        if let Some(sheet) = self.sheets.last_mut() {
            sheet.merges.add(merge);
        }
    }

    pub(crate) fn finish(
        mut self,
        format: Format,
        encoding: Option<Encoding>,
        separator: Option<char>,
    ) -> Result<Workbook, Refused> {
        if self.rows == 0 {
            return Err(Refused::Empty);
        }
        self.texts.all.shrink_to_fit();
        self.texts.ends.shrink_to_fit();
        for sheet in &mut self.sheets {
            sheet.merges.sort();
            sheet.shrink();
        }
        Ok(Workbook { format, encoding, separator, texts: self.texts, sheets: self.sheets })
    }
}
