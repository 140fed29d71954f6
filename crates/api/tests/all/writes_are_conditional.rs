//! `If-Match`: a change that names the version it is based on never overwrites a newer one.

use axum::http::Method;
use futures_util::future::join_all;
use serde_json::json;
use testkit::{Answer, Request, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World, path_values, path_with, unknown};

/// An entity tag that no record has.
const STALE: &str = "\"v987654-AAAAAAAAAAAAAAAA\"";

fn request<'a>(world: &World<'a>, ask: &Ask, if_match: &str) -> Request<'a> {
    ask.on(world.app).bearer(&world.client).header("if-match", if_match)
}

fn outcome(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default())
}

/// The writes that change a record with versions.
fn versioned() -> Vec<Operation> {
    let found: Vec<_> = operations::writes().into_iter().filter(Operation::changes_a_version).collect();
    assert!(found.len() >= 5, "incidents, risks and documents have versions: {found:?}");
    found
}

/// The tag of the record that this request changes, deleted or not.
async fn tag(world: &World<'_>, operation: &Operation, ask: &Ask) -> String {
    let record = match operation.method {
        // The path of the record is one step above.
        Method::POST => ask.path.rsplit_once('/').unwrap().0.to_owned(),
        _ => ask.path.trim_end_matches("/properties").to_owned(),
    };
    let mut answer = world.app.get(&record).bearer(&world.client).await;
    if answer.status == 404 {
        answer = world.app.get(&format!("{record}?deleted=only")).bearer(&world.client).expect(200).await;
    }
    let version = answer.json()["version"].as_i64().unwrap_or_else(|| panic!("{operation}: no version"));
    let tag = answer.header("etag").unwrap().to_owned();
    assert!(tag.starts_with(&format!("\"v{version}-")), "{operation}: {tag}");
    tag
}

async fn assert_unchanged(app: &TestApp, before: &Register, what: &str) {
    let after = Register::of(&app.db).await;
    let changed = after.changed_since(before);
    assert!(changed.iter().all(|table| *table == "write_lane"), "{what} changed {changed:?}");
}

#[test]
fn every_change_of_a_record_with_versions_takes_if_match() {
    let versioned: Vec<_> = versioned().into_iter().map(|it| it.key).collect();
    let with_version: Vec<_> = operations::all()
        .into_iter()
        .filter(|it| it.method == Method::GET && it.shows("version"))
        .map(|it| it.template)
        .collect();
    for operation in operations::writes() {
        let changes = [Method::PATCH, Method::DELETE, Method::PUT].contains(&operation.method);
        if changes && with_version.contains(&operation.template) {
            assert!(versioned.contains(&operation.key), "{operation} does not take If-Match");
        }
    }
}

by_noun!(operations::writes, another_version_is_412_and_nothing_is_changed);
async fn another_version_is_412_and_nothing_is_changed(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let before = Register::of(&app.db).await;
        for other in [STALE, "\"v0\"", "\"foreign\"", "W/\"v987654\"", "\"v987654\", \"x\""] {
            // With a key, because refusals are not stored either.
            let answer = request(&world, &ask, other).idempotency_key("k").await;
            assert_eq!(outcome(&answer), (412, "precondition_failed"), "{operation} {other}");
        }
        assert_unchanged(&app, &before, &operation.key).await;
        // Only the version was wrong.
        let answer = request(&world, &ask, "*").idempotency_key(&operation.key.replace(' ', "")).await;
        assert!((200..300).contains(&answer.status), "{operation}: {} {}", answer.status, answer.json());
    }
}

by_noun!(versioned, the_version_that_was_read_can_be_changed_once);
async fn the_version_that_was_read_can_be_changed_once(app: TestApp, versioned: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in versioned {
        type Form = fn(&str) -> String;
        let forms: [Form; 5] = [
            str::to_owned,
            |tag| format!("W/{tag}"),
            |tag| format!("{STALE}, {tag}"),
            // The hash is ignored: only the version counts.
            |tag| format!("{}-gzip\"", tag.trim_end_matches('"')),
            |tag| format!("{}\"", tag.split('-').next().unwrap()),
        ];
        for form in forms {
            let ask = world.valid(&operation).await;
            let if_match = form(&tag(&world, &operation, &ask).await);
            let answer = request(&world, &ask, &if_match).await;
            assert!((200..300).contains(&answer.status), "{operation} {if_match}: {}", answer.json());
            // A document's version is that of its published text, which edits do not change.
            if operation.template.starts_with("/v1/documents/") {
                continue;
            }
            let again = request(&world, &ask, &if_match).await;
            let gone = [(412, "precondition_failed"), (404, "not_found")].contains(&outcome(&again));
            assert!(gone, "{operation} {if_match}: {} {}", again.status, again.json());
        }
    }
}

#[testkit::both_engines]
async fn of_many_writes_of_one_version_one_succeeds(app: TestApp) {
    let world = World::new(&app).await;
    let second = app.beside(2).await;
    let there = world.through(&second);
    for operation in versioned().into_iter().filter(|it| !it.template.starts_with("/v1/documents/")) {
        let ask = world.valid(&operation).await;
        let if_match = tag(&world, &operation, &ask).await;
        let asks = (0..8).map(|n| {
            let world = if n % 2 == 0 { &world } else { &there };
            // Each request changes something different, if its body allows it.
            let ask = match &ask.body {
                Some(body) if body.get("title").is_some() => {
                    let mut body = body.clone();
                    body["title"] = json!(format!("by {n}"));
                    ask.with_body(body)
                }
                _ => ask.clone(),
            };
            let if_match = &if_match;
            async move { request(world, &ask, if_match).await.status }
        });
        let mut statuses = join_all(asks).await;
        statuses.sort_unstable();
        assert!((200..300).contains(&statuses[0]), "{operation}: {statuses:?}");
        assert!(statuses[1..].iter().all(|status| [404, 412].contains(status)), "{operation}: {statuses:?}");
    }
}

by_noun!(operations::writes, a_malformed_tag_is_a_wrong_parameter);
async fn a_malformed_tag_is_a_wrong_parameter(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    for operation in writes {
        let ask = world.valid(&operation).await;
        let before = Register::of(&app.db).await;
        for wrong in ["", "v1", "\"v1", "\"v1\" \"v2\"", "*, \"v1\"", "'v1'"] {
            let answer = request(&world, &ask, wrong).await;
            assert_eq!(
                (answer.status, answer.faults()),
                (400, vec!["If-Match format".to_owned()]),
                "{operation} {wrong:?}"
            );
        }
        assert_unchanged(&app, &before, &operation.key).await;
    }
}

/// A missing record has no version: 404. Errors of the body that depend on the register come after that.
#[testkit::both_engines]
async fn the_version_is_looked_at_after_404_and_before_the_rest(app: TestApp) {
    let world = World::new(&app).await;
    let strict = app.beside_with(2, strict()).await;
    let there = world.through(&strict);
    for operation in operations::writes().into_iter().filter(|it| it.template.contains('{')) {
        if operation.template.starts_with("/v1/organizations/") {
            continue;
        }
        let ask = world.valid(&operation).await;
        let values: Vec<_> =
            path_values(&operation.template, &ask.path).iter().map(|value| unknown(value)).collect();
        let nowhere = ask.with_path(path_with(&operation.template, &values));
        assert_eq!(request(&world, &nowhere, STALE).await.status, 404, "{operation}");
        assert_eq!(there.send(&nowhere).await.status, 404, "{operation}");
    }
    for (path, body) in [
        (format!("/v1/incidents/{}", world.incident().await), "assigned_to"),
        (format!("/v1/risks/{}", world.risk().await), "owner"),
    ] {
        let unknown_person = json!({body: "00000000-0000-7000-8000-000000000000"});
        let patch = || app.patch(&path).bearer(&world.client).json(unknown_person.clone());
        patch().header("if-match", STALE).expect(412).await;
        patch().header("if-match", "*").expect(422).await;
    }
    // Errors of the body alone come before.
    let path = format!("/v1/incidents/{}", world.incident().await);
    let patch = app.patch(&path).bearer(&world.client).header("if-match", STALE);
    patch.json(json!({"title": 7})).expect(422).await;
}

fn strict() -> http::Settings {
    http::Settings { rate_limit_per_minute: 0, require_if_match: true, ..http::Settings::default() }
}

by_noun!(operations::writes, an_operator_can_require_a_version);
async fn an_operator_can_require_a_version(app: TestApp, writes: Vec<Operation>) {
    let world = World::new(&app).await;
    let strict = app.beside_with(2, strict()).await;
    let there = world.through(&strict);
    for operation in writes {
        let ask = world.valid(&operation).await;
        if operation.changes_a_version() {
            let before = Register::of(&app.db).await;
            let answer = there.send(&ask).await;
            assert_eq!(outcome(&answer), (428, "precondition_required"), "{operation}");
            assert_unchanged(&app, &before, &operation.key).await;
            let if_match = tag(&there, &operation, &ask).await;
            let answer = request(&there, &ask, &if_match).await;
            assert!((200..300).contains(&answer.status), "{operation}: {}", answer.json());
        } else {
            there.must(&ask).await;
        }
    }
}

/// The response to a write has the tag that a read would return.
#[testkit::both_engines]
async fn a_record_that_was_written_has_the_tag_of_its_reads(app: TestApp) {
    let world = World::new(&app).await;
    let mut tagged = 0;
    for operation in operations::writes() {
        let ask = world.valid(&operation).await;
        let key = operation.key.replace(' ', "");
        let answer = request(&world, &ask, "*").idempotency_key(&key).await;
        let retry = request(&world, &ask, STALE).idempotency_key(&key).await;
        assert_eq!(retry.header("idempotent-replayed"), Some("true"), "{operation}: {}", retry.json());
        assert_eq!(retry.header("etag"), answer.header("etag"), "{operation}: the retry's");
        let has_version = answer.json().get("version").is_some();
        let Some(tag) = answer.header("etag") else {
            assert!(!has_version, "{operation} shows a record and has no tag");
            continue;
        };
        let path = match (answer.header("location"), &operation.method) {
            (Some(location), _) => location.to_owned(),
            _ if operation.declares_unknown() => ask.path.clone(),
            // An organization has one scale.
            _ if operation.template == "/v1/scale" => ask.path.clone(),
            // The response is the tag that is left.
            _ if operation.key == "POST /v1/tags/{}/merge" => format!("/v1/tags/{}", answer.text("id")),
            // The response is the proposal that takes the offer.
            _ if operation.template.ends_with("/offer/accept") => {
                ask.path.replace("offer/accept", &format!("proposals/{}", answer.json()["number"]))
            }
            _ if operation.template.ends_with("/offer/decline") => ask.path.replace("/offer/decline", ""),
            // The path of the record is one step above.
            (None, &Method::POST | &Method::PUT) => ask.path.rsplit_once('/').unwrap().0.to_owned(),
            _ => ask.path.trim_end_matches("/properties").to_owned(),
        };
        let read = app.get(&path).bearer(&world.client).expect(200).await;
        assert_eq!(read.header("etag"), Some(tag), "{operation}");
        let mut shown = answer.json().clone();
        match shown.as_object_mut().unwrap().remove("client_secret") {
            Some(_) => assert_eq!(&shown, read.json(), "{operation}: but for what is shown once"),
            None => assert_eq!(read.bytes, answer.bytes, "{operation}"),
        }
        tagged += 1;
    }
    assert!(tagged >= 8, "records are made and changed: {tagged}");
}

/// If the response is lost, the same request with its key is not refused for the version it created itself.
#[testkit::both_engines]
async fn a_retry_with_its_key_is_not_refused(app: TestApp) {
    let world = World::new(&app).await;
    for operation in versioned() {
        let ask = world.valid(&operation).await;
        let if_match = tag(&world, &operation, &ask).await;
        let key = operation.key.replace(' ', "");
        let first = request(&world, &ask, &if_match).idempotency_key(&key).await;
        let retry = request(&world, &ask, &if_match).idempotency_key(&key).await;
        assert_eq!((retry.status, &retry.bytes), (first.status, &first.bytes), "{operation}");
        assert_eq!(retry.header("idempotent-replayed"), Some("true"), "{operation}");
    }
}

/// Deletions and restorations are changes too, each with a version of its own.
#[testkit::both_engines]
async fn a_version_goes_on_through_deletion(app: TestApp) {
    let client = app.client().await;
    let rating = json!({"likelihood": 2, "impact": 2});
    let body = json!({"title": "a", "inherent": rating, "target": rating});
    let made = app.post("/v1/risks").bearer(&client).json(body).expect(201).await;
    let first = made.header("etag").unwrap().to_owned();
    let delete = |tag: &str| app.delete("/v1/risks/RSK-1").bearer(&client).header("if-match", tag);
    let restore = |tag: &str| app.post("/v1/risks/RSK-1/restore").bearer(&client).header("if-match", tag);
    restore(&first).expect(404).await;
    delete("\"v2\"").expect(412).await;
    delete(&first).expect(204).await;
    delete("\"v2\"").expect(404).await;
    restore(&first).expect(412).await;
    let restored = restore("\"v2\"").expect(200).await;
    assert!(restored.header("etag").unwrap().starts_with("\"v3-"));
    delete("\"v2\"").expect(412).await;
    // The tag of a past state cannot be used for a change, unless that state is still current.
    let past = app.get("/v1/risks/RSK-1?as_of_seq=1").bearer(&client).await;
    assert!(past.status == 404 || past.header("etag").unwrap().starts_with("\"v1-"), "{}", past.json());
    delete(restored.header("etag").unwrap()).expect(204).await;
}
