//! A read as of a journal entry always returns the same, and a read as of the journal's head returns the present.

use serde_json::{Value, json};
use testkit::TestApp;

use crate::all::operations::{self, Operation};
use crate::all::world::World;

/// The reads with `as_of`: the lists, and their records one by one. The tests of notes in `api/` look at those of incidents.
fn lists() -> Vec<Operation> {
    let all = operations::all().into_iter();
    let found: Vec<_> = all
        .filter(|it| !it.template.contains('{'))
        .filter(|it| it.is_list() && it.query_parameters().iter().any(|name| name == "as_of_seq"))
        .collect();
    assert!(found.len() >= 4, "incidents, risks, acceptances and exceptions look back");
    found
}

/// The path of one record of a list.
fn path_of(list: &Operation, row: &Value) -> String {
    let text = |name: &str| row[name].as_str().unwrap();
    match list.template.as_str() {
        "/v1/acceptances" => format!("/v1/risks/{}/acceptances/{}", text("risk"), row["number"]),
        "/v1/exceptions" => format!("/v1/documents/{}/exceptions/{}", text("document"), row["number"]),
        template => format!("{template}/{}", text("id")),
    }
}

async fn read(world: &World<'_>, path: &str) -> Value {
    world.app.get(path).bearer(&world.client).expect(200).await.json().clone()
}

/// Each read as of this entry: its path and its response.
async fn seen_at(world: &World<'_>, seq: i64) -> Vec<(String, Value)> {
    let mut seen = Vec::new();
    for list in lists() {
        let has_deleted = list.query_parameters().iter().any(|name| name == "deleted");
        let deleted: &[&str] = if has_deleted { &["", "&deleted=with", "&deleted=only"] } else { &[""] };
        for deleted in deleted {
            let path = format!("{}?limit=200&as_of_seq={seq}{deleted}", list.template);
            let answer = read(world, &path).await;
            let present = read(world, &format!("{}?limit=200{deleted}", list.template)).await;
            assert_eq!(answer["data"], present["data"], "{path} is not the present");
            assert_eq!(answer["as_of_seq"], json!(seq));
            if deleted.is_empty() {
                for row in answer["data"].as_array().unwrap() {
                    let path = format!("{}?as_of_seq={seq}", path_of(&list, row));
                    let mut one = read(world, &path).await;
                    seen.push((path.clone(), one.clone()));
                    for moment in ["as_of", "as_of_seq"] {
                        one.as_object_mut().unwrap().remove(moment).unwrap();
                    }
                    // A list does not have what stood before each step back.
                    one.as_object_mut().unwrap().remove("spells");
                    assert_eq!(&one, row, "in the list and as {path}");
                }
            }
            // Both parameters together return the same.
            let both = format!("{path}&as_of={}", answer["as_of"].as_str().unwrap());
            assert_eq!(read(world, &both).await, answer, "{both}");
            seen.push((path, answer));
        }
    }
    seen
}

by_noun!(operations::writes, a_read_of_the_past_never_changes);
async fn a_read_of_the_past_never_changes(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    // Whatever the noun, each list has a record.
    world.incident().await;
    world.risk().await;
    // A redaction changes the past, and nothing else does.
    let writes: Vec<Operation> = writes.into_iter().filter(|it| !it.template.ends_with("/redact")).collect();
    let (mut seen, count) = (Vec::new(), writes.len());
    for operation in writes {
        let ask = world.valid(&operation).await;
        seen.extend(seen_at(&world, world.head().await.0).await);
        app.db.clock.advance_seconds(1);
        world.must(&ask).await;
        seen.extend(seen_at(&world, world.head().await.0).await);
    }
    // Every record is changed once more.
    for path in ["/v1/incidents", "/v1/risks"] {
        for row in read(&world, &format!("{path}?limit=200")).await["data"].as_array().unwrap() {
            let path = format!("{path}/{}", row["id"].as_str().unwrap());
            let body = json!({"title": "changed", "description": "changed"});
            app.patch(&path).bearer(&world.client).json(body).expect(200).await;
        }
    }
    let ids: Vec<i64> = (1..100).collect();
    app.delete("/v1/incidents").bearer(&world.client).json(json!({"ids": ids})).expect(200).await;
    assert!(seen.len() >= 16 * count, "{} reads around {count} writes", seen.len());
    for (path, answer) in seen {
        assert_eq!(read(&world, &path).await, answer, "{path}");
    }
}
