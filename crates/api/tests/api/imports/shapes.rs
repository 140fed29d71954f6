//! Registers in the shapes that people have them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use testkit::{Register, TestApp, TestClient, both_engines};

use super::{ALL, read, risks, run};
use crate::api::bulk::assert_sound;

/// The faults of all rows, in the order of the file.
async fn faults(app: &TestApp, client: &TestClient, import: &str) -> Vec<Value> {
    let rows = read(app, client, &format!("/v1/imports/{import}/rows?limit=200")).await;
    let rows = rows["data"].as_array().unwrap().iter();
    rows.flat_map(|row| row["faults"].as_array().unwrap().clone()).collect()
}

#[both_engines]
async fn each_register_becomes_its_risks(app: TestApp) {
    let client = app.client_with_scopes(ALL).await;
    let registers = Register::all();
    assert!(registers.len() >= 16, "{}", registers.len());
    for register in registers {
        let before = risks(&app, &client).await.len();
        let upload = json!({"name": register.name, "content": STANDARD.encode(&register.file)});
        let sent = app.post("/v1/imports").bearer(&client).json(upload).expect(201).await;
        let id = sent.text("id");
        register.assert_asked(&sent.json()["questions"]);
        let answers: Vec<Value> =
            register.answers().iter().map(|(id, answer)| json!({"id": id, "answer": answer})).collect();
        let path = format!("/v1/imports/{id}");
        app.patch(&path).bearer(&client).json(json!({"answers": answers})).expect(200).await;
        let tried = run(&app, &client, id, json!({"dry_run": true})).await;
        register.assert_counts(&tried.json()["counts"]);
        register.assert_faults(&faults(&app, &client, id).await);
        assert_eq!(risks(&app, &client).await.len(), before, "nothing is imported yet");
        let done = run(&app, &client, id, json!({"accept_proposals": true, "skip_wrong": true})).await;
        assert_eq!((done.status, done.text("state")), (200, "done"), "{}", register.name);
        register.assert_counts(&done.json()["counts"]);
        let mut made = Vec::new();
        for risk in risks(&app, &client).await.into_iter().skip(before) {
            let tasks = format!("/v1/risks/{}/tasks", risk["id"].as_str().unwrap());
            made.push((risk, read(&app, &client, &tasks).await));
        }
        register.assert_risks(&made);
    }
    assert_sound(&app).await;
}
