//! CSV and TSV: encodings, separators, quotes, empty lines.

use workbook::{Encoding, Reading, Refused, read};

use crate::imported::{book, risks};

const TEXT: &str = "Titel;Eintrittswahrscheinlichkeit;Schadenshöhe\nÜberschwemmung für 3 €;4,0;5\n";

/// The text in an encoding of single bytes, whose letters above ASCII are given.
fn bytes(text: &str, letters: &[(char, u8)]) -> Vec<u8> {
    let byte = |letter: char| {
        letters
            .iter()
            .find(|(known, _)| *known == letter)
            .map_or_else(|| u8::try_from(letter).unwrap(), |(_, byte)| *byte)
    };
    text.chars().map(byte).collect()
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

#[test]
fn the_encoding_is_recognised_shown_and_can_be_chosen() {
    let files = [
        (TEXT.as_bytes().to_vec(), Encoding::Utf8),
        ([b"\xef\xbb\xbf", TEXT.as_bytes()].concat(), Encoding::Utf8),
        (utf16(TEXT, u16::to_le_bytes), Encoding::Utf16Le),
        (utf16(&format!("\u{feff}{TEXT}"), u16::to_be_bytes), Encoding::Utf16Be),
        (bytes(TEXT, &[('€', 0x80)]), Encoding::Windows1252),
        (bytes(TEXT, &[('€', 0xa4)]), Encoding::Iso885915),
    ];
    for (file, encoding) in files {
        let book = book(&file);
        assert_eq!((book.encoding, book.separator), (Some(encoding), Some(';')));
        let row = book.sheet(0).unwrap().row(1).unwrap();
        assert_eq!(row.cell(0).shown(), "Überschwemmung für 3 €", "{}", encoding.name());
    }
    let polish = bytes("Ryzyko;Opis\nPożar;Wyłączenie zasilania", &[('ż', 0xbf), ('ł', 0xb3), ('ą', 0xb9)]);
    let recognised = book(&polish);
    assert_eq!(recognised.encoding, Some(Encoding::Windows1250));
    assert_eq!(recognised.sheet(0).unwrap().row(1).unwrap().cell(1).shown(), "Wyłączenie zasilania");
    let reading = Reading { encoding: Encoding::named("windows-1252"), separator: Some('|') };
    let chosen = read(&polish, None, reading).unwrap();
    assert_eq!((chosen.encoding, chosen.separator), (Some(Encoding::Windows1252), Some('|')));
}

#[test]
fn the_separator_is_recognised() {
    for (text, separator) in [
        ("title,likelihood,impact\n\"Fire, water\",4,5", ','),
        ("title;likelihood;impact\nFire, water;4,0;5,0", ';'),
        ("title\tlikelihood\timpact\nFire, water; mud\t4\t5", '\t'),
        ("title|likelihood|impact\nFire, water|4|5", '|'),
        ("sep=;\ntitle;likelihood;impact\nFire, water;4;5", ';'),
    ] {
        let imported = risks(text);
        assert_eq!(book(text.as_bytes()).separator, Some(separator));
        assert!(
            imported.records[0].text(workbook::Field::Title).unwrap().starts_with("Fire, water"),
            "{text}"
        );
    }
}

#[test]
fn rows_have_the_numbers_that_a_spreadsheet_shows() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "title,likelihood,impact\n\n\"two\nlines\",1,1\n,,\nLast,2,2\n".replace('\n', end);
        let imported = risks(&text);
        let numbers: Vec<&[u32]> = imported.records.iter().map(|record| &*record.rows).collect();
        assert_eq!(numbers, [&[3_u32][..], &[5_u32][..]], "{end:?}");
        assert_eq!(imported.skipped.iter().map(|(first, ..)| *first).collect::<Vec<_>>(), [2, 4]);
    }
}

#[test]
fn what_is_no_text_is_refused() {
    for (file, refused) in [
        (&b""[..], Refused::Empty),
        (&b" \n ; \n"[..], Refused::Empty),
        (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], Refused::Unknown),
        (&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old Excel"[..], Refused::Protected),
    ] {
        assert_eq!(read(file, None, Reading::default()).unwrap_err(), refused);
    }
}
