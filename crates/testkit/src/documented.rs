//! Checks that each error is in the tables of `/docs/errors`, to which its `type` links.

use domain::{ErrorCode, FaultCode};
use http::error_codes::{self, ParameterCode};
use serde_json::Value;

/// What the documentation of errors lacks for this response, as sentences.
pub(crate) fn faults(status: u16, body: &Value) -> Vec<String> {
    let Some(code) = body["code"].as_str().filter(|_| status >= 400) else { return vec![] };
    let mut found = Vec::new();
    if !knows_problem(code, status) {
        found.push(format!("{status} {code} is not in domain/src/error_code.rs"));
    }
    // An unknown path has a type of its own.
    let kind = if body["title"] == "Path not found" { "path_not_found" } else { code };
    // The path of the public URL may be before it.
    let leads_there = body["type"].as_str().is_some_and(|it| it.ends_with(&format!("/docs/errors#{kind}")));
    if !leads_there || !knows_problem(kind, status) {
        found.push(format!("the type {} does not lead to {code}", body["type"]));
    }
    for fault in body["errors"].as_array().into_iter().flatten() {
        let code = fault["code"].as_str().unwrap_or_default();
        let is_known = match fault.get("parameter") {
            Some(_) => ParameterCode::parse(code).is_some(),
            None => FaultCode::parse(code).is_some(),
        };
        if !is_known {
            found.push(format!("the fault {code} has no row: {fault}"));
        }
    }
    found
}

fn knows_problem(code: &str, status: u16) -> bool {
    ErrorCode::parse(code).is_some_and(|code| error_codes::status(code) == status)
}
