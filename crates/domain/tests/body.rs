//! What `#[derive(Body)]` makes of a struct: its reader and its description.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod severity;

use domain::json::{Fields, FromJson as _, Json, Pointer};
use domain::{Change, FaultCode, Faults, Line, ProseOrEmpty};
use macros::Body;
use serde_json::{Value, json};
use utoipa::{PartialSchema as _, ToSchema as _};

/// A size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Body)]
pub struct Size {
    /// How wide.
    #[body(range = 1..=9)]
    pub width: i64,
}

/// A door to make.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewDoor", with(most: i64), read_only = &["id"], elsewhere = ELSEWHERE, check = fits(size, most))]
pub struct NewDoor {
    /// What it is called.
    #[body(example = "Front \"door\"")]
    pub name: Line<20>,
    /// What it is for.
    #[body(default)]
    pub about: ProseOrEmpty,
    /// Whether it is open.
    #[body(name = "open")]
    pub is_open: Option<bool>,
    /// Its size.
    #[body(flat)]
    pub size: Size,
    /// Who has a key.
    #[body(default, least = 1, most = 3)]
    pub keys: Vec<Line>,
}

/// Where a door leads to.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(tag = "type", name = "Way")]
pub enum Way {
    /// A room.
    #[body(name = "RoomWay")]
    NextRoom {
        /// Its number.
        #[body(range = 1..=9)]
        number: i64,
        /// How it is lit.
        #[body(default = 3)]
        light: i64,
    },
    /// Another door.
    Size(Size),
    /// Nowhere.
    Wall {},
}

/// Who has the key.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
pub struct KeyHolder {
    /// Their name; null: nobody.
    pub holder: Change<Line>,
}

const ELSEWHERE: &[(&[&str], &str)] = &[(&["lock"], "PUT /doors/{id}/lock")];

fn fits(fields: &mut Fields<'_, '_>, size: Option<&Size>, most: i64) {
    if size.is_some_and(|size| size.width > most) {
        fields.fault("width", FaultCode::Range, "does not fit");
    }
}

/// A change of a door.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(patch)]
pub struct DoorPatch {
    /// What it is called.
    pub name: Option<Line>,
    /// Its colour.
    pub color: Change<Line>,
    /// Whether it is locked.
    #[body(default)]
    pub locked: bool,
    /// What the service notes.
    #[body(skip)]
    pub note: Option<String>,
}

fn value(json: &Value) -> Json<'_> {
    match json {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => Json::Integer(number.as_i64().unwrap()),
        Value::String(text) => Json::String(text.as_str().into()),
        Value::Array(items) => Json::Array(items.iter().map(value).collect()),
        Value::Object(members) => {
            Json::Object(members.iter().map(|(name, member)| (name.as_str().into(), value(member))).collect())
        }
    }
}

fn read<T>(
    body: &Value,
    reader: impl Fn(Json<'_>, &mut Faults) -> Option<T>,
) -> (Option<T>, Vec<(String, FaultCode)>) {
    let mut faults = Faults::new();
    let read = reader(value(body), &mut faults);
    (read, faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect())
}

fn door(body: &Value) -> (Option<NewDoor>, Vec<(String, FaultCode)>) {
    read(body, |value, faults| NewDoor::read(value, 5, faults))
}

fn patch(body: &Value) -> (Option<DoorPatch>, Vec<(String, FaultCode)>) {
    read(body, |value, faults| DoorPatch::from_json(value, Pointer::ROOT, faults))
}

#[test]
fn a_body_is_read_into_its_struct() {
    let (read, faults) = door(&json!({"name": "Gate", "open": true, "width": 5, "keys": ["Ada"]}));
    assert_eq!(faults, []);
    let size = Size { width: 5 };
    let keys = vec!["Ada".into()];
    let expected = NewDoor { name: "Gate".into(), about: "".into(), is_open: Some(true), size, keys };
    assert_eq!(read, Some(expected));
    let (read, faults) = door(&json!({"name": "Gate", "open": null, "about": null, "width": 1}));
    assert_eq!((read.unwrap().is_open, faults), (None, vec![]));
}

#[test]
fn every_fault_is_found_in_the_order_of_the_fields() {
    let body = json!({"name": "", "width": 10, "id": 1, "lock": true, "opne": true, "keys": ["a", 1]});
    let (read, faults) = door(&body);
    assert_eq!(read, None);
    let expected = [
        ("#/name", FaultCode::Blank),
        ("#/width", FaultCode::Range),
        ("#/keys/1", FaultCode::Type),
        ("#/id", FaultCode::ReadOnly),
        ("#/lock", FaultCode::ReadOnly),
        ("#/opne", FaultCode::UnknownField),
    ];
    assert_eq!(faults, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    let (_, faults) = door(&json!({"name": "Gate", "width": 6}));
    assert_eq!(faults, [("#/width".to_owned(), FaultCode::Range)], "a rule with what the reader was given");
    assert_eq!(door(&json!({})).1.len(), 2, "name and width are required");
}

#[test]
fn a_patch_keeps_clears_and_sets() {
    assert_eq!(patch(&json!({})), (Some(DoorPatch::default()), vec![]));
    let (read, faults) = patch(&json!({"name": "Gate", "color": null, "locked": true}));
    assert_eq!(faults, []);
    let expected =
        DoorPatch { name: Some("Gate".into()), color: Change::Clear, locked: true, ..DoorPatch::default() };
    assert_eq!(read, Some(expected));
    assert_eq!(patch(&json!({"color": "red"})).0.unwrap().color, Change::Set("red".into()));
    let (read, faults) = patch(&json!({"name": null, "note": "x"}));
    assert_eq!(read, Some(DoorPatch::default()), "what is wrong is missing");
    let expected = [("#/name", FaultCode::Required), ("#/note", FaultCode::UnknownField)];
    assert_eq!(faults, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
}

fn way(body: &Value) -> (Option<Way>, Vec<(String, FaultCode)>) {
    read(body, |value, faults| Way::from_json(value, Pointer::ROOT, faults))
}

#[test]
fn an_enum_is_read_by_its_tag() {
    for (body, expected) in [
        (json!({"type": "next_room", "number": 2}), Way::NextRoom { number: 2, light: 3 }),
        (json!({"number": 2, "light": 4, "type": "next_room"}), Way::NextRoom { number: 2, light: 4 }),
        (json!({"type": "size", "width": 1}), Way::Size(Size { width: 1 })),
        (json!({"type": "wall"}), Way::Wall {}),
    ] {
        assert_eq!(way(&body), (Some(expected), vec![]), "{body}");
    }
    // Without a tag, nobody knows what belongs there.
    for (body, code) in [
        (json!({"number": "x", "width": 1}), FaultCode::Required),
        (json!({"type": null, "number": 0}), FaultCode::Required),
        (json!({"type": "door", "width": 0}), FaultCode::Enum),
    ] {
        assert_eq!(way(&body), (None, vec![("#/type".to_owned(), code)]), "{body}");
    }
}

#[test]
fn members_of_other_tags_are_refused() {
    let mut faults = Faults::new();
    let body = json!({"type": "wall", "number": null, "width": 1, "colour": 1});
    Way::from_json(value(&body), Pointer::ROOT, &mut faults);
    let told: Vec<_> =
        faults.into_vec().into_iter().map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
    let expected = [
        "#/number does not go with the type wall",
        "#/width does not go with the type wall",
        "#/colour is not known",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_change_outside_a_patch_is_sent_and_can_be_null() {
    let holder =
        |body: Value| read(&body, |value, faults| KeyHolder::from_json(value, Pointer::ROOT, faults));
    assert_eq!(holder(json!({"holder": null})).0.unwrap().holder, Change::Clear);
    assert_eq!(holder(json!({"holder": "Ada"})).0.unwrap().holder, Change::Set("Ada".into()));
    assert_eq!(holder(json!({})).1, [("#/holder".to_owned(), FaultCode::Required)]);
    let described = serde_json::to_value(KeyHolder::schema()).unwrap();
    assert_eq!(described["required"], json!(["holder"]));
    assert_eq!(described["properties"]["holder"]["type"], json!(["string", "null"]));
}

#[test]
fn an_enum_is_described_by_its_objects() {
    let described = serde_json::to_value(Way::schema()).unwrap();
    let room = json!({"allOf": [{"$ref": "#/components/schemas/RoomWay"},
        {"type": "object", "required": ["type"], "properties": {"type": {"type": "string", "enum": ["next_room"]}}}]});
    assert_eq!(
        (&described["oneOf"][0], described["oneOf"].as_array().unwrap().len()),
        (&room, 3),
        "{described}"
    );
    let mut components = Vec::new();
    Way::schemas(&mut components);
    let names: Vec<_> = components.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["RoomWay", "Size", "Wall"]);
    let room = serde_json::to_value(&components[0].1).unwrap();
    assert_eq!((&room["description"], &room["required"]), (&json!("A room."), &json!(["number"])));
    let light = room["properties"]["light"]["description"].as_str().unwrap();
    assert!(light.ends_with("; `3` by default."), "{light}");
}

#[test]
fn the_description_says_what_the_reader_takes() {
    let described = serde_json::to_value(NewDoor::schema()).unwrap();
    assert_eq!((NewDoor::name().as_ref(), &described["description"]), ("NewDoor", &json!("A door to make.")));
    assert_eq!(described["required"], json!(["name", "width"]));
    let members = &described["properties"];
    assert_eq!(members["name"]["examples"], json!(["Front \"door\""]));
    assert_eq!((&members["name"]["minLength"], &members["name"]["maxLength"]), (&json!(1), &json!(20)));
    assert_eq!(members["open"]["type"], json!(["boolean", "null"]));
    assert_eq!((&members["width"]["minimum"], &members["width"]["maximum"]), (&json!(1), &json!(9)));
    assert_eq!((&members["keys"]["minItems"], &members["keys"]["maxItems"]), (&json!(1), &json!(3)));
    let patch = serde_json::to_value(DoorPatch::schema()).unwrap();
    assert_eq!(patch["properties"]["name"]["type"], "string");
    assert_eq!(patch["properties"]["color"]["type"], json!(["string", "null"]));
    assert_eq!(
        (&patch["properties"]["locked"]["type"], &patch["required"]),
        (&json!("boolean"), &Value::Null)
    );
    assert_eq!(patch["properties"]["note"], Value::Null);
}
