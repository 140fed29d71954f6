//! A deleted incident does not exist in any read of the present: every read of the document is tried with one.

use serde_json::json;
use testkit::TestApp;

use crate::all::operations::{self, Operation};
use crate::all::world::{World, path_values, path_with};

const MARK: &str = "zyzzyva";

#[testkit::both_engines]
async fn no_read_of_the_present_shows_a_deleted_incident(app: TestApp) {
    let world = World::new(&app).await;
    let body = json!({"title": MARK, "description": MARK});
    let made = app.post("/v1/incidents").bearer(&world.client).json(body).expect(201).await;
    let id = made.text("id").to_owned();
    let path = format!("/v1/incidents/{id}");
    let task = json!({"title": MARK, "notes": MARK});
    app.post(&format!("{path}/tasks")).bearer(&world.client).json(task).expect(201).await;
    let review = json!({"summary": MARK});
    app.patch(&format!("{path}/review")).bearer(&world.client).json(review).expect(200).await;
    let ids = json!({"ids": [id]});
    app.post("/v1/incidents/bulk-delete").bearer(&world.client).json(ids.clone()).expect(200).await;
    for operation in operations::all().into_iter().filter(Operation::is_read) {
        // The journal tells of everything.
        if operation.noun == "journal" {
            continue;
        }
        let ask = world.valid(&operation).await;
        let answer = world.must(&ask).await;
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(!text.contains(MARK) && !text.contains(&id), "{operation}: {text}");
        let mut values = path_values(&operation.template, &ask.path);
        if operation.template.starts_with("/v1/incidents/{") && !values.is_empty() {
            values[0].clone_from(&id);
            let answer = app.get(&path_with(&operation.template, &values)).bearer(&world.client).await;
            assert_eq!((answer.status, answer.text("title")), (404, "Incident not found"), "{operation}");
        }
    }
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let mut values = path_values(&operation.template, &ask.path);
        if operation.template.starts_with("/v1/incidents/{") && !values.is_empty() {
            values[0].clone_from(&id);
            let answer = world.send(&ask.with_path(path_with(&operation.template, &values))).await;
            assert_eq!(answer.status, 404, "{operation}: {}", answer.json());
        }
    }
    let again =
        app.post("/v1/incidents/bulk-delete").bearer(&world.client).json(ids.clone()).expect(200).await;
    assert_eq!(again.json(), &json!({"deleted_count": 0, "not_found": [id]}));
    app.post("/v1/incidents/restore").bearer(&world.client).json(ids).expect(200).await;
    let back = app.get(&format!("/v1/incidents/{id}")).bearer(&world.client).expect(200).await;
    assert_eq!(back.text("title"), MARK);
}
