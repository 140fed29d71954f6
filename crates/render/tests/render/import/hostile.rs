//! Files that are broken, or made to take long or much.

use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use render::import::{Unreadable, by_name, decoded, docx, html, text};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::corpus::files;

/// An archive of these files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A document with this body.
fn document(body: &str) -> Vec<u8> {
    let xml = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    archive(&[("word/document.xml", xml.as_bytes())])
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn what_is_no_document_is_refused_with_a_reason() {
    assert_eq!(docx(b""), Err(Unreadable::NotDocx));
    assert_eq!(docx(b"%PDF-1.7"), Err(Unreadable::NotDocx));
    assert_eq!(docx(b"PK\x03\x04 and nothing"), Err(Unreadable::Broken));
    assert_eq!(docx(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), Err(Unreadable::Protected));
    assert_eq!(docx(&archive(&[("xl/workbook.xml", b"<a/>")])), Err(Unreadable::NotDocx));
    assert_eq!(docx(&document("<w:p>")), Err(Unreadable::Broken));
}

#[test]
fn an_archive_that_unpacks_to_much_is_refused() {
    let zeros = vec![b' '; 40 << 20];
    assert_eq!(docx(&archive(&[("word/document.xml", &zeros)])), Err(Unreadable::TooLarge));
    assert_eq!(docx(&document(&"<w:p/>".repeat(500_001))), Err(Unreadable::TooLarge));
    let names: Vec<String> = (0..10_001).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), [].as_slice())).collect();
    assert_eq!(docx(&archive(&many)), Err(Unreadable::TooLarge));
}

#[test]
fn files_that_unpack_to_much_together_are_refused() {
    let (file, much) = (document(&paragraph(&"x".repeat(1000))), document(&paragraph(&"x".repeat(3000))));
    let mut left = 4000;
    assert!(by_name("a.docx", &file, &mut left).unwrap().is_some());
    assert!((2000..3000).contains(&left), "{left}");
    assert_eq!(by_name("b.docx", b"PK", &mut left), Err(Unreadable::Broken));
    assert_eq!(by_name("c.docx", &much, &mut left), Err(Unreadable::TooLargeTogether));
    assert_eq!(by_name("d.docx", &file, &mut left), Err(Unreadable::TooLargeTogether), "nothing is left");
    assert!(by_name("e.html", b"x", &mut left).unwrap().is_some(), "nothing is unpacked");
    // What is too large alone is so together with others.
    let large = archive(&[("word/document.xml", &vec![b' '; 40 << 20])]);
    assert_eq!(by_name("f.docx", &large, &mut (64 << 20)), Err(Unreadable::TooLarge));
}

#[test]
fn entities_are_not_expanded_and_names_lead_nowhere() {
    let xml = "<!DOCTYPE d [<!ENTITY a SYSTEM \"file:///etc/passwd\"><!ENTITY b \"bb\">]><document><body><p><r><t>x&a;y&b;&amp;\
               &#65;</t></r></p></body></document>";
    let relations = "<Relationships><Relationship Id=\"1\" Type=\"x/officeDocument\" Target=\"../../../../a/../x.xml\"/></Relationships>";
    let made = docx(&archive(&[("word/document.xml", xml.as_bytes())])).unwrap();
    assert_eq!(made.markdown, "x\u{fffd}y\u{fffd}&A\n");
    let outside = archive(&[
        ("_rels/.rels", relations.as_bytes()),
        ("/etc/passwd", b"x"),
        ("word/document.xml", xml.as_bytes()),
    ]);
    assert_eq!(docx(&outside), Err(Unreadable::NotDocx));
}

#[test]
fn encodings_are_known_by_their_first_bytes() {
    let xml = format!("<document><body>{}</body></document>", paragraph("é").replace("w:", ""));
    let utf16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(xml.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(docx(&archive(&[("word/document.xml", &utf16)])).unwrap().markdown, "é\n");
    assert_eq!(decoded(b"\x93a\x94 \x80 \xe9"), "“a” € é");
    assert_eq!(decoded(&utf16), xml);
}

#[test]
fn the_words_of_10_000_levels_are_kept() {
    let deep = |open: &str, close: &str| format!("{}word{}", open.repeat(10_000), close.repeat(10_000));
    for (open, close) in [
        ("<ul><li>", "</li></ul>"),
        ("<blockquote>", "</blockquote>"),
        ("<table><tr><td>a</td><td>", "</td></tr></table>"),
        ("<b><i>", "</i></b>"),
        ("<div>", ""),
        ("<p><ul><li>", ""),
        ("<a href=https://a.example>", "</a>"),
    ] {
        let made = html(&format!("{}<p>after</p>", deep(open, close)));
        assert!(made.markdown.contains("word") && made.markdown.contains("after"), "{open}");
        assert!(render::html(&made.markdown).as_str().len() < 2_000_000);
    }
    let table = deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>").replace("word", &paragraph("word"));
    assert!(docx(&document(&(table + &paragraph("after")))).unwrap().markdown.contains("after"));
}

#[test]
fn time_grows_with_the_length_only() {
    for part in [
        "<p>",
        "<b>",
        "</b>",
        "<td>",
        "<li>",
        "<ul>",
        "<a href=#a id=a>",
        "<b>a<i>b</b>c</i>",
        "<b>* </b>a",
        "*",
        "[",
        "`",
        "<br>",
        "&",
        "<",
        "<!--",
        "<code>`</code>a",
        "<td rowspan=999999 colspan=99>a",
        "<tr><td>",
        "<h1>a</h1>",
        "https://a ",
        "<p style='mso-list:l0 level1'>a",
        "<a href=https://a.example/b>a</a>",
        "<span style='a:b;'>",
    ] {
        let start = Instant::now();
        let made = html(&part.repeat(150_000 / part.len())).markdown.len();
        assert!(start.elapsed() < Duration::from_secs(60), "{part} took {:?}", start.elapsed());
        assert!(made < 15_000_000, "{part} made {made}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), soup in "[<>/a-d \"'=&;!-]{0,200}") {
        let with_head = [b"PK\x03\x04".as_slice(), &bytes].concat();
        let _ = (docx(&bytes), docx(&with_head), docx(&archive(&[("word/document.xml", &bytes)])), docx(&document(&soup)));
        let _ = (html(&decoded(&bytes)), text(&decoded(&bytes)), html(&soup));
    }

    #[test]
    fn no_changed_file_panics(which in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(),
        any::<u8>()), 1..6), cut in any::<prop::sample::Index>())
    {
        let files = files();
        let (_, mut file) = files[which.index(files.len())].clone();
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        let _ = (docx(&file), html(&decoded(&file)));
        file.truncate(cut.index(file.len()));
        let _ = docx(&file);
    }
}
