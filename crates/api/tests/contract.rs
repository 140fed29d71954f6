//! The six given operations, literally, and the decisions where the given interface is silent. Decisions about tokens
//! are tested in `tokens/`, those about every operation in `all/`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod documents;
mod everywhere;
mod examples;
mod given;
mod incidents;
mod performance;
mod risk_tags;

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

/// Creates an incident; returns the response.
async fn incident(app: &TestApp, client: &TestClient, body: Value) -> Value {
    app.post("/v1/incidents").bearer(client).json(body).expect(201).await.json().clone()
}

/// Creates a document with an item of each kind; returns its slug.
async fn document(app: &TestApp, client: &TestClient, slug: &str) -> String {
    let body = json!({"slug": slug, "title": "Access control", "items": [
        {"id": "mfa", "kind": "select", "label": "Second factor", "options": [
            {"id": "all", "label": "Everyone", "text": "Everyone."}, {"id": "none", "label": "Nobody", "text": "No."}]},
        {"id": "contact", "kind": "text", "label": "Contact"}]});
    app.post("/v1/documents").bearer(client).json(body).expect(201).await.text("slug").to_owned()
}

/// Creates a risk with inherent score 20 and this target; returns its id.
async fn risk(app: &TestApp, client: &TestClient, target: Value) -> String {
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 5}, "target": target});
    app.post("/v1/risks").bearer(client).json(body).expect(201).await.text("id").to_owned()
}

/// The type of a value in the notation of the given interface.
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

/// Whether it is a date-time in the form of responses.
fn is_moment(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let is_shaped = text.len() == 27 && text.ends_with('Z') && text.as_bytes()[19] == b'.';
    is_shaped && text.parse::<jiff::Timestamp>().is_ok()
}
