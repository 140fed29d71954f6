//! The six given operations, literally, and the decisions where the given interface says nothing. A decision about
//! tokens is pinned in `tokens/`, one about every operation in `all/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod documents;
mod everywhere;
mod given;
mod incidents;
mod performance;
mod risk_tags;

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

/// An incident's creation, by its answer.
async fn incident(app: &TestApp, client: &TestClient, body: Value) -> Value {
    app.post("/v1/incidents").bearer(client).json(body).expect(201).await.json().clone()
}

/// A document with an item of each kind; its slug.
async fn document(app: &TestApp, client: &TestClient, slug: &str) -> String {
    let body = json!({"slug": slug, "title": "Access control", "items": [
        {"id": "mfa", "kind": "select", "label": "Second factor", "options": [
            {"id": "all", "label": "Everyone", "text": "Everyone."}, {"id": "none", "label": "Nobody", "text": "No."}]},
        {"id": "contact", "kind": "text", "label": "Contact"}]});
    app.post("/v1/documents").bearer(client).json(body).expect(201).await.text("slug").to_owned()
}

/// A risk with inherent score 20 and this target; its id.
async fn risk(app: &TestApp, client: &TestClient, target: Value) -> String {
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}, "target": target});
    app.post("/v1/risks").bearer(client).json(body).expect(201).await.text("id").to_owned()
}

/// The type of a value as the given interface writes it.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether it is a date-time as answers write it.
fn is_moment(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let is_shaped = text.len() == 27 && text.ends_with('Z') && text.as_bytes()[19] == b'.';
    is_shaped && text.parse::<jiff::Timestamp>().is_ok()
}
