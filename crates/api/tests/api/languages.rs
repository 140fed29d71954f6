//! Texts of every language: what people read as the same is the same, and what nobody sees is nothing.

use axum::http::Method;
use domain::Role;
use serde_json::{Value, json};
use testkit::TestApp;

#[testkit::both_engines]
async fn a_password_is_the_same_on_every_keyboard(app: TestApp) {
    let token = app.invite(app.organization, "Zoë", "zoe@x.org", Role::Viewer).await;
    let accept = async |password: &str| {
        app.post("/v1/invitations/accept").json(json!({"token": token, "password": password})).await
    };
    // Length counts after each letter has one form: 4 ligatures of 3 letters are 12.
    assert_eq!(accept("pässwörtche").await.faults(), ["#/password too_short"]);
    assert_eq!(accept(&"½".repeat(43)).await.faults(), ["#/password too_long"]);
    assert_eq!(accept("ﬃﬄﬃﬄ").await.status, 200);
    app.sign_in_person(app.organization, "zoe@x.org", "ffifflffiffl").await;

    let ada = app.person("Ada", Role::Viewer).await;
    let change = json!({"old": ada.password, "new": "geheimes Wo\u{308}rterbuch"});
    app.post("/v1/me/password").bearer(&ada.token).json(change).expect(204).await;
    for password in
        ["geheimes Wörterbuch", "geheimes Wo\u{308}rterbuch", "ｇｅｈｅｉｍｅｓ\u{3000}Wörterbuch"]
    {
        app.sign_in_person(app.organization, &ada.email, password).await;
    }
    let other =
        json!({"email": ada.email, "password": "geheimes Worterbuch", "organization_id": ada.organization});
    app.post("/v1/session").json(other).expect(401).await;
}

#[testkit::both_engines]
async fn a_domain_is_one_in_letters_and_as_dns_has_it(app: TestApp) {
    let client = app.client().await;
    let add = async |email: &str| {
        let body = json!({"name": "Ada", "email": email, "role": "viewer"});
        app.post("/v1/users").bearer(&client).json(body).await
    };
    let made = add("Ada@Bücher.example").await;
    assert_eq!((made.status, made.text("email")), (201, "Ada@xn--bcher-kva.example"));
    for same in ["ada@bu\u{308}cher.example", "ADA@XN--BCHER-KVA.EXAMPLE", "ada@bücher。example"] {
        assert_eq!(add(same).await.status, 409, "{same}");
    }
    for wrong in ["ada@xn--a.example", "ada@bü cher.example", "ada@-ü.example", "ädä@bücher.example"] {
        assert_eq!(add(wrong).await.faults(), ["#/email format"], "{wrong}");
    }
    let found = app.get("/v1/users?email=ada%40b%C3%BCcher.example").bearer(&client).expect(200).await;
    assert_eq!(found.json()["data"], json!([made.json()]));
    let token = app.invite(app.organization, "Bea", "bea@xn--bcher-kva.example", Role::Viewer).await;
    let password = "the password of Bea";
    app.post("/v1/invitations/accept").json(json!({"token": token, "password": password})).expect(200).await;
    app.sign_in_person(app.organization, "bea@BÜCHER.example", password).await;
}

#[testkit::both_engines]
async fn names_that_look_the_same_are_taken(app: TestApp) {
    let client = app.client_with_scopes("tags:read tags:write incidents:read incidents:write").await;
    let send = async |path: &str, body: Value| app.post(path).bearer(&client).json(body).await;
    for (name, others) in [
        ("Straße", ["STRASSE", "STRAẞE", "stra\u{ad}ße", "ｓtrasse"]),
        ("Café", ["cafe\u{301}", "CAFÉ", "café\u{200b}", "\u{200e}café"]),
        ("ガス", ["ｶﾞｽ", "カ\u{3099}ス", "ガ\u{fe0f}ス", " ガス "]),
    ] {
        for (path, list) in [("/v1/tags", Value::Null), ("/v1/views", json!("incidents"))] {
            let body = |name: &str| match &list {
                Value::Null => json!({"name": name}),
                list => json!({"name": name, "list": list}),
            };
            let made = send(path, body(name)).await;
            assert_eq!((made.status, made.text("name")), (201, name));
            for other in others {
                let refused = send(path, body(other)).await;
                assert_eq!((refused.status, refused.text("code")), (409, "name_taken"), "{other:?}");
            }
        }
        let incident = json!({"title": "I", "description": "", "tags": [name, others[0], others[2]]});
        let tags = send("/v1/incidents", incident).await.json()["tags"].clone();
        assert_eq!(tags.as_array().map(Vec::len), Some(1), "{tags}");
    }
    // An accent is part of a name.
    assert_eq!(send("/v1/tags", json!({"name": "Cafe"})).await.status, 201);
    let found = app.get("/v1/tags?name=%EF%BD%B6%EF%BE%9E%EF%BD%BD").bearer(&client).expect(200).await;
    assert_eq!(found.text("/data/0/name"), "ガス");
}

/// Texts of which nobody sees anything.
const UNSEEN: [&str; 7] =
    ["\u{200b}", "\u{3164}", "\u{2800} ", "\u{ad}", "\u{200e}", "\u{fe0f}", "\u{e0041}"];

#[testkit::both_engines]
async fn what_nobody_sees_is_blank_wherever_a_text_is_needed(app: TestApp) {
    let client = app.client().await;
    let incident = json!({"title": "I", "description": ""});
    app.post("/v1/incidents").bearer(&client).json(incident).expect(201).await;
    for text in UNSEEN {
        let person = json!({"name": text, "email": "x@x.org", "role": "viewer"});
        let severity = json!({"severity": "low", "reason": text});
        for (method, path, body, at) in [
            (Method::POST, "/v1/incidents", json!({"title": text, "description": ""}), "#/title"),
            (Method::PATCH, "/v1/incidents/1", json!({"title": text}), "#/title"),
            (Method::POST, "/v1/incidents/1/notes", json!({"kind": "comment", "text": text}), "#/text"),
            (Method::POST, "/v1/incidents/1/tasks", json!({"title": text}), "#/title"),
            (Method::PATCH, "/v1/incidents/1/review", json!({"summary": text}), "#/summary"),
            (Method::PUT, "/v1/incidents/1/severity", severity, "#/reason"),
            (Method::POST, "/v1/tags", json!({"name": text}), "#/name"),
            (Method::POST, "/v1/views", json!({"name": text, "list": "risks"}), "#/name"),
            (Method::POST, "/v1/users", person.clone(), "#/name"),
            (Method::POST, "/v1/invitations", person, "#/name"),
            (Method::POST, "/v1/clients", json!({"name": text, "scopes": "tags:read"}), "#/name"),
            (Method::POST, "/v1/documents", json!({"slug": "s", "title": text, "items": []}), "#/title"),
        ] {
            let answer = app.request(method, path).bearer(&client).json(body).expect(422).await;
            assert!(
                answer.faults().contains(&format!("{at} blank")),
                "{path} {text:?}: {:?}",
                answer.faults()
            );
        }
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("q", text).finish();
        let answer = app.get(&format!("/v1/search?{query}")).bearer(&client).expect(400).await;
        assert_eq!(answer.faults(), ["q blank"], "{text:?}");
    }
}
