//! Refusals are cheap: for any body, neither the response nor the memory used grows with the number of faults in it.
//! The only test of its binary, because it counts the allocations of the whole process.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::OnceLock;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request};
use domain::Role;
use peak_alloc::PeakAlloc;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use testkit::{Engine, TestApp, TestClient, TestPerson};
use tower::ServiceExt as _;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MIB: usize = 1024 * 1024;

/// The maximum size of a problem.
const MOST_ANSWER: usize = 64 * 1024;

/// The maximum memory of a request for each byte of its body, and the maximum in addition to that.
const MOST_TIMES: usize = 30;
const ANY_REQUEST: usize = 256 * 1024;

/// An operation that accepts JSON, with the maximum length of its body.
#[derive(Debug, Clone)]
struct Operation {
    method: Method,
    path: String,
    limit: usize,
}

/// The callers that send the requests.
struct Callers {
    client: TestClient,
    person: TestPerson,
}

impl Callers {
    /// Only a person has a password and a deputy, and marks texts as read.
    fn token(&self, operation: &Operation) -> &str {
        let is_for_people = ["/v1/me/password", "/v1/me/deputy"].contains(&&*operation.path)
            || operation.path.ends_with("/seen");
        if is_for_people { &self.person.token } else { &self.client.token }
    }
}

fn operations(organization: &str, client: &str) -> Vec<Operation> {
    let document = api::document();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, described) in item.as_object().unwrap() {
            if described.pointer("/requestBody/content/application~1json").is_none() {
                continue;
            }
            // What everybody may send has a smaller limit.
            let is_open = described["security"] == serde_json::json!([{}]);
            let limit = if is_open { 64 * 1024 } else { MIB };
            let method = method.to_uppercase().parse().unwrap();
            found.push(Operation { method, path: with_ids(path, organization, client), limit });
        }
    }
    assert!(found.len() > 15, "the document has lost its operations");
    found
}

/// Well-formed ids in a path.
fn with_ids<'i>(path: &'i str, organization: &'i str, client: &'i str) -> String {
    let mut noun = "";
    let segments = path.split('/').map(|segment| {
        let id = match noun {
            _ if !segment.starts_with('{') => segment,
            "incidents" => "INC-0001",
            "risks" => "RSK-1",
            "documents" => "access-control",
            "clients" => client,
            "organizations" => organization,
            "acceptances" | "evaluations" | "exceptions" | "notes" | "proposals" | "tasks" | "versions" => {
                "1"
            }
            _ => "0190163d-8694-739b-aea5-966c26f8ad91",
        };
        noun = segment;
        id
    });
    segments.collect::<Vec<_>>().join("/")
}

/// The repeated part of a body: short values that use much memory, and values that are faults.
fn unit() -> impl Strategy<Value = String> {
    let fixed = [
        "0",
        "1e3",
        "null",
        "\"\"",
        "[]",
        "{}",
        "[0]",
        "[[]]",
        r#"{"":0}"#,
        r#"{"":{}}"#,
        r#""\u0000""#,
        r#"{"a":0,"a":0}"#,
        r#"{"id":"\u0000","kind":"x","label":null}"#,
        r#"{"node_id":"a"}"#,
    ];
    prop_oneof![
        4 => proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        1 => r"[a-z\\u0 é]{0,20}".prop_map(|text| Value::from(text).to_string()),
    ]
}

/// The position of the repeated values in the body. `#` is replaced by their number.
fn member() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "",
        "",
        "",
        r#""":"#,
        r#""k#":"#,
        r##""\u0000#":"##,
        r#""é~/#":"#,
        r#""k#":{"a":[],"a":"#,
    ])
}

fn wrapper() -> impl Strategy<Value = (String, &'static str)> {
    let long = format!(r#"{{"{}":["#, "é".repeat(16_000));
    prop_oneof![
        Just(("[".to_owned(), "]")),
        Just((long, "]}")),
        proptest::sample::select(vec!["ids", "items", "scopes", "title", "grant_type", "x"])
            .prop_map(|name| (format!(r#"{{"{name}":["#), "]}")),
        Just((r#"{"items":[{"options":["#.to_owned(), "]}]}")),
    ]
}

/// A body of about `bytes` bytes.
fn body(unit: &str, member: &str, (head, tail): &(String, &str), bytes: usize) -> String {
    let (head, tail) = if member.is_empty() { (head.as_str(), *tail) } else { ("{", "}") };
    let mut out = String::with_capacity(bytes);
    out.push_str(head);
    for number in 0.. {
        let close = if member.ends_with(r#""a":"#) { "}" } else { "" };
        let next = format!("{}{unit}{close}", member.replace('#', &number.to_string()));
        if out.len() + next.len() + tail.len() + 1 > bytes {
            break;
        }
        if number > 0 {
            out.push(',');
        }
        out.push_str(&next);
    }
    out + tail
}

/// The size of the response's body, its status, and the memory that the request used in addition to its own body.
async fn measure(
    app: &TestApp,
    callers: &Callers,
    operation: &Operation,
    body: String,
) -> (usize, u16, usize) {
    let request = Request::builder()
        .method(operation.method.clone())
        .uri(&operation.path)
        .header("host", "bailiwick.test")
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {}", callers.token(operation)))
        .header("idempotency-key", "k")
        .body(Body::from(body))
        .unwrap();
    let router = app.router();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let answer = router.oneshot(request).await.unwrap();
    let status = answer.status().as_u16();
    let answer = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (answer.len(), status, MEMORY.peak_usage().saturating_sub(before))
}

async fn check(app: &TestApp, callers: &Callers, operation: &Operation, body: String) -> u16 {
    let (sent, start) = (body.len(), body.chars().take(80).collect::<String>());
    let (answer, status, memory) = measure(app, callers, operation, body).await;
    assert!(status < 500, "{operation:?} {start}: {status}");
    assert!(answer <= MOST_ANSWER, "{operation:?} {start}: an answer of {answer} bytes");
    let most = MOST_TIMES * sent + ANY_REQUEST;
    assert!(memory <= most, "{operation:?} {start}: {sent} bytes took {memory} in memory");
    status
}

/// The bodies that once produced a response of 353 MB and killed the process.
async fn the_known_attacks(app: &TestApp, callers: &Callers, operations: &[Operation]) {
    for operation in operations {
        let mut statuses = Vec::new();
        for unit in [r#""\u0000""#, "0", "{}", r#"{"":0}"#] {
            let long = format!(r#"{{"{}":["#, "é".repeat(16_350));
            for wrapper in [(long, "]}"), ("[".to_owned(), "]")] {
                let body = body(unit, "", &wrapper, operation.limit);
                statuses.push(check(app, callers, operation, body).await);
            }
        }
        assert!(statuses.iter().any(|status| [400, 422].contains(status)), "{operation:?}: {statuses:?}");
    }
}

#[test]
fn no_body_makes_a_long_answer_or_takes_much_memory() {
    testkit::run(Engine::Sqlite, async |app: TestApp| {
        let callers = Callers { client: app.client().await, person: app.person("Ada", Role::Admin).await };
        let operations = operations(&app.organization.to_string(), &callers.client.id);
        the_known_attacks(&app, &callers, &operations).await;
        let parts = (0..operations.len(), unit(), member(), wrapper(), 0..4_usize);
        let handle = tokio::runtime::Handle::current();
        let shared = OnceLock::from((app, callers, operations));
        tokio::task::spawn_blocking(move || {
            let (app, callers, operations) = shared.get().unwrap();
            let run = |(index, unit, member, wrapper, size): (usize, String, &str, _, usize)| {
                let operation = &operations[index];
                let body = body(&unit, member, &wrapper, operation.limit >> size);
                handle.block_on(check(app, callers, operation, body));
                Ok(())
            };
            let config = Config { cases: 64, failure_persistence: None, ..Config::default() };
            TestRunner::new(config).run(&parts, run).unwrap();
        })
        .await
        .unwrap();
    });
}
