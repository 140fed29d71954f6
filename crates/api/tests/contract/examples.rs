//! What the document shows as an example is what the service takes: generated pages send it as it is.

use serde_json::Value;
use testkit::TestApp;

/// Faults of an example that name what only a filled register has.
fn needs_a_register(fault: &Value) -> bool {
    let code = fault["code"].as_str().unwrap();
    let is_unknown = code.starts_with("unknown_") && !["unknown_field", "unknown_option"].contains(&code);
    is_unknown || code == "nothing_to_redact"
}

#[testkit::both_engines]
async fn the_example_of_every_request_has_no_fault_of_its_own(app: TestApp) {
    // The dates of the examples are in the past then.
    app.db.clock.advance_days(30);
    let client = app.client().await;
    let document = api::document();
    let (mut sent, mut refused) = (0, Vec::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let body = &operation["requestBody"]["content"]["application/json"]["example"];
            if body.is_null() {
                continue;
            }
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let address = parameters.filter(|it| it["in"] == "path").fold(path.clone(), |address, it| {
                let value = it["example"].as_str().map_or_else(|| it["example"].to_string(), str::to_owned);
                address.replace(&format!("{{{}}}", it["name"].as_str().unwrap()), &value)
            });
            let method = method.to_uppercase().parse().unwrap();
            let answer = app.request(method, &address).bearer(&client).json(body.clone()).await;
            sent += 1;
            let errors = answer.json()["errors"].as_array().cloned().unwrap_or_default();
            let is_taken = match answer.status {
                400 | 413 | 415 => path.starts_with("/v1/oauth/"),
                422 => !errors.is_empty() && errors.iter().all(needs_a_register),
                _ => true,
            };
            if !is_taken {
                refused.push(format!("{address} {body}: {} {}", answer.status, answer.json()));
            }
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(sent > 40, "{sent}");
}
