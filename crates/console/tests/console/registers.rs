//! A person imports registers in the shapes that people have them.

use axum::http::StatusCode;
use domain::Role;
use serde_json::Value;
use testkit::{Register, TestApp, TestPerson, both_engines};

use crate::browser::Browser;
use crate::risk_import::step;

async fn risks(app: &TestApp, ada: &TestPerson) -> Vec<Value> {
    let list = app.get("/v1/risks?sort=number&limit=200").bearer(&ada.token).expect(200).await;
    list.json()["data"].as_array().unwrap().clone()
}

/// What the page counts.
fn figures(register: &Register, labels: [&str; 3]) -> Vec<String> {
    let [created, skipped, wrong] = register.counts();
    let all = [(wrong, labels[0]), (created, labels[1]), (skipped, labels[2])];
    all.iter().filter(|(count, _)| *count > 0).map(|(count, label)| format!("{count}{label}")).collect()
}

#[both_engines]
async fn each_register_becomes_its_risks(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    for register in Register::all() {
        let before = risks(&app, &ada).await.len();
        let found = browser.upload("/o/acme/imports", &register.name, &register.file).await;
        assert_eq!(found.page.text_of("h1"), register.name, "{}", found.page.text());
        let names = found.page.all("select[name^='answer_']").into_iter();
        let asked: Vec<&str> =
            names.map(|it| it.attr("name").unwrap().trim_start_matches("answer_")).collect();
        assert_eq!(asked, register.asked(), "{}", register.name);
        let answers = register.answers().into_iter();
        let answers: Vec<(String, &str)> =
            answers.map(|(id, answer)| (format!("answer_{id}"), answer)).collect();
        let answers: Vec<(&str, &str)> = answers.iter().map(|(name, answer)| (&**name, *answer)).collect();
        let tried = step(&mut browser, &found, "preview", &answers).await;
        let expected = figures(&register, ["with problems", "to add", "empty rows"]);
        assert_eq!(tried.page.texts(".figure"), expected, "{}: {}", register.name, tried.page.text());
        let without: &[(&str, &str)] = if register.counts()[2] > 0 { &[("skip_wrong", "yes")] } else { &[] };
        let done = step(&mut browser, &tried, "import", without).await;
        assert_eq!(done.status, StatusCode::OK, "{}: {}", register.name, done.page.text());
        let expected = figures(&register, ["not imported", "added", "empty rows"]);
        assert_eq!(done.page.texts(".figure"), expected, "{}", register.name);
        let mut made = Vec::new();
        for risk in risks(&app, &ada).await.into_iter().skip(before) {
            let tasks = format!("/v1/risks/{}/tasks", risk["id"].as_str().unwrap());
            let tasks = app.get(&tasks).bearer(&ada.token).expect(200).await;
            made.push((risk, tasks.json().clone()));
        }
        register.assert_risks(&made);
    }
}
