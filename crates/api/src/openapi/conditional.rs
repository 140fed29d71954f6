//! The parameters, responses and headers that conditional requests and pages add to each operation. They are derived
//! from the responses of the reads, so that no handler has to repeat them.

use std::collections::BTreeMap;

use lists::printed_file;
use serde_json::{Value, json};

use super::headers::reference as header;
use super::json::{SCHEMAS, is_open, operations, set, successes};

/// The prefix of the schema name of a list; the name of its row schema follows.
const LIST: &str = "List_";

/// The responses of the reads in the document.
struct Reads {
    /// The path, and the schema of its GET.
    schemas: BTreeMap<String, String>,
    /// Those of them that have versions.
    versioned: Vec<String>,
}

/// Adds parameters, responses and headers to every read, and to every write that requires a token.
pub(super) fn describe(document: &mut Value) {
    let reads = Reads::of(document);
    for (path, method, operation) in operations(document) {
        let content = operation.pointer("/responses/200/content");
        let is_file = |media_type: &&str| content.is_some_and(|content| content.get(*media_type).is_some());
        let printed = [printed_file::WORD, printed_file::PDF, printed_file::WORKBOOK];
        let media_types = ["text/csv", "text/markdown", "text/html"].into_iter().chain(printed);
        let files: Vec<_> = media_types.filter(is_file).collect();
        for media_type in &files {
            // Linters want a limit of every text, and a file has none.
            let limit = ["responses", "200", "content", media_type, "schema", "maxLength"];
            set(operation, &limit, json!(GREATEST_INTEGER));
        }
        if !files.is_empty() && operation.pointer("/responses/200/headers/ETag").is_none() {
            continue;
        }
        if method == "get" {
            describe_read(operation);
        } else if !is_open(operation) {
            describe_write(operation, &path, &method, &reads);
        }
    }
    set(document, &["components", "parameters", "IfNoneMatch"], if_none_match());
    set(document, &["components", "parameters", "IfMatch"], if_match());
    set(document, &["components", "responses", "NotModified"], not_modified());
    for (name, description, example) in HEADERS {
        let schema = json!({"type": "string", "maxLength": 16384, "examples": [example]});
        let described = json!({"description": description, "schema": schema});
        set(document, &["components", "headers", name], described);
    }
}

const HEADERS: [(&str, &str, &str); 2] = [
    (
        "ETag",
        "`\"v<version>-<hash>\"`, or the hash alone where there are no versions. It changes with every byte of the body.",
        "\"v3-kYq3cVb0SVWsJXo2\"",
    ),
    (
        "Link",
        "The first page and, unless this is the last, the next one, with the same parameters (RFC 8288).",
        "<https://bailiwick.example/v1/tags?limit=50>; rel=\"first\"",
    ),
];

/// The greatest integer that every reader of JSON has exactly (RFC 8259, section 6).
const GREATEST_INTEGER: i64 = (1 << 53) - 1;

/// The maximum length of the header in characters. A longer one is answered with 431.
const HEADER_CHARACTERS: usize = 32_768;

/// `*`, or comma-separated entity tags (RFC 9110, section 13.1.1).
const TAGS: &str = r#"^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$"#;

fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match", "in": "header", "required": false,
        "description": "ETags that the caller has, with commas between, or `*`. With one of them: 304, without a body.",
        "schema": {"type": "string", "maxLength": HEADER_CHARACTERS},
        "example": "\"v3-kYq3cVb0SVWsJXo2\"",
    })
}

fn if_match() -> Value {
    json!({
        "name": "If-Match", "in": "header", "required": false,
        "description": "The ETag of the record that this change is based on, or several with commas between. Only the version in it counts: `\"v3\"` will do. With another version: 412, and nothing is changed. `*` stands for any. An operator can make it required.",
        "schema": {"type": "string", "maxLength": HEADER_CHARACTERS, "pattern": TAGS},
        "example": "*",
    })
}

fn not_modified() -> Value {
    json!({
        "description": "The caller has it already.",
        "headers": {"ETag": header("ETag"), "X-Request-Id": header("RequestId")},
    })
}

fn describe_read(operation: &mut Value) {
    add_parameter(operation, "IfNoneMatch");
    set(operation, &["responses", "304"], json!({"$ref": "#/components/responses/NotModified"}));
    for (_, answer) in successes(operation) {
        set(answer, &["headers", "ETag"], header("ETag"));
        if schema_of(answer).is_some_and(|name| name.starts_with(LIST)) {
            set(answer, &["headers", "Link"], header("Link"));
        }
    }
}

fn describe_write(operation: &mut Value, path: &str, method: &str, reads: &Reads) {
    set(operation, &["responses", "412"], json!({"$ref": "#/components/responses/PreconditionFailed"}));
    if reads.changes_a_version(operation, path, method) {
        add_parameter(operation, "IfMatch");
        set(operation, &["responses", "428"], json!({"$ref": "#/components/responses/PreconditionRequired"}));
    }
    for (_, answer) in successes(operation) {
        if schema_of(answer).is_some_and(|name| reads.schemas.values().any(|read| read == name)) {
            set(answer, &["headers", "ETag"], header("ETag"));
        }
    }
}

impl Reads {
    fn of(document: &mut Value) -> Self {
        let schemas: BTreeMap<_, _> = operations(document)
            .filter(|(_, method, _)| method == "get")
            .filter_map(|(path, _, operation)| {
                let name = schema_of(operation.pointer("/responses/200")?)?.to_owned();
                Some((path, name))
            })
            .collect();
        let has_version = |name: &&String| {
            document.pointer(&format!("/components/schemas/{name}/properties/version")).is_some()
        };
        let versioned = schemas.values().filter(has_version).cloned().collect();
        Self { schemas, versioned }
    }

    /// PUT, PATCH and DELETE of a record with versions, and what returns the record one step below it.
    fn changes_a_version(&self, operation: &Value, path: &str, method: &str) -> bool {
        let is_below = method == "post" || !self.schemas.contains_key(path);
        let record = if is_below { path.rsplit_once('/').map_or("", |(record, _)| record) } else { path };
        let Some(schema) = self.schemas.get(record).filter(|name| self.versioned.contains(name)) else {
            return false;
        };
        let answered = operation.pointer("/responses/200").and_then(schema_of);
        !is_below || answered == Some(schema)
    }
}

fn schema_of(answer: &Value) -> Option<&str> {
    let reference = answer.pointer("/content/application~1json/schema/$ref")?;
    reference.as_str()?.strip_prefix(SCHEMAS)
}

fn add_parameter(operation: &mut Value, name: &str) {
    let reference = json!({"$ref": format!("#/components/parameters/{name}")});
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(reference),
        None => set(operation, &["parameters"], json!([reference])),
    }
}
