//! Workbooks, written by hand.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A cell of a workbook to write.
#[derive(Clone, Copy)]
pub(crate) enum C {
    /// Nothing.
    E,
    /// A text.
    T(&'static str),
    /// A number; in XLSX as the result of a formula.
    N(f64),
    /// A date, as a serial and as ISO 8601.
    D(f64, &'static str),
    /// A percentage.
    P(f64),
    /// An error of a formula.
    X(&'static str),
}

/// A merged range of a sheet: first row and column, last row and column, from 0.
pub(crate) type Merged = (usize, usize, usize, usize);

pub(crate) struct Sheet<'s> {
    pub(crate) name: &'s str,
    pub(crate) rows: &'s [&'s [C]],
    pub(crate) merged: &'s [Merged],
}

pub(crate) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

pub(crate) fn letter(column: usize) -> char {
    char::from(b'A' + u8::try_from(column).unwrap())
}

/// A workbook of Excel, whose dates count from 1904 if so said.
pub(crate) fn xlsx_from(sheets: &[Sheet<'_>], is_1904: bool) -> Vec<u8> {
    let (mut strings, mut names, mut relations) = (String::new(), String::new(), String::new());
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut count = 0;
    for (nth, sheet) in sheets.iter().enumerate() {
        let mut data = String::new();
        for (row, cells) in sheet.rows.iter().enumerate() {
            write!(data, "<row r=\"{}\">", row + 1).unwrap();
            for (column, cell) in cells.iter().enumerate() {
                let at = format!("r=\"{}{}\"", letter(column), row + 1);
                match cell {
                    C::E => write!(data, "<c {at} s=\"1\"/>"),
                    C::T(text) => {
                        write!(strings, "<si><t xml:space=\"preserve\">{}</t></si>", escaped(text)).unwrap();
                        count += 1;
                        write!(data, "<c {at} t=\"s\"><v>{}</v></c>", count - 1)
                    }
                    C::N(number) => write!(data, "<c {at}><f>1+1</f><v>{number}</v></c>"),
                    C::D(serial, _) => {
                        let serial = if is_1904 { serial - 1462.0 } else { *serial };
                        write!(data, "<c {at} s=\"1\"><v>{serial}</v></c>")
                    }
                    C::P(share) => write!(data, "<c {at} s=\"2\"><v>{share}</v></c>"),
                    C::X(error) => write!(data, "<c {at} t=\"e\"><v>{error}</v></c>"),
                }
                .unwrap();
            }
            data.push_str("</row>");
        }
        let merged: String = sheet
            .merged
            .iter()
            .map(|(r1, c1, r2, c2)| {
                format!("<mergeCell ref=\"{}{}:{}{}\"/>", letter(*c1), r1 + 1, letter(*c2), r2 + 1)
            })
            .collect();
        let text = format!(
            "<worksheet xmlns=\"m\"><dimension ref=\"A1:XFD1048576\"/><sheetData>{data}</sheetData><mergeCells>{merged}</mergeCells></worksheet>"
        );
        parts.push((format!("xl/worksheets/sheet{nth}.xml"), text));
        let name = escaped(sheet.name);
        write!(names, "<sheet name=\"{name}\" sheetId=\"{nth}\" r:id=\"rId{nth}\"/>").unwrap();
        relations.push_str(&relation(
            &format!("rId{nth}"),
            "worksheet",
            &format!("worksheets/sheet{nth}.xml"),
        ));
    }
    relations.push_str(&relation("strings", "sharedStrings", "sharedStrings.xml"));
    relations.push_str(&relation("styles", "styles", "/xl/styles.xml"));
    let from = if is_1904 { "<workbookPr date1904=\"1\"/>" } else { "" };
    let book = format!("<workbook xmlns:r=\"r\">{from}<sheets>{names}</sheets></workbook>");
    let strings = format!("<sst uniqueCount=\"18446744073709551615\">{strings}</sst>");
    let styles = "<styleSheet><numFmts><numFmt numFmtId=\"170\" formatCode=\"dd\\.mm\\.yyyy;@\"/></numFmts>\
        <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"170\"/><xf numFmtId=\"9\"/></cellXfs></styleSheet>";
    let root =
        format!("<Relationships>{}</Relationships>", relation("r", "officeDocument", "xl/workbook.xml"));
    let relations = format!("<Relationships>{relations}</Relationships>");
    parts.push(("_rels/.rels".to_owned(), root));
    parts.push(("xl/workbook.xml".to_owned(), book));
    parts.push(("xl/_rels/workbook.xml.rels".to_owned(), relations));
    parts.push(("xl/sharedStrings.xml".to_owned(), strings));
    parts.push(("xl/styles.xml".to_owned(), styles.to_owned()));
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (&**name, &**text)).collect();
    archive(&parts)
}

fn relation(id: &str, kind: &str, target: &str) -> String {
    format!("<Relationship Id=\"{id}\" Type=\"http://x/{kind}\" Target=\"{target}\"/>")
}

/// A spreadsheet of OpenDocument.
pub(crate) fn ods(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let mut tables = String::new();
    for sheet in sheets {
        write!(tables, "<table:table table:name=\"{}\">", escaped(sheet.name)).unwrap();
        for (row, cells) in sheet.rows.iter().enumerate() {
            tables.push_str("<table:table-row>");
            for (column, cell) in cells.iter().enumerate() {
                let merged = sheet.merged.iter().find(|(r, c, ..)| (*r, *c) == (row, column));
                let spanned = merged.map_or_else(String::new, |(r1, c1, r2, c2)| {
                    let (rows, columns) = (r2 - r1 + 1, c2 - c1 + 1);
                    format!(
                        " table:number-rows-spanned=\"{rows}\" table:number-columns-spanned=\"{columns}\""
                    )
                });
                let (value, text) = ods_value(*cell);
                write!(
                    tables,
                    "<table:table-cell{spanned}{value}><text:p>{text}</text:p></table:table-cell>"
                )
                .unwrap();
            }
            tables.push_str("</table:table-row>");
        }
        tables.push_str("<table:table-row table:number-rows-repeated=\"1048000\"><table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row></table:table>");
    }
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    );
    archive(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &content)])
}

fn ods_value(cell: C) -> (String, String) {
    match cell {
        C::E => (String::new(), String::new()),
        C::T(text) => {
            (" office:value-type=\"string\"".to_owned(), escaped(text).replace('\n', "</text:p><text:p>"))
        }
        C::N(number) => {
            (format!(" office:value-type=\"float\" office:value=\"{number}\""), number.to_string())
        }
        C::D(_, iso) => {
            (format!(" office:value-type=\"date\" office:date-value=\"{iso}\""), "shown".to_owned())
        }
        C::P(share) => {
            (format!(" office:value-type=\"percentage\" office:value=\"{share}\""), "shown".to_owned())
        }
        C::X(error) => {
            (" office:value-type=\"string\" calcext:value-type=\"error\"".to_owned(), error.to_owned())
        }
    }
}
