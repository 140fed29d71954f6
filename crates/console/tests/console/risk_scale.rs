//! The form of the scale, and the forms with ratings that were opened before the scale changed.

use axum::http::StatusCode;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

const SCALE: &str = "/o/acme/risks/scale";
const NEW: &str = "/o/acme/risks/new";
const RISK: &str = "/o/acme/risks/RSK-1";

async fn read(app: &TestApp, ada: &TestPerson, path: &str) -> Value {
    app.get(path).bearer(&ada.token).expect(200).await.json().clone()
}

/// The present scale as a body.
async fn scale(app: &TestApp, ada: &TestPerson) -> Value {
    let present = read(app, ada, "/v1/scale").await;
    let mut body = json!({"reason": "Another method."});
    for member in ["likelihood", "impact", "bands", "matrix"] {
        body[member] = present[member].clone();
    }
    body
}

/// Gives the same levels another meaning.
async fn change_meaning(app: &TestApp, ada: &TestPerson) {
    let mut body = scale(app, ada).await;
    body["meaning_changed"] = json!(true);
    app.put("/v1/scale").bearer(&ada.token).json(body).expect(200).await;
}

fn field(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[both_engines]
async fn people_of_a_band_are_shown_and_who_has_left_is_unticked(app: TestApp) {
    let (ada, bob) = (app.person("Ada", Role::Admin).await, app.person("Bob", Role::Owner).await);
    let mut body = scale(&app, &ada).await;
    body["bands"][2]["acceptance"] = json!({"by": "people", "users": [ada.id, bob.id]});
    app.put("/v1/scale").bearer(&ada.token).json(body).expect(200).await;
    app.delete(&format!("/v1/users/{}", bob.id)).bearer(&ada.token).expect(204).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get(SCALE).await.page;
    let users = "bands_2_acceptance_users";
    let boxes = format!("#{users} .check");
    assert_eq!(form.texts(&boxes), ["Accepted by Ada", "Accepted by Bob has left"]);
    let typed = [("likelihood_0_name", "Hardly ever"), ("reason", "Clearer")];
    let refused = browser.submit(&form, SCALE, &typed).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.page.text_of(&format!("#{users} #{users}-error")),
        "A person who has left cannot accept risks. Untick the name."
    );
    let links: Vec<_> =
        refused.page.all("[role='alert'] a").iter().filter_map(|it| it.attr("href")).collect();
    assert_eq!(links, [format!("#{users}")]);
    let mut fields = refused.page.form(SCALE);
    assert!(fields.contains(&field(users, &bob.id)), "{fields:?}");
    fields.retain(|it| *it != field(users, &bob.id));
    let preview = browser.post(SCALE, &[&fields[..], &[field("preview", "yes")]].concat()).await.page;
    assert_eq!(preview.texts(&boxes).len(), 2, "without a tick the name stays: {}", preview.text());
    assert_eq!(preview.form(SCALE).iter().filter(|(name, _)| name == users).count(), 1);
    let saved = browser.submit(&preview, SCALE, &[]).await;
    assert_eq!(saved.page.texts(&boxes), ["Accepted by Ada"], "{}", saved.page.text());
    let present = read(&app, &ada, "/v1/scale").await;
    assert_eq!(present["bands"][2]["acceptance"]["users"], json!([ada.id]));
    assert_eq!(present["likelihood"][0]["name"], "Hardly ever");
}

/// Also one that is not among the first groups by name; and one that was deleted is taken away only by who chooses so.
#[both_engines]
async fn a_band_keeps_its_group_when_something_else_is_changed(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let add = async |name: &str| {
        let group = app.post("/v1/groups").bearer(&ada.token).json(json!({"name": name})).expect(201).await;
        group.text("id").to_owned()
    };
    for number in 0..200 {
        add(&format!("G{number:03}")).await;
    }
    let last = add("Last").await;
    let mut body = scale(&app, &ada).await;
    body["bands"][2]["acceptance"] = json!({"by": "people", "group": last, "users": [ada.id]});
    app.put("/v1/scale").bearer(&ada.token).json(body).expect(200).await;
    let group = async || read(&app, &ada, "/v1/scale").await["bands"][2]["acceptance"]["group"].clone();
    let mut browser = Browser::of(&app, &ada).await;
    let chosen = "[name=bands_2_acceptance_group] option[selected]";
    let form = browser.get(SCALE).await.page;
    assert_eq!(form.text_of(chosen), "Last");
    let typed = [("likelihood_0_name", "Hardly ever"), ("reason", "Clearer")];
    let preview = browser.submit(&form, SCALE, &typed).await.page;
    let saved = browser.submit(&preview, SCALE, &[]).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.page.text());
    assert_eq!(read(&app, &ada, "/v1/scale").await["likelihood"][0]["name"], "Hardly ever");
    assert_eq!(group().await, last);
    app.delete(&format!("/v1/groups/{last}")).bearer(&ada.token).expect(204).await;
    let form = browser.get(SCALE).await.page;
    assert_eq!(form.text_of(chosen), "Deleted group");
    let typed = [("likelihood_0_name", "Rarely"), ("reason", "Clearer")];
    let refused = browser.submit(&form, SCALE, &typed).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        refused.page.text_of("#bands_2_acceptance_group-error"),
        "This group was deleted. Choose another one, or “None”."
    );
    let preview = browser.submit(&refused.page, SCALE, &[("bands_2_acceptance_group", "")]).await.page;
    browser.submit(&preview, SCALE, &[]).await;
    assert_eq!(group().await, Value::Null);
}

#[both_engines]
async fn other_numbers_of_levels_keep_what_was_typed(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get(SCALE).await.page;
    let typed = [
        ("reason", "Fewer"),
        ("likelihood_1_name", "Seldom"),
        ("bands_3_name", "Severe"),
        ("matrix_3_2", "3"),
        ("meaning_changed", "on"),
    ];
    let numbers = [("likelihood", "4"), ("impact", "6"), ("preview", "yes")];
    let shown = browser.submit(&form, SCALE, &[&typed[..], &numbers].concat()).await;
    assert_eq!((shown.status, shown.page.all(".note[role='status']").len()), (StatusCode::OK, 0));
    let fields = shown.page.form(SCALE);
    for (name, value) in
        typed.into_iter().chain([("matrix_0_4", "1"), ("matrix_0_5", "1"), ("impact_5_name", "")])
    {
        assert!(fields.contains(&field(name, value)), "{name}: {fields:?}");
    }
    assert!(!fields.iter().any(|(name, _)| name.starts_with("likelihood_4") || name.starts_with("matrix_4")));
    // Also on the way to saving.
    let saving = browser.submit(&shown.page, SCALE, &[("impact", "5"), ("bands", "3")]).await.page;
    let fields = saving.form(SCALE);
    assert!(fields.contains(&field("matrix_3_2", "2")), "no such band any more: {fields:?}");
    assert_eq!(read(&app, &ada, "/v1/scale").await["version"], 1);
    let shown = browser.submit(&saving, SCALE, &[("preview", "yes")]).await.page;
    browser.submit(&shown, SCALE, &[]).await;
    let present = read(&app, &ada, "/v1/scale").await;
    assert_eq!((&present["version"], &present["likelihood"][1]["name"]), (&json!(2), &json!("Seldom")));
    let sizes = ["likelihood", "impact", "bands"].map(|list| present[list].as_array().unwrap().len());
    assert_eq!(sizes, [4, 5, 3]);
}

#[both_engines]
async fn what_was_changed_since_the_preview_is_shown_before_it_is_saved(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"title": "Flood", "inherent": {"likelihood": 5, "impact": 5}});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    let rating = json!({"likelihood": 3, "impact": 4});
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get(SCALE).await.page;
    let typed = [("reason", "Clearer"), ("bands_3_name", "Severe")];
    let effects = ".note[role='status']";
    let unseen = browser.submit(&form, SCALE, &typed).await.page;
    assert_eq!(unseen.text_of(effects), "No open risk changes its band.");
    let mut page = browser.submit(&form, SCALE, &[&typed[..], &[("preview", "yes")]].concat()).await.page;
    assert!(page.all(".note.bad").is_empty(), "{}", page.text());
    for (name, value, effect) in [
        ("matrix_2_3", "3", "1 from High to Severe: RSK-1"),
        ("meaning_changed", "on", "1 open risk needs a new evaluation."),
    ] {
        page = browser.submit(&page, SCALE, &[(name, value)]).await.page;
        assert!(page.text_of(".note.bad").contains("changed this since the preview"), "{}", page.text());
        assert!(page.text_of(effects).contains(effect), "{}", page.text());
        assert_eq!(read(&app, &ada, "/v1/scale").await["version"], 1);
    }
    // Another reason changes nothing that was shown.
    browser.submit(&page, SCALE, &[("reason", "Stricter")]).await;
    let present = read(&app, &ada, "/v1/scale").await;
    assert_eq!((&present["version"], &present["generation"]), (&json!(2), &json!(2)));
    assert_eq!((&present["matrix"][2][3], &present["bands"][3]["name"]), (&json!(3), &json!("Severe")));
}

#[both_engines]
async fn a_risk_is_not_added_with_levels_of_an_earlier_scale(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get(NEW).await.page;
    change_meaning(&app, &ada).await;
    let levels = [("inherent_likelihood", "4"), ("inherent_impact", "5")];
    let untitled = browser.submit(&form, NEW, &[&levels[..], &[("title", " ")]].concat()).await.page;
    assert_eq!(untitled.all("#title-error").len(), 1, "{}", untitled.text());
    for page in [&form, &untitled] {
        let refused = browser.submit(page, NEW, &[&levels[..], &[("title", "Flood")]].concat()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(
            refused.page.text_of("#inherent-error").contains("The scale has changed"),
            "{}",
            refused.page.text()
        );
        assert_eq!(read(&app, &ada, "/v1/risks").await["data"], json!([]));
        let fields = refused.page.form(NEW);
        assert!(fields.contains(&field("title", "Flood")), "{fields:?}");
        assert!(fields.contains(&field("inherent_likelihood", "4")), "{fields:?}");
    }
    let refused = browser.submit(&form, NEW, &[&levels[..], &[("title", "Flood")]].concat()).await.page;
    assert_eq!(browser.submit(&refused, NEW, &[]).await.address, RISK);
    assert_eq!(read(&app, &ada, "/v1/risks/RSK-1").await["inherent"]["scale_version"], 2);
}

#[both_engines]
async fn a_risk_is_not_rated_again_with_levels_of_an_earlier_scale(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"title": "Flood", "inherent": {"likelihood": 4, "impact": 4}, "target": {"likelihood": 2, "impact": 2}});
    app.post("/v1/risks").bearer(&ada.token).json(body).expect(201).await;
    let (edit, evaluate) = (format!("{RISK}/edit"), format!("{RISK}/evaluations"));
    let mut browser = Browser::of(&app, &ada).await;
    let form = browser.get(&edit).await.page;
    change_meaning(&app, &ada).await;
    let levels = [
        ("inherent_likelihood", "5"),
        ("inherent_impact", "5"),
        ("target_likelihood", "3"),
        ("target_impact", "3"),
    ];
    let refused = browser.submit(&form, &edit, &levels).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.page.text_of("#inherent-error").contains("The scale has changed"),
        "{}",
        refused.page.text()
    );
    let risk = read(&app, &ada, "/v1/risks/RSK-1").await;
    assert_eq!((&risk["version"], &risk["inherent"]["scale_version"]), (&json!(1), &json!(1)));
    // By the new levels one keeps its number, and the target goes.
    let rated = [("inherent_likelihood", "4"), ("target_likelihood", ""), ("target_impact", "")];
    let shown = browser.submit(&refused.page, &edit, &rated).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.page.text());
    let risk = read(&app, &ada, "/v1/risks/RSK-1").await;
    assert_eq!((&risk["title"], &risk["target"]), (&json!("Flood"), &Value::Null));
    let inherent = &risk["inherent"];
    assert_eq!((&inherent["score"], &inherent["scale_version"]), (&json!(20), &json!(2)));
    // What is no rating is saved from the old page, too.
    let titled = browser.submit(&form, &edit, &[("title", "High water")]).await;
    assert_eq!((titled.status, titled.page.text_of("h1")), (StatusCode::OK, "High water".to_owned()));

    // An evaluation, too, also if somebody else has rated the risk by the new scale meanwhile.
    let form = browser.get(RISK).await.page;
    change_meaning(&app, &ada).await;
    let again = json!({"inherent": {"likelihood": 5, "impact": 5}});
    app.patch("/v1/risks/RSK-1").bearer(&ada.token).json(again).expect(200).await;
    let refused = browser.submit(&form, &evaluate, &[("likelihood", "2"), ("impact", "3")]).await.page;
    assert!(refused.text_of("#likelihood-error").contains("The scale has changed"), "{}", refused.text());
    assert_eq!(read(&app, &ada, "/v1/risks/RSK-1").await["current"], Value::Null);
    browser.submit(&refused, &evaluate, &[]).await;
    assert_eq!(read(&app, &ada, "/v1/risks/RSK-1").await["current"]["score"], 6);
}
