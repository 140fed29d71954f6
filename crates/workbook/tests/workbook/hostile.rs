//! Files that are made to be costly.

use workbook::{Reading, Refused, read};

use crate::files::{C, Sheet};
use crate::files::{archive, ods, xlsx_from};

fn refused(file: &[u8]) -> Refused {
    read(file, None, Reading::default()).unwrap_err()
}

fn is_too_large(file: &[u8]) -> bool {
    matches!(refused(file), Refused::TooLarge { .. })
}

/// An archive with this XML as its only sheet.
fn sheet(data: &str) -> Vec<u8> {
    archive(&[
        (
            "xl/workbook.xml",
            "<workbook xmlns:r=\"r\"><sheets><sheet name=\"A\" r:id=\"r1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<R><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"sheet.xml\"/>\
             <Relationship Id=\"r2\" Type=\"x/externalLink\" Target=\"file:///etc/passwd\" TargetMode=\"External\"/></R>",
        ),
        ("xl/sheet.xml", data),
    ])
}

/// A sheet of OpenDocument with these rows.
fn table(rows: &str) -> Vec<u8> {
    archive(&[("content.xml", &format!("<a><spreadsheet><table>{rows}</table></spreadsheet></a>"))])
}

#[test]
fn a_zip_bomb_is_not_unpacked() {
    let spaces = " ".repeat(33 * 1024 * 1024);
    assert!(is_too_large(&sheet(&format!("<worksheet><sheetData/>{spaces}</worksheet>"))));
    // One that declares less than it is: a piece of XML has its own bound.
    let long = "x".repeat(4 * 1024 * 1024);
    assert!(is_too_large(&sheet(&format!(
        "<worksheet><row><c t=\"str\"><v>{long}</v></c></row></worksheet>"
    ))));
}

#[test]
fn what_is_declared_reserves_nothing_and_what_is_repeated_is_bounded() {
    let row = "<c t=\"str\"><v>x</v></c>";
    let declared = sheet(&format!(
        "<worksheet><dimension ref=\"A1:XFD1048576\"/><sheetData><row r=\"1048576\">{row}</row></sheetData></worksheet>"
    ));
    assert_eq!(read(&declared, None, Reading::default()).unwrap().sheet(0).unwrap().len(), 1);
    assert!(is_too_large(&sheet(&format!(
        "<worksheet><row><c r=\"XFD1\" t=\"b\"><v>1</v></c>{row}</row></worksheet>"
    ))));
    let cell = "<table-cell table:number-columns-repeated=\"16384\" office:value-type=\"string\"><p>x</p></table-cell>";
    assert!(is_too_large(&table(&format!("<table-row>{cell}</table-row>"))));
    let cell = "<table-cell office:value-type=\"string\"><p>x</p></table-cell>";
    assert!(is_too_large(&table(&format!(
        "<table-row table:number-rows-repeated=\"4294967295\">{cell}</table-row>"
    ))));
    let many = format!("<table-row table:number-rows-repeated=\"200000\">{cell}</table-row>").repeat(9);
    assert!(is_too_large(&table(&many)));
    assert!(is_too_large(&table(&"</table><table>".repeat(300))));
}

#[test]
fn the_files_of_an_archive_and_what_they_refer_to_are_counted_before_they_are_kept() {
    let declared = |count: u64| [&b"PK\x03\x04PK\x06\x06"[..], &[0; 28], &count.to_le_bytes()].concat();
    assert!(is_too_large(&declared(10_001)));
    assert_eq!(refused(&declared(10_000)), Refused::Broken);
    let relations = |count: usize| -> Vec<u8> {
        let relation = |id| format!("<Relationship Id=\"r{id}\" Type=\"x/y\" Target=\"z\"/>");
        let relations: String = (0..count).map(relation).collect();
        archive(&[("xl/workbook.xml", "<workbook/>"), ("_rels/.rels", &format!("<R>{relations}</R>"))])
    };
    assert!(is_too_large(&relations(10_001)));
    assert_eq!(refused(&relations(10_000)), Refused::Empty);
}

#[test]
fn entities_passwords_and_other_archives_are_refused() {
    let entities =
        "<!DOCTYPE a [<!ENTITY b \"xxxxxxxxxx\">]><worksheet><row><c><v>&b;</v></c></row></worksheet>";
    assert_eq!(refused(&sheet(entities)), Refused::Broken);
    assert_eq!(refused(&archive(&[("word/document.xml", "<document/>")])), Refused::Unknown);
    assert_eq!(refused(b"PK\x03\x04 and no more"), Refused::Broken);
    let manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    let protected = archive(&[("content.xml", "\u{1}\u{2}"), ("META-INF/manifest.xml", manifest)]);
    assert_eq!(refused(&protected), Refused::Protected);
    assert_eq!(
        refused(&sheet("<worksheet><row r=\"9\"/><row r=\"0\"><c t=\"s\"><v>7</v></c></row></worksheet>")),
        Refused::Broken
    );
}

#[test]
fn a_line_of_separators_is_bounded() {
    let with = |separator: &str, more: usize| {
        let separators = separator.repeat(more);
        format!("id{separator}title{separators}\n1{separator}One\n").into_bytes()
    };
    for separator in [",", ";", "|", "\t"] {
        let wide = read(&with(separator, 2_000), None, Reading::default()).unwrap();
        assert_eq!(wide.sheet(0).unwrap().len(), 2, "{separator}");
        assert!(is_too_large(&with(separator, 20_000)), "{separator}");
    }
    let late = [with(",", 0), vec![b'\t'; 20_000]].concat();
    let tabs = Reading { separator: Some('\t'), ..Reading::default() };
    assert!(matches!(read(&late, None, tabs), Err(Refused::TooLarge { .. })));
}

#[test]
fn a_text_in_a_cell_is_bounded_and_a_quote_without_end_is_read() {
    assert!(is_too_large(format!("a,b\n\"{}", "x".repeat(200_000)).as_bytes()));
    assert!(
        is_too_large(",".repeat(5_000).as_bytes()) || refused(",".repeat(5_000).as_bytes()) == Refused::Empty
    );
    assert!(is_too_large("x,".repeat(5_000).as_bytes()));
    assert!(is_too_large("x\n".repeat(300_000).as_bytes()));
    assert!(read(b"a,b\n\"never ends,1\n2", None, Reading::default()).is_ok());
}

#[test]
fn a_hundred_thousand_rows_are_read() {
    let text: String =
        (0..100_000).map(|row| format!("{row},Risk {row},4,5,A longer description of it\n")).collect();
    let book =
        read(format!("id,title,likelihood,impact,description\n{text}").as_bytes(), None, Reading::default());
    assert_eq!(book.unwrap().sheet(0).unwrap().len(), 100_001);
}

#[test]
fn cut_and_altered_files_never_panic() {
    let rows: &[&[C]] = &[&[C::T("Title"), C::T("Likelihood")], &[C::T("Flood & <fire>"), C::N(4.0)]];
    let sheets = [Sheet { name: "A & B", rows, merged: &[(0, 0, 1, 0)] }];
    for file in [xlsx_from(&sheets, false), ods(&sheets)] {
        assert!(read(&file, None, Reading::default()).is_ok());
        for at in 0..file.len() {
            let _ = read(&file[..at], None, Reading::default());
            let mut altered = file.clone();
            altered[at] ^= 0x15;
            let _ = read(&altered, None, Reading::default());
        }
    }
}

/// A text with spaces around it, as it is read in a sheet that begins with these rows.
fn after(header: &str) -> String {
    let data = format!("<worksheet>{header}<row r=\"9\">{}</row></worksheet>", texts(&[("A9", " spaced ")]));
    let book = read(&sheet(&data), None, Reading::default()).unwrap();
    let last = book.sheet(0).unwrap().rows().last().unwrap();
    last.cell(0).shown()
}

fn texts(cells: &[(&str, &str)]) -> String {
    let cell =
        |(at, text): &(&str, &str)| format!("<c r=\"{at}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    cells.iter().map(cell).collect()
}

#[test]
fn only_the_first_row_is_a_header_of_ours_and_it_is_looked_at_once() {
    let all = texts(&[("A1", "id"), ("B1", "created_date"), ("C1", "version")]);
    let second = "<row r=\"2\"/>";
    assert_eq!(after(&format!("<row r=\"1\">{all}</row>{second}{second}")), " spaced ");
    let (begun, rest) = (texts(&[("A1", "id"), ("B1", "created_date")]), texts(&[("C1", "version")]));
    assert_eq!(after(&format!("<row r=\"1\">{begun}</row>{second}{rest}{second}")), "spaced");
    let (first, rest) = (texts(&[("A1", "id")]), texts(&[("A3", "created_date"), ("B3", "version")]));
    assert_eq!(after(&format!("<row r=\"1\">{first}</row><row r=\"3\">{rest}</row>{second}")), "spaced");
}

#[test]
fn a_line_that_is_longer_than_any_header_of_ours_is_none() {
    let shown = |name: &str| {
        let text = format!("id,{name},created_date,version\n1, spaced ,,\n");
        let book = read(text.as_bytes(), None, Reading::default()).unwrap();
        book.sheet(0).unwrap().row(1).unwrap().cell(1).shown()
    };
    assert_eq!((&*shown("title"), &*shown(&"x".repeat(17 * 1024))), (" spaced ", "spaced"));
}
