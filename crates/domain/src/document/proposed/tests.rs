use std::collections::HashMap;

use jiff::Timestamp;

use super::super::{
    ApprovalStep, ApprovingPeople, ChangedItem, ItemKind, NewDocument, NodeType, PlacedItem, RecordedEdit,
    SelectOption, changed_items, default_steps, is_material, proposed_values,
};
use super::*;
use crate::change::Change;
use crate::ids::{RiskNumber, UserId};
use crate::role::Role;
use crate::text::{Line, Prose};

fn option(id: &str) -> SelectOption {
    let (id, text) = (id.to_owned(), format!("Text of {id}."));
    SelectOption { label: id.clone(), id, text, guidance: None, weakens: true }
}

fn select(options: &[&str]) -> Item {
    let options = options.iter().map(|id| option(id)).collect();
    Item {
        material: true,
        ..Item::new("mfa", "Who?", ItemKind::Select { options, default: Some("all".to_owned()) })
    }
}

fn text(max_length: i64) -> Item {
    let kind = ItemKind::Text { default: "x".to_owned(), max_length, multiline: true, markdown: true };
    Item {
        guidance: Some("Guide".to_owned()),
        controls: vec!["A.5.1".into()],
        ..Item::new("contact", "Whom?", kind)
    }
}

/// A published document whose two items have values.
fn document() -> DocumentWithItems {
    let new = NewDocument {
        template: Some(Prose::from("{{mfa}} {{contact}}")),
        ..NewDocument::new("policy", Line::from("Policy"), vec![select(&["all", "none"]), text(9)])
    };
    let values = [Some("none".to_owned()), Some("Ada".to_owned())];
    let items =
        new.items.iter().cloned().zip(values).map(|(item, value)| PlacedItem { item, value }).collect();
    let mut document = new.create(None, Timestamp::UNIX_EPOCH);
    document.published_version = Some(1);
    DocumentWithItems { document, template: new.template, approval_steps: Vec::new(), items }
}

fn everything() -> ProposalPatch {
    let [with_role] = default_steps().try_into().unwrap();
    let with_role = ApprovalStep { who: ApprovingPeople::Role, role: Some(Role::Admin), ..with_role };
    let users = Some(vec![UserId(uuid::Uuid::nil())]);
    let name = Line::from("Last");
    let one_by_one =
        ApprovalStep { name, who: ApprovingPeople::Users, role: None, users, ..with_role.clone() };
    ProposalPatch {
        title: Some(Line::from("New")),
        reference: Change::Set(Line::from("ISMS-1")),
        classification: Some(crate::document::Classification::Secret),
        audience: Some("All".into()),
        language: Some("de".into()),
        template: Change::Clear,
        approval_steps: Some(vec![with_role, one_by_one]),
        items: Some(vec![Item { risks: vec![RiskNumber(7)], ..text(2) }, select(&["all"])]),
    }
}

#[test]
fn every_field_is_proposed_kept_as_a_text_and_read_back() {
    let (before, risks) = (document(), HashSet::from([RiskNumber(7)]));
    let after = everything().apply(&before, &risks).unwrap().unwrap();
    let changes = ProposedChanges::between(&before, &after);
    assert_eq!(changes.fields().into_iter().collect::<Vec<_>>(), ProposalField::ALL);
    let read = ProposedChanges::from_stored(&changes.to_stored().unwrap()).unwrap();
    assert_eq!(read, changes);
    assert_eq!(read.overlaid(&before).unwrap(), after);
    assert_eq!(read.items().unwrap().map(|items| items.len()), Some(2));
    let items = before.items.iter().map(|placed| placed.item.clone()).collect::<Vec<_>>();
    assert_eq!(read.previous_items().unwrap(), Some(items));
    assert_eq!((&read.previous()["title"], &read.proposed()["template"]), (&json!("Policy"), &Value::Null));
    assert_eq!(
        read.texts(),
        ["New", "ISMS-1", "All", "Whom?", "Guide", "x", "Who?", "all", "Text of all."],
        "what is proposed, without what it replaces"
    );
    assert_eq!(everything().apply(&after, &risks), Ok(None), "repeating it changes nothing");
    assert_eq!(ProposedChanges::between(&before, &before).to_stored(), None);
}

#[test]
fn a_template_fits_its_items_wherever_they_come_from() {
    let before = document();
    let pointers = |patch: ProposalPatch| match patch.apply(&before, &HashSet::new()) {
        Err(Error::Invalid(faults)) => faults.into_iter().map(|fault| fault.pointer).collect(),
        _ => Vec::new(),
    };
    let template =
        |text: &str| ProposalPatch { template: Change::Set(Prose::stored(text)), ..ProposalPatch::default() };
    assert_eq!(pointers(template("{{gone}}")), ["#/template"]);
    let items = |items| ProposalPatch { items: Some(items), ..ProposalPatch::default() };
    assert_eq!(pointers(items(vec![text(9)])), ["#/template"], "it prints the other item");
    assert_eq!(pointers(ProposalPatch { items: Some(Vec::new()), ..everything() }), ["#/items"]);
    let risky = Item { risks: vec![RiskNumber(7)], ..text(9) };
    assert_eq!(pointers(items(vec![select(&["all"]), risky])), ["#/items/1/risks/0"]);
}

fn edit(node_id: &str, value: &str) -> RecordedEdit {
    RecordedEdit {
        change_set: 1,
        node_id: node_id.to_owned(),
        node_type: NodeType::Text,
        value: value.to_owned(),
        previous: None,
        set_date: Timestamp::UNIX_EPOCH,
        is_adopted: false,
    }
}

#[test]
fn values_are_kept_and_those_without_a_place_are_named() {
    let before = document();
    let of = |items: Vec<Item>, edits: &[RecordedEdit]| {
        proposed_values(&before.items, &super::super::placed(&items, &before.items), edits)
    };
    let (values, removed) = of(vec![select(&["all", "none", "new"]), text(9)], &[edit("contact", "Eve")]);
    assert_eq!((values["mfa"].as_str(), values["contact"].as_str(), removed.len()), ("none", "Eve", 0));
    let (values, removed) = of(vec![select(&["all"]), text(2)], &[edit("other", "x")]);
    assert_eq!(
        (values["mfa"].as_str(), values["contact"].as_str(), values.len()),
        ("all", "x", 2),
        "defaults"
    );
    let removed: Vec<_> =
        removed.iter().map(|it| (it.node_id.as_str(), it.value.as_str(), it.reason)).collect();
    let (item, text) = (("other", "x", RemovedReason::Item), ("contact", "Ada", RemovedReason::Text));
    assert_eq!(removed, [text, ("mfa", "none", RemovedReason::Option), item]);
}

#[test]
fn an_item_has_its_default_unless_another_value_was_set() {
    let kind =
        ItemKind::Text { default: "The board".to_owned(), max_length: 20, multiline: false, markdown: false };
    let placed = |value: Option<&str>| PlacedItem {
        item: Item::new("who", "Who", kind.clone()),
        value: value.map(str::to_owned),
    };
    let of = |it: &PlacedItem, edits: &[RecordedEdit]| {
        proposed_values(std::slice::from_ref(it), std::slice::from_ref(it), edits).0.remove("who").unwrap()
    };
    assert_eq!(of(&placed(None), &[]), "The board");
    assert_eq!(of(&placed(Some("Ada")), &[]), "Ada");
    assert_eq!(of(&placed(None), &[edit("who", "")]), "", "it was emptied");
    let kind = ItemKind::Text { default: String::new(), max_length: 20, multiline: false, markdown: false };
    let none = PlacedItem { item: Item::new("who", "Who", kind), value: None };
    let none = std::slice::from_ref(&none);
    let (values, _) = proposed_values(none, none, &[edit("who", "")]);
    assert!(values.is_empty(), "there was nothing to empty");
    let long = placed(Some("Ada Lovelace and Ben Otieno"));
    assert_eq!(of(&long, &[]), "The board", "what the item does not take is removed");
}

#[test]
fn other_words_and_other_material_values_are_material() {
    let before = document();
    let values = |mfa: &str, contact: &str| {
        HashMap::from([("mfa".to_owned(), mfa.to_owned()), ("contact".to_owned(), contact.to_owned())])
    };
    let with = |text: &str| DocumentWithItems { template: Some(Prose::stored(text)), ..before.clone() };
    let spaced = with("{{mfa}}\n\n{{contact}}\n");
    assert!(!is_material(&before, &spaced, &values("none", "Eve")), "no word and no material item");
    assert!(is_material(&before, &with("{{mfa}} or {{contact}}"), &values("none", "Ada")));
    assert!(is_material(&before, &before, &values("all", "Ada")));
    // The same option, which prints other words.
    let mut reworded = before.clone();
    let ItemKind::Select { options, .. } = &mut reworded.items[0].item.kind else {
        panic!("an item with options")
    };
    options.iter_mut().for_each(|option| option.text = "Nobody does.".to_owned());
    assert!(is_material(&before, &reworded, &values("none", "Ada")));
    let mut first = before.clone();
    first.document.published_version = None;
    assert!(is_material(&first, &first, &values("none", "Ada")));
}

#[test]
fn an_option_weakens_if_the_document_or_the_proposal_says_so() {
    let before = document();
    let values = |mfa: &str| HashMap::from([("mfa".to_owned(), mfa.to_owned())]);
    let strong = |mut item: Item, risk: i64| {
        let ItemKind::Select { options, .. } = &mut item.kind else { panic!("an item with options") };
        options.iter_mut().for_each(|option| option.weakens = false);
        Item { risks: vec![RiskNumber(risk)], ..item }
    };
    let placed = |items: Vec<Item>| super::super::placed(&items, &before.items);
    let proposed = placed(vec![strong(select(&["all", "none", "new"]), 7)]);
    let weakening = |mfa: &str| {
        let values = values(mfa);
        let changed = changed_items(&before.items, &proposed, &values);
        changed.iter().map(|it| (it.id().to_owned(), it.weakening().is_some())).collect::<Vec<_>>()
    };
    let gone = ("contact".to_owned(), false);
    assert_eq!(weakening("none"), std::slice::from_ref(&gone), "its value stays");
    assert_eq!(weakening("all"), [("mfa".to_owned(), true), gone.clone()]);
    assert_eq!(weakening("new"), [("mfa".to_owned(), false), gone]);
    let risky = placed(vec![strong(select(&["all"]), 7)]);
    let (values, none) = (values("all"), HashMap::new());
    let risks = |it: &ChangedItem<'_>| it.risks().into_iter().map(RiskNumber::number).collect::<Vec<_>>();
    let both = changed_items(&risky, &proposed, &none);
    assert_eq!(both.iter().map(risks).collect::<Vec<_>>(), [vec![7]], "its value is gone");
    let moved = placed(vec![strong(select(&["all"]), 8)]);
    assert_eq!(risks(&changed_items(&risky, &moved, &values)[0]), [7, 8]);
}
