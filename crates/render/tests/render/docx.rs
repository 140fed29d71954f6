//! Word documents that are written. Our own reader of Word documents reads back what was written.

use render::{Paper, Table, docx, import};

fn paper(markdown: &str) -> Paper<'_> {
    Paper {
        title: "Access control <policy>",
        head: "Internal",
        foot: "ISMS-POL-03 · Version 2",
        facts: vec![("Approved by", "Ada & Grace".to_owned())],
        tables: vec![Table {
            title: "History",
            head: vec!["Version", "What changed"],
            rows: vec![vec!["2".to_owned(), "Second factor".to_owned()]],
        }],
        markdown,
        ..Paper::default()
    }
}

/// What the reader finds behind the first page.
fn read_back(markdown: &str) -> String {
    let file = docx(&paper(markdown)).unwrap();
    let read = import::docx(&file).unwrap();
    assert_eq!(read.title.as_deref(), Some("Access control <policy>"));
    let (_, text) = read.markdown.split_once("| 2 | Second factor |\n").unwrap();
    text.trim_matches('\n').to_owned()
}

const TEXT: &str = "\
# 1 Signing in

Everyone signs in with a **second factor**, *always*; see [the guide](https://example.org/guide).

1. First
2. Second
   - inner a
   - inner b with ~~old~~ text
3. Third

## 1.1 Table

| Control | Owner |
|---|---|
| A.5.15 | IT |

5. five
6. six";

#[test]
fn what_is_written_is_read_back() {
    assert_eq!(read_back(TEXT), TEXT);
}

#[test]
fn what_has_no_own_form_in_word_keeps_its_words() {
    let read = read_back(
        "- [x] done\n- [ ] open\n\n> A quotation\n\n    code <b>\n\nA<b>b</b> `c` ![picture](https://example.org/p.png)\n\n---\n\nEnd[^1]\n\n[^1]: The *guide*.",
    );
    for words in ["☑ done", "☐ open", "A quotation", "code \\<b>", "picture", "The guide."] {
        assert!(read.contains(words), "{words} in\n{read}");
    }
}

#[test]
fn a_text_that_is_too_deep_or_too_long_is_written_as_it_is() {
    assert!(read_back(&"> ".repeat(500)).contains("> > > >"));
    let long = "x".repeat(render::MOST_BYTES + 1);
    assert_eq!(read_back(&long), long);
}

#[test]
fn only_a_section_that_is_too_deep_is_written_as_it_is() {
    let deep = "One[^a]\n\n[^a]: Alpha\n\n".to_owned() + &"> ".repeat(500);
    let sections = vec![("Impact", &*deep), ("Lessons", "**Two**[^b]\n\n[^b]: Beta")];
    let read = import::docx(&docx(&Paper { sections, ..paper("") }).unwrap()).unwrap().markdown;
    for expected in ["One\\[^a]", "**Two**[^1]", "[^1]: Beta"] {
        assert!(read.contains(expected), "{expected} in\n{read}");
    }
    assert_eq!(read.matches("Alpha").count(), 1, "{read}");
}

#[test]
fn each_page_has_the_heads_of_tables() {
    let file = docx(&paper("| a | b |\n|---|---|\n| 1 | 2 |")).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    let text = std::io::read_to_string(archive.by_name("word/document.xml").unwrap()).unwrap();
    assert_eq!(text.matches("<w:tblHeader />").count(), 2, "{text}");
    assert!(!text.contains("trHeight"), "{text}");
}

#[test]
fn characters_that_xml_does_not_have_are_replaced() {
    assert_eq!(read_back("a\u{1}b\u{ffff}c"), "a\u{fffd}b\u{fffd}c");
}

#[test]
fn what_is_not_approved_says_so_on_each_page() {
    let file = docx(&Paper { draft: Some("Draft, not approved"), ..paper("") }).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    let head = std::io::read_to_string(archive.by_name("word/header1.xml").unwrap()).unwrap();
    assert!(head.contains("Draft, not approved · Internal"), "{head}");
}
