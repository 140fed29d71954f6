use axum::http::StatusCode;
use domain::Role;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn a_person_signs_in_and_out(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Responder).await;
    let mut browser = Browser::new(&app);
    assert_eq!(browser.get("/").await.address, "/sign-in");
    let home = browser.sign_in(&ada.email, &ada.password).await;
    assert_eq!((home.status, home.address.as_str()), (StatusCode::OK, "/o/acme"));
    assert_eq!(home.page.text_of(".me"), "AB Ada ByronResponder Your account Keyboard shortcuts? Sign out");
    assert_eq!(browser.get("/").await.address, "/o/acme");
    assert_eq!(browser.get("/sign-in").await.address, "/o/acme");
    let token = browser.cookie("bailiwick").unwrap().to_owned();
    let out = browser.submit(&home.page, "/sign-out", &[]).await;
    assert_eq!((out.address.as_str(), browser.cookie("bailiwick")), ("/sign-in", None));
    // The session has ended, not only its cookie.
    let session = auth::people::console_session(app.app().auth(), &token, false).await.unwrap();
    assert_eq!(session, None);
    for chain in [app.organization, domain::OrgId::INSTANCE] {
        let report = store::verify::verify(&mut app.db.read().await.unwrap(), chain, None).await.unwrap();
        assert!(report.faults.is_empty(), "{report:?}");
    }
}

#[both_engines]
async fn a_wrong_address_and_a_wrong_password_look_the_same(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let mut browser = Browser::new(&app);
    let mut texts = Vec::new();
    for (email, password) in
        [(ada.email.as_str(), "wrong password"), ("nobody@example.org", ada.password.as_str())]
    {
        let shown = browser.sign_in(email, password).await;
        assert_eq!(shown.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(shown.page.all(&format!("#email[value='{email}']")).len(), 1, "the address is kept");
        assert!(!shown.page.text().contains(password) && browser.cookie("bailiwick").is_none());
        texts.push(shown.page.text_of("[role='alert']"));
    }
    assert_eq!(texts[0], texts[1]);
}

#[both_engines]
async fn whoever_is_not_signed_in_is_led_back_after_signing_in(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let mut browser = Browser::new(&app);
    let asked = browser.get("/o/acme/incidents?status=new").await;
    assert!(asked.address.starts_with("/sign-in?to="), "{}", asked.address);
    let fields = [("email", ada.email.as_str()), ("password", ada.password.as_str())];
    let shown = browser.submit(&asked.page, "/sign-in", &fields).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme/incidents?status=new"));
}

#[both_engines]
async fn a_cookie_of_another_program_does_not_prevent_signing_in(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let mut browser = Browser::new(&app);
    browser.set_cookie("another", "Jörg");
    let home = browser.sign_in(&ada.email, &ada.password).await;
    assert_eq!((home.status, home.address.as_str()), (StatusCode::OK, "/o/acme"));
    assert_eq!(browser.get("/o/acme/incidents").await.address, "/o/acme/incidents");
}

#[both_engines]
async fn signing_in_leads_only_to_pages_of_this_service(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let credentials = [("email", ada.email.as_str()), ("password", ada.password.as_str())];
    for (to, expected) in [
        ("/o/acme/incidents?q=stra%C3%9Fe", "/o/acme/incidents?q=stra%C3%9Fe"),
        ("/o/acme/incidents?q=straße", "/o/acme/incidents?q=stra%C3%9Fe"),
        ("/o/acme/a b", "/o/acme/a%20b"),
        ("/o/acme/\u{0}", "/"),
        ("/o/acme/\u{1b}x", "/"),
        ("/o/acme/\u{7f}", "/"),
        ("/o/acme\r\nset-cookie: a=b", "/"),
        ("//evil.example/o/", "/"),
        ("/\\evil.example", "/"),
        ("/o/\\evil.example", "/"),
        ("https://evil.example/o/", "/"),
        ("https:/o/acme", "/"),
    ] {
        let mut browser = Browser::new(&app);
        let fields = [credentials[0], credentials[1], ("to", to)];
        let led = browser.location("/sign-in", &fields).await;
        assert_eq!(led, (StatusCode::SEE_OTHER, expected.to_owned()), "{to:?}");
        // Whoever is signed in already is led there at once.
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("to", to).finish();
        let shown = browser.get(&format!("/sign-in?{query}")).await;
        let at_home = if expected == "/" { "/o/acme" } else { expected };
        assert_eq!(shown.address, at_home, "{to:?}");
    }
}

#[both_engines]
async fn an_organization_opens_only_for_its_members(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    app.db.organization("Other").await;
    let mut browser = Browser::of(&app, &ada).await;
    for address in ["/o/other", "/o/other/incidents", "/o/nowhere", "/o/%25", "/o/ACME"] {
        assert_eq!(browser.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    let second = app.person("Bob", Role::Admin).await;
    app.delete(&format!("/v1/users/{}", ada.id)).bearer(&second.token).expect(204).await;
    assert_eq!(browser.get("/o/acme").await.status, StatusCode::NOT_FOUND);
    assert_eq!(browser.get("/").await.address, "/sign-in");
    assert_eq!(Browser::of(&app, &second).await.get("/o/acme").await.status, StatusCode::OK);
}

#[both_engines]
async fn a_renamed_organization_is_found_at_its_former_address(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let patch = format!("/v1/organizations/{}", app.organization);
    app.patch(&patch).bearer(&ada.token).json(serde_json::json!({"slug": "acme-ltd"})).expect(200).await;
    let shown = browser.get("/o/acme/incidents?status=new").await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme-ltd/incidents?status=new"));
    // Nobody else gets it.
    let other = app.db.organization("Acme").await;
    let other = store::organizations::get(&mut app.db.read().await.unwrap(), other).await.unwrap().unwrap();
    assert_eq!(other.slug, "acme-2");
}

#[both_engines]
async fn forms_of_other_sites_are_refused(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let fields = [("title".to_owned(), "Forged".to_owned())];
    let shown = browser.post_from_elsewhere("/o/acme/incidents/new", &fields).await;
    assert_eq!(shown.status, StatusCode::BAD_REQUEST);
    assert_eq!(browser.post_from_elsewhere("/sign-out", &[]).await.status, StatusCode::BAD_REQUEST);
    let list = browser.get("/o/acme/incidents").await;
    assert_eq!((list.status, list.page.text_of(".empty h2").as_str()), (StatusCode::OK, "No open incidents"));
}

#[both_engines]
async fn the_api_never_takes_a_session_of_the_console(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let browser = Browser::of(&app, &ada).await;
    let token = browser.cookie("bailiwick").unwrap();
    app.get("/v1/incidents").header("cookie", &format!("bailiwick={token}")).expect(401).await;
    app.get("/v1/incidents").bearer(token).expect(401).await;
}
