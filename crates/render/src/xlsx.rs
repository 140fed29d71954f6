//! A paper as a workbook: a sheet with what is known of it, and one for each table. Every cell is a text, so none is computed.

use std::io::{Cursor, Seek, Write};

use quick_xml::escape::escape;
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::paper::{Paper, Table};

/// The most characters of a cell, in units of UTF-16.
const CELL: usize = 32_767;

/// The most characters of the name of a sheet.
const SHEET_NAME: usize = 31;

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPES: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/// A paper as a file of Excel, without its Markdown.
pub fn xlsx(paper: &Paper<'_>) -> ZipResult<Vec<u8>> {
    let title = vec![paper.title.to_owned()];
    let facts = paper.facts.iter().map(|(label, text)| vec![(*label).to_owned(), text.clone()]);
    let mut sheets = vec![("Summary", [title].into_iter().chain(facts).collect::<Vec<_>>())];
    sheets.extend(paper.tables.iter().map(|table| (table.title, rows_of(table))));
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let names: Vec<&str> = sheets.iter().map(|(name, _)| *name).collect();
    frame(&mut file, &names)?;
    for (number, (_, rows)) in (1..).zip(&sheets) {
        part(&mut file, &sheet(number), &worksheet(rows))?;
    }
    Ok(file.finish()?.into_inner())
}

/// The rows of a table with its head.
pub(crate) fn rows_of(table: &Table<'_>) -> Vec<Vec<String>> {
    let head = table.head.iter().map(|name| (*name).to_owned()).collect();
    [head].into_iter().chain(table.rows.iter().cloned()).collect()
}

/// Writes a part of the archive.
pub(crate) fn part<W: Write + Seek>(file: &mut ZipWriter<W>, name: &str, content: &str) -> ZipResult<()> {
    file.start_file(name, SimpleFileOptions::default())?;
    file.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>")?;
    Ok(file.write_all(content.as_bytes())?)
}

/// Writes all parts but the sheets, which have these names.
pub(crate) fn frame<W: Write + Seek>(file: &mut ZipWriter<W>, names: &[&str]) -> ZipResult<()> {
    part(file, "[Content_Types].xml", &content_types(names.len()))?;
    part(file, "_rels/.rels", &relationships([("officeDocument", "xl/workbook.xml".to_owned())]))?;
    part(file, "xl/workbook.xml", &workbook(names))?;
    let targets = (1..=names.len()).map(|number| ("worksheet", format!("worksheets/sheet{number}.xml")));
    part(file, "xl/_rels/workbook.xml.rels", &relationships(targets))
}

/// The name of the part with a sheet.
pub(crate) fn sheet(number: usize) -> String {
    format!("xl/worksheets/sheet{number}.xml")
}

fn content_types(sheets: usize) -> String {
    let sheet = |number| {
        format!(
            "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"{TYPES}.worksheet+xml\"/>"
        )
    };
    format!(
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Override PartName=\"/xl/workbook.xml\" ContentType=\"{TYPES}.sheet.main+xml\"/>{}</Types>",
        (1..=sheets).map(sheet).collect::<String>()
    )
}

fn relationships(targets: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let one = |(number, (kind, target)): (usize, (&str, String))| {
        format!("<Relationship Id=\"rId{number}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let all: String = (1..).zip(targets).map(one).collect();
    format!("<Relationships xmlns=\"{RELATIONSHIPS}\">{all}</Relationships>")
}

fn workbook(names: &[&str]) -> String {
    let sheet = |(number, name): (usize, &&str)| {
        let name: String = name.chars().filter(|it| !"[]:*?/\\".contains(*it)).take(SHEET_NAME).collect();
        format!("<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>", escape(&name))
    };
    let all: String = (1..).zip(names).map(sheet).collect();
    format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{all}</sheets></workbook>")
}

/// What stands before the rows of a sheet.
pub(crate) fn before_rows() -> String {
    format!("<worksheet xmlns=\"{MAIN}\"><sheetData>")
}

/// What stands after the rows of a sheet.
pub(crate) const AFTER_ROWS: &str = "</sheetData></worksheet>";

pub(crate) fn worksheet(rows: &[Vec<String>]) -> String {
    let rows: String = rows.iter().map(|cells| row(cells)).collect();
    format!("{}{rows}{AFTER_ROWS}", before_rows())
}

pub(crate) fn row(cells: &[String]) -> String {
    format!("<row>{}</row>", cells.iter().map(|text| cell(text)).collect::<String>())
}

/// A cell with a text. A carriage return is named, so that it stays one.
fn cell(text: &str) -> String {
    if text.is_empty() {
        return "<c/>".to_owned();
    }
    let text = escaped(text);
    let space = if text.trim() == text { "" } else { " xml:space=\"preserve\"" };
    let text = escape(&text).replace('\r', "&#13;");
    format!("<c t=\"inlineStr\"><is><t{space}>{text}</t></is></c>")
}

/// What a cell takes of a text. `_x001B_` stands for a character that XML does not have (ECMA-376, part 1, 22.9.2.19), and `_x005F_`
/// for the `_` of a text that would be read as the beginning of one.
fn escaped(text: &str) -> String {
    let (mut escaped, mut units) = (String::with_capacity(text.len()), 0);
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        units += it.len_utf16();
        if units > CELL {
            break;
        }
        let is_of_xml = "\t\n\r".contains(it) || it >= ' ' && !['\u{fffe}', '\u{ffff}'].contains(&it);
        if is_of_xml && !(it == '_' && begins_escape(rest.as_str())) {
            escaped.push(it);
        } else {
            escaped.push_str(&format!("_x{:04X}_", u32::from(it)));
        }
    }
    escaped
}

/// Whether what follows a `_` makes it look like the beginning of an escape, which the escape of another character may end.
fn begins_escape(rest: &str) -> bool {
    let digits = rest.strip_prefix('x').and_then(|rest| rest.get(..4));
    digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
