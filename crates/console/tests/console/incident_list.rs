//! The list of incidents: filters, columns, the trash and the file.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn the_list_is_filtered_sorted_and_paged(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for number in 1..=60 {
        let body = json!({"title": format!("Number {number}"), "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let taken = json!({"to": "investigating", "assigned_to": ada.id});
    app.post("/v1/incidents/7/transitions").bearer(&ada.token).json(taken).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let titles =
        async |browser: &mut Browser, address: &str| browser.get(address).await.page.texts("tbody .t");
    let page = browser.get("/o/acme/incidents").await.page;
    assert_eq!((page.all("tbody tr").len(), page.text_of(".pager span").as_str()), (50, "50 of 60"));
    // Each choice of a filter says how many it would bring.
    let choices = page.texts("form.filters label");
    for choice in ["New 59", "Investigating 1", "Closed 0", "Critical 0", "Me 1", "Unassigned 59", "Real 60"]
    {
        assert!(choices.iter().any(|it| it == choice), "{choice}: {choices:?}");
    }
    let next = page.all("a[rel='next']")[0].attr("href").unwrap().to_owned();
    let second = titles(&mut browser, &format!("/o/acme/incidents{next}")).await;
    assert_eq!((second.len(), second[0].as_str(), second[9].as_str()), (10, "Number 10", "Number 1"));
    assert_eq!(titles(&mut browser, "/o/acme/incidents?assigned_to=me").await, ["Number 7"]);
    assert_eq!(titles(&mut browser, "/o/acme/incidents?status=investigating").await, ["Number 7"]);
    assert_eq!(titles(&mut browser, "/o/acme/incidents?sort=number&limit=2").await, ["Number 1", "Number 2"]);
    let none = browser.get("/o/acme/incidents?severity=critical").await.page;
    assert_eq!(none.text_of(".empty h2"), "No matching incidents");
    assert_eq!(browser.get("/o/acme/incidents?status=nonsense").await.status, StatusCode::BAD_REQUEST);
    // What is deleted can be brought back at once.
    let page = browser.get("/o/acme/incidents/INC-0007").await.page;
    let page = browser.submit(&page, "/o/acme/incidents/INC-0007/delete", &[]).await.page;
    assert_eq!(page.text_of(".toast span"), "INC-0007 moved to trash.");
    assert_eq!(browser.get("/o/acme/incidents/INC-0007").await.page.all(".note.bad").len(), 1);
    let page = browser.submit(&page, "/o/acme/undo", &[]).await.page;
    assert_eq!(page.text_of(".toast"), "Undone.");
    assert_eq!(browser.get("/o/acme/incidents/INC-0007").await.status, StatusCode::OK);
}

#[both_engines]
async fn several_are_deleted_and_come_back_from_the_trash(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for title in ["A", "B", "C"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let ids =
        |numbers: &[&str]| numbers.iter().map(|it| ("ids".to_owned(), (*it).to_owned())).collect::<Vec<_>>();
    let page = browser.post("/o/acme/incidents/delete", &ids(&["INC-0001", "INC-0003"])).await.page;
    assert_eq!(
        (page.texts("tbody .t"), page.text_of(".toast span")),
        (vec!["B".to_owned()], "2 incidents moved to trash.".into())
    );
    let trash = browser.get("/o/acme/incidents/trash").await.page;
    assert_eq!(trash.all("tbody tr").len(), 2);
    let nothing = browser.submit(&trash, "/o/acme/incidents/trash", &[]).await;
    assert_eq!(
        (nothing.status, nothing.page.text_of("[role='alert']").as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "Nothing was selected.")
    );
    let page = browser.submit(&trash, "/o/acme/incidents/trash", &[("ids", "INC-0003")]).await.page;
    assert_eq!(
        (page.texts("tbody .cut"), page.text_of(".toast span")),
        (vec!["A".to_owned()], "1 incident restored.".into())
    );
}

#[both_engines]
async fn a_device_chooses_the_columns_of_the_list(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let body = json!({"title": "A", "description": "", "source": "SIEM"});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    app.patch("/v1/incidents/1").bearer(&ada.token).json(json!({"kind": "near_miss"})).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents?assigned_to=none&sort=-severity").await.page;
    let usual = ["Number", "Title", "Severity ↓", "Status", "Assignee", "Tags", "Detected at", "Open for"];
    assert_eq!(list.texts("thead th"), usual);
    let choose = "/o/acme/incidents/columns";
    let mut fields = list.form(choose);
    fields.retain(|(name, _)| name != "columns");
    fields.extend(["kind", "source"].map(|name| ("columns".to_owned(), name.to_owned())));
    let chosen = browser.post(choose, &fields).await;
    assert_eq!(chosen.address, "/o/acme/incidents?assigned_to=none&sort=-severity");
    assert_eq!(chosen.page.texts("thead th"), ["Number", "Title", "Kind", "Source"]);
    assert_eq!(chosen.page.texts("tbody td:not(.ck)"), ["INC-0001", "Near miss", "SIEM"]);
    let elsewhere = [("query".to_owned(), "//evil.example/?x".to_owned()), ("usual".into(), "1".into())];
    let shown = browser.post(choose, &elsewhere).await;
    assert!(shown.address.starts_with("/o/acme/incidents?"), "{}", shown.address);
    assert_eq!(browser.get("/o/acme/incidents").await.page.texts("thead th").len(), usual.len());
}

#[both_engines]
async fn the_list_is_a_file_too(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    for title in ["=A", "B", "C"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let dismissed = json!({"to": "dismissed", "resolution_reason": "test"});
    app.post("/v1/incidents/2/transitions").bearer(&ada.token).json(dismissed).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let titles = |file: &str| -> Vec<String> {
        file.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
    };
    for (query, expected) in [
        ("?sort=-severity", vec!["'=A", "C"]),
        ("?status=dismissed&sort=", vec!["B"]),
        ("?category=open&category=closed", vec!["'=A", "B", "C"]),
    ] {
        let page = browser.get(&format!("/o/acme/incidents{query}")).await.page;
        let link = page.all("a[download]")[0].attr("href").unwrap().to_owned();
        let (headers, file) = browser.file(&link).await;
        assert_eq!(headers["content-type"], "text/csv; charset=utf-8; header=present");
        assert_eq!(titles(&file), expected, "{query}: {link}");
    }
}

#[both_engines]
async fn how_long_incidents_are_open_has_one_unit(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for hours in [0, 30, 52, 400] {
        let detected = app.db.clock.now() - jiff::SignedDuration::from_hours(hours);
        let body = json!({"title": "A", "description": "", "detected_date": domain::time::format(detected)});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/incidents").await.page;
    assert_eq!(page.texts("tbody td.last"), ["16 d", "2 d", "1 d", "<1 d"]);
    let one = browser.get("/o/acme/incidents?sort=number&limit=1").await.page;
    assert_eq!(one.texts("tbody td.last"), ["<1 min"]);
}
