//! Which formats show a number as a date or as a percentage.

use std::collections::HashMap;

use super::super::package::Package;
use super::super::xml::{Node, attribute, number};
use crate::refused::Refused;

/// How a number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Number,
    Percent,
    Date,
}

/// The most formats; Excel has 65,490 at most.
const MOST_FORMATS: usize = 70_000;

pub(super) fn read(package: &mut Package<'_>, part: Option<&str>) -> Result<Vec<Shown>, Refused> {
    let (mut codes, mut formats) = (HashMap::new(), Vec::new());
    let Some(part) = part else { return Ok(formats) };
    let Some(mut xml) = package.part(part)? else { return Ok(formats) };
    let mut is_of_cells = false;
    loop {
        match xml.next()? {
            Node::Start(start) => match start.local_name().as_ref() {
                "cellXfs" => is_of_cells = true,
                "numFmt" if codes.len() < MOST_FORMATS => {
                    let code = attribute(&start, "formatCode").unwrap_or_default();
                    codes.insert(number(&start, "numFmtId").unwrap_or(0), by_code(&code));
                }
                "xf" if is_of_cells && formats.len() < MOST_FORMATS => {
                    let id = number(&start, "numFmtId").unwrap_or(0);
                    formats.push(codes.get(&id).copied().unwrap_or_else(|| built_in(id)));
                }
                _ => {}
            },
            Node::Close(name) if name == "cellXfs" => is_of_cells = false,
            Node::End => return Ok(formats),
            _ => {}
        }
    }
}

/// The formats that every workbook has (18.8.30).
fn built_in(id: u32) -> Shown {
    match id {
        9 | 10 => Shown::Percent,
        14..=22 | 27..=36 | 45..=47 | 50..=58 => Shown::Date,
        _ => Shown::Number,
    }
}

fn by_code(code: &str) -> Shown {
    let (mut letters, mut quoted, mut bracketed, mut escaped) = (String::new(), false, false, false);
    for letter in code.chars() {
        match letter {
            _ if escaped => escaped = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => escaped = true,
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ if bracketed => {}
            _ => letters.push(letter.to_ascii_lowercase()),
        }
    }
    if letters.contains('%') {
        Shown::Percent
    } else if letters.contains(['d', 'y', 'h', 's']) || letters.contains("mm") {
        Shown::Date
    } else {
        Shown::Number
    }
}
