use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;
use crate::html::Page;

/// The records that have tasks, in the console and in the API.
const RECORDS: [(&str, &str); 2] =
    [("/o/acme/incidents/INC-0001", "/v1/incidents/1"), ("/o/acme/risks/RSK-1", "/v1/risks/1")];

/// An incident and a risk, each with tasks of these titles.
async fn with_tasks(app: &TestApp, titles: &[&str]) -> (TestPerson, Browser) {
    let ada = app.person("Ada Byron", Role::Owner).await;
    let make = async |address: &str, body: Value| {
        app.post(address).bearer(&ada.token).json(body).expect(201).await;
    };
    make("/v1/incidents", json!({"title": "A", "description": ""})).await;
    let rating = json!({"likelihood": 2, "impact": 2});
    make("/v1/risks", json!({"title": "R", "inherent": rating, "target": rating})).await;
    for (_, whole) in RECORDS {
        for title in titles {
            let task = json!({"title": title, "due": "2026-02-27T10:00:00Z"});
            make(&format!("{whole}/tasks"), task).await;
        }
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
    for (record, _) in RECORDS {
        let page = browser.get(record).await.page;
        let page = browser.submit(&page, &format!("{record}/tasks/3"), &[("move", "up")]).await.page;
        assert_eq!(titles(&page), ["One", "Three", "Two"]);
        let page = browser.submit(&page, &format!("{record}/tasks/1"), &[("move", "down")]).await.page;
        assert_eq!(titles(&page), ["Three", "One", "Two"]);
        let page = browser.submit(&page, &format!("{record}/tasks/1"), &[("delete", "1")]).await.page;
        assert_eq!(
            (titles(&page), page.text_of(".toast span")),
            (vec!["Three".into(), "Two".into()], "Task deleted.".into())
        );
        let page = browser.submit(&page, &format!("{record}/tasks/1/restore"), &[]).await.page;
        assert_eq!((titles(&page).len(), page.text_of(".toast")), (3, "Task restored.".into()));
        let gone = [("move".to_owned(), "up".to_owned())];
        let gone = browser.post(&format!("{record}/tasks/9"), &gone).await;
        assert_eq!(gone.page.all(".note.bad").len(), 1, "{}", gone.page.text());
    }
}

#[both_engines]
async fn a_task_is_edited_and_overdue_in_words_until_it_is_not_needed(app: TestApp) {
    let (ada, mut browser) = with_tasks(&app, &["Call the carrier"]).await;
    for (record, whole) in RECORDS {
        let page = browser.get(record).await.page;
        assert_eq!(page.texts(".todo .down").first().map(String::as_str), Some("Overdue"));
        let edit = format!("{record}/tasks/1/edit");
        let form = browser.get(&edit).await.page;
        let typed = [
            ("title", "Call them"),
            ("owner", ada.id.as_str()),
            ("due", "2026-03-09T10:00"),
            ("reason", "No."),
        ];
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
        let read = app.get(&format!("{whole}/tasks/1")).bearer(&ada.token).expect(200).await;
        assert_eq!((read.text("status"), read.text("due")), ("not_doing", "2026-03-09T10:00:00.000000Z"));
    }
}

#[both_engines]
async fn a_treatment_task_is_added_waits_on_home_and_is_done(app: TestApp) {
    let (ada, mut browser) = with_tasks(&app, &[]).await;
    let (risk, _) = RECORDS[1];
    let page = browser.get(risk).await.page;
    assert_eq!(page.all("[name='mandatory']").len(), 0, "only a task of an incident is mandatory");
    let typed = [("title", "Buy extinguishers"), ("owner", ada.id.as_str())];
    let page = browser.submit(&page, &format!("{risk}/tasks"), &typed).await.page;
    assert_eq!(
        (titles(&page), page.text_of(".toast")),
        (vec!["Buy extinguishers".into()], "Task added.".into())
    );
    assert_eq!(page.all(&format!("a[href='{risk}/tasks/1/edit']")).len(), 1);
    let home = browser.get("/o/acme").await.page;
    assert!(home.text().contains("Task of RSK-1 R"), "{}", home.text());
    assert_eq!(home.all(&format!(".needs a[href='{risk}#tasks']")).len(), 1);
    let page = browser.submit(&page, &format!("{risk}/tasks/1"), &[]).await.page;
    assert!(page.text_of("[aria-labelledby='tasks']").contains("1 of 1 done"), "{}", page.text());
    assert!(!browser.get("/o/acme").await.page.text().contains("RSK-1"));
}

#[both_engines]
async fn fifty_tasks_are_shown_and_all_are_counted(app: TestApp) {
    let (ada, mut browser) = with_tasks(&app, &["Task"; 51]).await;
    for (record, whole) in RECORDS {
        let done = json!({"status": "done"});
        app.patch(&format!("{whole}/tasks/51")).bearer(&ada.token).json(done).expect(200).await;
        let page = browser.get(record).await.page;
        assert_eq!(titles(&page).len(), 50);
        let shown = page.text_of("[aria-labelledby='tasks']");
        assert!(shown.contains("1 of 51 done"), "{shown}");
        assert!(shown.contains("The first 50 of 51 are shown."), "{shown}");
    }
}
