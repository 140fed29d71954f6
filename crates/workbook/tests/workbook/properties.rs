//! Whatever stands in a file, reading and proposing never panics, and drops nothing.

use proptest::prelude::*;
use workbook::{Answers, Choices, Encoding, Entry, Kind, Reading, Value, propose, read, rows};

use crate::files::archive;
use crate::imported::levels;

const KINDS: [Kind; 4] = [Kind::Risks, Kind::Evaluations, Kind::Incidents, Kind::Tags];

/// Everything that is done with a file.
fn everything(bytes: &[u8], reading: Reading) {
    let Ok(book) = read(bytes, Some("x.tsv"), reading) else { return };
    let (levels, answers) = (levels(), Answers::new());
    for kind in KINDS {
        for sheet in [None, Some(0), Some(1)] {
            let choices = Choices { sheet, ..Choices::default() };
            let proposal = propose(&book, kind, &levels, &choices);
            let mut last = proposal.header_rows.last().copied().unwrap_or(0);
            for entry in rows(&book, &proposal, &levels, &answers) {
                let (first, end) = match &entry {
                    Entry::Record(record) => (record.rows[0], *record.rows.last().unwrap()),
                    Entry::Skipped { first, last, .. } => (*first, *last),
                };
                assert!(first == last + 1 && end >= first, "each row is counted once");
                last = end;
            }
        }
    }
}

/// Cells as registers have them, with the mistakes that people make.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[1-9]",
        "[a-zA-Z ]{1,12}",
        "\\PC{0,8}",
        prop::sample::select(vec![
            "Title",
            "ID",
            "Likelihood",
            "Impact",
            "Residual risk",
            "Owner",
            "H",
            "M",
            "#REF!",
            "04/05/2026",
            "20%",
            "4 - x",
            "Score",
            "A.8.13",
            "\"",
            "Treatment",
            "accept",
            "'=1",
            "Due date",
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), encoding in 0..6_usize) {
        everything(&bytes, Reading::default());
        everything(&bytes, Reading { encoding: Some(Encoding::ALL[encoding].0), separator: Some(';') });
    }

    #[test]
    fn tables_never_panic(table in prop::collection::vec(prop::collection::vec(cell(), 1..9), 0..12)) {
        let lines: Vec<String> = table.iter().map(|cells| cells.join(";")).collect();
        everything(lines.join("\n").as_bytes(), Reading::default());
    }

    #[test]
    fn xml_never_panics(sheet in "(<(row|c|v|t|is|f|mergeCell|/row|/c|/v|/t|/is)( (r|s|t|ref)=\"[A-Z0-9:sbe]{0,4}\")?>|[0-9a-z&;]{0,5}){0,40}") {
        let book = "<workbook xmlns:r=\"r\"><sheets><sheet name=\"A\" r:id=\"r1\"/></sheets></workbook>";
        let relations = "<R><Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"s.xml\"/></R>";
        let parts = [("xl/workbook.xml", book), ("xl/_rels/workbook.xml.rels", relations), ("xl/s.xml", &*sheet)];
        everything(&archive(&parts), Reading::default());
        everything(&archive(&[("content.xml", &sheet)]), Reading::default());
    }

    #[test]
    fn no_cell_of_a_record_is_dropped(values in prop::collection::vec("[a-z]{5,12}", 4)) {
        let names = "Title;Likelihood;Impact;Favourite colour;Comments;Description;Planned controls\nFlood;1;2;";
        let imported = crate::imported::risks(&format!("{names}{}", values.join(";")));
        let all: Vec<String> = imported.records[0]
            .fields
            .values()
            .map(|value| match value {
                Value::Text(text) => text.clone(),
                other => format!("{other:?}"),
            })
            .collect();
        for value in values {
            prop_assert!(all.iter().any(|text| text.contains(&value)), "{value} is not in {all:?}");
        }
    }
}
