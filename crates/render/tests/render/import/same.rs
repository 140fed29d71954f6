//! Random documents as HTML have the same headings, lists, tables and words when they are imported and rendered.

use proptest::prelude::*;

use super::outline::outline;

/// What Markdown could read as its own.
const TEXTS: &[&str] = &[
    "a",
    "word",
    "two words",
    "# a",
    "#",
    "- a",
    "-",
    "+",
    "+ a",
    "* a",
    "1. a",
    "1)",
    "12",
    ". a",
    "---",
    "===",
    "=",
    "***",
    "___",
    "_a_",
    "a_b_c",
    "**a**",
    "`a`",
    "``",
    "```",
    "~~a~~",
    "~~~",
    "[a](b)",
    "[a]: b",
    "[a]",
    "![a](b)",
    "[ ] a",
    "[x]",
    "<b>",
    "<!-- a -->",
    "<a@b>",
    "&amp;",
    "&#35;",
    "& b",
    "|",
    "| a |",
    "|-|-|",
    ":-:",
    ":--",
    "> a",
    ">",
    "\\",
    "\\*",
    "a\\",
    "{{x}}",
    "{% if %}",
    "{#a}",
    "[^1]",
    "[^1]: a",
    "!",
    "(a)",
    "“a”",
    "é",
    "日本",
    "。",
    "a.",
    "ftp://a",
    "www.a",
    "    a",
    "$a$",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(TEXTS).prop_map(ToOwned::to_owned),
        1 => "[a-c0-9 \\[\\]()!<>*_`~|:\"'&#;\\\\/{}%^=+.-]{1,12}",
    ]
    .prop_filter("it would be a link, or nothing", |text| {
        !text.trim().is_empty() && (!text.contains("://") || text.starts_with("ftp"))
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Parts with styles, and what stands between them.
fn inline(between: Vec<&'static str>) -> impl Strategy<Value = String> {
    let around = prop::sample::select(vec![
        "",
        "",
        "",
        "b",
        "i",
        "s",
        "code",
        "a href=https://a.example/b_c",
        "b|i",
        "i|b",
    ]);
    let part = (around, text()).prop_map(|(around, text)| {
        let (open, close): (String, String) = around
            .split('|')
            .filter(|tag| !tag.is_empty())
            .map(|tag| (format!("<{tag}>"), format!("</{}>", tag.split(' ').next().unwrap())))
            .fold((String::new(), String::new()), |(open, close), (a, b)| (open + &a, b + &close));
        format!("{open}{}{close}", escaped(&text))
    });
    prop::collection::vec((part, prop::sample::select(between)), 1..5)
        .prop_map(|parts| parts.into_iter().flat_map(|(part, between)| [part, between.to_owned()]).collect())
        .prop_map(|line: String| format!("x{line}x").replace("xx", "x x"))
}

/// A line that may begin and end with anything.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        inline(vec![" ", " ", ", ", "<br>"]),
        text().prop_map(|text| escaped(&text)).prop_filter("nothing", |text| !text.trim().is_empty())
    ]
}

fn block() -> impl Strategy<Value = String> {
    let cell = line().prop_map(|line| format!("<td>{}</td>", line.replace("<br>", " "))).boxed();
    let rows = (2_usize..4, 2_usize..4).prop_flat_map(move |(columns, rows)| {
        let row = prop::collection::vec(cell.clone(), columns)
            .prop_map(|cells| format!("<tr>{}</tr>", cells.concat()));
        prop::collection::vec(row, rows).prop_map(|rows| format!("<table>{}</table>", rows.concat()))
    });
    let leaf = prop_oneof![
        4 => line().prop_map(|line| format!("<p>{line}</p>")),
        2 => (1..5, line()).prop_map(|(level, line)| format!("<h{level}>{}</h{level}>", line.replace("<br>", " "))),
        1 => rows.boxed(),
        1 => "[a-c`~ *-]{1,9}(\n[a-c `#]{1,9}){0,2}".prop_map(|code| format!("<pre>.{code}.</pre>")),
        1 => Just("<hr>".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |block| {
        let blocks = prop::collection::vec(block, 1..4).prop_map(|blocks| blocks.concat());
        let item = prop_oneof![line(), blocks.clone()].prop_map(|item| format!("<li>{item}</li>"));
        let items = prop::collection::vec(item, 1..4).prop_map(|items| items.concat());
        prop_oneof![
            items.clone().prop_map(|items| format!("<ul>{items}</ul>")),
            (prop::sample::select(vec![1, 1, 3, 40]), items)
                .prop_map(|(start, items)| format!("<ol start={start}>{items}</ol>")),
            blocks.prop_map(|blocks| format!("<blockquote>{blocks}</blockquote>")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_document_has_the_same_structure_and_words(blocks in prop::collection::vec(block(), 1..5)) {
        let html = format!("<p>begin</p><h1>One</h1>{}<p>end</p>", blocks.concat());
        let imported = render::import::html(&html);
        let shown = render::html(&imported.markdown).to_string();
        prop_assert_eq!(outline(&shown, 0), outline(&html, 2), "{}\n{}", html, imported.markdown);
        // A second time changes nothing.
        let again = render::import::html(&shown);
        prop_assert_eq!(outline(render::html(&again.markdown).as_str(), 0), outline(&shown, 0), "{}", again.markdown);
    }

    #[test]
    fn words_stay_where_styles_begin_and_end_within_them(line in inline(vec!["", "", " "])) {
        let html = format!("<p>{line}</p>");
        let shown = render::html(&render::import::html(&html).markdown).to_string();
        let words = |html: &str| scraper::Html::parse_fragment(html).root_element().text().collect::<String>();
        let words = |html: &str| words(html).split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assert_eq!(words(&shown), words(&html));
    }

    #[test]
    fn a_plain_text_keeps_its_words(lines in prop::collection::vec("[A-C \t•*1-3.)(\\[\\]#|>_`~<&{}-]{0,12}", 0..8)) {
        let text = lines.join("\n");
        let shown = render::html(&render::import::text(&text).markdown).to_string();
        let letters = |text: &str| text.chars().filter(char::is_ascii_uppercase).collect::<String>();
        let shown = scraper::Html::parse_fragment(&shown).root_element().text().collect::<String>();
        prop_assert_eq!(letters(&shown), letters(&text));
    }
}

#[test]
fn styles_that_touch_each_other_keep_their_words() {
    let html = "<p>x<i>a</i><b>b</b><b><i>c.</i></b> x</p>";
    assert_eq!(render::import::html(html).markdown, "xa**bc.** x\n");
    let html = "<p>x<i>a</i><b>b</b></p>";
    assert_eq!(render::import::html(html).markdown, "x*a***b**\n");
}
