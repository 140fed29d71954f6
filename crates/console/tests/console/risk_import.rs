//! A person imports the workbook that they have, without scripts.

use axum::http::StatusCode;
use domain::Role;
use testkit::{TestApp, both_engines};

use crate::browser::{Browser, Shown};

const WORKBOOK: &[u8] = include_bytes!("../../../../docs/risk-register.xlsx");

/// A file with a rating that no scale has.
const WITH_FAULT: &[u8] = b"Ref,Title,Likelihood,Impact,Owner\nR-1,Fire,4,5,Head of IT\nR-2,Flood,2,9,\n";

/// Sends the form of a step of an import, with these fields changed.
pub(crate) async fn step(browser: &mut Browser, at: &Shown, step: &str, changed: &[(&str, &str)]) -> Shown {
    let address = at.address.split(['?', '#']).next().unwrap().to_owned();
    let forms = at.page.forms(&address);
    let form = forms.into_iter().find(|form| form.fields.contains(&("step".to_owned(), step.to_owned())));
    let mut fields = form.unwrap_or_else(|| panic!("no {step}: {}", at.page.text())).fields;
    for (name, value) in changed {
        fields.retain(|(known, _)| known != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    browser.post(&address, &fields).await
}

#[both_engines]
async fn a_workbook_becomes_a_heat_map(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/risks").await.page;
    assert!(list.links().contains(&"/o/acme/imports".to_owned()), "{:?}", list.links());
    let found = browser.upload("/o/acme/imports", "Register 2026.xlsx", WORKBOOK).await;
    assert_eq!((found.status, found.page.text_of("h1")), (StatusCode::OK, "Register 2026.xlsx".to_owned()));
    let asked = found.page.texts("section[aria-labelledby=questions] label");
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert_eq!(found.page.texts("section[aria-labelledby=owners] label").len(), 8);
    assert_eq!(found.page.all("section[aria-labelledby=columns] select").len(), 19);
    let reason = found.page.text();
    assert!(reason.contains("Of all rows, these have the most known words"), "{reason}");
    // One of the owners is a member.
    let owner = ada.id.to_string();
    let tried = step(&mut browser, &found, "preview", &[("answer_owner:Head of IT", &owner)]).await;
    assert_eq!(
        tried.page.texts(".figure"),
        ["50to add", "4empty rows"].map(str::to_owned),
        "{}",
        tried.page.text()
    );
    assert!(
        browser.get("/o/acme/risks").await.page.all(".tbl tbody tr").is_empty(),
        "nothing is imported yet"
    );
    let done = step(&mut browser, &tried, "import", &[]).await;
    assert_eq!(done.page.texts(".figure")[0], "50added", "{}", done.page.text());
    assert!(done.page.text().contains("50 added"), "{}", done.page.text());
    assert!(done.page.links().contains(&"/o/acme/risks/heat-map".to_owned()));
    let risk = browser.get("/o/acme/risks/RSK-1").await.page;
    assert!(risk.text().contains("Ransomware encrypts the file servers"), "{}", risk.text());
    assert!(risk.text().contains("Keep one backup offline"), "{}", risk.text());
    let risk = app.get("/v1/risks/RSK-1").bearer(&ada.token).expect(200).await;
    assert_eq!(risk.text("/owner/id"), owner);
    let map = browser.get("/o/acme/risks/heat-map").await.page;
    assert!(!map.all(".cell a").is_empty(), "{}", map.text());
    // The same file again is known, and changes nothing.
    let again = browser.upload("/o/acme/imports", "Register 2026.xlsx", WORKBOOK).await;
    let tried = step(&mut browser, &again, "preview", &[]).await;
    assert_eq!(tried.page.texts(".figure"), ["0to add", "50unchanged", "4empty rows"].map(str::to_owned));
}

#[both_engines]
async fn what_cannot_be_imported_is_shown_and_left_out_only_if_wanted(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let found = browser.upload("/o/acme/imports", "small.csv", WITH_FAULT).await;
    let tried = step(&mut browser, &found, "preview", &[("column_4", "ignore")]).await;
    assert_eq!(tried.page.texts(".figure"), ["1with problems", "1to add"].map(str::to_owned));
    let rows = tried.page.texts(".tbl tbody tr");
    assert_eq!(rows.len(), 1, "what is wrong comes first: {rows:?}");
    assert!(rows[0].contains("Impact: “9”") && rows[0].contains("Nearest: 5."), "{rows:?}");
    let refused = step(&mut browser, &tried, "import", &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of("[role=alert]").contains("leave them out"), "{}", refused.page.text());
    let done = step(&mut browser, &tried, "import", &[("skip_wrong", "yes")]).await;
    assert_eq!(done.page.texts(".figure"), ["1not imported", "1added"].map(str::to_owned));
    let recent = browser.get("/o/acme/imports").await.page;
    assert!(recent.text_of(".tbl tbody").contains("small.csv"), "{}", recent.text());
}

#[both_engines]
async fn another_header_is_chosen_and_an_import_is_cancelled(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let found = browser.upload("/o/acme/imports", "small.csv", WITH_FAULT).await;
    let read = step(&mut browser, &found, "read", &[("header_rows", "2")]).await;
    assert_eq!(read.page.all("#header_rows")[0].attr("value"), Some("2"));
    assert!(read.page.text().contains("These rows were chosen."), "{}", read.page.text());
    // The first page is no longer up to date.
    let late = step(&mut browser, &found, "preview", &[]).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY);
    let cancel = format!("{}/cancel", read.address);
    let gone = browser.submit(&read.page, &cancel, &[]).await;
    assert!(gone.page.text_of(".tbl tbody").contains("Cancelled"), "{}", gone.page.text());
    for (name, file) in
        [("", &b""[..]), ("policy.pdf", b"%PDF-1.7\0\x01"), ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")]
    {
        let refused = browser.upload("/o/acme/imports", name, file).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(!refused.page.text_of("[role=alert]").is_empty(), "{name}");
    }
    let vera = app.person("Vera", Role::Viewer).await;
    let mut vera = Browser::of(&app, &vera).await;
    assert_eq!(vera.get("/o/acme/imports").await.status, StatusCode::FORBIDDEN);
    assert_eq!(vera.get(&read.address).await.status, StatusCode::FORBIDDEN);
}
