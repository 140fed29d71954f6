//! Coming in for the first time: the first run, and an invitation.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

async fn invited(app: &TestApp) -> String {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let person = json!({"name": "Ruth", "email": "ruth@example.org", "role": "responder"});
    let made = app.post("/v1/invitations").bearer(&ada.token).json(person).expect(201).await;
    let link = made.json()["link"].as_str().unwrap().to_owned();
    link.split_once("/invitation#").unwrap().1.to_owned()
}

#[both_engines]
async fn an_invitation_names_who_invites_and_ends_signed_in(app: TestApp) {
    let token = invited(&app).await;
    let mut browser = Browser::new(&app);
    let page = browser.get("/invitation").await.page;
    let unknown = browser.submit(&page, "/invitation", &[("token", "bwi_nonsense")]).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Without scripts the code is typed, or the whole link is pasted.
    let link = format!("https://bailiwick.test/invitation#{token} ");
    let page = browser.submit(&page, "/invitation", &[("token", &link)]).await.page;
    assert_eq!(page.text_of("h1"), "Ada Byron invited you");
    let text = page.text();
    assert!(
        text.contains("Acme") && text.contains("responder") && text.contains("ruth@example.org"),
        "{text}"
    );
    let short = browser.submit(&page, "/invitation", &[("password", "short"), ("name", "Ruth C.")]).await;
    assert_eq!(short.page.all("#password-error").len(), 1, "{}", short.page.text());
    assert_eq!(short.page.all("#name")[0].attr("value"), Some("Ruth C."));
    let password = [("password", "nine green bottles")];
    let shown = browser.submit(&short.page, "/invitation", &password).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme"), "{}", shown.page.text());
    assert!(shown.page.text_of(".me").contains("Ruth C."));
    let again = Browser::new(&app).submit(&page, "/invitation", &password).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "it works once");
}

#[both_engines]
async fn a_known_person_accepts_with_the_password_that_they_have(app: TestApp) {
    let token = invited(&app).await;
    let mut browser = Browser::new(&app);
    let page = browser.get("/invitation").await.page;
    let page = browser.submit(&page, "/invitation", &[("token", &token)]).await.page;
    browser.submit(&page, "/invitation", &[("password", "nine green bottles")]).await;
    let second = app.db.organization("Second").await;
    let eve = app.person_of(second, "Eve", Role::Admin).await;
    let person = json!({"name": "Ruth", "email": "ruth@example.org", "role": "viewer"});
    let made = app.post("/v1/invitations").bearer(&eve.token).json(person).expect(201).await;
    let token = made.json()["link"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    let mut browser = Browser::new(&app);
    let page = browser.get("/invitation").await.page;
    let page = browser.submit(&page, "/invitation", &[("token", &token)]).await.page;
    let wrong = browser.submit(&page, "/invitation", &[("password", "another password")]).await;
    assert!(
        wrong.page.text_of(".note.bad").contains("already have an account here"),
        "{}",
        wrong.page.text()
    );
    let shown = browser.submit(&wrong.page, "/invitation", &[("password", "nine green bottles")]).await;
    assert_eq!(shown.address, "/o/second", "{}", shown.page.text());
    // The other organization is one click away.
    let others: Vec<String> = shown.page.links().into_iter().filter(|link| link == "/o/acme").collect();
    assert_eq!(others.len(), 1);
    assert_eq!(browser.get("/o/acme").await.status, StatusCode::OK);
}

#[both_engines]
async fn a_register_that_has_begun_begins_no_second_time(app: TestApp) {
    let mut browser = Browser::new(&app);
    assert_eq!(browser.get("/begin").await.status, StatusCode::NOT_FOUND);
    let fields = |code: &str| -> Vec<(String, String)> {
        [
            ("code", code),
            ("organization", "Mine"),
            ("time_zone", "Berlin"),
            ("name", "Eve"),
            ("email", "eve@example.org"),
            ("password", "nine green bottles"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    };
    let wrong = browser.post("/begin", &fields("guessed")).await;
    assert!(wrong.page.text().contains("The code is wrong"), "{}", wrong.page.text());
    let late = browser.post("/begin", &fields(&app.app().auth().first_run_code())).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(late.page.text().contains("is already set up"), "{}", late.page.text());
}

#[both_engines]
async fn only_operators_see_the_page_of_the_service(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/settings/service";
    assert_eq!(browser.get(address).await.status, StatusCode::NOT_FOUND);
    let id = domain::UserId::parse(&ada.id).unwrap();
    let author = testkit::author();
    let mark = async |is: bool| {
        let author = author.clone();
        let marked: store::Result<bool> = app
            .db
            .write_instance(async move |tx: &mut db::Tx| {
                store::people::set_operator(tx, &author, id, is).await
            })
            .await;
        marked.unwrap()
    };
    assert!(mark(true).await);
    assert!(!mark(true).await, "nothing changes a second time");
    let shown = browser.get(address).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.page.texts(".tabs a").contains(&"Service".to_owned()));
    assert!(!shown.page.all("tbody tr").is_empty());
    let health = shown.page.text_of("[aria-labelledby='health']");
    assert!(health.contains("Up to date") && health.contains("Audit chain intact"), "{health}");
    let torn: store::Result<u64> = app
        .db
        .write_instance(async |tx: &mut db::Tx| {
            Ok(tx.execute("UPDATE organization_head SET seq = seq + 1 WHERE seq > 0", &[]).await?)
        })
        .await;
    let health = browser.get(address).await.page.text_of("[aria-labelledby='health']");
    assert!(health.contains(&format!("{} audit chains are broken", torn.unwrap())), "{health}");
    assert!(mark(false).await);
    assert_eq!(browser.get(address).await.status, StatusCode::NOT_FOUND);
}
