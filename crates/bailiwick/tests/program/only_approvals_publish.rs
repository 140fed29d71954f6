//! No command publishes a text, or changes a proposal: what can change a document makes a draft.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::{EmptyDatabase, both_engines};

use crate::json::{command, commands};
use crate::people::set_password;
use crate::service::{Credentials, Installation};

/// Those that never write into the register.
const READING: [&str; 12] = [
    "client list",
    "config check",
    "config example",
    "document verify",
    "doctor",
    "journal export",
    "journal verify",
    "keys list",
    "openapi",
    "organization list",
    "severity samples",
    "user list",
];

/// What is published and what is proposed, by path: each document with its versions, proposals, and what these need next.
async fn state(installation: &Installation, credentials: &Credentials) -> BTreeMap<String, Value> {
    let service = installation.serve();
    let api = service.sign_in(credentials).await;
    let mut state = BTreeMap::new();
    let documents = api.read("/v1/documents?limit=200").await;
    for document in documents["data"].as_array().unwrap() {
        let path = format!("/v1/documents/{}", document["slug"].as_str().unwrap());
        for proposal in api.read(&format!("{path}/proposals?limit=200")).await["data"].as_array().unwrap() {
            let path = format!("{path}/proposals/{}", proposal["number"]);
            state.insert(path.clone(), api.read(&path).await);
        }
        state.insert(format!("{path}/versions"), api.read(&format!("{path}/versions?limit=200")).await);
        state.insert(path, document["status"].clone());
    }
    state
}

/// Runs every command that writes; returns their names.
fn run_all(installation: &Installation, database: &EmptyDatabase) -> BTreeSet<String> {
    let mut called = BTreeSet::new();
    let mut run = |call: &[&str]| -> Vec<Value> {
        called.insert(command(call));
        let done = installation.run(&[call, &["--json"]].concat());
        assert_eq!(done.code, Some(0), "{call:?}: {}", done.err);
        done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let text = |made: &[Value], member: &str| made[0][member].as_str().unwrap().to_owned();
    let policy = concat!(env!("CARGO_MANIFEST_DIR"), "/../render/tests/corpus/policy.docx");
    assert!(run(&["document", "import", "--library", policy]).len() > 1);
    for (kind, rows) in [
        ("risks", "Ref,Title,Likelihood,Impact\nR-1,Fire,4,5\n"),
        ("evaluations", "Ref,Date,Likelihood,Impact\nR-1,2020-01-05,2,5\n"),
        ("incidents", "Ticket,Title\nT-1,Outage\n"),
        ("tags", "Name\nPhishing\n"),
    ] {
        let file = database.folder().join(format!("{kind}.csv"));
        std::fs::write(&file, rows).unwrap();
        run(&["import", kind, file.to_str().unwrap(), "--accept-proposals"]);
    }
    run(&["organization", "update", "--trash-days", "7"]);
    let client = run(&["client", "create", "--name", "walk", "--scopes", "documents:approve"]);
    let client = text(&client, "client_id");
    let secret = text(&run(&["client", "rotate", "--client", &client]), "id");
    run(&["client", "delete-secret", "--client", &client, "--secret", &secret]);
    run(&["client", "disable", "--client", &client]);
    run(&["client", "enable", "--client", &client]);
    let who = ["--name", "Walk", "--email", "walk@example.org", "--role", "viewer"];
    let user = text(&run(&[&["user", "create"][..], &who].concat()), "id");
    run(&[&["user", "invite"][..], &who].concat());
    run(&["user", "role", "--user", &user, "--role", "auditor"]);
    run(&["user", "operator", "--email", "walk@example.org"]);
    run(&["user", "operator", "--email", "walk@example.org", "--remove"]);
    run(&["user", "remove", "--user", &user]);
    run(&["keys", "rotate"]);
    run(&["migrate"]);
    run(&["search", "rebuild"]);
    run(&["backup", "--manifest-only", "--to", database.folder().join("backups").to_str().unwrap()]);
    run(&["restore", "--verify"]);
    // Last: with it an organization has to be named.
    run(&["organization", "create", "--name", "Other"]);
    let init = ["init", "--organization", "Third", "--name", "Ada", "--email", "ada@example.org"];
    assert_eq!(installation.run(&init).code, Some(1), "the register is set up already");
    let password = "correct horse battery\n";
    let set = set_password(installation, "tom.okafor@harrowmere.example", password);
    assert_eq!(set.code, Some(0), "{}", set.err);
    drop(installation.serve_with(&[], &["--demo"]));
    called.extend(["init", "user set-password", "serve"].map(str::to_owned));
    called
}

#[both_engines]
async fn no_command_publishes_or_changes_a_proposal(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    drop(installation.serve_with(&[], &["--demo"]));
    let organizations = installation.json(&["organization", "list", "--json"]);
    let organization = organizations["id"].as_str().unwrap();
    let credentials = installation.client(organization, "documents:read");
    let before = state(&installation, &credentials).await;
    let waiting = before.values().filter(|it| it["status"] == "submitted").count();
    assert!(waiting > 0, "something could be published");
    let mut called = run_all(&installation, &database);
    let mut after = state(&installation, &credentials).await;
    for (path, value) in before {
        assert_eq!(after.remove(&path), Some(value), "{path}");
    }
    // What is new has nothing but a draft.
    assert!(after.contains_key("/v1/documents/access-control-policy"), "{after:?}");
    for (path, value) in after {
        match path.ends_with("/versions") {
            true => assert_eq!(value["data"], json!([]), "{path}"),
            false => assert_eq!(value, "draft", "{path}"),
        }
    }
    // The demo's own versions have been approved, each as its proposal says.
    let verified = installation.run(&["document", "verify", "--organization", organization]);
    assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    called.extend(READING.map(str::to_owned));
    assert_eq!(
        called,
        commands(&installation, database.folder()),
        "a new command belongs into one of the lists"
    );
}
