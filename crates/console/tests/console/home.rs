//! Home shows what its reader can do.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

#[both_engines]
async fn home_shows_unassigned_incidents_to_those_who_can_take_them(app: TestApp) {
    let (ada, vera) = (app.person("Ada", Role::Responder).await, app.person("Vera", Role::Viewer).await);
    let body = json!({"title": "Flood", "description": ""});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let waiting = "[aria-labelledby=waiting] .t";
    let home = Browser::of(&app, &ada).await.get("/o/acme").await.page;
    assert_eq!((home.texts(waiting), home.text_of(waiting)), (vec!["Flood".to_owned()], "Flood".to_owned()));
    assert_eq!(home.forms("/o/acme").len(), 2, "take it, sign out");
    let home = Browser::of(&app, &vera).await.get("/o/acme").await.page;
    assert_eq!(home.text_of("[aria-labelledby=waiting] h3"), "Nothing is waiting for you");
    assert!(home.all(waiting).is_empty() && !home.text().contains("Unassigned"), "{}", home.text());
    assert_eq!(home.texts("[aria-labelledby=lately] .t"), ["Flood"]);
}

#[both_engines]
async fn home_shows_staff_their_reports(app: TestApp) {
    let (ada, stan) = (app.person("Ada", Role::Owner).await, app.person("Stan", Role::Staff).await);
    let mut browser = Browser::of(&app, &stan).await;
    let home = browser.get("/o/acme").await.page;
    assert_eq!(home.text_of(".empty h2"), "You have no reports");
    for (token, title) in [(&ada.token, "Not theirs"), (&stan.token, "Flood")] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(token).json(body).expect(201).await;
    }
    let home = browser.get("/o/acme").await.page;
    assert_eq!(home.texts("main h2"), ["Your reports"]);
    assert_eq!(home.texts("main .t"), ["Flood"]);
    assert!(home.all("main aside").is_empty());
}

#[both_engines]
async fn home_has_a_percentage_once_a_risk_is_evaluated(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    let mut browser = Browser::of(&app, &ada).await;
    let figure = "[aria-labelledby=performance]";
    let home = browser.get("/o/acme").await.page;
    assert_eq!(
        (home.text_of("aside [aria-labelledby=open] p"), home.all(".share").len()),
        ("No open incidents".into(), 0)
    );
    assert_eq!(home.text_of(figure), "Risk performance Details No risks evaluated in the last 90 days");
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Fire", "inherent": {"likelihood": 4, "impact": 4}, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    app.post("/v1/risks/RSK-1/evaluations").bearer(&ada.token).json(rating).expect(201).await;
    let home = browser.get("/o/acme").await.page;
    assert!(home.text_of(figure).ends_with("100% 1 risk evaluated in the last 90 days"), "{}", home.text());
}

#[both_engines]
async fn home_counts_open_incidents_by_age(app: TestApp) {
    let ada = app.person("Ada", Role::Owner).await;
    for days in [0, 2, 3, 20, 50] {
        let detected = app.db.clock.now() - jiff::SignedDuration::from_hours(24 * days);
        let body = json!({"title": format!("{days} days"), "description": "",
            "detected_date": domain::time::format(detected)});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let dismiss = json!({"to": "dismissed", "resolution_reason": "test"});
    app.post("/v1/incidents/5/transitions").bearer(&ada.token).json(dismiss).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let home = browser.get("/o/acme").await.page;
    let rows = home.texts("aside table tbody tr");
    let rows: Vec<&str> = rows.iter().map(String::as_str).filter(|row| !row.contains("assessed")).collect();
    for expected in ["Less than a day 1", "Up to a week 2", "Up to 30 days 1", "More than 30 days 0"] {
        assert!(rows.contains(&expected), "{expected}: {rows:?}");
    }
    let links = home.links();
    let links: Vec<&String> = links.iter().filter(|link| link.contains("detected_")).collect();
    // Another filter keeps the age.
    let kept = browser.get(links[0]).await.page;
    assert_eq!(kept.all("form.filters input[type=hidden][name=detected_from]").len(), 1);
    assert_eq!(links.len(), 3);
    let mut found = Vec::new();
    for link in links {
        let page = browser.get(link).await.page;
        found.push(page.texts("tbody .t"));
        assert!(page.texts("form.filters > a").contains(&"Clear".to_owned()), "{link}");
    }
    assert_eq!(found, [vec!["0 days"], vec!["3 days", "2 days"], vec!["20 days"]]);
}

#[both_engines]
async fn home_names_the_comments_that_mention_its_reader(app: TestApp) {
    let (ada, ben) = (app.person("Ada", Role::Owner).await, app.person("Ben", Role::Responder).await);
    for title in ["Flood", "Secret"] {
        let body = json!({"title": title, "description": ""});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let comment = async |incident: u32, text: &str, mentions: &[&str]| {
        let body = json!({"kind": "comment", "text": text, "mentions": mentions});
        let path = format!("/v1/incidents/{incident}/notes");
        app.post(&path).bearer(&ada.token).json(body).expect(201).await;
    };
    comment(1, &format!("@{} please **pump**", ben.email), &[&ben.id]).await;
    comment(1, "Nobody in particular", &[]).await;
    comment(2, "Not for others", &[&ben.id, &ada.id]).await;
    app.patch("/v1/incidents/2").bearer(&ada.token).json(json!({"restricted": true})).expect(200).await;
    let (mut of_ben, mut of_ada) = (Browser::of(&app, &ben).await, Browser::of(&app, &ada).await);
    let rows = "[aria-labelledby=mentioned] li";
    let home = of_ben.get("/o/acme").await.page;
    assert_eq!(home.texts(&format!("{rows} .t")), ["Flood"], "he does not see the other incident");
    assert_eq!(home.text_of(&format!("{rows} .cut")), "@Ben please pump");
    assert!(home.links().contains(&"/o/acme/incidents/INC-0001#timeline".to_owned()));
    assert_eq!(of_ada.get("/o/acme").await.page.texts(&format!("{rows} .t")), ["Secret"]);
    app.delete("/v1/incidents/1/notes/1").bearer(&ada.token).expect(204).await;
    assert!(of_ben.get("/o/acme").await.page.all(rows).is_empty(), "the comment was deleted");
    app.db.clock.advance_seconds(15 * 86_400);
    let (mut of_ada, owner) = (Browser::of(&app, &ada).await, "[aria-labelledby=mentioned]");
    assert!(of_ada.get("/o/acme").await.page.all(owner).is_empty(), "two weeks later");
}

#[both_engines]
async fn home_offers_the_first_steps_to_those_who_can_make_them(app: TestApp) {
    let (ada, ole) = (app.person("Ada", Role::Admin).await, app.person("Ole", Role::Owner).await);
    let vera = app.person("Vera", Role::Viewer).await;
    let steps = "[aria-labelledby=start] .t";
    let expected: [(_, &[&str]); 3] = [
        (&ada, &["Invite people", "Add a risk", "Adopt a policy"]),
        (&ole, &["Add a risk", "Adopt a policy"]),
        (&vera, &[]),
    ];
    for (person, expected) in expected {
        let home = Browser::of(&app, person).await.get("/o/acme").await.page;
        assert_eq!(home.texts(steps), expected);
    }
    let rating = json!({"likelihood": 3, "impact": 3});
    let risk = json!({"title": "Fire", "inherent": rating, "target": rating});
    app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    let home = Browser::of(&app, &ada).await.get("/o/acme").await.page;
    assert!(home.all(steps).is_empty(), "begun");
}
