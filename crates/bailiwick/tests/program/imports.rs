//! `bailiwick import risks`, and imports that `kill -9` cuts.

use std::collections::BTreeMap;
use std::process::Stdio;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, Register, both_engines, until};

use crate::service::{Api, Installation};

const SCOPES: &str = "risks:read risks:write";

/// More than are written at once.
const ROWS: i64 = 10_500;

#[test]
fn each_register_becomes_its_risks() {
    testkit::run(testkit::Engine::Sqlite, async |database: EmptyDatabase| {
        let installation = Installation::at(&database);
        let organization = installation.organization();
        let registers = Register::all();
        for register in &registers {
            let path = register.path();
            let call = ["import", "risks", &path, "--skip-wrong", "--json"];
            let tried = installation.json(&[&call[..], &["--dry-run"]].concat());
            register.assert_asked(&tried["questions"]);
            let answers: Vec<String> =
                register.answers().iter().map(|(id, answer)| format!("--answer={id}={answer}")).collect();
            let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
            let answered = [&call[..], &answers].concat();
            let tried = installation.json(&[&answered[..], &["--dry-run"]].concat());
            register.assert_counts(&tried["counts"]);
            register.assert_faults(tried["faults"].as_array().unwrap());
            let done = installation.json(&[&answered[..], &["--accept-proposals"]].concat());
            register.assert_counts(&done["counts"]);
        }
        let service = installation.serve();
        let api = service.sign_in(&installation.client(&organization, SCOPES)).await;
        let mut risks = all(&api).await.into_iter();
        for register in &registers {
            let mut made = Vec::new();
            for risk in risks.by_ref().take(register.counts()[0].unsigned_abs().try_into().unwrap()) {
                let tasks = format!("/v1/risks/{}/tasks", risk["id"].as_str().unwrap());
                made.push((risk, api.read(&tasks).await));
            }
            register.assert_risks(&made);
        }
        assert_eq!(risks.count(), 0);
    });
}

/// Every risk, by number.
async fn all(api: &Api) -> Vec<Value> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = api.read(&format!("/v1/risks?sort=number&limit=200{cursor}")).await;
        found.extend(page["data"].as_array().unwrap().clone());
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return found,
        }
    }
}

async fn total(api: &Api) -> i64 {
    api.read("/v1/risks?limit=1&include_total=true").await["total"].as_i64().unwrap()
}

/// A file without references, in which each title stands twice.
fn file() -> String {
    let lines: String = (0..ROWS).map(|row| format!("Risk {},3,{}\n", row / 2, 1 + row % 5)).collect();
    format!("Title,Likelihood,Impact\n{lines}")
}

/// Fails unless each row of the file is a risk, once.
async fn assert_each_once(api: &Api, installation: &Installation) {
    let mut titles = BTreeMap::new();
    for risk in all(api).await {
        *titles.entry(risk["title"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert_eq!(titles.len(), usize::try_from(ROWS / 2).unwrap());
    assert!(titles.values().all(|count| *count == 2), "{titles:?}");
    installation.verify();
}

async fn run(api: &Api, id: &str) -> Option<Value> {
    let request = api.request(Method::POST, &format!("/v1/imports/{id}/run"));
    let answer = request.json(&json!({"accept_proposals": true})).send().await.ok()?;
    let (status, body) = (answer.status(), answer.json::<Value>().await.ok()?);
    assert_eq!(status, 200, "{body}");
    Some(body)
}

#[both_engines]
async fn an_import_that_was_killed_goes_on_where_it_was(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, SCOPES);
    let mut service = installation.serve();
    let mut api = service.sign_in(&credentials).await;
    let sent = api.request(Method::POST, "/v1/imports").header("content-type", "text/csv").body(file());
    let sent: Value = sent.send().await.unwrap().json().await.unwrap();
    let id = sent["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/imports/{id}");
    // Twice: the second time it has gone on from where it was killed first.
    let mut before = 0;
    for _ in 0..2 {
        if before == ROWS {
            break;
        }
        let running = tokio::spawn({
            let (api, id) = (api.clone(), id.clone());
            async move { run(&api, &id).await }
        });
        until("more is written", async || total(&api).await > before).await;
        service.kill();
        running.await.unwrap();
        service = installation.serve();
        api = api.moved_to(&service);
        let import = api.read(&path).await;
        let after = total(&api).await;
        // What is written and how far it is are one.
        assert_eq!(
            (&import["done"], &import["counts"]["created"]),
            (&json!(after), &json!(after)),
            "{import}"
        );
        assert!(after > before, "{import}");
        before = after;
    }
    if before < ROWS {
        assert_eq!(api.read(&path).await["state"], "running");
        let done = run(&api, &id).await.unwrap();
        assert_eq!((&done["state"], &done["counts"]["created"]), (&json!("done"), &json!(ROWS)), "{done}");
    }
    let rows = api.read(&format!("{path}/rows?limit=1&include_total=true")).await;
    assert_eq!(rows["total"], ROWS);
    assert_each_once(&api, &installation).await;
}

#[both_engines]
async fn a_command_that_was_killed_is_called_again(database: EmptyDatabase) {
    let installation = Installation::at(&database);
    let organization = installation.organization();
    let credentials = installation.client(&organization, SCOPES);
    let service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let register = database.folder().join("register.csv");
    std::fs::write(&register, file()).unwrap();
    let call = ["import", "risks", register.to_str().unwrap(), "--accept-proposals", "--json"];
    let mut command = installation.command(&call);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("something is written", async || total(&api).await > 0).await;
    child.kill().unwrap();
    child.wait().unwrap();
    let before = total(&api).await;
    let done = installation.json(&call);
    let expected =
        json!({"created": ROWS - before, "updated": 0, "unchanged": before, "skipped": 0, "wrong": 0});
    assert_eq!(done["counts"], expected);
    assert_each_once(&api, &installation).await;
}
