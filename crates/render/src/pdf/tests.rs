#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "tests")]

use std::collections::BTreeMap;

use typst::layout::{Abs, Frame, FrameItem, Point, Transform};
use typst_layout::PagedDocument;

use super::{characters, columns, document, pdf};
use crate::{Paper, Table, Unprintable};

/// What is printed: the page, the left and right end, the line on which it stands, its size (points).
#[derive(Debug, Clone)]
struct Words {
    page: usize,
    from: f64,
    to: f64,
    line: f64,
    size: f64,
    text: String,
}

const TEXT_WIDTH: (f64, f64) = (70.8, 595.3 - 70.8);

fn paper(markdown: &str) -> Paper<'_> {
    Paper {
        title: "Access control",
        language: "en-GB",
        head: "Internal",
        foot: "POL-03 · Version 2",
        facts: vec![("Approved by", "Ada Lovelace".to_owned())],
        tables: vec![Table {
            title: "History",
            head: vec!["Version", "What"],
            rows: vec![vec!["2".into(), "All".into()]],
        }],
        contents: Some("Contents"),
        markdown,
        ..Paper::default()
    }
}

fn printed(paper: &Paper<'_>) -> Vec<Words> {
    words(&document(paper).unwrap())
}

fn words(document: &PagedDocument) -> Vec<Words> {
    let mut out = Vec::new();
    for (page, it) in document.pages().iter().enumerate() {
        collect(&it.frame, Transform::identity(), page, &mut out);
    }
    out
}

fn collect(frame: &Frame, at: Transform, page: usize, out: &mut Vec<Words>) {
    for (point, item) in frame.items() {
        let moved = at.pre_concat(Transform::translate(point.x, point.y));
        match item {
            FrameItem::Group(group) => collect(&group.frame, moved.pre_concat(group.transform), page, out),
            // What is turned is the mark of a draft.
            FrameItem::Text(item) if moved.ky.get() == 0.0 => {
                let left = Point::new(Abs::zero(), Abs::zero()).transform(moved);
                let (from, line, size) = (left.x.to_pt(), left.y.to_pt(), item.size.to_pt());
                let text = item.text.as_str().replace('\u{200b}', "");
                out.push(Words { page, from, to: from + item.width().to_pt(), line, size, text });
            }
            _ => {}
        }
    }
}

/// The printed letters in their order, without spaces.
fn letters<'t>(words: impl IntoIterator<Item = &'t Words>) -> String {
    words.into_iter().flat_map(|it| it.text.chars()).filter(|it| !it.is_whitespace()).collect()
}

fn is_body(it: &Words) -> bool {
    (80.0..765.0).contains(&it.line)
}

/// Each word is inside the margins, and none is printed over another.
fn is_legible(all: &[Words]) {
    let mut lines = BTreeMap::<_, Vec<&Words>>::new();
    for it in all.iter().filter(|it| !it.text.trim().is_empty()) {
        assert!(it.from >= TEXT_WIDTH.0 - 0.5 && it.to <= TEXT_WIDTH.1 + 0.5, "{it:?} is cut");
        lines.entry((it.page, (it.line * 10.0).round() as i64)).or_default().push(it);
    }
    for line in lines.values_mut() {
        line.sort_by(|one, other| one.from.total_cmp(&other.from));
        for pair in line.windows(2) {
            assert!(pair[0].to <= pair[1].from + 0.5, "{:?} over {:?}", pair[0], pair[1]);
        }
    }
}

#[test]
fn all_that_is_known_is_printed_and_each_page_says_what_it_is() {
    let paper = Paper { draft: Some("Not approved"), ..paper("# 1 Scope\n\nEveryone\n\n# 2 Rules\n\nNone") };
    let all = printed(&paper);
    let pages = all.last().unwrap().page + 1;
    for page in 0..pages {
        let text = letters(all.iter().filter(|it| it.page == page));
        let number = format!("{}/{pages}", page + 1);
        for expected in ["Accesscontrol", "Internal", "Notapproved", "POL-03·Version2", &number] {
            assert!(text.contains(expected), "{expected} on page {page}: {text}");
        }
    }
    let text = letters(&all);
    for expected in
        ["ApprovedbyAdaLovelace", "HistoryVersionWhat2All", "Contents1Scope", "1ScopeEveryone2RulesNone"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!letters(&printed(&Paper { draft: None, ..paper })).contains("approved."));
}

#[test]
fn nothing_in_a_text_is_read_as_typst() {
    let hostile = "#import \"x.typ\" #read(\"/etc/passwd\") #panic() $x^2$ @label <label> #{1} // no /* no */ = no ~ -- --- \\u{41} 'q' \"q\" ... -? ]#[";
    let markdown = format!(
        "# {0}\n\n{0}\n\n- {0}\n\n| {0} | `{0}` |\n|---|---|\n| {0} | x |\n\n```typst\n{0}\n```\n",
        hostile.replace(['<', '\\'], "").replace("/*", "").replace("*/", "")
    );
    let rows = vec![vec![hostile.to_owned(), hostile.to_owned()]];
    let paper = Paper {
        title: hostile,
        head: hostile,
        foot: hostile,
        draft: Some(hostile),
        facts: vec![(hostile, hostile.to_owned())],
        tables: vec![Table { title: hostile, head: vec!["a", hostile], rows }],
        contents: Some(hostile),
        ..paper(&markdown)
    };
    let text = letters(&printed(&paper));
    let expected: String = hostile.chars().filter(|it| !it.is_whitespace()).collect();
    // Broken into the columns of a grid, a line of one may stand between two of another.
    assert!(text.matches(&expected).count() >= 5, "{text}");
    assert!(!text.contains("root:") && !text.contains("x²"), "{text}");
}

#[test]
fn characters_without_a_glyph_are_named() {
    let missing = |paper: &Paper<'_>| pdf(paper).unwrap_err();
    assert_eq!(
        missing(&paper("Ελλάδα, Россия, שלום, 漢字 😀")),
        Unprintable::Characters(vec!['字', '漢', '😀'])
    );
    // Names and earlier summaries cannot be changed any more.
    let rows = vec![vec!["한a".to_owned()]];
    let table = Paper { tables: vec![Table { title: "T", head: vec!["a"], rows }], ..paper("") };
    assert!(printed(&table).iter().any(|it| it.text == "?a"));
    assert_eq!(missing(&Paper { exact: true, ..table.clone() }), Unprintable::Characters(vec!['한']));
    let facts = vec![("Name", "漢".to_owned())];
    assert_eq!(missing(&Paper { exact: true, facts, ..paper("") }), Unprintable::Characters(vec!['漢']));
    assert!(pdf(&paper("a\u{ad}b\u{200d}c\u{202e}d\u{1}e\tf\u{2028}g\u{feff}h")).is_ok());
}

#[test]
fn a_heading_is_never_alone_at_the_foot_of_a_page() {
    for lines in 30..42 {
        let markdown =
            format!("{}\n\n## Heading\n\nFollowing", "Line\n".repeat(lines).trim_end().replace('\n', "\n\n"));
        let all = printed(&Paper { contents: None, ..paper(&markdown) });
        let page = |text: &str| all.iter().find(|it| it.text == text).unwrap().page;
        assert_eq!(page("Heading"), page("Following"), "after {lines} lines");
    }
}

#[test]
fn a_table_across_pages_has_every_row_once_and_its_head_on_each_page_over_nothing() {
    for before in 0..4 {
        let rows: String = (0..100)
            .map(|row| format!("| r{row}x | some words that fill two lines of this cell, r{row}y |\n"))
            .collect();
        let markdown = format!("{}| Head | Second |\n|---|---|\n{rows}\nAfter", "Line\n\n".repeat(before));
        let all = printed(&Paper { contents: None, ..paper(&markdown) });
        is_legible(&all);
        let body: Vec<_> = all.iter().filter(|it| it.page > 0 && is_body(it)).cloned().collect();
        let text = letters(&body);
        for row in 0..100 {
            assert_eq!(text.matches(&format!("r{row}x")).count(), 1, "row {row} behind {before}");
            assert_eq!(text.matches(&format!("r{row}y")).count(), 1, "row {row} behind {before}");
        }
        let last = body.last().unwrap().page;
        let heads: Vec<_> = body.iter().filter(|it| it.text == "Head").map(|it| it.page).collect();
        assert_eq!(heads, (1..=last).collect::<Vec<_>>());
        assert_eq!(body.last().unwrap().text, "After");
        for head in body.iter().filter(|it| it.text == "Head") {
            assert!(
                body.iter()
                    .filter(|it| it.page == head.page && !it.text.starts_with(['H', 'S', 'L']))
                    .all(|it| it.line > head.line + it.size)
            );
        }
    }
}

/// A list of people, whose names try to be Typst.
fn list(count: usize) -> Paper<'static> {
    let hostile = [
        "#panic()",
        "$x$",
        "@ref",
        "<lbl>",
        "\\u{41}",
        "\"'",
        "#{1}",
        "]#[",
        "//",
        "*a*_b_`c`",
        "= a",
        "- b",
    ];
    let row = |number: usize| {
        let name = format!("p{number}x {}", hostile[number % hostile.len()]);
        let email = format!("{}p{number}y@mail.example.org", "long.".repeat(number % 12));
        let row = [
            &name,
            &email,
            "Acknowledged",
            "2026-03-02 09:00",
            "12",
            "0123456789ab",
            "Personnel files, folder 7",
        ];
        row.map(str::to_owned).to_vec()
    };
    let head = vec!["Name", "E-mail", "Status", "When (UTC)", "Version", "SHA-256", "On paper"];
    let tables = vec![
        Table { title: "Totals", head: vec!["Asked"], rows: vec![vec![count.to_string()]] },
        Table { title: "People", head, rows: (0..count).map(row).collect() },
    ];
    Paper { contents: None, tables, exact: true, ..paper("") }
}

#[test]
fn a_list_of_people_has_everybody_once_and_its_head_on_each_page() {
    let all = printed(&list(200));
    is_legible(&all);
    let text = letters(all.iter().filter(|it| is_body(it)));
    for number in 0..200 {
        for part in [format!("p{number}x"), format!("p{number}y")] {
            assert_eq!(text.matches(&part).count(), 1, "{part}");
        }
    }
    for written in ["#panic()", "$x$", "@ref", "<lbl>", "\\u{41}", "\"'", "#{1}", "]#[", "//", "*a*_b_`c`"] {
        assert!(text.contains(written), "{written}");
    }
    let last = all.last().unwrap().page;
    let heads: Vec<_> =
        all.iter().filter(|it| it.text == "Version" && is_body(it)).map(|it| it.page).collect();
    assert_eq!(heads, (0..=last).collect::<Vec<_>>(), "no page is empty");
}

#[test]
fn a_column_has_room_for_its_words_and_its_share_of_the_rest() {
    let widths = |head: &[&'static str], row: &[&str]| {
        let rows = vec![row.iter().map(|it| (*it).to_owned()).collect()];
        columns::widths(&Table { title: "T", head: head.to_vec(), rows })
    };
    let room =
        |width: usize, word: &str| word.chars().map(characters::width).sum::<usize>() <= columns::room(width);
    // Not all words fit into the line together: the longest is broken, and no other one.
    let head = ["Person", "Status", "When (UTC)", "Version", "SHA-256", "On paper"];
    let paper = "Personnel files, folder 7, recorded by Ada Lovelace";
    let row = [
        "Ben Muster (ben.muster@example.org)",
        "Acknowledged",
        "2026-03-01 09:00",
        "2",
        "0123456789ab",
        paper,
    ];
    let all = widths(&head, &row);
    assert!(all[0] > all[1..].iter().copied().max().unwrap() && all.iter().sum::<usize>() <= 450, "{all:?}");
    for (width, word) in all[1..].iter().zip(["Acknowledged", "2026-03-01", "2", "0123456789ab", "Personnel"])
    {
        assert!(room(*width, word), "{word} in {width}");
    }
    // They do: the rest is shared by the amount of text, of which a long one leaves something.
    let long = "What has changed and why. ".repeat(100);
    let all = widths(
        &["Version", "Approved by", "What changed"],
        &["12", "Ada Lovelace (Head of Security), Ben Muster", &long],
    );
    assert!(room(all[0], "Version") && all[1] > 100 && all[2] > all[1] * 3 / 2, "{all:?}");
    assert_eq!(widths(&["A", "B"], &["x", "y"]), widths(&["B", "A"], &["y", "x"]));
    assert!(widths(&["A", "B"], &["x", "y"]).iter().all(|it| *it < 30), "no more than is needed");
}

#[test]
fn the_title_of_a_table_is_never_alone_at_the_foot_of_a_page() {
    for before in 25..45 {
        let rows = |name: &str, count: usize| (0..count).map(|it| vec![format!("{name}{it}")]).collect();
        let table = |title, rows| Table { title, head: vec!["Head"], rows };
        let tables = vec![table("First", rows("a", before)), table("Second", rows("b", 40))];
        let all = printed(&Paper { tables, ..paper("") });
        let page = |text: &str| all.iter().find(|it| it.text == text).unwrap().page;
        assert_eq!(page("Second"), page("b0"), "after {before} rows");
    }
}

#[test]
fn sections_stand_below_their_titles_and_do_not_run_into_each_other() {
    let sections = vec![
        ("Summary", "One[^a]\n\n[^a]: Alpha\n\n```\n#panic()"),
        ("Root cause", "# Own title\n\nTwo[^a]\n\n[^a]: Beta\n\n<!--"),
        ("Lessons", "> ".repeat(60).leak()),
        ("Impact", "*Three*"),
    ];
    let made = document(&Paper { sections, ..paper("") }).unwrap();
    let (text, size) = (letters(&words(&made)), |text: &str| {
        words(&made).into_iter().rfind(|it| it.text == text).unwrap().size
    });
    for expected in ["SummaryOne1#panic()", "OwntitleTwo2<!--", "Lessons>>>>", "ImpactThree", "Alpha", "Beta"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(size("Impact") > size("Own title") && size("Own title") > size("Three"));
}

#[test]
fn a_wide_table_is_not_cut() {
    let word = "Verantwortungsübernahmeerklärung";
    for columns in [1, 2, 4, 6, 7, 12, 20, 21, 30, 40] {
        let row = |cell: &str| format!("|{}\n", format!(" {cell} |").repeat(columns));
        let markdown = row("WWWW") + &row("---") + &row(word) + &row("`MWMWMWMWMWMWMWMWMWMW`");
        let all = printed(&Paper { contents: None, ..paper(&markdown) });
        is_legible(&all);
        let count = |all: String, letter: char| all.chars().filter(|it| *it == letter).count();
        assert_eq!(count(letters(&all), 'ü'), columns);
    }
    let row = |cell: &str| format!("|{}\n", format!(" {cell} |").repeat(41));
    assert!(
        letters(&printed(&paper(&(row("a") + &row("---"))))).contains("|a|a|a|"),
        "a wider one is printed as it was written"
    );
}

#[test]
fn long_words_are_not_cut() {
    let address = format!("https://example.org/{}", "a".repeat(300));
    is_legible(&printed(&paper(&format!("{address}\n\n    {}\n\n> - {}", "W".repeat(300), "w".repeat(300)))));
}

#[test]
fn a_text_that_is_too_deep_or_too_long_is_printed_as_it_was_written() {
    assert!(letters(&printed(&paper(&"> ".repeat(60)))).contains(">>>>>>"));
    assert!(letters(&printed(&paper(&format!("**{}**", "x".repeat(crate::MOST_BYTES))))).contains("**xxx"));
    for nested in ["> ", "- ", "1. ", "> - ", "- > 1. "] {
        let text = letters(&printed(&paper(&format!("{}**[_x_](https://a.example)**", nested.repeat(3)))));
        assert!(text.contains("xPOL-03"), "{nested}: {text}");
    }
}

#[test]
fn footnotes_are_printed_once_and_the_contents_have_none() {
    let text =
        letters(&printed(&paper("# One[^a]\n\nTwo[^b] three[^a]\n\n[^a]: Alpha\n[^b]: Beta\n\n    More")));
    for words in ["Alpha", "Beta", "More"] {
        assert_eq!(text.matches(words).count(), 1, "{words}: {text}");
    }
}

#[test]
fn the_same_text_makes_the_same_bytes_which_say_that_they_are_accessible() {
    let paper = paper("# One\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n[link](https://a.example)");
    let file = pdf(&paper).unwrap();
    assert_eq!(file, pdf(&paper).unwrap());
    let text = String::from_utf8_lossy(&file);
    for part in ["%PDF-1.7", "<pdfuaid:part>1</pdfuaid:part>", "en-GB", "Access control"] {
        assert!(text.contains(part), "{part}");
    }
}
