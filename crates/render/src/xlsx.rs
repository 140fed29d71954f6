//! A paper as a workbook: a sheet with what is known of it, and one for each table. Every cell is a text, so none is computed.

use std::io::{Cursor, Write as _};

use quick_xml::escape::escape;
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::paper::{Paper, Table};

/// The most characters of a cell.
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
    let mut sheets = vec![("Summary".to_owned(), [title].into_iter().chain(facts).collect::<Vec<_>>())];
    sheets.extend(paper.tables.iter().map(sheet_of));
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let mut part = |name: &str, content: String| -> ZipResult<()> {
        file.start_file(name, SimpleFileOptions::default())?;
        file.write_all(
            format!("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>{content}").as_bytes(),
        )?;
        Ok(())
    };
    part("[Content_Types].xml", content_types(sheets.len()))?;
    part("_rels/.rels", relationships([("officeDocument", "xl/workbook.xml".to_owned())]))?;
    part("xl/workbook.xml", workbook(&sheets))?;
    let targets = (1..=sheets.len()).map(|number| ("worksheet", format!("worksheets/sheet{number}.xml")));
    part("xl/_rels/workbook.xml.rels", relationships(targets))?;
    for (number, (_, rows)) in (1..).zip(&sheets) {
        part(&format!("xl/worksheets/sheet{number}.xml"), worksheet(rows))?;
    }
    Ok(file.finish()?.into_inner())
}

fn sheet_of(table: &Table<'_>) -> (String, Vec<Vec<String>>) {
    let head = table.head.iter().map(|name| (*name).to_owned()).collect();
    (table.title.to_owned(), [head].into_iter().chain(table.rows.iter().cloned()).collect())
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

fn workbook(sheets: &[(String, Vec<Vec<String>>)]) -> String {
    let sheet = |(number, (name, _)): (usize, &(String, Vec<Vec<String>>))| {
        let name: String = name.chars().filter(|it| !"[]:*?/\\".contains(*it)).take(SHEET_NAME).collect();
        format!("<sheet name=\"{}\" sheetId=\"{number}\" r:id=\"rId{number}\"/>", escape(&name))
    };
    let all: String = (1..).zip(sheets).map(sheet).collect();
    format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{all}</sheets></workbook>")
}

fn worksheet(rows: &[Vec<String>]) -> String {
    let row = |cells: &Vec<String>| {
        format!("<row>{}</row>", cells.iter().map(|text| cell(text)).collect::<String>())
    };
    let rows: String = rows.iter().map(row).collect();
    format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>")
}

/// A cell with a text. Characters that XML does not have are left out.
fn cell(text: &str) -> String {
    let is_kept =
        |it: &char| !it.is_control() && !['\u{fffe}', '\u{ffff}'].contains(it) || "\t\n".contains(*it);
    let text: String = text.chars().filter(is_kept).take(CELL).collect();
    format!("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>", escape(&text))
}
