use proptest::prelude::*;

use super::*;
use crate::document::{Item, ItemKind, SelectOption};

const FILE: &str = r##"---
slug: access-control
title: "Access control: policy #1"
reference: ISMS-POL-03
description: Who may sign in to what, and how.
classification: internal
audience: Everyone who uses the company's systems
language: en
review_every_days: 365
items:
  - id: mfa
    kind: select
    label: Who signs in with a second factor?
    guidance: |
      Attackers guess passwords.

      - They also steal them.
    required: true
    material: true
    risks: [RSK-1]
    controls: [A.5.17, A.8.5, "5.1"]
    default: "no"
    options:
      - id: everyone
        label: Everyone
        text: Everyone signs in with a second factor.
      - id: "no"
        label: Nobody
        text: "*Nobody* does."
        weakens: true
  - id: contact
    kind: text
    label: Whom to call
    default: security@example.org
    max_length: 200
---
# Signing in

{{mfa}} Call {{contact}}.
"##;

fn faults(file: &str) -> Vec<String> {
    let mut faults = Faults::new();
    drop(read(file, Pointer::ROOT, &mut faults));
    let said = |it: crate::fault::Fault| format!("{} {} {}", it.pointer, it.code.as_str(), it.detail);
    faults.into_vec().into_iter().map(said).collect()
}

fn document(file: &str) -> NewDocument {
    let mut faults = Faults::new();
    let read = read(file, Pointer::ROOT, &mut faults);
    read.filter(|_| faults.is_empty()).unwrap_or_else(|| panic!("{faults:?}\n{file}"))
}

#[test]
fn a_file_in_normal_form_comes_back_byte_for_byte() {
    let read = document(FILE);
    assert_eq!(write(&read), FILE);
    assert_eq!(read.template.as_deref(), Some("# Signing in\n\n{{mfa}} Call {{contact}}.\n"));
    assert_eq!(
        read.items[0].guidance.as_deref(),
        Some("Attackers guess passwords.\n\n- They also steal them.\n")
    );
    let other = FILE
        .replace("title: \"Access control: policy #1\"", "# A comment\ntitle: 'Access control: policy #1'");
    assert_eq!(write(&document(&other.replace("[RSK-1]", "\n      - RSK-1"))), FILE);
    let windows = document(&FILE.replace('\n', "\r\n"));
    assert_eq!((&windows.title, &windows.items), (&read.title, &read.items), "lines of Windows");
}

#[test]
fn what_is_wrong_with_a_file_has_its_place() {
    let form = "# format must begin with a line ---, then YAML, then another line ---";
    assert_eq!(faults("# A policy\n"), [form]);
    assert_eq!(faults("---\nslug: a\n"), [form]);
    for (from, to, expected) in [
        (
            "slug: access-control\n",
            "slug: access-control\nslug: b\n",
            "# format line 3, column 1: this key is there already",
        ),
        ("Everyone\n", "*all\n", "# format "),
        ("title: ", "title: &a ", "# format line 3, column "),
        ("title: ", "title: !x ", "# format line 3, column "),
        ("title: \"Access control: policy #1\"", "title: 7", "#/title type "),
        ("label: Nobody", "label: [", "# format "),
        ("{{mfa}}", "{{mfb}}", "#/template template line 3, column 1: there is no item mfb"),
        ("id: contact", "id: Contact", "#/items/1/id format "),
        ("language: en\n", "language: en\ntemplate: x\n", "#/template unknown_field "),
    ] {
        let found = faults(&FILE.replacen(from, to, 1));
        assert!(found[0].starts_with(expected), "{to}: {found:?}");
    }
    let empty = "# format must have members such as `slug: access-control` in its YAML";
    assert_eq!(
        (faults("---\n- a\n---\n"), faults("---\n---\n")),
        (vec![empty.to_owned()], vec![empty.to_owned()])
    );
    assert!(faults("---\ntitle: x\n---\n").iter().any(|fault| fault.starts_with("#/slug required")));
}

/// Texts with what YAML reads in its own way.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "B", "é", "字", " ", "  ", "\n", "\n\n", "\t", "\r", ":", ": ", " #", "-", "- ", "---", "...",
        "|", ">", "'", "\"", "\\", "[", "]", "{", "}", ",", "&a", "*a", "!t", "%", "@", "`", "?", "~",
        "null", "true", "no", "1", "0x1f", "1e3", ".5", "\u{85}", "\u{2028}", "\u{feff}", "\u{7f}", "\u{1}",
        "😀", "{{a}}", "\u{fffe}",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// A text that can be a label.
fn line() -> impl Strategy<Value = String> {
    texts().prop_map(|text| {
        let text: String = text.chars().filter(|letter| !text::breaks_a_line(*letter)).collect();
        if text::is_blank(&text) { format!("x{text}") } else { text }
    })
}

fn item() -> impl Strategy<Value = Item> {
    let option = ("[A-Za-z0-9._-]{1,4}", line(), texts(), prop::option::of(texts()), any::<bool>());
    let question = (
        line(),
        prop::option::of(texts()),
        any::<[bool; 5]>(),
        prop::collection::vec("[A-Z0-9.:-]{1,5}", 0..3),
    );
    (question, option, texts()).prop_map(|(question, option, default)| {
        let (label, guidance, [required, material, multiline, markdown, is_text], mut controls) = question;
        let (id, option_label, text, option_guidance, weakens) = option;
        controls.sort();
        controls.dedup();
        let option =
            SelectOption { id: id.clone(), label: option_label, text, guidance: option_guidance, weakens };
        let default: String = default.chars().filter(|it| multiline || !text::breaks_a_line(*it)).collect();
        let text = ItemKind::Text { default, max_length: 90, multiline, markdown };
        let select = ItemKind::Select { options: vec![option], default: material.then_some(id) };
        let controls = controls.into_iter().map(crate::document::Control::stored).collect();
        let (risks, kind) =
            (vec![crate::RiskNumber(7); usize::from(weakens)], if is_text { text } else { select });
        Item { id: "a".into(), label, guidance, required, material, risks, controls, kind }
    })
}

proptest! {
    #[test]
    fn every_document_comes_back_as_it_was(
        title in line(),
        description in texts(),
        template in texts(),
        audience in line(),
        item in item(),
        days in prop::option::of(1..3_660_i64),
    ) {
        let plain = document(FILE);
        let template = template.replace(['{', '\u{1}'], "");
        let template = if text::is_blank(&template) { "x".to_owned() } else { template };
        let it = NewDocument {
            title: crate::Line::stored(title.clone()),
            description: crate::ProseOrEmpty::stored(description),
            earlier: days.map(|_| crate::Line::stored(title)),
            reference: None,
            audience: crate::LineOrEmpty::stored(audience),
            acknowledge_every_days: days,
            template: Some(crate::Prose::stored(template)),
            items: vec![item],
            ..plain
        };
        let file = write(&it);
        let again = document(&file);
        prop_assert_eq!(&again, &it, "{}", file);
        prop_assert_eq!(write(&again), file);
    }
}
