//! The service on databases of earlier releases (`scripts/fixture`): reads return the same as before, issued tokens
//! stay valid, and writes continue to work. There are none before release 0.1.0.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests"
)]

use auth::MasterKey;
use domain::OrgId;
use serde_json::{Value, json};
use testkit::{EmptyDatabase, Engine, Release, TestApp, TestDb};

/// The current service on the database of a release, just after the release stopped.
struct Upgraded {
    app: TestApp,
    known: Value,
    release: String,
}

impl Upgraded {
    async fn from(release: &Release, database: EmptyDatabase) -> Self {
        let engine = database.engine();
        let known = release.known(engine);
        let text = |member: &str| known[member].as_str().unwrap().to_owned();
        database.load(&release.sql(engine)).await;
        let db = TestDb::at(database, &text("taken_at")).await;
        db.migrate(store::migrations::ALL).await.unwrap();
        let organization = OrgId(text("organization").parse().unwrap());
        let master = MasterKey::parse(&text("master_key")).unwrap();
        let app = TestApp::resume(db, organization, &master).await;
        Self { app, known, release: release.name.clone() }
    }

    fn text(&self, member: &str) -> &str {
        self.known[member].as_str().unwrap()
    }

    /// A token issued by the release.
    fn token(&self) -> &str {
        self.known["access_tokens"][0].as_str().unwrap()
    }

    async fn verify(&self) {
        let mut tx = self.app.db.read().await.unwrap();
        for organization in [self.app.organization, OrgId::INSTANCE] {
            let report = store::verify::verify(&mut tx, organization, None).await.unwrap();
            assert_eq!(report.faults, [], "{}", self.release);
        }
    }
}

fn for_each_release(engine: Engine, test: impl AsyncFn(Upgraded)) {
    for release in Release::all() {
        eprintln!("release {}", release.name);
        testkit::run(engine, async |database: EmptyDatabase| {
            test(Upgraded::from(&release, database).await).await;
        });
    }
}

/// Declares tests for both engines and every release.
macro_rules! each_release {
    ($name:ident, $test:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn sqlite() {
                for_each_release(Engine::Sqlite, $test);
            }

            #[test]
            fn postgres() {
                for_each_release(Engine::Postgres, $test);
            }
        }
    };
}

/// Within `/v1` members are only added: a response has all former members, with the same values.
fn faults(pointer: &str, before: &Value, now: &Value) -> Vec<String> {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let member = |(name, value): (&String, &Value)| {
                faults(&format!("{pointer}/{name}"), value, now.get(name).unwrap_or(&Value::Null))
            };
            before.iter().flat_map(member).collect()
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            let pairs = before.iter().zip(now).enumerate();
            pairs
                .flat_map(|(index, (before, now))| faults(&format!("{pointer}/{index}"), before, now))
                .collect()
        }
        _ if before == now => Vec::new(),
        _ => vec![format!("{pointer} was {before} and is {now}")],
    }
}

each_release!(every_read_is_answered_as_before, async |upgraded: Upgraded| {
    let reads = upgraded.known["reads"].as_object().unwrap();
    assert!(reads.len() > 25, "{}", reads.len());
    let mut found = Vec::new();
    for (path, before) in reads {
        let answer = upgraded.app.get(path).bearer(upgraded.token()).expect(200).await;
        found.extend(faults(path, before, answer.json()));
    }
    assert!(found.is_empty(), "{}: {found:#?}", upgraded.release);
});

each_release!(tokens_sessions_and_secrets_stay_good, async |upgraded: Upgraded| {
    let app = &upgraded.app;
    for token in upgraded.known["access_tokens"].as_array().unwrap() {
        app.get("/v1/incidents").bearer(token.as_str().unwrap()).expect(200).await;
    }
    app.get("/v1/incidents").bearer(upgraded.text("revoked")).expect(401).await;
    let refresh = |token: &str| {
        app.post("/v1/oauth/token").json(json!({"grant_type": "refresh_token", "refresh_token": token}))
    };
    let answer = refresh(upgraded.text("refresh_token")).expect(200).await;
    let answer = refresh(answer.text("refresh_token")).expect(200).await;
    app.get("/v1/incidents").bearer(answer.text("access_token")).expect(200).await;
    let token = app.sign_in(upgraded.text("client_id"), upgraded.text("client_secret")).await;
    app.get("/v1/incidents").bearer(&token).expect(200).await;
    if let Some(session) = upgraded.known["session"].as_str() {
        app.get("/v1/session").bearer(session).expect(200).await;
        app.get("/v1/incidents").bearer(session).expect(200).await;
    }
});

each_release!(a_retry_across_the_upgrade_makes_nothing_twice, async |upgraded: Upgraded| {
    let kept = &upgraded.known["kept"];
    let head = upgraded.app.get("/v1/journal/head").bearer(upgraded.token()).expect(200).await;
    let retry = upgraded.app.post(kept["path"].as_str().unwrap()).bearer(upgraded.token());
    let retry =
        retry.json(kept["body"].clone()).idempotency_key(kept["key"].as_str().unwrap()).expect(201).await;
    assert_eq!(retry.json(), &kept["answer"]);
    assert_eq!(retry.header("idempotent-replayed"), Some("true"));
    let after = upgraded.app.get("/v1/journal/head").bearer(upgraded.token()).expect(200).await;
    assert_eq!(after.json(), head.json());
});

each_release!(work_goes_on, async |upgraded: Upgraded| {
    let (app, token) = (&upgraded.app, upgraded.token());
    let numbers = |list: &Value| list["data"].as_array().unwrap().len();
    let before =
        numbers(app.get("/v1/incidents?limit=200&deleted=with").bearer(token).expect(200).await.json());
    let body = json!({"title": "After the upgrade", "description": "d"});
    let made = app.post("/v1/incidents").bearer(token).json(body).expect(201).await;
    assert_eq!(made.text("id"), format!("INC-{:04}", before + 1), "the numbers go on");
    app.patch("/v1/incidents/INC-0001").bearer(token).json(json!({"title": "Changed"})).expect(200).await;
    let rating = json!({"likelihood": 1, "impact": 1});
    app.post("/v1/risks/RSK-1/evaluations").bearer(token).json(rating).expect(201).await;
    let tag = app.post("/v1/tags").bearer(token).json(json!({"name": "new"})).expect(201).await;
    let body = json!({"tag_id": tag.text("id")});
    app.post("/v1/risks/RSK-1/tags").bearer(token).json(body).expect(201).await;
    let edit = json!([{"node_id": "contact", "node_type": "text", "value": "Later"}]);
    app.patch("/v1/documents/access-control").bearer(token).json(edit).expect(200).await;
    let member = json!({"name": "New", "email": "new@example.org", "role": "viewer"});
    app.post("/v1/users").bearer(token).json(member).expect(201).await;
    upgraded.verify().await;
});
