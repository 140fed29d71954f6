//! No input causes a 500, and no wrong input changes anything.

use serde_json::{Value, json};
use testkit::{TestApp, TestClient};

/// A small generator: the same bodies in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    /// A value that is likely to be wrong.
    fn value(&mut self, depth: usize) -> Value {
        let texts = [
            "",
            " ",
            "a",
            "INC-1",
            "RSK-1",
            "all",
            "select",
            "admin",
            "closed",
            "\u{0}",
            "é",
            "\u{10ffff}",
            "2026-03-01T09:00:00Z",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
            "-009999-01-01T00:00:00Z",
            "0190163d-8694-739b-aea5-966c26f8ad91",
            "ada@x.org",
            "#64748b",
            "mfa",
            "%",
            "'; DROP TABLE incident; --",
        ];
        let numbers = [
            json!(0),
            json!(1),
            json!(-1),
            json!(5),
            json!(1.5),
            json!(1e300),
            json!(i64::MIN),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(2_147_483_648_i64),
        ];
        match self.roll(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => self.pick(&numbers).clone(),
            3 => json!(self.pick(&texts).repeat(self.roll(3))),
            4 => json!(self.pick(&texts)),
            5 => (0..self.roll(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let keys =
                    ["id", "title", "kind", "items", "likelihood", "impact", "node_id", "value", "ids"];
                (0..self.roll(4)).map(|_| ((*self.pick(&keys)).to_owned(), self.value(depth - 1))).collect()
            }
        }
    }

    /// `body` with one or two of its values changed.
    fn spoil(&mut self, body: &Value) -> Value {
        let mut spoiled = body.clone();
        for _ in 0..=self.roll(2) {
            let mut pointer = String::new();
            while self.roll(3) != 0 {
                let keys: Vec<String> = match spoiled.pointer(&pointer) {
                    Some(Value::Array(items)) => (0..items.len()).map(|index| index.to_string()).collect(),
                    Some(Value::Object(members)) => members.keys().cloned().collect(),
                    _ => Vec::new(),
                };
                if keys.is_empty() {
                    break;
                }
                pointer = format!("{pointer}/{}", self.pick(&keys));
            }
            let value = self.value(3);
            if let Some(found) = spoiled.pointer_mut(&pointer) {
                *found = value;
            }
        }
        spoiled
    }
}

fn operations() -> Vec<(&'static str, String, Value)> {
    let rating = json!({"likelihood": 2, "impact": 3});
    let document = json!({"slug": "s", "title": "t", "description": "", "owner": null, "items": [
        {"id": "mfa", "kind": "select", "label": "l", "guidance": null, "required": true, "default": "all",
            "options": [{"id": "all", "label": "l", "text": "t", "weakens": false}]},
        {"id": "contact", "kind": "text", "label": "l", "default": "", "max_length": 10, "multiline": false}]});
    let incident = json!({"title": "t", "description": "d", "assigned_to": null, "source": "s",
        "occurred_date": "2020-01-01T00:00:00Z", "detected_date": "2020-01-02T00:00:00Z",
        "responded_date": "2020-01-03T00:00:00Z", "contained_date": "2020-01-04T00:00:00Z"});
    vec![
        ("POST", "/v1/incidents".into(), incident.clone()),
        ("PATCH", "/v1/incidents/1".into(), incident),
        ("DELETE", "/v1/incidents".into(), json!({"ids": [2, "INC-3"]})),
        ("POST", "/v1/incidents/restore".into(), json!({"ids": [2, "INC-3"]})),
        (
            "POST",
            "/v1/risks".into(),
            json!({"title": "t", "description": "", "category": "c", "owner": null,
            "inherent": rating, "target": rating}),
        ),
        (
            "PATCH",
            "/v1/risks/RSK-1".into(),
            json!({"title": "t", "status": "closed", "status_reason": "r",
            "inherent": rating, "target": rating}),
        ),
        (
            "POST",
            "/v1/risks/RSK-1/evaluations".into(),
            json!({"likelihood": 2, "impact": 3, "note": "n",
            "evaluated_at": "2020-01-01T00:00:00Z", "supersedes": null}),
        ),
        ("POST", "/v1/risks/RSK-1/tags".into(), json!({"tag_id": "0190163d-8694-739b-aea5-966c26f8ad91"})),
        ("POST", "/v1/tags".into(), json!({"name": "n", "color": "#64748b", "description": "d"})),
        ("POST", "/v1/documents".into(), document),
        (
            "PATCH",
            "/v1/documents/s".into(),
            json!([{"node_id": "mfa", "node_type": "select", "value": "all"}]),
        ),
        ("POST", "/v1/users".into(), json!({"name": "n", "email": "ada@x.org", "role": "viewer"})),
    ]
}

async fn send(app: &TestApp, client: &TestClient, method: &str, path: &str, body: &Value) -> testkit::Answer {
    app.request(method.parse().unwrap(), path).bearer(client).json(body.clone()).await
}

#[testkit::both_engines]
async fn no_body_ends_in_a_500(app: TestApp) {
    let client = app.client().await;
    for (method, path, body) in operations() {
        let answer = send(&app, &client, method, &path, &body).await;
        assert!(answer.status < 500, "{method} {path} {body}: {}", answer.status);
    }
    let mut dice = Dice(42);
    for _ in 0..60 {
        for (method, path, body) in operations() {
            let body = dice.spoil(&body);
            let answer = send(&app, &client, method, &path, &body).await;
            assert!(answer.status < 500, "{method} {path} {body}: {}", answer.status);
            if answer.status == 422 {
                assert!(!answer.faults().is_empty(), "{method} {path} {body} names no fault");
            }
        }
    }
}

#[testkit::both_engines]
async fn a_refused_request_leaves_no_trace(app: TestApp) {
    let client = app.client().await;
    for (method, path, body) in operations() {
        send(&app, &client, method, &path, &body).await;
    }
    let mut dice = Dice(7);
    for _ in 0..8 {
        for (method, path, body) in operations() {
            let body = dice.spoil(&body);
            let before = app.get("/v1/journal/head").bearer(&client).expect(200).await;
            let answer = send(&app, &client, method, &path, &body).await;
            let after = app.get("/v1/journal/head").bearer(&client).expect(200).await;
            if answer.status >= 400 {
                assert_eq!(before.json(), after.json(), "{method} {path} {body}: {}", answer.status);
            }
        }
    }
}

#[testkit::both_engines]
async fn no_query_ends_in_a_500(app: TestApp) {
    let client = app.client().await;
    let values = [
        "",
        "0",
        "-1",
        "99999999999999999999",
        "x",
        "%00",
        "%FF",
        "%",
        "a&a",
        "2026-03-01T09:00:00Z",
        "9999-12-31T23:59:59.999999999Z",
        "0000-01-01T00:00:00Z",
        "AAAAAAAAAAAAAAAAAAAAAA",
        "only",
        "+1",
    ];
    let organization = format!("/v1/organizations/{}/risk-performance", app.organization);
    for path in [
        "/v1/incidents",
        "/v1/incidents/1",
        "/v1/risks",
        "/v1/tags",
        "/v1/users",
        "/v1/documents",
        "/v1/journal",
        &organization,
    ] {
        for name in ["limit", "cursor", "as_of", "as_of_seq", "deleted", "after", "period_days", "%00", ""] {
            for value in values {
                let answer = app.get(&format!("{path}?{name}={value}")).bearer(&client).await;
                assert!(answer.status < 500, "{path}?{name}={value}: {}", answer.status);
            }
        }
    }
}

#[testkit::both_engines]
async fn no_path_ends_in_a_500(app: TestApp) {
    let client = app.client().await;
    for id in
        ["%00", "%FF", "%2F", "..", "%2e%2e", "'", "INC-9223372036854775807", "RSK-9223372036854775807", "é"]
    {
        for path in [
            "/v1/incidents/",
            "/v1/risks/",
            "/v1/tags/",
            "/v1/users/",
            "/v1/documents/",
            "/v1/organizations/",
            "/v1/risks/RSK-1/evaluations/",
            "/v1/documents/s/proposals/",
        ] {
            let id = if id == "é" { "%C3%A9" } else { id };
            let answer = app.get(&format!("{path}{id}")).bearer(&client).await;
            assert_eq!(answer.status, 404, "{path}{id}");
        }
    }
}

#[testkit::both_engines]
async fn a_line_takes_no_control_characters_wherever_it_goes(app: TestApp) {
    let client = app.client().await;
    let forged = "Good\nok  database\u{202e}";
    let lines = ["title", "name", "category", "source", "label"];
    let mut tried = 0;
    for (method, path, body) in operations() {
        for name in lines.into_iter().filter(|name| body.get(name).is_some()) {
            let mut body = body.clone();
            body[name] = json!(forged);
            let answer = send(&app, &client, method, &path, &body).await;
            // A missing record is reported as 404 only after every fault of the body.
            assert!(
                answer.faults().contains(&format!("#/{name} control_character")),
                "{method} {path} {name}"
            );
            tried += 1;
        }
    }
    assert!(tried > 8, "{tried}");
}

/// As with POST: faults of the body and faults that only the record shows, in one response.
#[testkit::both_engines]
async fn a_patch_reports_every_fault_at_once(app: TestApp) {
    let client = app.client().await;
    let incident = json!({"title": "t", "description": "", "occurred_date": "2020-01-02T00:00:00Z"});
    app.post("/v1/incidents").bearer(&client).json(incident).expect(201).await;
    let patch = json!({"title": " ", "contained_date": "2020-01-01T00:00:00Z",
        "assigned_to": "0190163d-8694-739b-aea5-966c26f8ad91"});
    let answer = app.patch("/v1/incidents/1").bearer(&client).json(patch.clone()).expect(422).await;
    let told = ["#/title blank", "#/assigned_to unknown_user", "#/contained_date date_order"];
    assert_eq!(answer.faults(), told);
    assert_eq!(answer.text("detail"), "Title must not be blank. There are 2 more faults.");
    // For a missing record only the faults of the body are known, and they come first.
    let answer = app.patch("/v1/incidents/9").bearer(&client).json(patch).expect(422).await;
    assert_eq!(answer.faults(), ["#/title blank"]);

    let (low, high) = (json!({"likelihood": 1, "impact": 1}), json!({"likelihood": 5, "impact": 5}));
    let risk = json!({"title": "t", "description": "", "inherent": high, "target": low});
    app.post("/v1/risks").bearer(&client).json(risk).expect(201).await;
    let patch = json!({"title": "", "inherent": low, "target": high, "status": "closed"});
    let answer = app.patch("/v1/risks/RSK-1").bearer(&client).json(patch).expect(422).await;
    assert_eq!(answer.faults(), ["#/title blank", "#/status_reason required", "#/target range"]);
    let unchanged = app.get("/v1/risks/RSK-1").bearer(&client).expect(200).await;
    assert_eq!(unchanged.json()["version"], 1);
}
