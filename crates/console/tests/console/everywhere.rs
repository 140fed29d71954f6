//! What is at hand on every page: going to anything, keys, noticing changes, and forms that outlive their session.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};
use tower::ServiceExt as _;

use crate::browser::Browser;

async fn filled(app: &TestApp) -> testkit::TestPerson {
    let ada = app.person("Ada Byron", Role::Admin).await;
    for title in ["Cold room failed", "Two pallets left the cold room"] {
        let incident = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    }
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Goods leave their range", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    ada
}

#[both_engines]
async fn a_list_links_to_all_of_it_as_a_file(app: TestApp) {
    let ada = filled(&app).await;
    for name in ["fridge", "lorry"] {
        app.post("/v1/tags").bearer(&ada.token).json(json!({"name": name})).expect(201).await;
    }
    for (slug, title) in [("cold-chain", "Cold chain"), ("access", "Access")] {
        let item = json!({"id": "contact", "kind": "text", "label": "Whom to ask"});
        let document = json!({"slug": slug, "title": title, "items": [item]});
        app.post("/v1/documents").bearer(&ada.token).json(document).expect(201).await;
    }
    app.follow_search().await;
    let mut browser = Browser::of(&app, &ada).await;
    for (address, count, first) in [
        ("/o/acme/tags", 2, "fridge"),
        ("/o/acme/documents?q=chain", 1, "cold-chain"),
        ("/o/acme/documents?status=draft", 2, "access"),
        ("/o/acme/risks", 1, "RSK-1"),
        ("/o/acme/settings/people", 1, "Ada Byron"),
    ] {
        let page = browser.get(address).await.page;
        assert_eq!(page.text_of("a[download]"), format!("Export all {count} as CSV"), "{address}");
        let link = page.all("a[download]")[0].attr("href").unwrap().to_owned();
        let (headers, file) = browser.file(&link).await;
        assert_eq!(headers["content-type"], "text/csv; charset=utf-8; header=present");
        let records: Vec<&str> = file.lines().skip(1).collect();
        assert_eq!(records.len(), count, "{address}: {file}");
        assert!(records[0].contains(first), "{address}: {file}");
    }
    // Who may not read the list gets no file of it.
    let sam = app.person("Sam", Role::Staff).await;
    let mut browser = Browser::of(&app, &sam).await;
    for address in ["/o/acme/documents/export", "/o/acme/risks/export", "/o/acme/settings/people/export"] {
        assert_eq!(browser.get(address).await.status, StatusCode::FORBIDDEN, "{address}");
    }
}

#[both_engines]
async fn anything_is_found_by_its_number_or_the_beginning_of_a_word(app: TestApp) {
    let ada = filled(&app).await;
    let view =
        json!({"list": "risks", "name": "Colour of the cold", "filter": {"status": "open"}, "shared": true});
    app.post("/v1/views").bearer(&ada.token).json(view).expect(201).await;
    app.follow_search().await;
    let mut browser = Browser::of(&app, &ada).await;
    assert_eq!(browser.get("/o/acme/go?q=inc-2").await.address, "/o/acme/incidents/INC-0002");
    assert_eq!(browser.get("/o/acme/go?q=RSK-1").await.address, "/o/acme/risks/RSK-1");
    let found = browser.get("/o/acme/go?q=col").await.page;
    assert_eq!(
        found.texts("#places li span:not(.end)"),
        [
            "Two pallets left the cold room",
            "Cold room failed",
            "Colour of the cold",
            "Search everything for “col”"
        ]
    );
    assert_eq!(found.texts("#places h2"), ["Incidents", "Views", "Search"]);
    let words = browser.get("/o/acme/go?q=fai+ROOM").await.page;
    assert_eq!(words.texts("#places .end"), ["INC-0001"], "each word begins one of the title");
    let digits = browser.get("/o/acme/go?q=1&live=1").await.page;
    assert_eq!(digits.texts("#places .end"), ["INC-0001", "RSK-1"], "{}", digits.text());
    let ada = browser.get("/o/acme/go?q=ada").await.page;
    assert_eq!(ada.texts("#places h2"), ["People", "Search"]);
    let none = browser.get("/o/acme/go?q=INC-0099").await;
    assert_eq!((none.status, none.address.as_str()), (StatusCode::OK, "/o/acme/go?q=INC-0099"));
    let places = browser.get("/o/acme/go").await.page;
    assert!(places.texts("#places li").contains(&"Heat map".to_owned()), "{}", places.text());
    // What a role may not open is not among the places.
    let sam = app.person("Sam", Role::Staff).await;
    let page = Browser::of(&app, &sam).await.get("/o/acme/go").await.page;
    assert_eq!(
        page.texts("#places li"),
        ["Home", "Declare incident", "Incidents", "Your account", "Keyboard shortcuts"],
        "{}",
        page.text()
    );
    let hidden = Browser::of(&app, &sam).await.get("/o/acme/go?q=INC-0001").await;
    assert_eq!(hidden.address, "/o/acme/go?q=INC-0001", "somebody else's incident");
}

#[both_engines]
async fn similar_incidents_of_today_stand_beside_a_new_one(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let similar = |title: &str| format!("/o/acme/incidents/new?title={}", title.replace(' ', "+"));
    let page = browser.get(&similar("The cold ROOM again")).await.page;
    assert_eq!(page.all("#similar li").len(), 2, "{}", page.text());
    assert_eq!(page.all("#title")[0].attr("value"), Some("The cold ROOM again"));
    for none in ["Cold", "A warm office", ""] {
        assert_eq!(browser.get(&similar(none)).await.page.all("#similar li").len(), 0, "{none}");
    }
}

#[both_engines]
async fn an_open_page_learns_that_its_record_has_changed(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/incidents/INC-0001").await.page;
    let main = page.all("main[data-watch]");
    let (address, version) = (main[0].attr("data-watch").unwrap(), main[0].attr("data-version").unwrap());
    let token = browser.cookie("bailiwick").unwrap().to_owned();
    let ask = async |cookie: &str| {
        let request = Request::get(address)
            .header("host", "bailiwick.test")
            .header("cookie", format!("bailiwick={cookie}"))
            .header("if-none-match", format!("\"{version}\""));
        let router = TestApp::routes().with_console(console::pages(app.app())).router(app.app().clone());
        router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
    };
    assert_eq!(ask(&token).await, StatusCode::NOT_MODIFIED);
    app.post("/v1/incidents/1/notes")
        .bearer(&ada.token)
        .json(json!({"kind": "comment", "text": "Warm."}))
        .expect(201)
        .await;
    assert_eq!(ask(&token).await, StatusCode::OK);
    assert_eq!(ask("nonsense").await, StatusCode::NOT_FOUND);
    // Asking does not prolong the session.
    for _ in 0..9 {
        app.db.clock.advance_seconds(60 * 60);
        ask(&token).await;
    }
    app.db.clock.advance_days(1);
    assert_eq!(browser.get("/o/acme").await.address, "/sign-in?to=%2Fo%2Facme");
}

#[both_engines]
async fn an_open_list_learns_how_many_are_new(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let router = TestApp::routes().with_console(console::pages(app.app())).router(app.app().clone());
    let news = async |browser: &mut Browser, address: &str| {
        let request = Request::get(address)
            .header("host", "bailiwick.test")
            .header("cookie", format!("bailiwick={}", browser.cookie("bailiwick").unwrap()))
            .header("if-none-match", "\"0\"");
        let response = router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        (response.status(), response.headers()["etag"].to_str().unwrap().to_owned())
    };
    let mut watched = Vec::new();
    for query in ["", "?source=Mail&sort=severity", "?category=closed"] {
        let page = browser.get(&format!("/o/acme/incidents{query}")).await.page;
        watched.push(page.all("main[data-watch]")[0].attr("data-watch").unwrap().to_owned());
    }
    for address in &watched {
        assert_eq!(news(&mut browser, address).await, (StatusCode::NOT_MODIFIED, "\"0\"".to_owned()));
    }
    for source in ["Mail", "Sensor", "Sensor"] {
        let body = json!({"title": "New", "description": "", "source": source});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    for (address, new) in watched.iter().zip([3, 1, 0]) {
        assert_eq!(news(&mut browser, address).await.1, format!("\"{new}\""), "{address}");
    }
    // Who sees only their own incidents is told of those.
    let sam = app.person("Sam", Role::Staff).await;
    let mut staff = Browser::of(&app, &sam).await;
    let page = staff.get("/o/acme/incidents").await.page;
    let address = page.all("main[data-watch]")[0].attr("data-watch").unwrap().to_owned();
    for person in [&ada, &sam] {
        let body = json!({"title": "New", "description": ""});
        app.post("/v1/incidents").bearer(&person.token).json(body).expect(201).await;
    }
    assert_eq!(news(&mut staff, &address).await.1, "\"1\"");
    for list in ["incidents?q=cold", "risks"] {
        let page = browser.get(&format!("/o/acme/{list}")).await.page;
        assert_eq!(page.all("main[data-watch]").len(), 0, "{list}");
    }
}

#[both_engines]
async fn a_form_outlives_its_session(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/incidents/new").await.page;
    app.db.clock.advance_days(20);
    let typed = [("title", "A long & careful text"), ("description", "Line one\nLine <two>")];
    let kept = browser.submit(&page, "/o/acme/incidents/new", &typed).await;
    assert_eq!(kept.status, StatusCode::UNAUTHORIZED);
    assert!(kept.page.text().contains("Your input is kept"), "{}", kept.page.text());
    let wrong = [("email", ada.email.as_str()), ("password", "wrong")];
    let kept = browser.submit(&kept.page, "/sign-in", &wrong).await;
    let right = [("email", ada.email.as_str()), ("password", ada.password.as_str())];
    let again = browser.submit(&kept.page, "/sign-in", &right).await;
    assert_eq!(again.page.text_of("h1"), "You are signed in again");
    let shown = browser.submit(&again.page, "/o/acme/incidents/new", &[]).await;
    assert_eq!(shown.page.text_of("h1"), "A long & careful text", "{}", shown.page.text());
    assert!(shown.page.text().contains("Line one Line <two>"));
    // The same form once more acts no second time.
    let twice = browser.submit(&again.page, "/o/acme/incidents/new", &[]).await;
    assert_eq!(twice.address, shown.address);
}

#[both_engines]
async fn the_longest_form_outlives_its_session(app: TestApp) {
    let ada = filled(&app).await;
    // In a form each of these characters takes three bytes or more, and in a form within a form more again.
    for description in ["ü\n".repeat(21_845), "日本 &%+\"<".repeat(4_681), " ".repeat(65_536)] {
        let mut browser = Browser::of(&app, &ada).await;
        let page = browser.get("/o/acme/incidents/new").await.page;
        app.db.clock.advance_days(20);
        // A form may have 1 MiB.
        let others = "é".repeat((1_048_576 - 65_536 * 4 - 2_000) / 6);
        let title = "a".repeat(200);
        let typed = [("title", title.as_str()), ("description", description.as_str()), ("x", &others)];
        let kept = browser.submit(&page, "/o/acme/incidents/new", &typed).await;
        assert_eq!(kept.status, StatusCode::UNAUTHORIZED, "{}", kept.page.text());
        let wrong = [("email", ada.email.as_str()), ("password", "wrong")];
        let kept = browser.submit(&kept.page, "/sign-in", &wrong).await;
        assert_eq!(kept.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", kept.page.text());
        let right = [("email", ada.email.as_str()), ("password", ada.password.as_str())];
        let again = browser.submit(&kept.page, "/sign-in", &right).await;
        assert_eq!(again.page.text_of("h1"), "You are signed in again");
        let fields = again.page.form("/o/acme/incidents/new");
        let field = |name: &str| &fields.iter().find(|(known, _)| known == name).unwrap().1;
        assert!(*field("description") == description && *field("x") == others);
        let sent: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let (status, address) = browser.location("/o/acme/incidents/new", &sent).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{address}");
        let id = address.rsplit('/').next().unwrap();
        let reader = app.client_with_scopes("incidents:read").await;
        let made = app.get(&format!("/v1/incidents/{id}")).bearer(&reader).expect(200).await;
        assert!(made.text("title") == title && made.text("description") == description);
    }
}

#[both_engines]
async fn an_error_keeps_the_way_to_everything_else(app: TestApp) {
    let viewer = app.person("Vera", Role::Viewer).await;
    let mut browser = Browser::of(&app, &viewer).await;
    for (address, status, title) in [
        ("/o/acme/incidents/INC-0099", StatusCode::NOT_FOUND, "Page not found"),
        ("/o/acme/no/such/page", StatusCode::NOT_FOUND, "Page not found"),
        ("/o/acme/journal", StatusCode::FORBIDDEN, "You do not have permission"),
        ("/o/acme/incidents?sort=wrong", StatusCode::BAD_REQUEST, "A parameter is not valid."),
    ] {
        let shown = browser.get(address).await;
        assert_eq!(shown.status, status, "{address}");
        assert_eq!(shown.page.text_of("h1"), title, "{address}");
        assert_eq!(shown.page.text_of(".side .me small"), "Viewer", "{address}");
        assert_eq!(shown.page.all(".side [aria-current]").len(), 0, "{address}");
    }
    // Neither an organization of others nor somebody unknown has a frame.
    let shown = browser.get("/o/other/incidents").await;
    assert_eq!((shown.status, shown.page.all(".side").len()), (StatusCode::NOT_FOUND, 0));
    let shown = Browser::new(&app).get("/o/acme/no/such/page").await;
    assert!(shown.address.starts_with("/sign-in"), "{}", shown.address);
}
