//! Every read returns the members that `fields` names, and no others.

use serde_json::Value;
use testkit::TestApp;

use crate::all::operations::{self, Operation};
use crate::all::world::World;

fn reads() -> Vec<Operation> {
    operations::all().into_iter().filter(Operation::is_read).collect()
}

/// The names that the document lists.
fn members(operation: &Operation) -> Vec<String> {
    let described = operation.query_parameter("fields").unwrap_or_else(|| panic!("{operation}: no fields"));
    let names = described["schema"]["items"]["enum"].as_array().unwrap();
    names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// The record of a read, or the rows of a list.
fn records(answer: &Value) -> Vec<&Value> {
    match answer["data"].as_array() {
        Some(rows) => rows.iter().collect(),
        None => vec![answer],
    }
}

#[testkit::both_engines]
async fn a_read_returns_the_chosen_members_only(app: TestApp) {
    let world = World::new(&app).await;
    for operation in reads() {
        let path = world.valid(&operation).await.path;
        let get = async |query: &str| {
            let answer = app.get(&format!("{path}{query}")).bearer(&world.client).expect(200).await;
            (answer.json().clone(), answer.header("etag").unwrap().to_owned())
        };
        let (whole, tag) = get("").await;
        let names = members(&operation);
        for record in records(&whole) {
            let unknown = record.as_object().unwrap().keys().find(|name| !names.contains(name));
            assert_eq!(unknown, None, "{operation}: a member that cannot be chosen");
        }
        let pairs = names.windows(2).map(|pair| pair.join(","));
        for fields in names.iter().cloned().chain(pairs).chain([names.join(",")]) {
            let (part, part_tag) = get(&format!("?fields={fields}")).await;
            let (found, complete) = (records(&part), records(&whole));
            assert_eq!(found.len(), complete.len(), "{operation} {fields}");
            for (found, complete) in found.into_iter().zip(complete) {
                let mut expected = complete.clone();
                let is_chosen = |name: &str| fields.split(',').any(|field| field == name);
                expected.as_object_mut().unwrap().retain(|name, _| is_chosen(name));
                assert_eq!(*found, expected, "{operation} {fields}");
            }
            // The page itself is whole.
            for name in ["has_more", "next_cursor"] {
                assert_eq!(part.get(name), whole.get(name), "{operation} {fields}");
            }
            // Its tag has the version of the record, and is that of the bytes that were sent.
            if let Some(version) = whole["version"].as_i64() {
                assert!(part_tag.starts_with(&format!("\"v{version}-")), "{operation} {fields}: {part_tag}");
            }
            assert!(part_tag != tag || part == whole, "{operation} {fields}");
            let again = app.get(&format!("{path}?fields={fields}")).bearer(&world.client);
            again.header("if-none-match", &part_tag).expect(304).await;
        }
    }
}

#[testkit::both_engines]
async fn a_name_that_is_no_member_is_refused_before_the_record_is_looked_up(app: TestApp) {
    let world = World::new(&app).await;
    for operation in reads() {
        let path = world.valid(&operation).await.path;
        let first = members(&operation)[0].clone();
        for (fields, hint) in
            [(format!("{first}_"), format!("did you mean `{first}`?")), ("zzzzzzzz".into(), first.clone())]
        {
            let answer = app.get(&format!("{path}?fields={fields}")).bearer(&world.client).expect(400).await;
            assert_eq!(answer.faults(), ["fields enum"], "{operation}");
            assert!(answer.text("/errors/0/detail").contains(&hint), "{operation}: {}", answer.json());
        }
        let answer = app.get(&format!("{path}?fields=&zzz=1")).bearer(&world.client).expect(400).await;
        assert_eq!(answer.faults(), ["fields enum", "zzz unknown"], "{operation}");
        for (index, value) in crate::all::world::path_values(&operation.template, &path).iter().enumerate() {
            let mut values = crate::all::world::path_values(&operation.template, &path);
            values[index] = crate::all::world::unknown(value);
            let unknown = crate::all::world::path_with(&operation.template, &values);
            app.get(&format!("{unknown}?fields={first}")).bearer(&world.client).expect(404).await;
        }
    }
}

/// A client that reads a part can change the record that it read.
#[testkit::both_engines]
async fn the_tag_of_a_part_is_one_of_the_record(app: TestApp) {
    let world = World::new(&app).await;
    let path = format!("/v1/risks/{}", world.risk().await);
    let part = app.get(&format!("{path}?fields=title")).bearer(&world.client).expect(200).await;
    let tag = part.header("etag").unwrap().to_owned();
    let patch = |title: &str| {
        let body = serde_json::json!({"title": title});
        app.patch(&path).bearer(&world.client).header("if-match", &tag).json(body)
    };
    patch("changed").expect(200).await;
    patch("again").expect(412).await;
}

/// A write has no such parameter.
#[testkit::both_engines]
async fn a_write_returns_the_whole_record(app: TestApp) {
    let world = World::new(&app).await;
    let answer = app.post("/v1/tags?fields=id").bearer(&world.client);
    let answer = answer.json(serde_json::json!({"name": "phishing"})).expect(400).await;
    assert_eq!(answer.faults(), ["fields unknown"]);
}
