//! Tables (ECMA-376, part 1, 17.4).

use super::super::block::Blocks;
use super::super::lost::Lost;
use super::super::table::{Cell, table};
use super::super::tree::Element;
use super::Reader;

impl Reader<'_> {
    pub(super) fn table(&mut self, element: &Element, out: &mut Blocks) {
        let mut rows = Vec::new();
        self.rows(element, &mut rows);
        rows.retain(|row| !row.is_empty());
        out.extend(table(rows, &mut self.report).into_iter().collect());
    }

    fn rows(&mut self, element: &Element, rows: &mut Vec<Vec<Cell>>) {
        for part in element.elements() {
            match part.name.as_str() {
                "tr" if part.child("trPr").is_some_and(|row| row.child("del").is_some()) => {
                    self.report.add(Lost::TrackedChange);
                }
                "tr" => {
                    let mut row = Vec::new();
                    self.cells(part, &mut row);
                    rows.push(row);
                }
                "sdt" | "sdtContent" | "customXml" | "ins" => self.rows(part, rows),
                _ => {}
            }
        }
    }

    fn cells(&mut self, element: &Element, row: &mut Vec<Cell>) {
        for part in element.elements() {
            match part.name.as_str() {
                "tc" => row.push(self.cell(part)),
                "sdt" | "sdtContent" | "customXml" => self.cells(part, row),
                _ => {}
            }
        }
    }

    fn cell(&mut self, element: &Element) -> Cell {
        let properties = element.child("tcPr");
        let columns =
            properties.and_then(|properties| properties.value("gridSpan")).and_then(|span| span.parse().ok());
        let merge = properties.and_then(|properties| properties.child("vMerge"));
        if merge.is_some_and(|merge| merge.attribute("val") == Some("restart")) {
            self.report.add(Lost::MergedCell);
        }
        let mut blocks = Blocks::default();
        self.blocks(element, &mut blocks);
        Cell { blocks: blocks.nested(), columns: columns.unwrap_or(1).clamp(1, 64), rows: 1 }
    }
}
