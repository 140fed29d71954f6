//! The page of scopes and roles, `docs/scopes.md`, generated from the tables of `domain` and the routes.

use std::fmt::Write;

use domain::{Role, Scope};
use serde_json::Value;

const HEAD: &str = "\
# Scopes and roles

<!-- Made from crates/api/src/docs/scopes.rs: BLESS=1 cargo nextest run -p api the_committed_scopes_page -->

This page lists what each scope and each role allows. A token allows only the operations whose scope it has: a missing \
scope is 403 `insufficient_scope`, which names it. A client is created with the scopes it may have, and a token request \
may ask for fewer. A person has the scopes of all their current roles. A caller cannot grant a scope that it lacks.
";

/// The text of `docs/scopes.md`.
pub fn text() -> String {
    let document = crate::document();
    let mut out = HEAD.to_owned();
    // Writing to a String cannot fail.
    let _ = write!(out, "\n## Scopes\n\n| scope | what it allows | operations |\n| --- | --- | --- |\n");
    for scope in Scope::ALL {
        let operations = operations(&document, scope.as_str());
        let _ = writeln!(out, "| `{scope}` | {} | {operations} |", scope.meaning());
    }
    let _ = write!(
        out,
        "\n`GET /v1/me` and a person's own session need a token, but no scope.\n\n## Roles\n\n| scope |"
    );
    for role in Role::ALL {
        let _ = write!(out, " {} |", role.as_str());
    }
    let _ = write!(out, "\n| --- |{}", " --- |".repeat(Role::ALL.len()));
    for scope in Scope::ALL {
        let _ = write!(out, "\n| `{scope}` |");
        for role in Role::ALL {
            out.push_str(if role.scopes().has(*scope) { " yes |" } else { " |" });
        }
    }
    out.push('\n');
    out
}

/// The operations that need a scope, in the form `GET /v1/incidents`.
fn operations(document: &Value, scope: &str) -> String {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let ways = operation["security"].as_array().into_iter().flatten();
            let mut needed = ways.filter_map(|way| way["oauth2"].as_array()).flatten();
            if needed.any(|it| it == scope) {
                found.push(format!("`{} {path}`", method.to_uppercase()));
            }
        }
    }
    if found.is_empty() { "none yet".to_owned() } else { found.join(", ") }
}
