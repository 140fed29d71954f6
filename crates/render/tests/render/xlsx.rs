//! Papers as workbooks: what a program that opens them reads in their parts.

use std::io::{Cursor, Read as _};

use quick_xml::events::Event;
use render::{Book, Paper, Table, xlsx};
use zip::ZipArchive;

/// The texts of the cells of a part, row by row.
fn rows(xml: &str) -> Vec<Vec<String>> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut rows: Vec<Vec<String>> = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(it) if it.name().as_ref() == "row" => rows.push(Vec::new()),
            Event::Start(it) | Event::Empty(it) if it.name().as_ref() == "c" => {
                rows.last_mut().unwrap().push(String::new());
            }
            Event::Text(it) => rows.last_mut().unwrap().last_mut().unwrap().push_str(&it.xml10_content()),
            Event::GeneralRef(it) => {
                let name = it.xml10_content().into_owned();
                let text = quick_xml::escape::unescape(&format!("&{name};")).unwrap().into_owned();
                rows.last_mut().unwrap().last_mut().unwrap().push_str(&text);
            }
            Event::Eof => return rows,
            _ => {}
        }
    }
}

#[test]
fn each_table_is_a_sheet_of_texts() {
    let long = "x".repeat(40_000);
    let hostile = "=1+1 <b>&amp;\u{1b} \u{fffe}\"'".to_owned();
    let table = Table {
        title: "Changes: and/or [decisions] of more than 31 characters",
        head: vec!["Change", "Why"],
        rows: vec![vec!["Worse".to_owned(), hostile], vec![String::new(), long]],
    };
    let facts = vec![("Register", "The end of 2026-03-01".to_owned())];
    let file = xlsx(&Paper { title: "Report", facts, tables: vec![table], ..Paper::default() }).unwrap();
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut part = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!(
        rows(&part("xl/worksheets/sheet1.xml")),
        [vec!["Report"], vec!["Register", "The end of 2026-03-01"]]
    );
    let sheet = part("xl/worksheets/sheet2.xml");
    let cells = rows(&sheet);
    assert_eq!(cells[..2], [vec!["Change", "Why"], vec!["Worse", "=1+1 <b>&amp;_x001B_ _xFFFE_\"'"]]);
    assert_eq!(cells[2][1].len(), 32_767, "a longer text is cut");
    assert!(!sheet.contains("<f>") && sheet.contains("t=\"inlineStr\""), "nothing is computed");
    let names = part("xl/workbook.xml");
    assert!(names.contains("name=\"Changes andor decisions of more\""), "{names}");
    assert!(part("[Content_Types].xml").contains("/xl/worksheets/sheet2.xml"));
    assert!(part("xl/_rels/workbook.xml.rels").contains("worksheets/sheet2.xml"));
}

#[test]
fn a_book_is_made_while_it_is_taken() {
    let mut book = Book::begin(["Risks", "Legend"]).unwrap();
    let mut file = Vec::new();
    for number in 0..5_000 {
        book.add(&[format!("{number}"), String::new(), format!(" a\r\nb {}", number * 7_919)]).unwrap();
        if number % 500 == 0 {
            file.extend(book.take());
        }
    }
    assert!(file.len() > 10_000, "what was made is not kept: {}", file.len());
    let about = Table { title: "", head: vec!["Column"], rows: vec![vec!["id".to_owned()]] };
    file.extend(book.finish(&about).unwrap());
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut part = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let sheet = part("xl/worksheets/sheet1.xml");
    assert_eq!(sheet.matches("<row>").count(), 5_000);
    assert!(sheet.contains("<row><c t=\"inlineStr\"><is><t>1</t></is></c><c/>"), "{sheet:.300}");
    assert!(sheet.contains("<t xml:space=\"preserve\"> a&#13;\nb 7919<"), "{sheet:.600}");
    assert_eq!(rows(&part("xl/worksheets/sheet2.xml")), [["Column"], ["id"]]);
    assert!(part("xl/workbook.xml").contains("name=\"Legend\""));
}

/// What a text has of the escapes is escaped itself, so that a reader has the text again.
#[test]
fn an_escape_of_a_text_stays_a_text() {
    let table = |text: &str| Table { title: "T", head: vec!["H"], rows: vec![vec![text.to_owned()]] };
    for (text, written) in [
        ("_x0041_", "_x005F_x0041_"),
        ("_x0041_x0042_", "_x005F_x0041_x005F_x0042_"),
        ("__x00e9_", "__x005F_x00e9_"),
        ("_x0041\u{1b}", "_x005F_x0041_x001B_"),
        ("\u{b}x0041_", "_x000B_x0041_"),
        ("_X0041_ _x041_ _x004G_ _x", "_X0041_ _x041_ _x004G_ _x"),
    ] {
        let file = xlsx(&Paper { title: "", tables: vec![table(text)], ..Paper::default() }).unwrap();
        let mut sheet = String::new();
        let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
        archive.by_name("xl/worksheets/sheet2.xml").unwrap().read_to_string(&mut sheet).unwrap();
        assert_eq!(rows(&sheet)[1], [written], "{text:?}");
    }
}
