//! The forms of the command line that scripts rely on.

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Declared, Done, Installation};

fn is_uuid(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 36 && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == "2026-03-01T09:00:00.000000Z".len() && text.ends_with('Z') && text.as_bytes()[19] == b'.'
}

/// The members of an object, in their order of appearance in the output.
fn members(out: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(out).unwrap();
    let mut names: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
    names.sort_by_key(|name| out.find(&format!("\"{name}\":")));
    names
}

#[both_engines]
async fn each_create_answers_one_json_object_and_nothing_else(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let done = installation.run(&["organization", "create", "--name", "Acme", "--json"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    // As the API shows it.
    let shown = "id name slug trash_days time_zone four_eyes pseudonym_days created_date version";
    assert_eq!(members(&done.out).join(" "), shown);
    let organization: Value = serde_json::from_str(&done.out).unwrap();
    assert!(is_uuid(&organization["id"]) && is_time(&organization["created_date"]), "{organization}");
    assert_eq!((&organization["name"], &organization["trash_days"]), (&json!("Acme"), &json!(90)));
    let id = organization["id"].as_str().unwrap();
    let update = ["organization", "update", "--organization", id];
    let changed = installation.json(&[&update[..], &["--trash-days", "0", "--json"]].concat());
    assert_eq!((&changed["name"], &changed["trash_days"]), (&json!("Acme"), &json!(0)));
    for (days, shown) in [("365", json!(365)), ("0", json!(null))] {
        let changed = installation.json(&[&update[..], &["--pseudonym-days", days, "--json"]].concat());
        assert_eq!(changed["pseudonym_days"], shown);
    }
    let changed = installation.json(&[&update[..], &["--name", "Acme Ltd", "--json"]].concat());
    assert_eq!((&changed["name"], &changed["trash_days"]), (&json!("Acme Ltd"), &json!(0)));
    let changed = installation.json(&[&update[..], &["--slug", "acme-ltd", "--json"]].concat());
    assert_eq!((&organization["slug"], &changed["slug"]), (&json!("acme"), &json!("acme-ltd")));
    let refused = installation.run(&[&update[..], &["--slug", "Acme Ltd"]].concat());
    assert!(refused.code == Some(1) && refused.err.contains("--slug"), "{}", refused.err);
    let changed = installation.json(&[&update[..], &["--time-zone", "europe/berlin", "--json"]].concat());
    assert_eq!(changed["time_zone"], "Europe/Berlin");
    let refused = installation.run(&[&update[..], &["--trash-days", "3651"]].concat());
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("--trash-days"), "{}", refused.err);

    let scopes = "incidents:read incidents:write";
    let done = installation.run(&[
        "client",
        "create",
        "--organization",
        id,
        "--name",
        "siem",
        "--scopes",
        scopes,
        "--json",
    ]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let wanted = ["client_id", "client_secret", "name", "scopes", "organization_id", "created_date"];
    assert_eq!(members(&done.out), wanted);
    let client: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(client["name"], "siem");
    assert_eq!(client["scopes"], scopes);
    assert_eq!(client["organization_id"], id);
    let secret = client["client_secret"].as_str().unwrap();
    let base62 = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    assert!(secret.starts_with("bwk_") && base62(&secret[4..]), "{secret}");

    let user = installation.json(&[
        "user",
        "create",
        "--organization",
        id,
        "--name",
        "Ada",
        "--email",
        "ada@example.org",
        "--role",
        "responder",
        "--json",
    ]);
    assert!(is_uuid(&user["id"]) && is_time(&user["created_date"]), "{user}");
    let shown = json!({"id": user["id"], "name": "Ada", "email": "ada@example.org", "job_title": null,
        "role": "responder", "roles": ["responder"], "created_date": user["created_date"],
        "activated_date": null, "version": 1});
    assert_eq!(user, shown);
}

#[both_engines]
async fn what_the_command_line_makes_a_running_service_knows(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let service = installation.serve();
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:write users:read");
    let api = service.sign_in(&credentials).await;
    let arguments =
        ["user", "create", "--organization", &organization, "--name", "Ada", "--email", "a@example.org"];
    let user = installation.json(&[&arguments[..], &["--role", "owner", "--json"]].concat());
    assert_eq!(api.read("/v1/users").await["data"], json!([user]));
    let declared = api.declare("Phishing", "").await;
    assert!(matches!(declared, Declared::Done(_)), "{declared:?}");
}

#[both_engines]
async fn the_journal_is_exported_and_verified_while_the_service_runs(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:write journal:read");
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    for title in ["one", "two", "three"] {
        api.declare(title, "").await;
    }
    let exported = installation.run(&["journal", "export", "--organization", &organization]);
    assert_eq!(exported.code, Some(0), "{}", exported.err);
    let lines: Vec<Value> = exported.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(lines), api.read("/v1/journal?limit=200").await["data"]);

    let head = api.read("/v1/journal/head").await;
    let expect = |hash: &str| format!("{}:{hash}", head["seq"]);
    let right = expect(head["hash"].as_str().unwrap());
    let verified =
        installation.run(&["journal", "verify", "--organization", &organization, "--expect", &right]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    let wrong = expect(&"0".repeat(64));
    let verified =
        installation.run(&["journal", "verify", "--organization", &organization, "--expect", &wrong]);
    assert_eq!(verified.code, Some(1), "{}{}", verified.out, verified.err);

    let file = installation.data.join("export.ndjson");
    let verify = ["journal", "verify", "--file", file.to_str().unwrap()];
    std::fs::write(&file, &exported.out).unwrap();
    assert_eq!(installation.run(&verify).code, Some(0));
    std::fs::write(&file, exported.out.replacen("three", "four!", 1)).unwrap();
    assert_eq!(installation.run(&verify).code, Some(1));
}

#[both_engines]
async fn migrate_prepares_an_empty_database_and_a_second_time_changes_nothing(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    for _ in 0..2 {
        let done = installation.run(&["migrate"]);
        assert_eq!(done.code, Some(0), "{}", done.err);
    }
    installation.organization();
}

#[test]
fn openapi_prints_the_committed_document() {
    let done = Done::of(&mut Installation::new().bare_command(&["openapi"]));
    assert_eq!(done.code, Some(0), "{}", done.err);
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    assert!(
        done.out == std::fs::read_to_string(committed).unwrap(),
        "run `cargo run -- openapi > openapi.json`"
    );
}

#[test]
fn severity_samples_prints_the_committed_ones() {
    let samples =
        |count: &str| Done::of(&mut Installation::new().bare_command(&["severity", "samples", count]));
    let done = samples("50");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/severity-samples.txt");
    assert_eq!(done.out, std::fs::read_to_string(committed).unwrap());
    assert_eq!(done.out.lines().collect::<std::collections::HashSet<_>>().len(), 50);
    let (seven, all) = (samples("7").out, samples("1000000").out);
    assert!(seven.lines().count() == 7 && all.starts_with(&done.out) && all.lines().count() < 10_000);
    for wrong in ["-1", "many", ""] {
        assert_eq!(samples(wrong).code, Some(2), "{wrong}");
    }
}

#[test]
fn wrong_use_is_2_and_a_failure_is_1() {
    let installation = Installation::new();
    assert_eq!(installation.run(&["organisation", "create"]).code, Some(2));
    assert_eq!(installation.run(&["organization", "create"]).code, Some(2));
    assert_eq!(installation.run(&["serve", "--nonsense"]).code, Some(2));
    let unknown = "0190163d-8694-739b-aea5-966c26f8ad91";
    let arguments =
        ["client", "create", "--organization", unknown, "--name", "x", "--scopes", "risks:read", "--json"];
    let done = installation.run(&arguments);
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{}", done.err);
    assert!(!done.err.is_empty());
    let organization = installation.organization();
    for (option, wrong) in [("--role", "king"), ("--email", "not an address"), ("--name", " ")] {
        let mut arguments = vec!["user", "create", "--organization", &organization, "--json"];
        for (name, right) in [("--name", "Ada"), ("--email", "a@example.org"), ("--role", "owner")] {
            arguments.extend([name, if name == option { wrong } else { right }]);
        }
        let done = installation.run(&arguments);
        assert!([Some(1), Some(2)].contains(&done.code), "{option}: {:?}", done.code);
        assert_eq!(done.out, "");
    }
}

#[both_engines]
async fn settings_come_from_the_environment_too(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let mut by_environment = Installation::new().with("BAILIWICK_DATA", installation.data.to_str().unwrap());
    if let Some(url) = &installation.database {
        by_environment = by_environment.with("DATABASE_URL", url);
    }
    let command = ["journal", "export", "--organization", &organization];
    let done = Done::of(&mut by_environment.bare_command(&command));
    assert_eq!(done.code, Some(0), "{}", done.err);
}

/// As in `bailiwick config check | head -1`.
#[test]
fn a_reader_that_goes_away_ends_a_command_without_a_word() {
    for arguments in [
        &["config", "check"][..],
        &["config", "check", "--listen", "wrong"],
        &["config", "example"],
        &["openapi"],
        &["severity", "samples", "50"],
    ] {
        let mut command = Installation::new().bare_command(arguments);
        let mut child = command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        // As a shell sees a program that SIGPIPE ended.
        assert_eq!(ended.status.code(), Some(141), "{arguments:?}");
        assert_eq!(String::from_utf8(ended.stderr).unwrap(), "", "{arguments:?}");
    }
}
