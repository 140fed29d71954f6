//! Tables of HTML.

use super::{Element, Flow, Node, Reader, Style};
use crate::import::table::{Cell, table};

/// The most columns and rows that a cell can say it goes over (HTML, 4.9.11).
const MOST_SPAN: usize = 1_000;

impl Reader {
    pub(super) fn table(&mut self, element: &Element, style: &Style, flow: &mut Flow) {
        flow.end();
        let mut rows = Vec::new();
        self.rows(element, style, &mut rows, flow);
        flow.end();
        rows.retain(|row| !row.is_empty());
        if let Some(block) = table(rows, &mut self.report) {
            flow.add(block);
        }
    }

    /// The rows; the caption stands before the table, and so does what should not be in it.
    fn rows(&mut self, element: &Element, style: &Style, rows: &mut Vec<Vec<Cell>>, flow: &mut Flow) {
        for node in &element.children {
            match node {
                Node::Element(part) if part.name == "tr" => rows.push(self.row(part, style, flow)),
                Node::Element(part) if matches!(part.name.as_str(), "thead" | "tbody" | "tfoot") => {
                    self.rows(part, style, rows, flow);
                }
                Node::Element(part) => self.element(part, style, flow),
                Node::Text(text) => flow.text(text, style),
            }
        }
    }

    fn row(&mut self, row: &Element, style: &Style, flow: &mut Flow) -> Vec<Cell> {
        let mut cells = Vec::new();
        for node in &row.children {
            match node {
                Node::Element(cell) if matches!(cell.name.as_str(), "td" | "th") => cells.push(Cell {
                    blocks: self.blocks(cell, style),
                    columns: span(cell, "colspan"),
                    rows: span(cell, "rowspan"),
                }),
                Node::Element(part) => self.element(part, style, flow),
                Node::Text(text) => flow.text(text, style),
            }
        }
        cells
    }
}

/// How many columns or rows a cell goes over.
fn span(cell: &Element, name: &str) -> usize {
    cell.attribute(name).and_then(|span| span.trim().parse().ok()).unwrap_or(1).clamp(1, MOST_SPAN)
}
