//! The page of figures: each number leads to a list of exactly so many incidents.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use domain::Role;
use jiff::SignedDuration;
use scraper::ElementRef;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;
use crate::html::Page;

async fn declare(app: &TestApp, ada: &TestPerson, count: usize) {
    for number in 1..=count {
        let day = format!("2026-0{}-{:02}", number % 2 + 1, number % 27 + 1);
        let mut body = json!({"title": format!("{number}"), "description": "",
            "detected_date": format!("{day}T10:00:00Z")});
        if number % 3 == 0 {
            body["occurred_date"] = json!(format!("{day}T08:00:00Z"));
        }
        if number % 2 == 0 {
            let hour = if number % 4 == 0 { 9 } else { 12 };
            body["responded_date"] = json!(format!("{day}T{hour:02}:00:00Z"));
        }
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
        let severity = ["low", "critical"][number % 2];
        let body = json!({"severity": severity, "reason": "Known."});
        app.put(&format!("/v1/incidents/{number}/severity")).bearer(&ada.token).json(body).expect(200).await;
    }
    for (number, kind) in [(1, "near_miss"), (2, "drill"), (3, "test")] {
        let body = json!({"kind": kind});
        app.patch(&format!("/v1/incidents/{number}")).bearer(&ada.token).json(body).expect(200).await;
    }
}

/// The numbers of a page with the lists that they lead to.
fn counts(page: &Page) -> Vec<(String, String)> {
    let count = |link: ElementRef<'_>| {
        let number = link.text().last().unwrap().trim().to_owned();
        (number, link.value().attr("href").unwrap().to_owned())
    };
    page.all(".figure .big a, td.n a")
        .into_iter()
        .map(count)
        .filter(|(it, _)| it.parse::<u32>().is_ok())
        .collect()
}

#[both_engines]
async fn each_number_leads_to_a_list_of_so_many(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/incidents/figures";
    let empty = browser.get(address).await.page;
    assert_eq!(empty.text_of(".empty h2"), "No incidents");
    declare(&app, &ada, 24).await;
    let mut followed = 0;
    for query in [
        "",
        "?from=2026-02-01&to=2026-02-28&severity=low",
        "?group_by=severity&include=near_miss",
        "?group_by=kind",
    ] {
        let page = browser.get(&format!("{address}{query}")).await.page;
        for (count, list) in counts(&page) {
            let found = browser.get(&list).await;
            assert_eq!(found.status, StatusCode::OK, "{list}");
            assert_eq!(found.page.texts("tbody tr").len().to_string(), count, "{query}: {list}");
            followed += 1;
        }
    }
    assert!(followed > 40, "{followed}");
    let page = browser.get(address).await.page;
    assert_eq!(page.text_of(".figure .big"), "21");
    assert_eq!(page.all("figure svg[role=img]").len(), 3, "what was measured");
    let empty = page.texts("figure:not(:has(svg))");
    assert_eq!(empty.len(), 4);
    assert!(empty.iter().all(|it| it.ends_with("No data")), "{empty:?}");
    assert!(page.text().contains("Excluded: 1 drill, 1 test, 1 near miss."), "{}", page.text());
    let links = counts(&page);
    let list = browser.get(&links.iter().find(|(_, list)| list.contains("open=")).unwrap().1).await.page;
    assert_eq!(list.text_of("form.filters .badge"), "Time to respond: still open");
}

/// The units of the lengths in a text: `4.9 h` has `h`.
fn units(text: &str) -> BTreeSet<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_length = |pair: &&[&str]| pair[0].trim_start_matches('<').parse::<f64>().is_ok();
    let units = words.windows(2).filter(is_length).map(|pair| pair[1]);
    units.filter(|unit| ["s", "min", "h", "d"].contains(unit)).collect()
}

/// Declares incidents whose response took a second, ten seconds, … and which were detected after days.
async fn declare_of_all_lengths(app: &TestApp, ada: &TestPerson, count: i64) {
    let detected = app.db.clock.now() - SignedDuration::from_hours(24 * 40);
    for number in 0..count {
        let after = |seconds: i64| domain::time::format(detected + SignedDuration::from_secs(seconds));
        let power = 10_i64.pow(u32::try_from(number % 7).unwrap());
        let body = json!({"title": "It", "description": "", "detected_date": after(0),
            "occurred_date": after(-86_400 * (number + 1)), "responded_date": after(power)});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
}

#[both_engines]
async fn a_table_or_chart_has_one_unit_of_time(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    declare_of_all_lengths(&app, &ada, 14).await;
    let mut browser = Browser::of(&app, &ada).await;
    let mut found = Vec::new();
    for query in ["", "?group_by=severity", "?group_by=kind"] {
        let page = browser.get(&format!("/o/acme/incidents/figures{query}")).await.page;
        for text in page.texts("main table, figure:has(svg)") {
            let units = units(&text);
            assert!(units.len() <= 1, "{query}: {units:?} in {text}");
            found.extend(units.into_iter().map(str::to_owned));
        }
    }
    let several: BTreeSet<String> = found.iter().cloned().collect();
    assert!(found.len() > 7 && several.len() > 1, "{found:?}");
}

#[both_engines]
async fn a_dozen_lengths_or_fewer_are_shown_one_by_one(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let chart = "svg[aria-labelledby^=time_to_respond]";
    declare_of_all_lengths(&app, &ada, 12).await;
    let page = browser.get("/o/acme/incidents/figures").await.page;
    let marks = |page: &Page, mark: &str| page.all(&format!("{chart} {mark}")).len();
    assert_eq!((marks(&page, "circle"), marks(&page, "path")), (12, 0));
    assert_eq!(page.text_of(&format!("{chart} circle")), "0.02 min");
    declare_of_all_lengths(&app, &ada, 1).await;
    let page = browser.get("/o/acme/incidents/figures").await.page;
    assert_eq!((marks(&page, "circle"), marks(&page, "path")), (1, 3));
}

#[both_engines]
async fn a_wrong_day_is_told(app: TestApp) {
    let ada = app.person("Ada", Role::Viewer).await;
    let mut browser = Browser::of(&app, &ada).await;
    let wrong = browser.get("/o/acme/incidents/figures?from=yesterday").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    // Days without a first or a last moment that lists take.
    for query in ["from=9999-12-31", "to=9999-12-30", "from=-000001-01-01", "to=0000-01-01"] {
        let wrong = browser.get(&format!("/o/acme/incidents/figures?{query}")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{query}");
    }
    browser.get("/o/acme/incidents/figures?from=0001-01-01&to=9999-12-29").await.page.text_of("h1");
    let reversed = browser.get("/o/acme/incidents/figures?from=2026-03-02&to=2026-03-01").await;
    assert_eq!(reversed.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(reversed.page.text_of("#to-error"), "The end date is before the start date.");
    assert_eq!(reversed.page.all("input[name='from'][value='2026-03-02']").len(), 1, "what was typed stays");
    let page = browser.get("/o/acme/incidents/figures").await.page;
    assert!(
        page.text().contains("Restricted incidents that you cannot see are not counted."),
        "{}",
        page.text()
    );
}
