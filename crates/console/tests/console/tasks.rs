use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;
use crate::html::Page;

const INCIDENT: &str = "/o/acme/incidents/INC-0001";

/// An incident with tasks of these titles.
async fn with_tasks(app: &TestApp, titles: &[&str]) -> (TestPerson, Browser) {
    let ada = app.person("Ada Byron", Role::Responder).await;
    let make = async |address: &str, body: Value| {
        app.post(address).bearer(&ada.token).json(body).expect(201).await;
    };
    make("/v1/incidents", json!({"title": "A", "description": ""})).await;
    for title in titles {
        make("/v1/incidents/1/tasks", json!({"title": title, "due": "2026-02-27T10:00:00Z"})).await;
    }
    let browser = Browser::of(app, &ada).await;
    (ada, browser)
}

fn titles(page: &Page) -> Vec<String> {
    page.texts(".todo .grow > bdi:first-child")
}

#[both_engines]
async fn tasks_are_moved_deleted_and_restored(app: TestApp) {
    let (_, mut browser) = with_tasks(&app, &["One", "Two", "Three"]).await;
    let page = browser.get(INCIDENT).await.page;
    let page = browser.submit(&page, &format!("{INCIDENT}/tasks/3"), &[("move", "up")]).await.page;
    assert_eq!(titles(&page), ["One", "Three", "Two"]);
    let page = browser.submit(&page, &format!("{INCIDENT}/tasks/1"), &[("move", "down")]).await.page;
    assert_eq!(titles(&page), ["Three", "One", "Two"]);
    let page = browser.submit(&page, &format!("{INCIDENT}/tasks/1"), &[("delete", "1")]).await.page;
    assert_eq!(
        (titles(&page), page.text_of(".toast span")),
        (vec!["Three".into(), "Two".into()], "Task deleted.".into())
    );
    let page = browser.submit(&page, &format!("{INCIDENT}/tasks/1/restore"), &[]).await.page;
    assert_eq!((titles(&page).len(), page.text_of(".toast")), (3, "Task restored.".into()));
    let gone = [("move".to_owned(), "up".to_owned())];
    let gone = browser.post(&format!("{INCIDENT}/tasks/9"), &gone).await;
    assert_eq!(gone.page.all(".note.bad").len(), 1, "{}", gone.page.text());
}

#[both_engines]
async fn a_task_is_edited_and_overdue_in_words_until_it_is_not_needed(app: TestApp) {
    let (ada, mut browser) = with_tasks(&app, &["Call the carrier"]).await;
    let page = browser.get(INCIDENT).await.page;
    assert_eq!(page.texts(".todo .down").first().map(String::as_str), Some("Overdue"));
    let edit = format!("{INCIDENT}/tasks/1/edit");
    let form = browser.get(&edit).await.page;
    let typed =
        [("title", "Call them"), ("owner", ada.id.as_str()), ("due", "2026-03-09T10:00"), ("reason", "No.")];
    let page = browser.submit(&form, &edit, &typed).await.page;
    assert_eq!(titles(&page), ["Call them"]);
    assert!(page.text_of(".todo").contains("9 Mar 10:00 · Ada Byron"), "{}", page.text_of(".todo"));
    assert!(!page.text_of(".todo").contains("Overdue"));
    let form = browser.get(&format!("{edit}?status=not_doing")).await.page;
    let refused = browser.submit(&form, &edit, &[]).await;
    assert_eq!(refused.page.text_of("#reason-error"), "A task that is not done needs a reason.");
    let page = browser.submit(&refused.page, &edit, &[("reason", "They called us.")]).await.page;
    assert_eq!(page.text_of(".todo .badge"), "not needed");
    assert!(page.text_of(".todo").contains("They called us."));
    let read = app.get("/v1/incidents/1/tasks/1").bearer(&ada.token).expect(200).await;
    assert_eq!((read.text("status"), read.text("due")), ("not_doing", "2026-03-09T10:00:00.000000Z"));
}
