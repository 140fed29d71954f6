use serde_json::json;

use super::item::{item_id, option_id};
use super::*;
use crate::error::Error;
use crate::json::{FromJson as _, Json, Pointer};

fn select(id: &str, options: &[&str]) -> Item {
    let option = |id: &&str| SelectOption {
        id: (*id).to_owned(),
        label: "Everyone".into(),
        text: String::new(),
        guidance: None,
        weakens: false,
    };
    let options = options.iter().map(option).collect();
    let kind = ItemKind::Select { options, default: None };
    item(id, kind)
}

fn item(id: &str, kind: ItemKind) -> Item {
    Item { required: true, ..Item::new(id, "Who?", kind) }
}

fn text_item(id: &str, max_length: i64) -> Item {
    item(id, ItemKind::Text { default: String::new(), max_length, multiline: false, markdown: false })
}

fn edit(node_id: &str, node_type: NodeType, value: &str) -> Edit {
    Edit { node_id: node_id.into(), node_type, value: value.into() }
}

fn places(check: impl FnOnce(&mut Faults)) -> Vec<(String, FaultCode)> {
    let mut faults = Faults::new();
    check(&mut faults);
    faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect()
}

#[test]
fn a_slug_is_words_with_hyphens() {
    for text in ["a", "access-control", "iso-27001", "9"] {
        assert_eq!(places(|faults| slug(text, "#/slug", faults)), [], "{text}");
    }
    for text in ["", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "export", "import", "new"] {
        assert_eq!(
            places(|faults| slug(text, "#/slug", faults)),
            [("#/slug".into(), FaultCode::Format)],
            "{text}"
        );
    }
    assert!(is_slug(&"a".repeat(80)) && !is_slug(&"a".repeat(81)));
    let long = places(|faults| slug(&"a".repeat(81), "#/slug", faults));
    assert_eq!(long, [("#/slug".into(), FaultCode::TooLong)]);
}

#[test]
fn the_edits_faults_name_the_element() {
    let items = [select("mfa", &["all", "admins"]), text_item("contact", 3)];
    let edits = [
        edit("mfa", NodeType::Select, "all"),
        edit("mfa", NodeType::Select, "nobody"),
        edit("contact", NodeType::Select, "all"),
        edit("contact", NodeType::Text, "éàü"),
        edit("contact", NodeType::Text, "four"),
        edit("gone", NodeType::Text, ""),
    ];
    assert_eq!(
        places(|faults| check_edits(&items, None, &edits, faults)),
        [
            ("#/1/value".into(), FaultCode::UnknownOption),
            ("#/2/node_type".into(), FaultCode::KindMismatch),
            ("#/4/value".into(), FaultCode::TooLong),
            ("#/5/node_id".into(), FaultCode::UnknownItem),
        ]
    );
    let twice = [edit("mfa", NodeType::Select, "all"), edit("mfa", NodeType::Select, "admins")];
    assert_eq!(
        places(|faults| check_distinct(&twice, faults)),
        [("#/1/node_id".into(), FaultCode::Duplicate)]
    );
}

fn edits_read(count: usize) -> Vec<(String, FaultCode)> {
    let edit = |index: usize| {
        let members = [("node_id", index.to_string()), ("node_type", "text".into()), ("value", "x".into())];
        let members = members.map(|(name, value)| (name.into(), Json::String(value.into())));
        Json::Object(members.into())
    };
    places(|faults| drop(read_edits(Json::Array((0..count).map(edit).collect()), faults)))
}

#[test]
fn there_are_1_to_1_000_edits() {
    assert_eq!(edits_read(0), [("#".into(), FaultCode::TooFew)]);
    assert_eq!((edits_read(1), edits_read(1_000)), (vec![], vec![]));
    assert_eq!(edits_read(1_001), [("#".into(), FaultCode::TooMany)]);
}

#[test]
fn ids_of_items_and_options_have_their_own_alphabets() {
    let item = |text: &str| places(|faults| item_id(text, "#/id", faults)).first().map(|it| it.1);
    let option = |text: &str| places(|faults| option_id(text, "#/id", faults)).first().map(|it| it.1);
    assert_eq!((item("mfa-2"), option("All_staff.1")), (None, None));
    assert_eq!((item("MFA"), option("all staff")), (Some(FaultCode::Format), Some(FaultCode::Format)));
    assert_eq!((item(""), option("")), (Some(FaultCode::Blank), Some(FaultCode::Blank)));
    assert_eq!(item(&"a".repeat(81)), Some(FaultCode::TooLong));
}

#[test]
fn a_proposal_grows_up_to_its_limit_and_may_always_shrink() {
    assert_eq!(proposal_bytes(0, 10, 10), Ok(10));
    assert!(matches!(proposal_bytes(1, 10, 10), Err(Error::Invalid(faults))
        if faults[0].code == FaultCode::ProposalTooLarge));
    assert_eq!(proposal_bytes(20, -5, 10), Ok(15), "the limit was lowered meanwhile");
    assert_eq!(proposal_bytes(20, 0, 10), Ok(20));
}

#[test]
fn an_item_prints_only_so_much() {
    let kind =
        ItemKind::Text { default: String::new(), max_length: 65_536, multiline: true, markdown: false };
    let item = Item::new("a", "A", kind);
    let told = |template: Option<&str>, value: &str| {
        let edits = [edit("a", NodeType::Text, value)];
        places(|faults| check_edits(std::slice::from_ref(&item), template, &edits, faults))
    };
    let often = "{{a}}".repeat(13_000);
    let (value, refused) = ("x".repeat(60_000), [("#/0/value".to_owned(), FaultCode::TooLong)]);
    assert_eq!(told(Some(&often), &value), refused);
    assert_eq!(told(Some(&often), "Acme & Co."), refused);
    assert!(told(Some(&often), "Acme").is_empty() && told(Some("{{a}} {{a}}"), &value).is_empty());
    let lines = "x\n\n".repeat(20_000);
    assert_eq!(told(Some("> > > > > > {{a}}"), &lines), refused);
    assert_eq!((told(Some("{{a}}"), &lines), told(None, &value)), (vec![], vec![]));
    let read = |default: &str, template: &str| {
        let item = json!({"id": "a", "kind": "text", "label": "A", "max_length": 60_000, "default": default});
        let new = json!({"slug": "a", "title": "A", "template": template, "items": [item]});
        places(|faults| drop(NewDocument::from_json(Json::from(&new), Pointer::ROOT, faults)))
    };
    assert_eq!(read(&value, &often), [("#/template".to_owned(), FaultCode::TooLong)]);
    assert!(read(&value, "{{a}}").is_empty());
}
