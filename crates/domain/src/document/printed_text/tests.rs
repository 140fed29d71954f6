use proptest::prelude::*;

use super::super::SelectOption;
use super::*;

fn items() -> Vec<Item> {
    let option = |id: &str, text: &str| SelectOption {
        id: id.to_owned(),
        label: id.to_owned(),
        text: text.to_owned(),
        guidance: None,
        weakens: false,
    };
    let options = vec![option("all", "Everyone uses one:\n\n- at work\n- at home"), option("none", "")];
    let text = ItemKind::Text { default: String::new(), max_length: 2_000, multiline: true, markdown: false };
    let item = Item::new;
    vec![
        item("mfa", "Second factor", ItemKind::Select { options, default: None }),
        item("contact", "Whom to *call*", text),
    ]
}

fn printed<'t>(
    items: &'t [Item],
    template: Option<&'t str>,
    values: &[(&'t str, &'t str)],
) -> PrintedText<'t> {
    PrintedText {
        title: "Access \"control\"",
        reference: None,
        classification: "internal",
        audience: "",
        language: "en",
        effective_date: Some("2026-03-01"),
        is_material: Some(true),
        template,
        items: items.iter().collect(),
        values: values.iter().copied().collect(),
    }
}

const FRONT_MATTER: &str = "---\ntitle: \"Access \\\"control\\\"\"\nreference: null\nclassification: \"internal\"\n\
    audience: \"\"\nlanguage: \"en\"\neffective_date: \"2026-03-01\"\nmaterial: true\n---\n";

#[test]
fn without_a_template_the_items_with_a_value_are_listed() {
    let items = items();
    let text = printed(&items, None, &[("mfa", "all"), ("contact", "security@\n*us*")]).markdown().unwrap();
    let list = "- **Second factor**\n\n  Everyone uses one:\n\n  - at work\n  - at home\n\n\
        - **Whom to \\*call\\***\n\n  security@\\\n  \\*us\\*\n";
    assert_eq!(text, format!("{FRONT_MATTER}\n{list}"));
    assert_eq!(printed(&items, None, &[("contact", "")]).markdown().unwrap(), format!("{FRONT_MATTER}\n"));
}

#[test]
fn the_first_difference_of_two_texts_is_a_line() {
    for (one, other, line) in
        [("a\nb\n", "a\nb\n", None), ("a\nb", "a\nc", Some(2)), ("a", "a\n", Some(2)), ("", "a", Some(1))]
    {
        assert_eq!((first_difference(one, other), first_difference(other, one)), (line, line));
    }
}

#[test]
fn a_template_decides_what_is_printed() {
    let items = items();
    let template = "# Who\n\n{% if mfa == \"all\" %}Call {{contact}}.{% endif %}\n";
    let body =
        |values: &[(&'static str, &'static str)]| printed(&items, Some(template), values).body().unwrap();
    assert_eq!(body(&[("mfa", "all"), ("contact", "us")]), "# 1 Who\n\nCall us.\n");
    assert_eq!(body(&[("mfa", "none"), ("contact", "us")]), "# 1 Who\n");
}

/// The test vector of docs/documents.md.
#[test]
fn the_hash_is_that_of_the_documentation() {
    let items = items();
    let text = printed(&items, Some("# Who signs in\n\nAll do.\n"), &[]).markdown().unwrap();
    assert_eq!(sha256(&text), "e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c");
}

proptest! {
    /// Texts that differ in anything that is approved have different bytes.
    #[test]
    fn everything_that_is_approved_changes_the_text(title in "\\PC{0,9}", other in "\\PC{0,9}", lines in "[a-z\n-]{0,20}") {
        let items = items();
        let base = printed(&items, None, &[("contact", &lines)]);
        let text = |changed: &PrintedText<'_>| changed.markdown().unwrap();
        let (one, two) = (PrintedText { title: &title, ..base.clone() }, PrintedText { title: &other, ..base.clone() });
        prop_assert_eq!(text(&one) == text(&two), title == other);
        let changed = [
            PrintedText { reference: Some(&title), ..one.clone() },
            PrintedText { classification: "public", ..one.clone() },
            PrintedText { audience: "all", ..one.clone() },
            PrintedText { language: "de", ..one.clone() },
            PrintedText { effective_date: None, ..one.clone() },
            PrintedText { is_material: Some(false), ..one.clone() },
            PrintedText { values: HashMap::from([("mfa", "all"), ("contact", lines.as_str())]), ..one.clone() },
        ];
        for changed in &changed {
            prop_assert_ne!(text(changed), text(&one));
        }
    }
}
