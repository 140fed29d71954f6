//! Random damage to valid requests: every response has a status below 500 and the documented form.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use serde_json::{Value, json};
use testkit::{Contract, TestApp};
use tower::ServiceExt as _;

use crate::all::operations::{self, Operation, document};
use crate::all::world::{Ask, World};

/// The number of requests for each operation and engine, and the seed. `FUZZ_REQUESTS` and `FUZZ_SEED` override them.
const REQUESTS: usize = 80;
const SEED: u64 = 20_260_301;

fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A seeded random generator.
struct Dice(Box<dyn FnMut() -> u64>);

impl Dice {
    fn new(seed: u64) -> Self {
        let random = testkit::seeded(seed);
        Self(Box::new(move || {
            let mut bytes = [0; 8];
            random(&mut bytes);
            u64::from_le_bytes(bytes)
        }))
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from((self.0)() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

const TEXTS: &[&str] = &[
    "",
    " ",
    "\u{0}",
    "a\u{0}",
    "\u{feff}",
    "\u{202e}abc",
    "e\u{301}",
    "\u{1f469}\u{200d}\u{1f680}",
    "\u{fffd}",
    "\u{10ffff}",
    "INC-1",
    "INC-0",
    "INC--1",
    "INC-9223372036854775807",
    "INC-9223372036854775808",
    "INC-00000000000000000001",
    "RSK-1",
    "RSK-01",
    "RSK-0",
    "RSK-99999999999999999999",
    "rsk-1",
    "mfa",
    "all",
    "select",
    "text",
    "open",
    "closed",
    "null",
    "00000000-0000-0000-0000-000000000000",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "{00000000-0000-0000-0000-000000000000}",
    "0000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:60Z",
    "9999-12-31T23:59:59-23:59",
    "10000-01-01T00:00:00Z",
    "+292278994-08-17T07:12:55Z",
    "-009999-01-02T01:59:59Z",
    "2026-02-29T00:00:00Z",
    "2026-03-01T09:00:00",
    "2026-03-01T09:00:00+25:00",
    "2026-03-01t09:00:00z",
    "2016-12-31T23:59:60Z",
    "1970-01-01T00:00:00Z",
    "2026-03-01T09:00:00.0000001Z",
    "4713-01-01T00:00:00Z",
    "2026-03-01T09:04:59Z",
    "2026-03-01T09:05:00.000001Z",
    "#64748b",
    "#GGGGGG",
    "a@b.c",
    "a@b",
    "<script>",
    "'; DROP TABLE risk;--",
    "%",
    "_",
    "\\",
    "$1",
    "../..",
    "/",
    "?",
    "#",
];

/// JSON texts of numbers, including invalid ones.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "0.0",
    "1.0",
    "1",
    "2",
    "5",
    "6",
    "-1",
    "1.5",
    "1e0",
    "1e400",
    "-1e400",
    "1e-400",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1e18",
    "1e19",
    "0.1e1",
    "100000000000000000000000000000000000000000",
    "10000",
];

fn text(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => dice.pick(TEXTS).repeat(2),
        1 => dice
            .pick(&["x", "\u{e9}", "\u{1f469}", " ", "\n"])
            .repeat(*dice.pick(&[1, 50, 51, 80, 81, 200, 201, 255, 70_000])),
        2 => format!("{}{}", dice.pick(TEXTS), dice.pick(TEXTS)),
        _ => (*dice.pick(TEXTS)).to_owned(),
    }
}

/// A JSON text that replaces a value.
fn instead(dice: &mut Dice, value: &Value) -> String {
    match dice.below(14) {
        0 => "null".to_owned(),
        1 => "true".to_owned(),
        2 => "{}".to_owned(),
        3 => "[]".to_owned(),
        4 => format!("[{value}]"),
        5 => format!("{{\"a\":{value}}}"),
        6..9 => (*dice.pick(NUMBERS)).to_owned(),
        9 => format!("{}1{}", "[".repeat(60), "]".repeat(60)),
        10 => "\"\\ud800\"".to_owned(),
        _ => Value::from(text(dice)).to_string(),
    }
}

/// The value as JSON text, damaged in some places.
fn damaged(dice: &mut Dice, value: &Value, odds: usize) -> String {
    if dice.one_in(odds) {
        return instead(dice, value);
    }
    match value {
        Value::Array(items) => {
            let mut texts: Vec<String> = items.iter().map(|item| damaged(dice, item, odds)).collect();
            if dice.one_in(odds) {
                texts.extend(texts.clone());
            }
            if dice.one_in(odds * 4) {
                let item = texts.first().cloned().unwrap_or_else(|| "1".to_owned());
                texts.extend(std::iter::repeat_n(item, 1_100));
            }
            format!("[{}]", texts.join(","))
        }
        Value::Object(members) => {
            let mut texts = Vec::new();
            for (key, member) in members {
                if dice.one_in(odds) {
                    continue;
                }
                let name = if dice.one_in(odds) { text(dice) } else { key.clone() };
                texts.push(format!("{}:{}", Value::from(name), damaged(dice, member, odds)));
            }
            if dice.one_in(odds) {
                texts.extend(texts.first().cloned());
            }
            for member in [
                "status",
                "status_reason",
                "supersedes",
                "resolution_summary",
                "duplicate_of",
                "hold",
                "override",
                "readers",
                "detected_date",
                "id",
                "owner",
            ] {
                if dice.one_in(odds * 4) {
                    texts.push(format!("{member:?}:{}", instead(dice, &json!("closed"))));
                }
            }
            format!("{{{}}}", texts.join(","))
        }
        other => other.to_string(),
    }
}

fn body(dice: &mut Dice, ask: &Ask) -> Vec<u8> {
    let Some(body) = &ask.body else {
        return if dice.one_in(4) { instead(dice, &json!({})).into_bytes() } else { Vec::new() };
    };
    let odds = *dice.pick(&[2, 5, 10, 20]);
    let mut bytes = damaged(dice, body, odds).into_bytes();
    if dice.one_in(10) {
        // Damage to the bytes of the JSON text.
        for _ in 0..=dice.below(4) {
            let at = dice.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = u8::try_from(dice.below(256)).unwrap();
            }
        }
        if dice.one_in(3) {
            let end = dice.below(bytes.len() + 1);
            bytes.truncate(end);
        }
    }
    bytes
}

/// Any text, encoded for a path or a query.
fn encoded(dice: &mut Dice, text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' if !dice.one_in(20) => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

fn segment(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => (*dice.pick(&["%FF", "%00", "%C0%80", "%", "%zz", "%2F", "%2e%2e", "..", ".", "", "%ED%A0%80"]))
            .to_owned(),
        1 => (*dice.pick(NUMBERS)).to_owned(),
        2 => "1".repeat(*dice.pick(&[18, 19, 20, 300, 5_000])),
        _ => {
            let text = text(dice);
            encoded(dice, text.get(..text.len().min(900)).unwrap_or("x"))
        }
    }
}

fn path(dice: &mut Dice, operation: &Operation, ask: &Ask) -> String {
    let mut path = ask.path.clone();
    if operation.template.contains('{') && dice.one_in(3) {
        let values: Vec<_> = crate::all::world::path_values(&operation.template, &ask.path)
            .into_iter()
            .map(|value| if dice.one_in(2) { segment(dice) } else { value })
            .collect();
        path = crate::all::world::path_with(&operation.template, &values);
    }
    let mut pairs = Vec::new();
    let names = operation.query_parameters();
    // About two at a time, however many there are: each that is wrong refuses the whole request.
    let odds = (names.len() / 2).max(2);
    for name in names {
        if dice.one_in(odds) {
            let value = match dice.below(4) {
                0 => (*dice.pick(&["1", "2", "200", "only", "with", "2026-03-01T09:00:00Z", "3650"]))
                    .to_owned(),
                1 => (*dice.pick(NUMBERS)).replace('+', "%2B"),
                _ => segment(dice),
            };
            pairs.push(format!("{name}={value}"));
        }
    }
    if dice.one_in(8) {
        pairs.push(segment(dice));
    }
    if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
}

const HEADERS: &[&str] = &[
    "idempotency-key",
    "x-request-id",
    "content-type",
    "content-length",
    "accept",
    "authorization",
    "content-encoding",
    "traceparent",
    "host",
    "if-match",
    "expect",
    "transfer-encoding",
    "x-forwarded-for",
    "range",
    "cookie",
];

fn headers(dice: &mut Dice, request: &mut Request<Body>) {
    for _ in 0..dice.below(3) {
        let name = HeaderName::from_static(HEADERS[dice.below(HEADERS.len())]);
        let value = match dice.below(5) {
            0 => vec![0xFF, 0xFE, b'x'],
            1 => b"x".repeat(*dice.pick(&[1, 255, 256, 9_000])),
            2 => b"application/merge-patch+json".to_vec(),
            3 => dice.pick(NUMBERS).as_bytes().to_vec(),
            _ => dice.pick(TEXTS).as_bytes().to_vec(),
        };
        if let Ok(value) = HeaderValue::from_bytes(&value) {
            match dice.one_in(2) {
                true => request.headers_mut().append(name, value),
                false => request.headers_mut().insert(name, value).is_some(),
            };
        }
    }
}

fn method(dice: &mut Dice, ask: &Ask) -> Method {
    if !dice.one_in(40) {
        return ask.method.clone();
    }
    let others = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "CONNECT", "PROPFIND"];
    dice.pick(&others).parse().unwrap()
}

/// The positions of the values in a body, as JSON pointers.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| leaves(member, &format!("{at}/{key}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| leaves(item, &format!("{at}/{index}"), found));
        }
        _ => found.push(at.to_owned()),
    }
}

by_noun!(operations::writes, extreme_values_get_a_clear_answer);
/// Replaces one value at a time with extremes: an integer with every number, a text with every text.
async fn extreme_values_get_a_clear_answer(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let Some(body) = &ask.body else { continue };
        let mut pointers = Vec::new();
        leaves(body, "", &mut pointers);
        for pointer in pointers {
            let instead: Vec<String> = match body.pointer(&pointer).unwrap() {
                Value::String(_) => TEXTS.iter().map(|text| Value::from(*text).to_string()).collect(),
                Value::Number(_) => NUMBERS.iter().map(|text| (*text).to_owned()).collect(),
                _ => continue,
            };
            for text in instead {
                let mut body = body.clone();
                *body.pointer_mut(&pointer).unwrap() = json!("@@@");
                let body = body.to_string().replace("\"@@@\"", &text);
                let request = app.request(ask.method.clone(), &ask.path).bearer(&world.client);
                let answer = request.body("application/json", body).await;
                assert!(answer.status < 500, "{operation} {pointer} {text}: {}", answer.json());
            }
        }
    }
}

by_noun!(operations::all, damaged_requests_get_a_clear_answer);
async fn damaged_requests_get_a_clear_answer(app: TestApp, operations: Vec<Operation>) {
    let world = World::new(&app).await;
    let contract = Contract::new(document());
    let requests = setting("FUZZ_REQUESTS", REQUESTS) * operations.len();
    let mut dice = Dice::new(setting("FUZZ_SEED", SEED));
    let (mut statuses, mut written) = (std::collections::BTreeMap::<u16, usize>::new(), 0);
    let mut asks = Vec::new();
    for number in 0..requests {
        if number % 500 == 0 {
            // The records of the old requests are deleted or damaged by now.
            asks.clear();
            for operation in &operations {
                asks.push((operation, world.valid(operation).await));
            }
        }
        let (operation, ask) = dice.pick(&asks).clone();
        let path = path(&mut dice, operation, &ask);
        let Ok(uri) = path.parse::<Uri>() else { continue };
        let (method, bytes) = (method(&mut dice, &ask), body(&mut dice, &ask));
        let mut request = Request::builder().header("host", "bailiwick.test").method(method.clone()).uri(uri);
        request = request.header("authorization", format!("Bearer {}", world.client.token));
        if !bytes.is_empty() {
            request = request.header("content-type", "application/json");
        }
        let sent = String::from_utf8_lossy(&bytes[..bytes.len().min(2_000)]).into_owned();
        let mut request = request.body(Body::from(bytes)).unwrap();
        headers(&mut dice, &mut request);
        let shown = format!("{number}: {method} {path}\n{:?}\n{sent}", request.headers());
        let (parts, answer) = app.router().oneshot(request).await.unwrap().into_parts();
        let answer = to_bytes(answer, usize::MAX).await.unwrap();
        let status = parts.status.as_u16();
        *statuses.entry(status).or_default() += 1;
        let is_write = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE].contains(&method);
        written += usize::from(is_write && (200..300).contains(&status));
        assert!(status < 500, "{status} {}\nfor {shown}", String::from_utf8_lossy(&answer));
        let media_type = parts.headers.get("content-type").map(|it| it.to_str().unwrap()).unwrap_or_default();
        // A malformed HTTP request is reported before its method is checked, even if the document does not have the
        // method.
        let is_malformed = String::from_utf8_lossy(&answer).contains(r#""code":"malformed_request""#);
        if method != Method::HEAD && !is_malformed {
            let faults = contract.check(method.as_str(), &path, status, media_type, &answer);
            assert!(faults.is_empty(), "{faults:#?}\n{}\nfor {shown}", String::from_utf8_lossy(&answer));
        }
    }
    // The damage is neither so small that every request succeeds nor so large that all fail the first check.
    let has = |is_so: fn(&Operation) -> bool| usize::from(operations.iter().any(is_so));
    for (status, least) in [
        (200, requests / 50),
        (400, requests / 50),
        (404, has(|operation| operation.template.contains('{')) * requests / 200),
        (422, has(Operation::has_body) * requests / 200),
    ] {
        let count = statuses.get(&status).copied().unwrap_or_default();
        assert!(count >= least, "{status} is rare: {statuses:?}");
    }
    assert!(written >= has(Operation::is_write), "no write succeeded: {statuses:?}");
    // The records of successful writes are consistent.
    let mut tx = app.db.read().await.unwrap();
    let report = store::verify::verify(&mut tx, app.organization, None).await.unwrap();
    assert_eq!(report.faults, []);
}
