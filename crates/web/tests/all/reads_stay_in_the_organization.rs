//! What belongs to another organization does not exist.

use serde_json::{Value, json};
use testkit::{Answer, TestApp};

use crate::operations::{self, Operation};
use crate::register::Register;
use crate::world::{Ask, World, path_values, path_with, unknown};

/// Two organizations; the second one's numbers go beyond the first one's.
async fn two(app: &TestApp) -> (World<'_>, World<'_>) {
    let (own, other) = (World::new(app).await, World::other(app).await);
    for operation in operations::all() {
        own.must(&own.valid(&operation).await).await;
    }
    for _ in 0..3 {
        for operation in operations::all() {
            other.must(&other.valid(&operation).await).await;
        }
    }
    (own, other)
}

/// What an answer tells, without what differs between any two answers.
fn told(answer: &Answer) -> (u16, Value, Value, Value) {
    let member = |name: &str| answer.json()[name].clone();
    (answer.status, member("code"), member("title"), member("errors"))
}

/// The path of `ask` with ids of the other organization, and with unknown ids, in each combination of places.
fn pairs(operation: &Operation, own: &Ask, foreign: &Ask) -> Vec<(String, String)> {
    let own = path_values(&operation.template, &own.path);
    let foreign = path_values(&operation.template, &foreign.path);
    let combinations = 1..(1_u32 << own.len());
    combinations
        // Numbers that count within a record may be equal: then it is the own one.
        .filter(|places| {
            (0..own.len()).all(|index| places & (1 << index) == 0 || own[index] != foreign[index])
        })
        .map(|places| {
            let with = |replace: &dyn Fn(usize) -> String| {
                let values: Vec<_> = (0..own.len())
                    .map(|index| if places & (1 << index) == 0 { own[index].clone() } else { replace(index) })
                    .collect();
                path_with(&operation.template, &values)
            };
            (with(&|index| foreign[index].clone()), with(&|index| unknown(&foreign[index])))
        })
        .collect()
}

#[testkit::both_engines]
async fn an_id_of_another_organization_is_an_unknown_id(app: TestApp) {
    let (own, other) = two(&app).await;
    for operation in operations::all().into_iter().filter(|it| it.template.contains('{')) {
        let (ask, foreign) = (own.valid(&operation).await, other.valid(&operation).await);
        let before = Register::of(&app.db).await;
        for (foreign, unknown) in pairs(&operation, &ask, &foreign) {
            let answer = own.send(&ask.with_path(&foreign)).await;
            let expected = own.send(&ask.with_path(&unknown)).await;
            assert_eq!(expected.status, 404, "{operation} {unknown}: {}", expected.json());
            assert_eq!(told(&answer), told(&expected), "{operation} {foreign} {unknown}");
        }
        assert_eq!(Register::of(&app.db).await.changed_since(&before), Vec::<&str>::new(), "{operation}");
    }
}

#[testkit::both_engines]
async fn no_answer_shows_anything_of_another_organization(app: TestApp) {
    let (own, other) = two(&app).await;
    for operation in operations::all().into_iter().filter(|it| !it.is_write()) {
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
    let (own, other) = two(&app).await;
    let before = other.head().await;
    for operation in operations::writes() {
        own.must(&own.valid(&operation).await).await;
    }
    assert_eq!(other.head().await, before);
}

#[testkit::both_engines]
async fn a_foreign_id_in_a_body_is_an_unknown_id(app: TestApp) {
    let (own, other) = two(&app).await;
    let before = own.head().await;
    let incident = other.incident().await;
    for path in ["/v1/incidents/bulk-delete", "/v1/incidents/restore"] {
        let ask = Ask { method: axum::http::Method::POST, path: path.to_owned(), body: None };
        let answer = own.must(&ask.with_body(json!({"ids": [incident]}))).await;
        assert_eq!(answer.json()["not_found"], json!([incident]), "{path}");
    }
    let person = other.user().await;
    let tag = other.tag().await;
    for operation in operations::writes() {
        let ask = own.valid(&operation).await;
        for (member, foreign) in [("assigned_to", &person), ("owner", &person), ("tag_id", &tag)] {
            let Some(mut body) = ask.body.clone().filter(|body| body.get(member).is_some()) else { continue };
            body[member] = json!(foreign);
            let answer = own.send(&ask.with_body(body.clone())).await;
            body[member] = json!(unknown(foreign));
            let expected = own.send(&ask.with_body(body)).await;
            assert!([404, 422].contains(&expected.status), "{operation} {member}: {}", expected.json());
            assert_eq!(told(&answer), told(&expected), "{operation} {member}");
        }
    }
    assert!(own.head().await.0 > before.0, "the examples were made");
}

/// A cursor says nothing to another organization either.
#[testkit::both_engines]
async fn a_foreign_cursor_is_none(app: TestApp) {
    let (own, other) = two(&app).await;
    for operation in operations::all().into_iter().filter(Operation::is_list) {
        let (ask, foreign) = (own.valid(&operation).await, other.valid(&operation).await);
        let page = other.must(&foreign.with_path(format!("{}?limit=1", foreign.path))).await;
        // A list of one record has no second page.
        let Some(cursor) = page.json()["next_cursor"].as_str() else { continue };
        let answer = own.send(&ask.with_path(format!("{}?limit=1&cursor={cursor}", ask.path))).await;
        assert_eq!((answer.status, answer.faults()), (400, vec!["cursor cursor".to_owned()]), "{operation}");
    }
}

/// Somebody may be a member of both; each organization shows its own name, and knows nothing of the other.
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
