//! Saved views: tabs above the lists, saving them, changing and deleting them.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const NEW: &str = "/o/acme/views/new";

async fn declared(app: &TestApp, person: &TestPerson) {
    for (title, source) in [("Fire", "Sensor"), ("Flood", "Sensor"), ("Theft", "Mail")] {
        let body = json!({"title": title, "description": "", "source": source});
        app.post("/v1/incidents").bearer(&person.token).json(body).expect(201).await;
    }
    let closed = json!({"to": "dismissed", "resolution_reason": "test"});
    app.post("/v1/incidents/2/transitions").bearer(&person.token).json(closed).expect(200).await;
}

#[both_engines]
async fn a_list_is_saved_as_a_view_that_is_a_tab_of_it(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    declared(&app, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    let plain = browser.get("/o/acme/incidents").await.page;
    assert_eq!(plain.texts(".tabs a"), ["Open", "Assigned to me", "Unassigned", "All"]);
    assert_eq!(plain.all(&format!("form[action='{NEW}']")).len(), 0, "there is nothing to save");
    let list = browser.get("/o/acme/incidents?source=Sensor&sort=severity").await.page;
    let saved = browser.submit(&list, NEW, &[("name", "Sensors")]).await;
    assert_eq!(saved.address, "/o/acme/incidents?category=open&source=Sensor&sort=severity");
    assert_eq!(saved.page.text_of(".toast span"), "View saved.");
    assert_eq!(saved.page.texts(".tabs a[aria-current]"), ["Sensors"]);
    assert_eq!(saved.page.texts("tbody a.t"), ["Fire"], "the list without a status shows what is open");
    // The same list by another address is the same view, and nothing is left to save.
    let same = browser.get("/o/acme/incidents?sort=severity&source=Sensor&category=open").await.page;
    assert_eq!(same.texts(".tabs a[aria-current]"), ["Sensors"]);
    assert_eq!(same.all(&format!("form[action='{NEW}']")).len(), 0);
    let other = browser.get("/o/acme/incidents?source=Sensor").await.page;
    assert_eq!(other.texts(".tabs a[aria-current]"), Vec::<String>::new(), "it is narrower than any view");
    assert_eq!(other.texts(".filters a.badge"), ["Source: Sensor"]);
    let views = app.get("/v1/views").bearer(&ada.token).expect(200).await;
    assert_eq!(views.json()["data"][0]["filter"], json!({"category": ["open"], "source": ["Sensor"]}));
    // A form that is sent again acts once.
    let again = browser.submit(&list, NEW, &[("name", "Sensors")]).await;
    assert_eq!((again.status, again.page.texts(".tabs a").len()), (StatusCode::OK, 5));
}

#[both_engines]
async fn what_is_wrong_with_a_view_is_told_and_nothing_that_was_typed_is_lost(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/risks?category=Fire").await.page;
    browser.submit(&list, NEW, &[("name", "Fires")]).await;
    let other = browser.get("/o/acme/risks?category=Water").await.page;
    let taken = browser.submit(&other, NEW, &[("name", "FIRES"), ("shared", "1")]).await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(taken.page.text_of("#name-error"), "The name is in use.");
    let form = taken.page.form(NEW);
    for field in [("name", "FIRES"), ("shared", "1"), ("query", "category=Water")] {
        assert!(form.contains(&(field.0.to_owned(), field.1.to_owned())), "{field:?}: {form:?}");
    }
    let blank = browser.submit(&taken.page, NEW, &[("name", " ")]).await;
    assert_eq!(blank.page.text_of("#name-error"), "Name must not be blank.");
    let saved = browser.submit(&blank.page, NEW, &[("name", "Water")]).await;
    assert_eq!(saved.page.texts(".tabs a[aria-current]"), ["Water shared"]);
    let nonsense = browser.get("/o/acme/views/new?list=tasks").await;
    assert_eq!(nonsense.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn a_view_is_renamed_shared_given_other_filters_and_deleted(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    declared(&app, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents?source=Mail&kind=drill").await.page;
    let saved = browser.submit(&list, NEW, &[("name", "Mails")]).await;
    let link = saved.page.links().into_iter().find(|link| link.contains("/views/")).unwrap();
    let edit = browser.get(&link).await.page;
    let changed = browser.submit(&edit, &link, &[("name", "All mails"), ("shared", "1")]).await;
    assert_eq!(changed.page.text_of(".toast span"), "View updated.");
    assert_eq!(changed.page.texts(".tabs a[aria-current]"), ["All mails shared"]);
    // Somebody else was faster.
    let outdated = browser.submit(&edit, &link, &[("name", "Other")]).await;
    assert_eq!(outdated.status, StatusCode::UNPROCESSABLE_ENTITY);
    let other = browser.get("/o/acme/incidents?source=Mail&category=open&category=closed").await.page;
    let id = link.rsplit('/').next().unwrap();
    let replaced = browser.submit(&other, "/o/acme/views/filter", &[("id", id)]).await.page;
    assert_eq!(replaced.texts(".tabs a[aria-current]"), ["All mails shared"]);
    assert_eq!(replaced.text_of(".toast span"), "View “All mails” updated for everyone.");
    let view = app.get(&format!("/v1/views/{id}")).bearer(&ada.token).expect(200).await;
    assert_eq!((&view.json()["filter"], view.text("name")), (&json!({"source": ["Mail"]}), "All mails"));
    let edit = browser.get(&link).await.page;
    let deleted = browser.submit(&edit, &format!("{link}/delete"), &[]).await;
    assert_eq!((deleted.address.as_str(), deleted.page.texts(".tabs a").len()), ("/o/acme/incidents", 4));
    assert_eq!(browser.get(&link).await.status, StatusCode::NOT_FOUND);
}

#[both_engines]
async fn views_of_the_api_show_the_same_rows_in_the_console(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    declared(&app, &ada).await;
    for (list, name, filter) in [
        ("incidents", "Sensors, closed ones too", json!({"source": "Sensor"})),
        ("risks", "Every risk", json!({})),
        ("incidents", "Mine", json!({"assigned_to": "me"})),
    ] {
        let body = json!({"list": list, "name": name, "filter": filter, "shared": true});
        app.post("/v1/views").bearer(&ada.token).json(body).expect(201).await;
    }
    let rating = json!({"likelihood": 2, "impact": 3});
    for (title, status) in [("Open risk", "open"), ("Closed risk", "closed")] {
        let risk = json!({"title": title, "inherent": rating, "target": rating});
        let made = app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
        let patch = json!({"status": status, "status_reason": (status == "closed").then_some("Sold.")});
        let path = format!("/v1/risks/{}", made.text("id"));
        app.patch(&path).bearer(&ada.token).json(patch).expect(200).await;
    }
    let bo = app.person("Bo", Role::Viewer).await;
    app.patch("/v1/incidents/3").bearer(&ada.token).json(json!({"assigned_to": bo.id})).expect(200).await;
    let mut browser = Browser::of(&app, &bo).await;
    for (list, name, titles) in [
        ("incidents", "Sensors, closed ones too", vec!["Flood", "Fire"]),
        ("incidents", "Mine", vec!["Theft"]),
        ("risks", "Every risk", vec!["Closed risk", "Open risk"]),
    ] {
        let page = browser.get(&format!("/o/acme/{list}")).await.page;
        let tabs = page.all(".tabs a");
        let tab = tabs.iter().rfind(|tab| tab.text().next().map(str::trim) == Some(name)).unwrap();
        let shown = browser.get(tab.attr("href").unwrap()).await.page;
        assert_eq!(shown.texts("tbody a.t"), titles, "{name}");
        assert_eq!(shown.texts(".tabs a[aria-current]"), [format!("{name} shared")]);
    }
}

#[both_engines]
async fn who_may_not_share_is_not_offered_it_and_cannot(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Admin).await, app.person("Vera", Role::Viewer).await);
    let body = json!({"list": "incidents", "name": "Of Ada", "filter": {"source": "Mail"}, "shared": true});
    let made = app.post("/v1/views").bearer(&ada.token).json(body).expect(201).await;
    let path = format!("/o/acme/views/{}", made.text("id"));
    let mut browser = Browser::of(&app, &vera).await;
    let current = browser.get("/o/acme/incidents?source=Mail&category=open&category=closed").await.page;
    assert_eq!(current.texts(".tabs a[aria-current]"), ["Of Ada shared"]);
    assert!(!current.text().contains("Change view"), "{}", current.text());
    let page = browser.get(&path).await.page;
    assert_eq!(page.all("main form").len(), 0, "{}", page.text());
    let list = browser.get("/o/acme/incidents?source=Sensor").await.page;
    assert_eq!(list.all("input[name=shared], form[action$='/views/filter']").len(), 0);
    let own = browser.submit(&list, NEW, &[("name", "Own"), ("shared", "1")]).await;
    assert_eq!(own.status, StatusCode::FORBIDDEN);
    let own = browser.submit(&list, NEW, &[("name", "Own"), ("once", "another")]).await;
    assert_eq!(own.page.texts(".tabs a[aria-current]"), ["Own"]);
    for (address, fields) in [
        (path.clone(), vec![("name".to_owned(), "Taken".to_owned()), ("version".to_owned(), "1".to_owned())]),
        (format!("{path}/delete"), vec![("version".to_owned(), "1".to_owned())]),
    ] {
        assert_eq!(browser.post(&address, &fields).await.status, StatusCode::FORBIDDEN, "{address}");
    }
    // What she keeps for herself does not exist for others.
    let hers = app.get("/v1/views?shared=false").bearer(&vera.token).expect(200).await;
    let hers = format!("/o/acme/views/{}", hers.text("/data/0/id"));
    assert_eq!(Browser::of(&app, &ada).await.get(&hers).await.status, StatusCode::NOT_FOUND);
}

/// A tab of the console is marked only while the list has no other filter.
#[both_engines]
async fn a_tab_is_marked_while_the_list_is_its_own(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    declared(&app, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (address, tab) in [
        ("incidents?sort=severity", "Open"),
        ("incidents?category=open", "Open"),
        ("incidents?assigned_to=me", "Assigned to me"),
        ("incidents?category=closed&category=open", "All"),
        ("incidents?kind=drill", ""),
        ("incidents?detected_to=2026-01-01T00:00:00Z", ""),
        ("incidents?assigned_to=me&severity=low", ""),
        ("incidents?category=open&category=closed&severity=low", ""),
        ("risks", "Open"),
        ("risks?status=open&status=closed", "All"),
        ("risks?status=closed", "Closed"),
        ("risks?owner=none", ""),
    ] {
        let page = browser.get(&format!("/o/acme/{address}")).await.page;
        let marked = page.texts(".tabs a[aria-current]");
        assert_eq!(marked.first().map_or("", String::as_str), tab, "{address}");
    }
}

/// What narrows a list without a control of its own can be seen, and taken away.
#[both_engines]
async fn a_filter_without_a_control_is_shown(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    declared(&app, &ada).await;
    let mut browser = Browser::of(&app, &ada).await;
    // A day that begins has a control.
    let query = "detected_from=2026-01-01T08:00:00Z&detected_to=2026-02-01T08:00:00Z&missing=time_to_respond";
    let page = browser.get(&format!("/o/acme/incidents?{query}")).await.page;
    let shown = page.texts(".filters a.badge");
    let expected =
        ["Time to respond: a date is missing", "Detected from 1 Jan 08:00", "Detected before 1 Feb 08:00"];
    assert_eq!(shown, expected);
    let links = page.all(".filters a.badge");
    let without = browser.get(links[0].attr("href").unwrap()).await.page;
    assert_eq!(without.texts(".filters a.badge"), expected[1..]);
}

/// A filter by people says whom it has and stays when another one is chosen, also for those people themselves, for who has left and
/// for who is not among the first members by name.
#[both_engines]
async fn a_filter_by_a_person_stays_for_every_reader(app: TestApp) {
    let (ada, bob) = (app.person("Ada", Role::Admin).await, app.person("Bob", Role::Owner).await);
    let gone = app.user("Gone", "gone@example.org", Role::Owner).await.to_string();
    app.delete(&format!("/v1/users/{gone}")).bearer(&ada.token).expect(204).await;
    for number in 0..100 {
        app.user(&format!("M{number:03}"), &format!("m{number}@example.org"), Role::Staff).await;
    }
    let zoe = app.user("Zoe", "zoe@example.org", Role::Owner).await.to_string();
    let nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
    let (mut adas, mut bobs) = (Browser::of(&app, &ada).await, Browser::of(&app, &bob).await);
    for (list, name) in [("risks", "owner"), ("incidents", "assigned_to"), ("documents", "owner")] {
        let ticked = async |browser: &mut Browser, id: &str| {
            let page = browser.get(&format!("/o/acme/{list}?{name}={id}")).await.page;
            let boxes = page.all(&format!(".filters input[name={name}][checked]"));
            let values: Vec<_> = boxes.iter().filter_map(|it| it.attr("value")).collect();
            format!("{} {}", values.join(" "), page.texts(".filters details.on summary b").join(" "))
        };
        assert_eq!(ticked(&mut bobs, &bob.id).await, "me Me", "{list}");
        assert_eq!(ticked(&mut bobs, "me").await, "me Me", "{list}");
        assert_eq!(ticked(&mut adas, &bob.id).await, format!("{} Bob", bob.id), "{list}");
        assert_eq!(ticked(&mut adas, &bob.id.to_uppercase()).await, format!("{} Bob", bob.id), "{list}");
        assert_eq!(ticked(&mut adas, &gone).await, format!("{gone} Gone"), "{list}");
        assert_eq!(ticked(&mut adas, &zoe).await, format!("{zoe} Zoe"), "{list}");
        assert_eq!(ticked(&mut adas, nobody).await, format!("{nobody} Former member"), "{list}");
    }
}
