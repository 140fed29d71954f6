//! The cells of a sheet. How large it declares itself to be is not read.

use super::super::xml::{Node, Xml, attribute};
use super::styles::Shown;
use super::{address, escapes};
use crate::draft::Draft;
use crate::kept::Kind;
use crate::refused::{MOST_CELL_TEXT, Refused};

/// The days between 1899-12-30 and 1904-01-01.
const DAYS_TO_1904: f64 = 1_462.0;

pub(super) struct Context<'c> {
    pub(super) strings: Vec<u32>,
    pub(super) styles: &'c [Shown],
    pub(super) counts_from_1904: bool,
}

/// A cell while it is read.
#[derive(Default)]
struct Cell {
    column: u32,
    style: usize,
    kind: String,
    text: String,
}

pub(super) fn read(xml: &mut Xml<'_>, context: &Context<'_>, draft: &mut Draft) -> Result<(), Refused> {
    let (mut row, mut column) = (0_u32, 0_u32);
    let (mut cell, mut is_text, mut is_phonetic) = (Cell::default(), false, false);
    loop {
        match xml.next()? {
            Node::Start(start) => match start.local_name().as_ref() {
                "row" => {
                    let number = attribute(&start, "r").and_then(|number| number.parse().ok());
                    row = number.unwrap_or(row.saturating_add(1));
                    column = 0;
                    if row == 2 {
                        draft.notice_header();
                    }
                }
                "c" => {
                    if let Some(place) = attribute(&start, "r").and_then(|place| address::cell(&place)) {
                        (row, column) = place;
                    }
                    cell.column = column;
                    cell.style = attribute(&start, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
                    cell.kind.clear();
                    cell.kind.push_str(&attribute(&start, "t").unwrap_or_default());
                    cell.text.clear();
                    column = column.saturating_add(1);
                }
                "rPh" => is_phonetic = true,
                "v" => is_text = cell.kind != "inlineStr",
                "t" => is_text = !is_phonetic,
                "mergeCell" => {
                    let range = attribute(&start, "ref").and_then(|range| address::range(&range));
                    if let Some(range) = range {
                        draft.merge(range);
                    }
                }
                _ => {}
            },
            Node::Text(part) if is_text && cell.text.len() <= MOST_CELL_TEXT => {
                escapes::push(&mut cell.text, &part);
            }
            Node::Close(name) => match name.as_str() {
                "v" | "t" => is_text = false,
                "rPh" => is_phonetic = false,
                "c" => put(&cell, row, context, draft)?,
                _ => {}
            },
            Node::End => return Ok(()),
            Node::Text(_) | Node::Other => {}
        }
    }
}

fn put(cell: &Cell, row: u32, context: &Context<'_>, draft: &mut Draft) -> Result<(), Refused> {
    let text = cell.text.trim();
    if text.is_empty() && cell.kind != "inlineStr" {
        return Ok(());
    }
    let kind = match cell.kind.as_str() {
        "s" => {
            let index: usize = text.parse().map_err(|_| Refused::Broken)?;
            Kind::Text(*context.strings.get(index).ok_or(Refused::Broken)?)
        }
        "b" => Kind::Bool(text == "1" || text == "true"),
        "e" => Kind::Error(draft.text(text)?),
        // Of our own exports to the letter.
        "inlineStr" => Kind::Text(draft.text(&cell.text)?),
        "" | "n" => match text.parse::<f64>().ok().filter(|number| number.is_finite()) {
            Some(number) => shown(number, cell.style, context),
            None => Kind::Text(draft.text(text)?),
        },
        _ => Kind::Text(draft.text(text)?),
    };
    draft.put(row, cell.column, kind)
}

fn shown(number: f64, style: usize, context: &Context<'_>) -> Kind {
    match context.styles.get(style) {
        Some(Shown::Date) if context.counts_from_1904 => Kind::Date(number + DAYS_TO_1904),
        Some(Shown::Date) => Kind::Date(number),
        Some(Shown::Percent) => Kind::Percent(number),
        _ => Kind::Number(number),
    }
}
