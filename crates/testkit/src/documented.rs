//! Checks that each error is in the tables of `/docs/errors`, to which its `type` links.

use http::error_codes::{knows_fault, knows_parameter_fault, knows_problem};
use serde_json::Value;

/// What the documentation of errors lacks for this response, as sentences.
pub(crate) fn faults(status: u16, body: &Value) -> Vec<String> {
    let Some(code) = body["code"].as_str().filter(|_| status >= 400) else { return vec![] };
    let mut found = Vec::new();
    if !knows_problem(code, status) {
        found.push(format!("{status} {code} is not in http/src/error_codes/problems.rs or oauth.rs"));
    }
    // An unknown path has a type of its own.
    let kind = if body["title"] == "Path not found" { "path_not_found" } else { code };
    if body["type"] != format!("/docs/errors#{kind}") || !knows_problem(kind, status) {
        found.push(format!("the type {} does not lead to {code}", body["type"]));
    }
    for fault in body["errors"].as_array().into_iter().flatten() {
        let code = fault["code"].as_str().unwrap_or_default();
        let is_known =
            if fault.get("parameter").is_some() { knows_parameter_fault(code) } else { knows_fault(code) };
        if !is_known {
            found.push(format!("the fault {code} is not in http/src/error_codes/: {fault}"));
        }
    }
    found
}
