//! Records of another organization are not found.

use serde_json::{Value, json};
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World, path_values, path_with, unknown};

/// Two organizations with the records of these operations; the second one has higher numbers than the first.
async fn two<'a>(app: &'a TestApp, operations: &[Operation]) -> (World<'a>, World<'a>) {
    let (own, other) = (World::new(app).await, World::other(app).await);
    for operation in operations {
        own.must(&own.valid(operation).await).await;
    }
    for _ in 0..3 {
        for operation in operations {
            other.must(&other.valid(operation).await).await;
        }
    }
    (own, other)
}

/// A response without the parts that differ between any two responses.
fn outcome(answer: &Answer) -> (u16, Value, Value, Value) {
    let member = |name: &str| answer.json()[name].clone();
    (answer.status, member("code"), member("title"), member("errors"))
}

/// The path of `ask` with ids of the other organization, and with unknown ids, in each combination of positions.
fn pairs(operation: &Operation, own: &Ask, foreign: &Ask) -> Vec<(String, String)> {
    let own = path_values(&operation.template, &own.path);
    let foreign = path_values(&operation.template, &foreign.path);
    let combinations = 1..(1_u32 << own.len());
    combinations
        // Numbers that count within a record may be equal: then the caller's own record is meant.
        .filter(|positions| {
            (0..own.len()).all(|index| positions & (1 << index) == 0 || own[index] != foreign[index])
        })
        .map(|positions| {
            let with = |replace: &dyn Fn(usize) -> String| {
                let values: Vec<_> = (0..own.len())
                    .map(
                        |index| {
                            if positions & (1 << index) == 0 { own[index].clone() } else { replace(index) }
                        },
                    )
                    .collect();
                path_with(&operation.template, &values)
            };
            (with(&|index| foreign[index].clone()), with(&|index| unknown(&foreign[index])))
        })
        .collect()
}

by_noun!(operations::all, an_id_of_another_organization_is_an_unknown_id);
async fn an_id_of_another_organization_is_an_unknown_id(app: TestApp, operations: Vec<Operation>) {
    let (own, other) = two(&app, &operations).await;
    // A reference of another organization is new here.
    let with_ids = operations.into_iter().filter(|it| it.template.contains('{') && !it.declares_unknown());
    for operation in with_ids {
        let (ask, foreign) = (own.valid(&operation).await, other.valid(&operation).await);
        let before = Register::of(&app.db).await;
        for (foreign, unknown) in pairs(&operation, &ask, &foreign) {
            let answer = own.send(&ask.with_path(&foreign)).await;
            let expected = own.send(&ask.with_path(&unknown)).await;
            assert_eq!(expected.status, 404, "{operation} {unknown}: {}", expected.json());
            assert_eq!(outcome(&answer), outcome(&expected), "{operation} {foreign} {unknown}");
        }
        assert_eq!(Register::of(&app.db).await.changed_since(&before), Vec::<&str>::new(), "{operation}");
    }
}

#[testkit::both_engines]
async fn no_answer_shows_anything_of_another_organization(app: TestApp) {
    let (own, other) = two(&app, &operations::all()).await;
    for operation in operations::all().into_iter().filter(Operation::is_read) {
        let ask = own.valid(&operation).await;
        let mut paths = vec![ask.path.clone()];
        for (name, value) in [("limit", "200"), ("deleted", "with"), ("after", "0"), ("as_of_seq", "1")] {
            if operation.query_parameters().iter().any(|known| known == name) {
                paths.push(format!("{}?{name}={value}", ask.path));
            }
        }
        for path in paths {
            let answer = own.send(&ask.with_path(&path)).await;
            let text = String::from_utf8_lossy(&answer.bytes);
            for theirs in [&other.marker, "Globex", &other.organization.to_string(), &other.client.id] {
                assert!(!text.contains(theirs), "{operation} {path} shows {theirs}: {text}");
            }
        }
    }
}

#[testkit::both_engines]
async fn a_write_changes_nothing_of_another_organization(app: TestApp) {
    let (own, other) = two(&app, &operations::all()).await;
    let before = other.head().await;
    for operation in operations::writes() {
        own.must(&own.valid(&operation).await).await;
    }
    assert_eq!(other.head().await, before);
}

/// The positions in a body that contain the id of a record, as JSON pointers.
fn ids(body: &Value, at: &str) -> Vec<(String, String)> {
    match body {
        Value::Object(members) => {
            members.iter().flat_map(|(name, value)| ids(value, &format!("{at}/{name}"))).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| ids(item, &format!("{at}/{index}"))).collect()
        }
        Value::String(text) if unknown(text) != unknown("no id") => vec![(at.to_owned(), text.clone())],
        _ => vec![],
    }
}

fn replaced(body: &Value, at: &str, id: &str) -> Value {
    let mut body = body.clone();
    *body.pointer_mut(at).unwrap() = json!(id);
    body
}

#[test]
fn the_document_marks_the_ids_in_bodies() {
    let marked: usize = operations::writes().iter().map(|write| write.id_members().len()).sum();
    assert!(marked >= 8, "the document has lost the ids in bodies: {marked}");
}

by_noun!(operations::writes, a_foreign_id_in_a_body_is_an_unknown_id);
async fn a_foreign_id_in_a_body_is_an_unknown_id(app: TestApp, writes: Vec<Operation>) {
    let (own, other) = two(&app, &writes).await;
    let known: usize = writes.iter().map(|write| write.id_members().len()).sum();
    let mut tried = 0;
    for operation in writes {
        let (ask, foreign) = (own.valid(&operation).await, other.valid(&operation).await);
        let (Some(body), Some(foreign)) = (&ask.body, &foreign.body) else { continue };
        let named = ids(body, "");
        for member in operation.id_members() {
            let is_named = named.iter().any(|(at, _)| at.split('/').any(|part| part == member));
            assert!(is_named, "{operation}: its example in world.rs names no {member}");
        }
        for (at, _) in named {
            let theirs = foreign.pointer(&at).and_then(Value::as_str).unwrap();
            let before = Register::of(&app.db).await;
            let answer = own.send(&ask.with_body(replaced(body, &at, theirs))).await;
            if operation.key == "PUT /v1/sources/{}/incidents/{}" && at == "/assigned_to" {
                // An alert is not lost for its assignee.
                assert_ne!(answer.json()["assigned_to"]["id"], theirs);
                assert_eq!(answer.json()["warnings"][0]["code"], "unknown_user");
                tried += 1;
                continue;
            }
            let expected = own.send(&ask.with_body(replaced(body, &at, &unknown(theirs)))).await;
            assert_eq!(outcome(&answer), outcome(&expected), "{operation} {at}");
            if answer.status == 200 {
                // A bulk operation returns the ids that were not found.
                let not_found = answer.json()["not_found"].as_array().cloned().unwrap_or_default();
                let result = json!({"id": theirs, "outcome": "not_found"});
                let results = answer.json()["results"].as_array().cloned().unwrap_or_default();
                let is_unknown_risk =
                    |it: &Value| it["risk"] == theirs && it["problem"]["code"] == "not_found";
                let is_told = not_found.contains(&json!(theirs))
                    || results.contains(&result)
                    || results.iter().any(is_unknown_risk);
                assert!(is_told, "{operation} {at}: {}", answer.json());
            } else {
                assert!([404, 422].contains(&answer.status), "{operation} {at}: {}", answer.json());
            }
            let after = Register::of(&app.db).await;
            let changed = after.changed_since(&before);
            assert!(changed.iter().all(|table| *table == "write_lane"), "{operation} {at}: {changed:?}");
            tried += 1;
        }
    }
    assert!(tried >= known, "{tried} of {known} ids in bodies were tried");
}

by_noun!(operations::all, a_cursor_of_another_organization_is_refused);
/// A cursor reveals nothing to another organization either.
async fn a_cursor_of_another_organization_is_refused(app: TestApp, operations: Vec<Operation>) {
    let (own, other) = two(&app, &operations).await;
    for operation in operations.into_iter().filter(Operation::is_list) {
        let (ask, foreign) = (own.valid(&operation).await, other.valid(&operation).await);
        let page = other.must(&foreign.with_path(format!("{}?limit=1", foreign.path))).await;
        // A list of one record has no second page.
        let Some(cursor) = page.json()["next_cursor"].as_str() else { continue };
        let answer = own.send(&ask.with_path(format!("{}?limit=1&cursor={cursor}", ask.path))).await;
        assert_eq!((answer.status, answer.faults()), (400, vec!["cursor cursor".to_owned()]), "{operation}");
    }
}

/// A person may be a member of both; each organization shows its own name for them, and nothing of the other.
#[testkit::both_engines]
async fn a_member_of_two_organizations_has_a_name_in_each(app: TestApp) {
    let (own, other) = (World::new(&app).await, World::other(&app).await);
    let mut ids = Vec::new();
    for (world, name) in [(&own, "Ada of Acme"), (&other, "Ada of Globex")] {
        let id = app.db.user(world.organization, name, "ada@x.org", domain::Role::Owner).await;
        let body = json!({"title": "a", "description": "", "assigned_to": id.to_string()});
        app.post("/v1/incidents").bearer(&world.client).json(body).expect(201).await;
        ids.push(id);
    }
    assert_eq!(ids[0], ids[1], "the same person");
    for (world, name) in [(&own, "Ada of Acme"), (&other, "Ada of Globex")] {
        let incident = app.get("/v1/incidents/1").bearer(&world.client).expect(200).await;
        assert_eq!(incident.text("/assigned_to/name"), name);
        let user = app.get(&format!("/v1/users/{}", ids[0])).bearer(&world.client).expect(200).await;
        assert_eq!(user.text("name"), name);
    }
}
