use std::collections::{HashMap, HashSet};

use super::tokens::{Block, Token};
use super::*;

const POLICY: &str = "\
Applies to {{audience}}.

# Access {#access}

{% if mode == \"strict\" %}
Two factors, for {{audience}}.
{% elif mode == \"usual\" %}
One factor{% if place == \"out\" %}, and a second one outside{% endif %}.
{% else %}
See {{ref:#leave}}.
{% endif %}

## Rooms

{{rooms}}

# Leaving {#leave}

As in {{ref:#access}} and {{ref:rooms}}.
";

fn values<'v>(values: &'v [(&'v str, &'v str, bool)]) -> impl Fn(&str) -> Printed<'v> {
    move |item| {
        let found = values.iter().find(|(id, ..)| *id == item);
        let (_, text, is_markdown) = found.copied().unwrap_or(("", "", true));
        Printed { option: Some(text), text, is_markdown }
    }
}

fn rendered(text: &str, of: &[(&str, &str, bool)]) -> String {
    Template::parse(text).unwrap().render(values(of))
}

fn faults(text: &str) -> Vec<String> {
    Template::parse(text).unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn values_blocks_and_numbers_are_printed() {
    let of = [
        ("audience", "everyone", true),
        ("mode", "usual", true),
        ("place", "out", true),
        ("rooms", "Locked.", true),
    ];
    let expected = "\
Applies to everyone.

# 1 Access

One factor, and a second one outside.

## 1.1 Rooms

Locked.

# 2 Leaving

As in 1 and 1.1.
";
    assert_eq!(rendered(POLICY, &of), expected);
    let strict = [of[0], ("mode", "strict", true)];
    assert!(rendered(POLICY, &strict).contains("\n\nTwo factors, for everyone.\n\n##"));
    assert!(rendered(POLICY, &[]).contains("\n\nSee 2.\n\n##"));
}

#[test]
fn a_text_is_printed_as_it_was_typed() {
    let typed = "# not a heading\n1. *not* a [list](x) {{item}}\n\n| a";
    let printed = "\\# not a heading\\\n1\\. \\*not\\* a \\[list\\](x) \\{\\{item}}\n\n\\| a\n";
    assert_eq!(rendered("{{a}}\n", &[("a", typed, false)]), printed);
    let listed = rendered("> - {{a}}\n", &[("a", "one\ntwo\n\nthree", false)]);
    assert_eq!(listed, "> - one\\\n>   two\n>\n>   three\n");
}

#[test]
fn a_reference_to_what_this_text_does_not_have_is_a_dash() {
    let text = "{{ref:a}} {{ref:#b}}\n{% if c == \"d\" %}\n# B {#b}\n{{a}}\n{% endif %}\n";
    assert_eq!(rendered(text, &[]), "— —\n");
    assert_eq!(rendered(text, &[("c", "d", true)]), "1 1\n# 1 B\n\n");
    assert_eq!(rendered("{{a}}\n# B\n{{ref:a}}", &[]), "\n# 1 B\n—");
}

#[test]
fn headings_are_numbered_from_the_highest_level_and_not_in_code() {
    let text = "## A\n```\n# no\n```\n    # no\n#no\n### B\n#### C\n## D\n#### E\n";
    let expected = "## 1 A\n```\n# no\n```\n    # no\n#no\n### 1.1 B\n#### 1.1.1 C\n## 2 D\n#### 2.0.1 E\n";
    assert_eq!(rendered(text, &[]), expected);
}

#[test]
fn braces_of_markdown_are_left_alone() {
    let text = "\\{{a}} {a} { {a} } \\{% if %}\n";
    assert_eq!(rendered(text, &[]), text);
    assert_eq!(rendered("\\\\{{a}}\n", &[("a", "b", true)]), "\\\\b\n");
}

#[test]
fn each_fault_is_told_with_its_line_and_column() {
    let text =
        "ä {{a b}} {{c\n{% else %}\n{% if x == y %}\n{% if a == \"b\" %}{% else %}{% elif a == \"c\" %}\n";
    assert_eq!(
        faults(text),
        [
            "line 1, column 3: {{a b}} is not known; use {{item}}, {{ref:item}}, {{ref:#anchor}}, \
             {% if item == \"option\" %}, {% elif item == \"option\" %}, {% else %} or {% endif %}",
            "line 1, column 11: }} is missing in this line",
            "line 2, column 1: else without an if before it",
            &format!("line 3, column 1: {}", Reason::UnknownForm("{% if x == y %}".to_owned())),
            "line 4, column 1: the if has no endif",
            "line 4, column 28: elif after the else of its if",
        ]
    );
    let deep = "{% if a == \"b\" %}".repeat(17) + &"{% endif %}".repeat(17);
    assert_eq!(faults(&deep), ["line 1, column 273: blocks can be nested 16 deep"]);
}

#[test]
fn what_a_template_names_must_be_there() {
    let items: Places<'_> = HashMap::from([("select", Some(HashSet::from(["yes", "no"]))), ("text", None)]);
    let told = |text: &str| {
        let found = Template::parse(text).unwrap().check(&items).unwrap_err();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told("{{text}}\n{{missing}}"), ["line 2, column 1: there is no item missing"]);
    assert_eq!(
        told("{% if select == \"maybe\" %}{% elif text == \"a\" %}{% elif none == \"a\" %}{% endif %}"),
        [
            "line 1, column 1: the item select has no option maybe",
            "line 1, column 27: the item text is a text and has no options",
            "line 1, column 49: there is no item none",
        ]
    );
    assert_eq!(
        told("# A {#a}\n# B {#a}\n{{ref:text}} {{ref:#b}}"),
        [
            "line 2, column 4: another heading ends with {#a} already",
            "line 3, column 1: the item text is not in the template, so it is under no heading",
            "line 3, column 14: no heading ends with {#b}",
        ]
    );
    Template::parse("# A {#a}\n{{text}}{{ref:text}}{{ref:#a}}").unwrap().check(&items).unwrap();
}

#[test]
fn the_normal_form_says_the_same() {
    let text = "A {{ a }}\n  {%if  a==\"b\"%}  \nx {% else %}{{ref: #c}}\n{%endif%}";
    let normal = "A {{a}}\n{% if a == \"b\" %}\nx {% else %}{{ref:#c}}\n{% endif %}\n";
    let template = Template::parse(text).unwrap();
    assert_eq!(template.to_string(), normal);
    assert_eq!(Template::parse(normal).unwrap().to_string(), normal);
    assert_eq!(template.items().collect::<Vec<_>>(), ["a", "a"]);
}

/// Reads, prints and checks texts of a repeated piece, in sizes that double up to the full length. What comes of each is
/// bounded by its length. No clock is read: with steps that grow with the square of the length, this would take minutes.
fn assert_bounded(piece: &str) {
    for size in (0..=6).rev().map(|halvings| MAX_TEMPLATE >> halvings) {
        let text = piece.repeat(size / piece.len());
        let template = match Template::parse(&text) {
            Ok(template) => template,
            Err(faults) => {
                assert!((1..=100).contains(&faults.len()), "{piece:?}: {} faults", faults.len());
                assert!(faults.iter().all(|fault| fault.line <= 1 + text.matches('\n').count()), "{piece:?}");
                continue;
            }
        };
        // Each byte is in one part at most.
        assert!(template.tokens.is_sorted_by(|(one, _), (next, _)| one < next), "{piece:?}");
        let mut depth = 0_usize;
        for (_, token) in &template.tokens {
            match token {
                Token::Block(Block::If(_), _) => depth += 1,
                Token::Block(Block::Endif, _) => depth -= 1,
                _ => {}
            }
            assert!(depth <= 16, "{piece:?} is {depth} deep");
        }
        let printed = template.render(values(&[("a", &"*".repeat(100), false)]));
        // The value with its backslashes, for the five bytes of its place.
        assert!(printed.len() <= 40 * text.len(), "{piece:?}: {} from {}", printed.len(), text.len());
        if let Err(faults) = template.check(&HashMap::new()) {
            assert!((1..=100).contains(&faults.len()), "{piece:?}: {} faults", faults.len());
        }
    }
}

#[test]
fn hostile_texts_up_to_the_full_length_end_with_a_bounded_result() {
    for piece in [
        "{{",
        "{%",
        "{{\n",
        "{{a}}",
        "\\",
        "\\{",
        " {% else %}",
        "{% if a == \"b\" %}",
        "# A {#a}\n",
        "`",
        "> ",
        "{{ref:#a}} ",
    ] {
        assert_bounded(piece);
    }
}

#[test]
fn further_lines_begin_like_a_list_or_a_quotation_but_not_with_anything_long() {
    let value = [("a", "x\ny", true), ("b", &*">".repeat(60_000), true)];
    assert_eq!(rendered("> > {{a}}", &value), "> > x\n> > y");
    let printed = rendered("{{b}}{{a}}", &value);
    assert_eq!(printed.len(), 60_003, "what a value begins with is repeated no more");
    let uses = |text: &str| Template::parse(text).unwrap().uses().printed("a", "x\ny", true);
    assert_eq!([uses("> > {{a}}"), uses("{{b}}{{a}}"), uses("So {{a}}{{a}}")], [7, 67, 70]);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of which texts are made that are near to templates.
    const PIECES: &[&str] = &[
        "{{",
        "}}",
        "{%",
        "%}",
        "{{a}}",
        "{{ref:a}}",
        "{{ref:#b}}",
        "{% if a == \"b\" %}",
        "{% elif a == \"c\" %}",
        "{% else %}",
        "{% endif %}",
        "\n",
        "\n",
        "  ",
        "\t",
        "\r\n",
        "\\",
        "`",
        "```\n",
        "# ",
        "### C {#b}\n",
        "ä",
        "text",
        "> - ",
        "1. ",
        "|",
    ];

    const VALUES: &[&str] =
        &["\n", "\n\n", "# ", "#\n", "###### h\n", "*", "> ", "1. ", "  ", "x", "ä", "```\n"];

    fn near() -> impl Strategy<Value = String> {
        proptest::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
    }

    /// Sound templates: what stands in a block is itself sound.
    fn sound() -> impl Strategy<Value = String> {
        let plain =
            prop::sample::select(&["{{a}}", "{{ref:a}}", "\n", "  ", "text", "# A {#b}\n", "`", "{ x"][..]);
        let text = proptest::collection::vec(plain, 0..6).prop_map(|pieces| pieces.concat());
        text.prop_recursive(4, 30, 3, |inner| {
            (inner.clone(), inner.clone(), inner, any::<bool>()).prop_map(|(before, one, other, has_a_line)| {
                let end = if has_a_line { "\n" } else { "" };
                format!(
                    "{before}{end}{{% if a == \"b\" %}}{end}{one}{end}{{%else%}}{end}{other}{end}{{% endif %}}{end}"
                )
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn any_repeated_pieces_up_to_the_full_length_end_with_a_bounded_result(
            pieces in proptest::collection::vec(prop::sample::select(PIECES), 1..6),
        ) {
            assert_bounded(&pieces.concat());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_its_faults_are_within_it(text in near()) {
            match Template::parse(&text) {
                Ok(template) => drop(template.render(values(&[("a", "b", false)]))),
                Err(faults) => {
                    prop_assert!(!faults.is_empty());
                    let lines: Vec<_> = text.split('\n').collect();
                    for fault in faults {
                        let line = lines.get(fault.line - 1).copied();
                        prop_assert!(line.is_some_and(|line| fault.column <= line.chars().count()), "{fault}");
                    }
                }
            }
        }

        #[test]
        fn a_sound_template_is_read_and_its_normal_form_prints_the_same(text in sound()) {
            let template = Template::parse(&text).unwrap();
            let normal = template.to_string();
            let again = Template::parse(&normal).unwrap();
            prop_assert_eq!(again.to_string(), normal.clone());
            for option in ["b", "c"] {
                let of = [("a", option, false)];
                let printed = again.render(values(&of));
                prop_assert_eq!(template.render(values(&of)), printed);
            }
        }

        #[test]
        fn a_text_is_printed_within_its_size(
            text in near(),
            value in proptest::collection::vec(prop::sample::select(VALUES), 0..30),
            is_markdown in any::<bool>(),
        ) {
            let Ok(template) = Template::parse(&text) else { return Ok(()) };
            let value = value.concat();
            let printed = template.render(|_| Printed { option: Some("b"), text: &value, is_markdown });
            // Besides its items a text has its own words, and numbers of headings.
            let numbers = text.matches('#').count() + text.matches("{{ref").count();
            let most = template.uses().printed("a", &value, is_markdown)
                + text.chars().count() + numbers * size::MAX_NUMBER;
            prop_assert!(printed.chars().count() <= most, "{} of {most}: {printed}", printed.chars().count());
        }

        /// What somebody types makes no heading, list, table, link or markup: without its backslashes it is what was typed.
        #[test]
        fn an_escaped_text_has_nothing_of_markdown(text in "[ -~]{0,40}") {
            let printed = escaped(&text);
            let mut letters = printed.chars();
            let mut typed = String::new();
            while let Some(letter) = letters.next() {
                let plain = if letter == '\\' { letters.next() } else { Some(letter) };
                prop_assert!(letter == '\\' || !"`*_[]<>|~&{".contains(letter), "{printed}");
                typed.extend(plain);
            }
            prop_assert_eq!(typed, text.trim());
        }
    }
}
