//! Files that a person opens in a spreadsheet, and the days by which the list is filtered.

use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

/// A person of an organization in Berlin, and an incident whose texts need care.
async fn filled(app: &TestApp) -> TestPerson {
    let ada = app.person("Ada", Role::Admin).await;
    let organization = format!("/v1/organizations/{}", app.organization);
    let zone = json!({"time_zone": "Europe/Berlin"});
    app.patch(&organization).bearer(&ada.token).json(zone).expect(200).await;
    let incident = json!({
        "title": "=HYPERLINK(\"x\");Kühlung, aus", "description": "",
        "detected_date": "2026-01-31T23:30:00Z", "assigned_to": ada.id,
    });
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    ada
}

/// The head and the first row of a file.
fn rows(file: &str, separator: u8) -> [Vec<String>; 2] {
    let text = file.strip_prefix('\u{feff}').unwrap();
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).delimiter(separator).from_reader(text.as_bytes());
    let mut rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>());
    [rows.next().unwrap(), rows.next().unwrap()]
}

#[both_engines]
async fn a_file_opens_as_people_expect_in_their_country(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (languages, separator) in [("de-CH,en;q=0.5", b';'), ("en-US", b','), ("", b',')] {
        browser.languages = languages;
        let (headers, file) = browser.file("/o/acme/incidents/export").await;
        let [head, row] = rows(&file, separator);
        let cell = |name: &str| {
            let at = head.iter().position(|it| it == name).unwrap_or_else(|| panic!("{name} in {head:?}"));
            row[at].as_str()
        };
        assert_eq!(cell("ID"), "INC-0001");
        assert_eq!(cell("Title"), "'=HYPERLINK(\"x\");Kühlung, aus", "no formula, and one cell");
        assert_eq!(cell("Detected at (Europe/Berlin)"), "2026-02-01 00:30:00");
        assert_eq!((cell("Severity"), cell("Status"), cell("Restricted")), ("Not assessed", "New", "No"));
        assert_eq!((cell("Assignee"), cell("Assignee (e-mail address)")), ("Ada", ada.email.as_str()));
        assert_eq!(cell("Contained at (Europe/Berlin)"), "");
        let day = app.db.clock.now().to_zoned(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date();
        let name = format!("attachment; filename=\"acme-incidents-{day}.csv\"");
        assert_eq!(headers["content-disposition"], name.as_str());
    }
}

#[both_engines]
async fn a_list_is_also_a_workbook(app: TestApp) {
    let ada = filled(&app).await;
    let risk = json!({"title": "Flood", "inherent": {"likelihood": 2, "impact": 2}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    for list in ["incidents", "risks"] {
        let page = browser.get(&format!("/o/acme/{list}")).await.page;
        let links = page.texts("a[download]");
        assert_eq!(links, ["Export all 1 as CSV", "Export all 1 as Excel"]);
        let link = page.all("a[download]")[1].attr("href").unwrap().to_owned();
        let (headers, file) = browser.file(&link).await;
        let media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
        assert_eq!((headers["content-type"].as_bytes(), file.get(..2)), (media_type.as_bytes(), Some("PK")));
        let day = app.db.clock.now().to_zoned(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date();
        let name = format!("attachment; filename=\"acme-{list}-{day}.xlsx\"");
        assert_eq!(headers["content-disposition"], name.as_str());
        for format in ["ndjson", "pdf"] {
            let refused = browser.get(&format!("/o/acme/{list}/export?format={format}")).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{format}");
        }
    }
}

/// What a person downloads, another organization imports to the letter; times have no fractions of a second.
#[both_engines]
async fn a_file_is_imported_again(app: TestApp) {
    let ada = filled(&app).await;
    let risk = json!({"title": "'=Flood; a", "description": " two\r\nlines ", "existing_controls": "-1",
        "treatment": "transfer", "external_ref": "-4", "owner_name": "Head of IT",
        "inherent": {"likelihood": 5, "impact": 4}, "target": {"likelihood": 1, "impact": 2}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    // In the second of the two hours from two to three.
    let rating = json!({"likelihood": 3, "impact": 3, "evaluated_at": "2025-10-26T01:30:00Z"});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
    let bare = |mut risk: Value| {
        for member in ["created_date", "updated_date", "version"] {
            risk.as_object_mut().unwrap().remove(member);
        }
        risk
    };
    let before = app.get("/v1/risks/RSK-1").bearer(&ada.token).expect(200).await.json().clone();
    let mut browser = Browser::of(&app, &ada).await;
    for languages in ["de-DE", "en-US"] {
        browser.languages = languages;
        let (_, file) = browser.file("/o/acme/risks/export").await;
        let other = app.db.organization(languages).await;
        let other = app.client_of(other, "risks:read risks:write tags:write").await;
        let upload = json!({"name": "risks.csv", "content": STANDARD.encode(&file)});
        let made = app.post("/v1/imports?kind=risks").bearer(&other).json(upload).expect(201).await;
        let run = app.post(&format!("/v1/imports/{}/run", made.text("id"))).bearer(&other);
        let done = run.json(json!({"accept_proposals": true})).expect(200).await;
        assert_eq!(done.json()["counts"]["created"], 1, "{}", done.json());
        let after = app.get("/v1/risks/RSK-1").bearer(&other).expect(200).await.json().clone();
        assert_eq!(bare(after), bare(before.clone()), "{languages}");
    }
}

/// A rating that a person changes in a file, which has lost the fraction of its second, is a new one.
#[both_engines]
async fn a_rating_that_is_changed_in_a_file_is_imported(app: TestApp) {
    let ada = filled(&app).await;
    let risk = json!({"title": "Flood", "inherent": {"likelihood": 5, "impact": 4}});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 3, "evaluated_at": "2026-01-31T23:30:00.5Z"});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    browser.languages = "en-US";
    let (_, file) = browser.file("/o/acme/risks/export").await;
    let [head, mut row] = rows(&file, b',');
    let [at, score] = ["likelihood", "score"]
        .map(|part| head.iter().position(|name| *name == format!("Current rating: {part}")).unwrap());
    let client = app.client_with_scopes("risks:read risks:write tags:write").await;
    for (likelihood, outcome) in [(3, "unchanged"), (2, "updated"), (2, "unchanged")] {
        (row[at], row[score]) = (likelihood.to_string(), (likelihood * 3).to_string());
        let mut changed = csv::Writer::from_writer(Vec::new());
        changed.write_record(&head).unwrap();
        changed.write_record(&row).unwrap();
        let content = STANDARD.encode(changed.into_inner().unwrap());
        let upload = json!({"name": "risks.csv", "content": content});
        let made = app.post("/v1/imports?kind=risks").bearer(&client).json(upload).expect(201).await;
        let run = app.post(&format!("/v1/imports/{}/run", made.text("id"))).bearer(&client);
        let done = run.json(json!({"accept_proposals": true})).expect(200).await;
        assert_eq!(done.json()["counts"][outcome], 1, "{likelihood}: {}", done.json());
        let current = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await.json()["current"].clone();
        assert_eq!(current["likelihood"], likelihood);
        assert_eq!(current["evaluated_at"], "2026-01-31T23:30:00.500000Z");
    }
}

#[both_engines]
async fn a_person_chooses_the_separator_of_a_device(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/account").await.page;
    browser.submit(&page, "/o/acme/account/display", &[("separator", "semicolon")]).await;
    for list in ["incidents", "tags", "documents", "settings/people", "risks"] {
        let (_, file) = browser.file(&format!("/o/acme/{list}/export")).await;
        let head = file.lines().next().unwrap();
        assert!(head.contains(';') && !head.contains(','), "{list}: {head}");
    }
}

#[both_engines]
async fn the_file_of_the_api_is_for_programs(app: TestApp) {
    let ada = filled(&app).await;
    let file =
        app.get("/v1/incidents/export").bearer(&ada.token).header("accept-language", "de").expect(200).await;
    let file = String::from_utf8(file.bytes.to_vec()).unwrap();
    assert!(file.starts_with("id,title,") && file.contains("2026-01-31T23:30:00.000000Z"), "{file}");
    assert!(file.contains("undetermined") && file.contains(",false,"), "{file}");
}

#[both_engines]
async fn a_list_is_filtered_by_days_of_the_persons_zone(app: TestApp) {
    let ada = filled(&app).await;
    let later = json!({"title": "Later", "description": "", "detected_date": "2026-02-01T23:30:00Z"});
    app.post("/v1/incidents").bearer(&ada.token).json(later).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    for (query, count) in [
        ("detected_from=2026-02-01&detected_to=2026-02-01", 1),
        ("detected_from=2026-02-01&detected_to=", 2),
        ("detected_to=2026-01-31", 0),
        ("detected_from=2026-02-02", 1),
        ("updated_since=2000-01-01", 2),
        ("created_from=2000-01-01&created_to=2999-12-31", 2),
        ("created_to=2000-01-01", 0),
        ("resolved_from=2000-01-01", 0),
        ("closed_to=2999-12-31", 0),
    ] {
        let shown = browser.get(&format!("/o/acme/incidents?{query}")).await;
        assert_eq!(shown.page.all("main tbody tr").len(), count, "{query}: {}", shown.page.text());
        // The control shows the days again, and what the page links to has the same filter.
        let pairs: Vec<_> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let chosen = shown.page.all("#date [selected]")[0].attr("value").unwrap().to_owned();
        assert!(pairs[0].0.starts_with(&chosen), "{query}: {chosen}");
        for (name, day) in pairs {
            let end = if name.ends_with("_to") { "to" } else { "from" };
            let field = shown.page.all(&format!("#date_{end}"));
            assert_eq!((field.len(), field[0].attr("value")), (1, Some(day)), "{query}");
        }
        if count > 0 {
            let link = shown.page.all("a[download]")[0].attr("href").unwrap().to_owned();
            let (_, file) = browser.file(&link).await;
            assert_eq!(file.lines().count(), count + 1, "{link}: {file}");
        }
    }
    // A time within a day is shown beside the controls, and kept.
    let exact = "detected_from=2026-02-01T10:00:00.000000Z";
    let page = browser.get(&format!("/o/acme/incidents?{exact}")).await.page;
    assert_eq!(page.all("#date_from")[0].attr("value"), Some(""));
    assert_eq!(page.all("input[type='hidden'][name='detected_from']").len(), 1);
    assert_eq!(page.all(".filters .badge").len(), 1);
    // The form of the control leads to the same list as the parameters, and replaces another range of that date.
    for query in [
        "date=detected&date_from=2026-02-02&date_to=",
        "date=detected&date_from=2026-02-02&detected_from=2026-02-01T10:00:00.000000Z",
        "date=updated&date_from=2026-02-01&date_to=2026-02-01&detected_from=2026-02-02",
    ] {
        let page = browser.get(&format!("/o/acme/incidents?{query}")).await.page;
        assert_eq!(page.texts("main tbody .t"), ["Later"], "{query}");
        assert_eq!(page.text_of(".drop.on summary"), "Detected since 2 Feb 2026", "{query}");
    }
    let page = browser.get("/o/acme/incidents?date=resolved&date_from=").await.page;
    assert_eq!((page.all(".drop.on").len(), page.all("main tbody tr").len()), (0, 2));
}
