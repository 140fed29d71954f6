//! A restricted incident does not exist for a caller who is not named in it: in no read of the document, in no count, and
//! in no view of the past. Its readers and the holders of `incidents:restricted` see it.

use domain::{Role, Scope};
use serde_json::json;
use testkit::{TestApp, TestClient};

use crate::all::operations::{self, Operation};
use crate::all::world::{Ask, World, path_values, path_with};

/// In every text of the restricted incident.
const SECRET: &str = "zyzzyva";

/// A client with every scope but `incidents:restricted`.
async fn stranger(app: &TestApp) -> TestClient {
    let scopes = Scope::ALL.iter().filter(|scope| **scope != Scope::IncidentsRestricted);
    let scopes: Vec<&str> = scopes.map(|scope| scope.as_str()).collect();
    app.client_of(app.organization, &scopes.join(" ")).await
}

/// A restricted incident with this reader, a task and a review.
async fn restricted(world: &World<'_>, reader: &str) -> String {
    let body = json!({"title": format!("{SECRET} in payroll"), "description": SECRET, "source": SECRET});
    let made = world.app.post("/v1/incidents").bearer(&world.client).json(body).expect(201).await;
    let id = made.text("id").to_owned();
    let path = format!("/v1/incidents/{id}");
    let task = json!({"title": SECRET, "notes": SECRET});
    world.app.post(&format!("{path}/tasks")).bearer(&world.client).json(task).expect(201).await;
    let review = json!({"summary": SECRET});
    world.app.patch(&format!("{path}/review")).bearer(&world.client).json(review).expect(200).await;
    let patch = json!({"restricted": true, "readers": [reader]});
    world.app.patch(&path).bearer(&world.client).json(patch).expect(200).await;
    id
}

/// The number of the latest journal entry about an incident.
async fn last_entry_about(world: &World<'_>, id: &str) -> i64 {
    let list = world.app.get("/v1/journal?limit=200").bearer(&world.client).expect(200).await;
    let entries = list.json()["data"].as_array().unwrap().iter();
    entries
        .filter(|entry| entry["subject"]["id"] == id)
        .filter_map(|entry| entry["seq"].as_i64())
        .max()
        .unwrap()
}

fn reads() -> Vec<Operation> {
    operations::all().into_iter().filter(Operation::is_read).collect()
}

/// The request as it is, and as it shows more.
fn variants(operation: &Operation, ask: &Ask) -> Vec<String> {
    let mut paths = vec![ask.path.clone()];
    for (name, value) in
        [("limit", "200"), ("deleted", "with"), ("after", "0"), ("as_of_seq", "2"), ("as_of_seq", "3")]
    {
        if operation.query_parameters().iter().any(|known| known == name) {
            paths.push(format!("{}?{name}={value}", ask.path));
        }
    }
    paths
}

#[testkit::both_engines]
async fn no_read_shows_anything_of_a_restricted_incident_to_a_stranger(app: TestApp) {
    let world = World::new(&app).await;
    let reader = app.person("Rita", Role::Viewer).await;
    let (id, stranger) = (restricted(&world, &reader.id.to_string()).await, stranger(&app).await);
    for operation in reads() {
        let ask = world.valid(&operation).await;
        for path in variants(&operation, &ask) {
            let answer = app.get(&path).bearer(&stranger).await;
            let text = String::from_utf8_lossy(&answer.bytes);
            assert!(!text.contains(SECRET), "{operation} {path}: {text}");
            // The journal has its entries, without what they say: otherwise the chain could not be verified.
            assert!(operation.noun == "journal" || !text.contains(&id), "{operation} {path}: {text}");
        }
        let mut values = path_values(&operation.template, &ask.path);
        if operation.template.starts_with("/v1/incidents/{") && !values.is_empty() {
            values[0].clone_from(&id);
            let path = path_with(&operation.template, &values);
            let answer = app.get(&path).bearer(&stranger).await;
            assert_eq!((answer.status, answer.text("title")), (404, "Incident not found"), "{operation}");
            if values.len() == 1 {
                app.get(&path).bearer(&world.client).expect(200).await;
                app.get(&path).bearer(&reader).expect(200).await;
            }
        }
    }
}

#[testkit::both_engines]
async fn counts_tell_nothing_of_a_restricted_incident(app: TestApp) {
    let world = World::new(&app).await;
    let reader = app.person("Rita", Role::Viewer).await;
    let (id, stranger) = (restricted(&world, &reader.id.to_string()).await, stranger(&app).await);
    let total = async |caller: &str, query: &str| {
        let path = format!("/v1/incidents?include_total=true{query}");
        let list = app.get(&path).bearer(caller).expect(200).await;
        let rows = list.json()["data"].as_array().unwrap().len();
        assert_eq!(list.json()["total"], json!(rows), "{path}");
        rows
    };
    let last = last_entry_about(&world, &id).await;
    let queries = [String::new(), format!("&as_of_seq={}", last - 1), format!("&as_of_seq={last}")];
    for query in &queries {
        assert_eq!(total(stranger.as_ref(), query).await, 0, "{query}");
        assert_eq!(total(reader.as_ref(), query).await, 1, "{query}");
        assert_eq!(total(world.client.as_ref(), query).await, 1, "{query}");
    }
    // Today's restriction decides about the past too.
    let path = format!("/v1/incidents/{id}");
    let open = json!({"restricted": false});
    app.patch(&path).bearer(&world.client).json(open).expect(200).await;
    let last = last_entry_about(&world, &id).await;
    let queries = [String::new(), format!("&as_of_seq={}", last - 1), format!("&as_of_seq={last}")];
    for query in &queries {
        assert_eq!(total(stranger.as_ref(), query).await, 1, "{query}");
    }
}

#[testkit::both_engines]
async fn a_write_on_a_restricted_incident_does_not_find_it(app: TestApp) {
    let world = World::new(&app).await;
    let reader = app.person("Rita", Role::Viewer).await;
    let (id, stranger) = (restricted(&world, &reader.id.to_string()).await, stranger(&app).await);
    let before = world.head().await;
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let mut values = path_values(&operation.template, &ask.path);
        if operation.template.starts_with("/v1/incidents/{") && !values.is_empty() {
            values[0].clone_from(&id);
            let head = world.head().await;
            let path = path_with(&operation.template, &values);
            let answer = ask.with_path(path).on(&app).bearer(&stranger).await;
            assert_eq!(answer.status, 404, "{operation}: {}", answer.json());
            assert_eq!(world.head().await, head, "{operation}");
        }
    }
    for path in ["/v1/incidents/bulk-delete", "/v1/incidents/restore"] {
        let answer = app.post(path).bearer(&stranger).json(json!({"ids": [id]})).expect(200).await;
        assert_eq!(answer.json()["not_found"], json!([id]), "{path}");
    }
    let duplicate = world.incident().await;
    let dismiss = json!({"to": "dismissed", "resolution_reason": "duplicate", "duplicate_of": id});
    let path = format!("/v1/incidents/{duplicate}/transitions");
    let answer = app.post(&path).bearer(&stranger).json(dismiss).expect(422).await;
    assert_eq!(answer.faults(), ["#/duplicate_of unknown_incident"]);
    assert!(world.head().await.0 > before.0, "the other records were made");
}

#[testkit::both_engines]
async fn the_journal_has_its_entries_without_what_they_say(app: TestApp) {
    let world = World::new(&app).await;
    let reader = app.person("Rita", Role::Auditor).await;
    let auditor = app.person("Alma", Role::Auditor).await;
    let id = restricted(&world, &reader.id.to_string()).await;
    let told = async |caller: &str| {
        let list = app.get("/v1/journal?limit=200").bearer(caller).expect(200).await;
        let entries = list.json()["data"].as_array().unwrap().clone();
        let about = entries.into_iter().filter(|entry| entry["subject"]["id"] == id);
        about.map(|entry| (entry["payload"].is_null(), entry["salt"].is_null())).collect::<Vec<_>>()
    };
    assert_eq!(told(auditor.as_ref()).await, [(true, true); 4]);
    assert_eq!(told(reader.as_ref()).await, [(false, false); 4]);
    assert_eq!(told(world.client.as_ref()).await, [(false, false); 4]);
}
