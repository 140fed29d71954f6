//! A forgotten password: an admin creates a link, and its person chooses another password.

use axum::http::StatusCode;
use domain::Role;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const CHOSEN: [(&str, &str); 1] = [("password", "nine green bottles")];

fn page_of(person: &TestPerson) -> String {
    format!("/o/acme/settings/people/{}", person.id)
}

/// The code of a new link, as the console shows it to an admin.
async fn code(browser: &mut Browser, person: &TestPerson) -> String {
    let page = browser.get(&page_of(person)).await.page;
    let shown = browser.submit(&page, &format!("{}/reset-link", page_of(person)), &[]).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.page.text());
    let link = shown.page.all("input.mono")[0].attr("value").unwrap().to_owned();
    assert!(shown.page.text().contains(&format!("For {}, expires", person.email)), "{}", shown.page.text());
    link.split_once("/reset-password#").unwrap().1.to_owned()
}

#[both_engines]
async fn a_member_who_forgot_the_password_chooses_another_with_a_link(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let tom = app.person("Tom", Role::Responder).await;
    let mut phone = Browser::of(&app, &tom).await;
    let mut desk = Browser::of(&app, &admin).await;
    let page = desk.get(&page_of(&tom)).await.page;
    let link = format!("{}/reset-link", page_of(&tom));
    let shown = desk.submit(&page, &link, &[]).await;
    let again = desk.submit(&page, &link, &[]).await;
    let value =
        |shown: &crate::browser::Shown| shown.page.all("input.mono")[0].attr("value").unwrap().to_owned();
    assert_eq!(value(&shown), value(&again), "the same form again, as after a lost answer");
    // Without scripts the code is typed, or the whole link is pasted.
    let code = format!(" {} ", value(&shown));

    let mut browser = Browser::new(&app);
    let page = browser.get("/reset-password").await.page;
    let unknown = browser.submit(&page, "/reset-password", &[("token", "bwr_nonsense")]).await;
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(unknown.page.text().contains("no longer valid"), "{}", unknown.page.text());
    let page = browser.submit(&page, "/reset-password", &[("token", &code)]).await.page;
    assert!(page.text().contains("Tom") && page.text().contains("tom@x.org"), "{}", page.text());
    let short = browser.submit(&page, "/reset-password", &[("password", "short")]).await;
    assert_eq!(short.page.all("#password-error").len(), 1, "{}", short.page.text());
    let done = browser.submit(&short.page, "/reset-password", &CHOSEN).await;
    assert_eq!((done.status, done.address.as_str()), (StatusCode::OK, "/o/acme"), "{}", done.page.text());
    assert!(done.page.text_of(".me").contains("Tom"));
    assert_eq!(
        phone.get("/o/acme").await.address,
        "/sign-in?to=%2Fo%2Facme",
        "every other device is signed out"
    );
    let again = Browser::new(&app).submit(&page, "/reset-password", &CHOSEN).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY, "it works once");
    let old = Browser::new(&app).sign_in("tom@x.org", &tom.password).await;
    assert_eq!(old.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[both_engines]
async fn an_open_link_is_withdrawn_on_the_page_of_its_member(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let tom = app.person("Tom", Role::Responder).await;
    let mut desk = Browser::of(&app, &admin).await;
    let withdraw = format!("{}/reset-link/withdraw", page_of(&tom));
    assert!(!desk.get(&page_of(&tom)).await.page.text().contains("Withdraw reset link"));
    code(&mut desk, &tom).await;
    let page = desk.get(&page_of(&tom)).await.page;
    assert!(
        page.text_of("[aria-labelledby='password']").contains("Ada created a reset link"),
        "{}",
        page.text()
    );
    let done = desk.submit(&page, &withdraw, &[]).await;
    assert_eq!((done.status, done.address.as_str()), (StatusCode::OK, page_of(&tom).as_str()));
    assert!(done.page.text().contains("Reset link withdrawn."), "{}", done.page.text());
    app.get(&format!("/v1/users/{}/reset-link", tom.id)).bearer(&admin.token).expect(404).await;
    let late = desk.submit(&page, &withdraw, &[("once", "another")]).await;
    assert!(late.page.text().contains("already used or withdrawn"), "{}", late.page.text());
}

#[both_engines]
async fn the_page_of_a_member_says_why_there_is_no_link(app: TestApp) {
    let admin = app.person("Ada", Role::Admin).await;
    let tom = app.person("Tom", Role::Responder).await;
    let mut desk = Browser::of(&app, &admin).await;
    let code = code(&mut desk, &tom).await;
    let stale = desk.get(&page_of(&tom)).await.page;
    let second = app.db.organization("Second").await;
    app.person_of(second, "Tom", Role::Admin).await;
    let link = format!("{}/reset-link", page_of(&tom));
    let about = async |desk: &mut Browser, address: &str| {
        let page = desk.get(address).await.page;
        let offered = page
            .all("form")
            .iter()
            .filter(|it| it.attr("action") == Some(&format!("{address}/reset-link")[..]))
            .count();
        (page.text_of("[aria-labelledby='password']"), offered)
    };
    let (text, offered) = about(&mut desk, &page_of(&tom)).await;
    assert!(text.contains("another organization") && !text.contains("Second") && offered == 0, "{text}");
    // A page that was opened before, and the link that was made before.
    let refused = desk.submit(&stale, &link, &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of(".note.bad").contains("another organization"), "{}", refused.page.text());
    let mut browser = Browser::new(&app);
    let page = browser.get("/reset-password").await.page;
    let refused = browser.submit(&page, "/reset-password", &[("token", &code)]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of(".note.bad").contains("can no longer"), "{}", refused.page.text());

    let (text, offered) = about(&mut desk, &page_of(&admin)).await;
    assert!(text.contains("Your account") && offered == 0, "{text}");
    let added = app.user("Added", "added@x.org", Role::Viewer).await;
    let (text, offered) = about(&mut desk, &format!("/o/acme/settings/people/{added}")).await;
    assert!(text.contains("Invite") && offered == 0, "{text}");
    // Whoever does not manage people sees nothing of it.
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    let page = browser.get(&page_of(&tom)).await.page;
    assert!(page.all("[aria-labelledby='password']").is_empty());
    assert_eq!(browser.post(&link, &[]).await.status, StatusCode::FORBIDDEN);
}
