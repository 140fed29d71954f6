//! The groups of operations, and the server's URL.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Each group with its description, in the order of the reference.
const TAGS: &[(&str, &str)] = &[
    ("OAuth", "Tokens: how a client gets them, refreshes them and ends them."),
    ("Discovery", "What OAuth clients and gateways read before the first request."),
    ("Session", "How a person signs in and out."),
    ("Me", "Who calls, and what they may do."),
    ("Incidents", "What happened, from the declaration to the review."),
    ("Tasks", "What is to be done about incidents and risks, by whom and until when."),
    ("Reviews", "What an incident was, why it happened and what follows from it."),
    (
        "Notes",
        "What people write about an incident: what was seen, done or decided, and what they say to each other.",
    ),
    ("Severity", "How severe an incident is by the answers to a few questions, and why."),
    ("Risks", "What could happen, how it is rated and what is planned against it."),
    ("Evaluations", "The ratings of a risk over time; none is ever changed."),
    ("Acceptances", "Who accepts what remains of a risk, until when, and what became of it."),
    ("Exceptions", "What differs from a document for a while, who accepts that, and what became of it."),
    (
        "Imports",
        "Spreadsheets that become risks or evaluations: what is proposed for a file, and what becomes of its rows.",
    ),
    ("Tags", "Short names that go on incidents and risks."),
    ("Views", "Filters of a list under a name, for oneself or for everybody."),
    ("Search", "Where something is written: over incidents, risks and documents."),
    ("Undo", "How a request is taken back shortly after it was made."),
    ("Documents", "Policy documents made of items, and the proposals that change them."),
    ("Acknowledgements", "Who is asked to acknowledge a document, and who has."),
    ("Organizations", "The organization, and its risk performance."),
    ("Users", "The members of the organization and their roles."),
    ("Groups", "Named lists of members: who somebody is, where a role says what somebody may do."),
    ("Invitations", "How a person becomes a member."),
    ("Clients", "OAuth clients of the organization, their secrets and scopes."),
    ("Journal", "Every change, chained by hash: the audit trail and the change feed."),
];

/// Adds the descriptions of the groups and the server's URL.
pub(super) fn add(document: &mut Value) {
    let used = used(document);
    let known = TAGS.iter().filter(|(name, _)| used.contains(*name));
    let tags: Vec<Value> =
        known.map(|(name, description)| json!({"name": name, "description": description})).collect();
    let Some(members) = document.as_object_mut() else { return };
    members.insert("tags".to_owned(), Value::Array(tags));
    // The document is served by the service that it describes, so the URL is relative.
    let server = json!({"url": "/", "description": "The service that serves this document, in production or not.", "x-internal": false});
    members.insert("servers".to_owned(), json!([server]));
}

fn used(document: &Value) -> BTreeSet<String> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations = paths.flat_map(|(_, item)| item.as_object().into_iter().flatten());
    let tags = operations.flat_map(|(_, it)| it.get("tags").and_then(Value::as_array).into_iter().flatten());
    tags.filter_map(Value::as_str).map(str::to_owned).collect()
}
