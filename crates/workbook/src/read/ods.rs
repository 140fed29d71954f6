//! Spreadsheets of OpenDocument (OASIS ODF 1.3, part 3, 9 and 19).

use quick_xml::events::BytesStart;

use super::package::Package;
use super::xml::{Node, attribute, number};
use crate::draft::Draft;
use crate::kept::Kind;
use crate::merges::Merge;
use crate::refused::{MOST_CELL_TEXT, MOST_COLUMNS, MOST_ROWS, Refused};
use crate::sheet::{Format, Workbook};

pub(super) fn read(package: &mut Package<'_>) -> Result<Workbook, Refused> {
    if is_encrypted(package)? {
        return Err(Refused::Protected);
    }
    let Some(mut xml) = package.part("content.xml")? else { return Err(Refused::Unknown) };
    let mut draft = Draft::default();
    let mut reader = Reader::default();
    loop {
        match xml.next()? {
            Node::Start(start) => reader.begin(&start, &mut draft)?,
            Node::Text(text) => reader.push(&text),
            Node::Close(name) => reader.end(&name, &mut draft)?,
            Node::Other => {}
            Node::End if reader.is_spreadsheet => return draft.finish(Format::Ods, None, None),
            Node::End => return Err(Refused::Unknown),
        }
    }
}

fn is_encrypted(package: &mut Package<'_>) -> Result<bool, Refused> {
    let Some(mut xml) = package.part("META-INF/manifest.xml")? else { return Ok(false) };
    loop {
        match xml.next()? {
            Node::Start(start) if start.local_name().as_ref() == "encryption-data" => return Ok(true),
            Node::End => return Ok(false),
            _ => {}
        }
    }
}

/// Where the reader is.
#[derive(Default)]
struct Reader {
    is_spreadsheet: bool,
    /// The row that is read, and how often it stands there.
    row: u32,
    repeated_row: u32,
    cells: Vec<(u32, Kind)>,
    /// The next column.
    column: u32,
    repeated: u32,
    kind: String,
    is_error: bool,
    value: String,
    text: String,
    is_cell: bool,
    /// How deep it is in comments.
    comments: u32,
}

impl Reader {
    fn begin(&mut self, start: &BytesStart<'_>, draft: &mut Draft) -> Result<(), Refused> {
        match start.local_name().as_ref() {
            "spreadsheet" => self.is_spreadsheet = true,
            "table" => {
                draft.begin_sheet(&attribute(start, "table:name").unwrap_or_default(), false)?;
                self.row = 0;
            }
            "table-row" => {
                self.row = self.row.saturating_add(1);
                self.repeated_row = number(start, "number-rows-repeated").unwrap_or(1).max(1);
                self.column = 0;
                self.cells.clear();
            }
            "table-cell" | "covered-table-cell" => self.begin_cell(start, draft),
            "annotation" => self.comments += 1,
            "p" if !self.text.is_empty() => self.push("\n"),
            "line-break" => self.push("\n"),
            "s" | "tab" => self.push(" "),
            _ => {}
        }
        Ok(())
    }

    fn begin_cell(&mut self, start: &BytesStart<'_>, draft: &mut Draft) {
        self.repeated = number(start, "number-columns-repeated").unwrap_or(1).max(1);
        self.kind = attribute(start, "office:value-type").unwrap_or_default().into_owned();
        self.is_error = attribute(start, "calcext:value-type").is_some_and(|kind| kind == "error");
        let value = match self.kind.as_str() {
            "date" => "office:date-value",
            "boolean" => "office:boolean-value",
            "string" => "office:string-value",
            _ => "office:value",
        };
        self.value = attribute(start, value).unwrap_or_default().into_owned();
        self.text.clear();
        self.is_cell = true;
        let rows = number(start, "number-rows-spanned").unwrap_or(1).max(1);
        let columns = number(start, "number-columns-spanned").unwrap_or(1).max(1);
        if rows > 1 || columns > 1 {
            let last = (self.row.saturating_add(rows - 1), self.column.saturating_add(columns - 1));
            draft.merge(Merge { first: (self.row, self.column), last });
        }
    }

    fn push(&mut self, text: &str) {
        if self.is_cell && self.comments == 0 && self.text.len() <= MOST_CELL_TEXT {
            self.text.push_str(text);
        }
    }

    fn end(&mut self, name: &str, draft: &mut Draft) -> Result<(), Refused> {
        match name {
            "annotation" => self.comments = self.comments.saturating_sub(1),
            "table-cell" | "covered-table-cell" => self.end_cell(draft)?,
            "table-row" => self.end_row(draft)?,
            _ => {}
        }
        Ok(())
    }

    fn end_cell(&mut self, draft: &mut Draft) -> Result<(), Refused> {
        self.is_cell = false;
        if let Some(kind) = self.kind(draft)? {
            if self.repeated > MOST_COLUMNS {
                return Err(Refused::too_many("columns", MOST_COLUMNS as usize));
            }
            self.cells.extend((0..self.repeated).map(|nth| (self.column.saturating_add(nth), kind)));
            if self.cells.len() > MOST_COLUMNS as usize {
                return Err(Refused::too_many("columns", MOST_COLUMNS as usize));
            }
        }
        self.column = self.column.saturating_add(self.repeated);
        Ok(())
    }

    /// What the cell holds; none if nothing.
    fn kind(&self, draft: &mut Draft) -> Result<Option<Kind>, Refused> {
        let shown = self.text.trim();
        if self.is_error || shown.starts_with("#REF!") || shown.starts_with("Err:") {
            return Ok(Some(Kind::Error(draft.text(shown)?)));
        }
        let number = || self.value.parse::<f64>().ok().filter(|number| number.is_finite());
        Ok(match (self.kind.as_str(), number()) {
            ("float" | "currency", Some(number)) => Some(Kind::Number(number)),
            ("percentage", Some(share)) => Some(Kind::Percent(share)),
            ("boolean", _) => Some(Kind::Bool(self.value == "true")),
            // ISO 8601, which is read as such.
            ("date", _) if !self.value.is_empty() => Some(Kind::Text(draft.text(&self.value)?)),
            _ if !shown.is_empty() => Some(Kind::Text(draft.text(shown)?)),
            _ if !self.value.trim().is_empty() => Some(Kind::Text(draft.text(&self.value)?)),
            _ => None,
        })
    }

    fn end_row(&mut self, draft: &mut Draft) -> Result<(), Refused> {
        if !self.cells.is_empty() {
            if self.repeated_row as usize > MOST_ROWS {
                return Err(Refused::too_many("rows", MOST_ROWS));
            }
            for nth in 0..self.repeated_row {
                for (column, kind) in &self.cells {
                    draft.put(self.row.saturating_add(nth), *column, *kind)?;
                }
            }
        }
        self.row = self.row.saturating_add(self.repeated_row - 1);
        Ok(())
    }
}
