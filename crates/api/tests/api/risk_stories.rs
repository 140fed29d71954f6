//! Risks through a year, when something changes on the way.

mod acceptance;
mod board;
mod happened;
mod scale;
mod workbook;

use serde_json::{Value, json};
use testkit::{Answer, TestApp, TestPerson};

fn rating(likelihood: i64, impact: i64) -> Value {
    json!({"likelihood": likelihood, "impact": impact})
}

async fn read(app: &TestApp, by: &TestPerson, path: &str) -> Value {
    app.get(path).bearer(by).expect(200).await.json().clone()
}

async fn post(app: &TestApp, by: &TestPerson, path: &str, body: Value, status: u16) -> Answer {
    app.post(path).bearer(by).json(body).expect(status).await
}

/// Changes a risk.
async fn change(app: &TestApp, by: &TestPerson, risk: &str, body: Value) -> Value {
    app.patch(&format!("/v1/risks/{risk}")).bearer(by).json(body).expect(200).await.json().clone()
}

async fn evaluate(app: &TestApp, by: &TestPerson, risk: &str, body: Value) {
    post(app, by, &format!("/v1/risks/{risk}/evaluations"), body, 201).await;
}

async fn ask(app: &TestApp, by: &TestPerson, risk: &str, body: Value, status: u16) -> Answer {
    post(app, by, &format!("/v1/risks/{risk}/acceptances"), body, status).await
}

/// Decides about a request of a risk, naming an evaluation.
async fn decide(
    app: &TestApp,
    by: &TestPerson,
    (risk, number): (&str, i64),
    (decision, evaluation, note): (&str, i64, &str),
    status: u16,
) -> Answer {
    let body = json!({"decision": decision, "evaluation": evaluation, "note": note});
    post(app, by, &format!("/v1/risks/{risk}/acceptances/{number}/decision"), body, status).await
}

/// The states of the acceptances of a risk, the first one first.
async fn states(app: &TestApp, by: &TestPerson, risk: &str) -> Vec<Value> {
    let mut states = each(&read(app, by, &format!("/v1/risks/{risk}/acceptances")).await, "/state");
    states.reverse();
    states
}

/// The ids of the risks that a list has, by number.
async fn found(app: &TestApp, by: &TestPerson, query: &str) -> Vec<Value> {
    each(&read(app, by, &format!("/v1/risks?sort=number&{query}")).await, "/id")
}

/// Kind, risk, who and why of each change between the ends of two days.
async fn changes(app: &TestApp, by: &TestPerson, days: &str) -> Vec<Value> {
    let list = read(app, by, &format!("/v1/risks/changes?{days}")).await;
    let told = |it: &Value| json!([it["kind"], it["risk"]["id"], it["by"]["name"], it["reason"]]);
    list["data"].as_array().unwrap().iter().map(told).collect()
}

/// The figure: risks and per cent.
async fn figure(app: &TestApp, by: &TestPerson) -> (i64, i64) {
    let shown = read(app, by, &format!("/v1/organizations/{}/risk-performance", app.organization)).await;
    let number = |name: &str| shown[name].as_i64().unwrap();
    (number("total_risks_evaluated"), number("average_performance_percentage"))
}

/// The cells of a heat map that have risks: likelihood, impact, band and count.
fn filled(map: &Value) -> Vec<Value> {
    let cells = map["cells"].as_array().unwrap().iter().filter(|cell| cell["count"] != 0);
    cells.map(|it| json!([it["likelihood"], it["impact"], it["band"], it["count"]])).collect()
}

/// A member of each element of a list.
fn each(list: &Value, pointer: &str) -> Vec<Value> {
    list["data"].as_array().unwrap().iter().map(|it| it.pointer(pointer).unwrap().clone()).collect()
}

/// It is this time, and these people sign in again.
async fn later<const N: usize>(app: &TestApp, time: &str, people: [&mut TestPerson; N]) {
    app.db.clock.set(time);
    for person in people {
        person.token = app.sign_in_person(person.organization, &person.email, &person.password).await;
    }
}
