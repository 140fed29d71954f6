//! The operations of the OpenAPI document.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use axum::http::Method;
use serde_json::Value;

/// The operations that compute something from their body and change nothing.
const COMPUTATIONS: &[&str] = &["POST /v1/severity/assess"];

/// A client never approves or decides, whatever its scopes: `api/approval_steps.rs`, `api/acceptances.rs` and `api/exceptions.rs`
/// have the tests. Who withdraws a request has made it, or owns the risk or the document.
const BY_PEOPLE: [&str; 9] = [
    "POST /v1/acceptances/confirm",
    "POST /v1/documents/{}/exceptions/{}/decision",
    "POST /v1/documents/{}/exceptions/{}/record",
    "POST /v1/documents/{}/exceptions/{}/withdraw",
    "POST /v1/documents/{}/proposals/{}/approve",
    "POST /v1/documents/{}/proposals/{}/record",
    "POST /v1/risks/{}/acceptances/{}/decision",
    "POST /v1/risks/{}/acceptances/{}/record",
    "POST /v1/risks/{}/acceptances/{}/withdraw",
];

/// One method on one path.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// The method and the path with empty braces for its parameters, such as `PATCH /v1/incidents/{}`.
    pub(crate) key: String,
    pub(crate) method: Method,
    /// The path with named parameters.
    pub(crate) template: String,
    /// Its tag in lower case, such as `incidents`.
    pub(crate) noun: String,
    described: Value,
}

impl Operation {
    /// The first scope that the document names; none where any token suffices.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.scopes().first().copied()
    }

    /// The scopes that the document names, each of which suffices; none where any token suffices. Fails unless the
    /// document offers a client's token with at most one scope each time, and a session as the alternative.
    pub(crate) fn scopes(&self) -> Vec<&str> {
        let (session, tokens) = self.ways().split_last().unwrap_or_else(|| panic!("{self}: no way in"));
        assert_eq!(*session, serde_json::json!({"session": []}), "{self}");
        assert!(!tokens.is_empty(), "{self}: a client's token or a session");
        let scopes = tokens.iter().flat_map(|way| {
            let scopes = way["oauth2"].as_array().unwrap_or_else(|| panic!("{self}: no oauth2"));
            assert!(scopes.len() == 1 || tokens.len() == 1 && scopes.is_empty(), "{self}: one scope");
            scopes.iter().map(|scope| scope.as_str().unwrap())
        });
        scopes.collect()
    }

    /// The alternative ways to authenticate.
    fn ways(&self) -> &Vec<Value> {
        self.described["security"].as_array().unwrap_or_else(|| panic!("{self}: no security"))
    }

    /// Whether a client can call it: it requires a token, but not a person's session. The tests in `tokens/`,
    /// `api/session.rs` and `api/invitations.rs` cover the others.
    fn is_for_clients(&self) -> bool {
        !BY_PEOPLE.contains(&self.key.as_str()) && self.ways().iter().any(|way| way.get("oauth2").is_some())
    }

    /// Whether it returns the representation of a record, or of a list.
    pub(crate) fn is_read(&self) -> bool {
        self.method == Method::GET && !self.is_download()
    }

    /// Whether its request is its path and nothing else.
    pub(crate) fn is_plain_get(&self) -> bool {
        self.method == Method::GET && !self.template.contains('{')
    }

    /// Whether it returns a file, which is made while it is sent.
    pub(crate) fn is_download(&self) -> bool {
        let content = &self.described["responses"]["200"]["content"];
        ["text/csv", "text/markdown"].iter().any(|media_type| content.get(media_type).is_some())
    }

    /// Whether it changes something.
    pub(crate) fn is_write(&self) -> bool {
        self.method != Method::GET && !COMPUTATIONS.contains(&self.key.as_str())
    }

    /// The media types of its body; empty without one.
    pub(crate) fn media_types(&self) -> Vec<String> {
        let content = self.described["requestBody"]["content"].as_object();
        content.map(|content| content.keys().cloned().collect()).unwrap_or_default()
    }

    pub(crate) fn has_body(&self) -> bool {
        !self.media_types().is_empty()
    }

    /// The members of its body that contain the id of a record.
    pub(crate) fn id_members(&self) -> Vec<String> {
        let content = self.described["requestBody"]["content"].as_object().into_iter().flatten();
        let names = content.filter_map(|(_, media)| media["schema"]["$ref"].as_str());
        let schemas = names.filter_map(|name| document().pointer(name.trim_start_matches('#')));
        let members = schemas.filter_map(|schema| schema["properties"].as_object()).flatten();
        // Documents are named by slugs, which two organizations may both have.
        let are_slugs = self.template == "/v1/documents/bulk";
        let ids = members.filter(|(name, schema)| schema["format"] == "uuid" || *name == "ids" && !are_slugs);
        // A body may have two media types with one schema.
        ids.map(|(name, _)| name.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The members of its body, or of each element of a list, with whether the document lets each be null.
    pub(crate) fn nullable_members(&self) -> Vec<(String, bool)> {
        let content = self.described["requestBody"]["content"].as_object().into_iter().flatten();
        let Some(mut schema) = content.map(|(_, media)| resolved(&media["schema"])).next() else {
            return Vec::new();
        };
        if schema["type"] == "array" {
            schema = resolved(&schema["items"]);
        }
        let mut choices = schema["oneOf"].as_array().into_iter().flatten().filter(|it| it["type"] != "null");
        if let (Some(only), None) = (choices.next(), choices.next()) {
            schema = resolved(only);
        }
        let members = schema["properties"].as_object().into_iter().flatten();
        members.map(|(name, member)| (name.clone(), is_nullable(member))).collect()
    }

    /// Whether a body must be sent.
    pub(crate) fn needs_body(&self) -> bool {
        self.described["requestBody"]["required"] == true
    }

    /// Its query parameters.
    pub(crate) fn query_parameters(&self) -> Vec<String> {
        let all = self.described["parameters"].as_array().into_iter().flatten();
        all.filter(|it| it["in"] == "query").map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The description of a query parameter.
    pub(crate) fn query_parameter(&self, name: &str) -> Option<&Value> {
        let mut all = self.described["parameters"].as_array().into_iter().flatten();
        all.find(|it| it["in"] == "query" && it["name"] == name)
    }

    /// The query parameters that may be sent several times, each with its schema.
    pub(crate) fn repeatable_parameters(&self) -> Vec<(String, &Value)> {
        let all = self.described["parameters"].as_array().into_iter().flatten();
        let repeatable = all.filter(|it| it["in"] == "query" && it["schema"]["type"] == "array");
        repeatable.map(|it| (it["name"].as_str().unwrap().to_owned(), &it["schema"])).collect()
    }

    /// Every query parameter that takes words of a closed list, with each of its words.
    pub(crate) fn words(&self) -> Vec<(&str, &str)> {
        let all = self.described["parameters"].as_array().into_iter().flatten();
        let words = all.filter(|it| it["in"] == "query").flat_map(|it| {
            let schema = if it["schema"]["type"] == "array" { &it["schema"]["items"] } else { &it["schema"] };
            let words = schema["enum"].as_array().into_iter().flatten();
            words.map(|word| (it["name"].as_str().unwrap(), word.as_str().unwrap()))
        });
        words.collect()
    }

    /// The values of `sort`; none if the order of the list cannot be chosen.
    pub(crate) fn sorts(&self) -> Vec<&str> {
        let values = self.query_parameter("sort").and_then(|sort| sort["schema"]["enum"].as_array());
        values.into_iter().flatten().map(|value| value.as_str().unwrap()).collect()
    }

    /// Whether it changes a record with versions, and so supports `If-Match`.
    pub(crate) fn changes_a_version(&self) -> bool {
        let mut all = self.described["parameters"].as_array().into_iter().flatten();
        all.any(|it| it["$ref"] == "#/components/parameters/IfMatch")
    }

    /// Whether its response has this member.
    pub(crate) fn shows(&self, member: &str) -> bool {
        let schema = &self.described["responses"]["200"]["content"]["application/json"]["schema"];
        let name = schema["$ref"].as_str().unwrap_or_default();
        let schema = document().pointer(name.trim_start_matches('#')).unwrap_or(schema);
        schema["properties"].get(member).is_some()
    }

    /// Whether it declares the record of a reference that is not known yet.
    pub(crate) fn declares_unknown(&self) -> bool {
        self.key == "PUT /v1/sources/{}/incidents/{}"
    }

    /// Whether it returns a page of records.
    pub(crate) fn is_list(&self) -> bool {
        let names = self.query_parameters();
        let has = |name: &str| names.iter().any(|it| it == name);
        // A figure that explains itself has pages beside it.
        self.method == Method::GET && has("limit") && !has("explain")
    }
}

impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.key)
    }
}

/// The document as it is served.
pub(crate) fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(api::document)
}

/// Every operation under `/v1` that a client calls with a token.
pub(crate) fn all() -> Vec<Operation> {
    let mut found = Vec::new();
    for (path, item) in document()["paths"].as_object().unwrap() {
        for (method, described) in item.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let key = format!("{method} {}", without_names(path));
            let noun =
                described["tags"][0].as_str().unwrap_or_else(|| panic!("{key} has no tag")).to_lowercase();
            let template = path.clone();
            let operation = Operation { key, method, template, noun, described: described.clone() };
            if path.starts_with("/v1/") && operation.is_for_clients() {
                found.push(operation);
            }
        }
    }
    assert!(found.len() > 15, "the document has lost its operations");
    found
}

/// The operations that change something.
pub(crate) fn writes() -> Vec<Operation> {
    all().into_iter().filter(Operation::is_write).collect()
}

fn without_names(path: &str) -> String {
    let segments = path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// The schema that a reference leads to, or the schema itself.
fn resolved(schema: &Value) -> &Value {
    match schema["$ref"].as_str() {
        Some(name) => document().pointer(name.trim_start_matches('#')).unwrap(),
        None => schema,
    }
}

fn is_nullable(schema: &Value) -> bool {
    let schema = resolved(schema);
    let mut choices = ["oneOf", "anyOf"].into_iter().filter_map(|name| schema[name].as_array()).flatten();
    schema["type"] == "null"
        || schema["type"].as_array().is_some_and(|types| types.contains(&Value::from("null")))
        || choices.any(is_nullable)
}
