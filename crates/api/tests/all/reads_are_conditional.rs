//! Every read returns an entity tag, and 304 to a caller that has the current one.

use std::collections::BTreeMap;

use axum::http::Method;
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::world::{Ask, World};

/// The operations that read.
fn reads() -> impl Iterator<Item = Operation> {
    operations::all().into_iter().filter(Operation::is_read)
}

async fn read(world: &World<'_>, path: &str, if_none_match: Option<&str>) -> Answer {
    ask(world, Method::GET, path, if_none_match).await
}

async fn ask(world: &World<'_>, method: Method, path: &str, if_none_match: Option<&str>) -> Answer {
    let request = world.app.request(method, path).bearer(&world.client);
    match if_none_match {
        Some(tags) => request.header("if-none-match", tags).await,
        None => request.await,
    }
}

fn tag_of(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_else(|| panic!("no ETag: {}", answer.json())).to_owned()
}

#[testkit::both_engines]
async fn a_tag_names_the_version_and_is_strong(app: TestApp) {
    let world = World::new(&app).await;
    for operation in reads() {
        let path = world.valid(&operation).await.path;
        let answer = read(&world, &path, None).await;
        assert_eq!(answer.status, 200, "{operation}: {}", answer.json());
        let tag = tag_of(&answer);
        let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        let inner = inner.unwrap_or_else(|| panic!("{operation}: {tag}"));
        let hash = match answer.json()["version"].as_i64() {
            Some(version) => inner.strip_prefix(&format!("v{version}-")),
            None => Some(inner),
        };
        // That of a file that is made from texts is the hash of all that is in it.
        let length = if operation.template.ends_with("s/file") || operation.template.ends_with("w/file") {
            64
        } else {
            16
        };
        assert_eq!(hash.map(str::len), Some(length), "{operation}: {tag}");
        assert_eq!(tag_of(&read(&world, &path, None).await), tag, "{operation}: the same again");
    }
}

#[testkit::both_engines]
async fn a_caller_with_the_current_tag_gets_304_without_a_body(app: TestApp) {
    let world = World::new(&app).await;
    for operation in reads() {
        let mut paths = vec![world.valid(&operation).await.path];
        if operation.query_parameters().iter().any(|name| name == "as_of_seq") {
            paths.push(format!("{}?as_of_seq={}", paths[0], world.head().await.0));
        }
        for path in paths {
            let whole = read(&world, &path, None).await;
            let tag = tag_of(&whole);
            for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
                for method in [Method::GET, Method::HEAD] {
                    let answer = ask(&world, method, &path, Some(&known)).await;
                    assert_eq!((answer.status, answer.bytes.len()), (304, 0), "{operation} {known}");
                    assert_eq!(answer.header("content-type"), None, "{operation}");
                    assert_eq!(answer.header("content-length"), None, "{operation}");
                    // A caller that sent the weak form gets the weak form back.
                    let found = tag_of(&answer);
                    assert!(tag == found.trim_start_matches("W/"), "{operation} {known}: {found}");
                    for same in ["cache-control", "vary"] {
                        assert!(whole.header(same).is_some(), "{operation} {same}");
                        assert_eq!(answer.header(same), whole.header(same), "{operation} {same}");
                    }
                    assert!(answer.header("x-request-id").is_some(), "{operation}");
                }
            }
            let head = ask(&world, Method::HEAD, &path, None).await;
            assert_eq!((head.status, head.header("etag"), head.bytes.len()), (200, Some(tag.as_str()), 0));
            // A tag of another representation, or a malformed one, does not match.
            for other in ["\"x\"", "\"v1\"", tag.trim_matches('"'), "", "\"", "w/\"x\""] {
                let answer = read(&world, &path, Some(other)).await;
                assert_eq!((answer.status, &answer.bytes), (200, &whole.bytes), "{operation} {other}");
            }
        }
    }
}

/// A condition does not reveal anything to a caller that may not read.
#[testkit::both_engines]
async fn a_condition_does_not_replace_a_token(app: TestApp) {
    let world = World::new(&app).await;
    for operation in reads() {
        let path = world.valid(&operation).await.path;
        app.get(&path).header("if-none-match", "*").expect(401).await;
        let missing = app.get(&format!("{path}?zzz=1")).bearer(&world.client).header("if-none-match", "*");
        missing.expect(400).await;
        for (index, value) in crate::all::world::path_values(&operation.template, &path).iter().enumerate() {
            let mut values = crate::all::world::path_values(&operation.template, &path);
            values[index] = crate::all::world::unknown(value);
            let unknown = crate::all::world::path_with(&operation.template, &values);
            app.get(&unknown).bearer(&world.client).header("if-none-match", "*").expect(404).await;
        }
    }
}

/// Two responses have the same tag exactly if they have the same bytes, independent of writes between them.
#[testkit::both_engines]
async fn two_answers_have_one_tag_only_if_they_are_equal(app: TestApp) {
    let world = World::new(&app).await;
    let mut paths = Vec::new();
    for operation in reads() {
        paths.push(world.valid(&operation).await.path);
    }
    let mut seen: BTreeMap<String, BTreeMap<String, Vec<u8>>> = BTreeMap::new();
    for operation in operations::writes() {
        world.must(&world.valid(&operation).await).await;
        for path in &paths {
            let answer = read(&world, path, None).await;
            let known = seen.entry(path.clone()).or_default();
            let bytes = known.entry(tag_of(&answer)).or_insert_with(|| answer.bytes.to_vec());
            assert_eq!(bytes, &answer.bytes.to_vec(), "{operation} {path}: one tag for two answers");
        }
    }
    for (path, tags) in &seen {
        let distinct: std::collections::BTreeSet<_> = tags.values().collect();
        assert_eq!(distinct.len(), tags.len(), "{path}: two tags for one answer");
    }
    let lists = seen.values().filter(|tags| tags.len() > 1).count();
    assert!(lists >= 5, "the lists have changed: {lists}");
}

/// A record's tag changes when the record changes, and so do the tags of all lists that contain it.
#[testkit::both_engines]
async fn a_changed_record_is_sent_again(app: TestApp) {
    let world = World::new(&app).await;
    let patches = operations::all().into_iter().filter(|it| it.method == Method::PATCH);
    for operation in patches.filter(Operation::changes_a_version) {
        let ask = world.valid(&operation).await;
        // What is no part of a document's text is changed at an address of its own.
        let path = ask.path.trim_end_matches("/properties");
        let before = tag_of(&read(&world, path, None).await);
        world.must(&ask).await;
        let after = read(&world, path, Some(&before)).await;
        assert_eq!(after.status, 200, "{operation}");
        assert_ne!(tag_of(&after), before, "{operation}");
        // Sent again it changes nothing, and the tag is still current.
        let again = world.send(&Ask::clone(&ask)).await;
        if again.json()["version"] == after.json()["version"] {
            assert_eq!(read(&world, path, Some(&tag_of(&after))).await.status, 304, "{operation}");
        }
    }
}

/// The representation of a record may change without its version: current names, and its tags.
#[testkit::both_engines]
async fn a_tag_changes_with_more_than_the_version(app: TestApp) {
    let world = World::new(&app).await;
    let path = format!("/v1/risks/{}", world.risk().await);
    let before = read(&world, &path, None).await;
    let body = serde_json::json!({"tag_id": world.tag().await});
    app.post(&format!("{path}/tags")).bearer(&world.client).json(body).expect(201).await;
    let after = read(&world, &path, Some(&tag_of(&before))).await;
    assert_eq!((after.status, &after.json()["version"]), (200, &before.json()["version"]));
    // So an update that is based on the earlier representation is accepted.
    let patch = app.patch(&path).bearer(&world.client).header("if-match", &tag_of(&before));
    patch.json(serde_json::json!({"title": "changed"})).expect(200).await;
}
