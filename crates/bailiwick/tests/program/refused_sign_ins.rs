//! Refused sign-ins are journaled once each, also when the service is killed.

use db::Tx;
use domain::{OrgId, Role, UserId};
use serde_json::{Value, json};
use testkit::{EmptyDatabase, author, both_engines};

use crate::clock::Clock;
use crate::housekeeping::{checked_entries, open_long_ago, until_removed};
use crate::people::post;
use crate::service::{Installation, Service};

/// A refused sign-in.
async fn refuse(service: &Service, email: &str) {
    let body = json!({"email": email, "password": "not the right password"});
    let (status, problem) = post(service, "/v1/session", body).await;
    assert_eq!((status, &problem["code"]), (401, &json!("invalid_credentials")), "{problem}");
}

/// The person, the hour and the count of each entry, once the journal verifies.
fn journaled(installation: &Installation) -> Vec<(String, String, i64)> {
    let entries = checked_entries(installation, OrgId::INSTANCE).into_iter();
    let entries = entries.filter(|entry| entry["kind"] == "user.sign_ins_refused");
    let entries = entries.map(|entry| {
        let payload: Value = serde_json::from_str(entry["payload"].as_str().unwrap()).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&entry["subject"]["id"]), text(&payload["hour"][1]), payload["count"][1].as_i64().unwrap())
    });
    entries.collect()
}

#[both_engines]
async fn a_refusal_that_was_answered_is_journaled_after_its_hour_although_the_service_was_killed(
    place: EmptyDatabase,
) {
    let clock = Clock::new();
    let installation = clock.of(Installation::at(&place));
    installation.organization();
    let ada = ["user", "create", "--name", "Ada", "--email", "ada@example.org", "--role", "viewer", "--json"];
    let ada = installation.json(&ada)["id"].clone();
    for _ in 0..2 {
        let service = installation.serve();
        for email in ["ada@example.org", "nobody@example.org", "ADA@example.org"] {
            refuse(&service, email).await;
        }
        service.kill();
    }
    clock.shift("+1h");
    let service = installation.serve();
    service.until_logged("refused_sign_ins").await;
    service.kill();
    let entries = journaled(&installation);
    // Two entries, if an hour ended between the first refusal and the last.
    assert!((1..=2).contains(&entries.len()), "{entries:?}");
    assert!(entries.iter().all(|(person, ..)| *person == ada), "{entries:?}");
    assert_eq!(entries.iter().map(|(.., count)| count).sum::<i64>(), 4, "{entries:?}");
}

/// Counters of hours long ago, each as many as the number of its hour.
const HOURS: i64 = 2_000;

async fn long_ago(installation: &Installation) -> UserId {
    let db = open_long_ago(installation).await;
    let made: store::Result<_> = db
        .write_instance(async move |tx: &mut Tx| store::organizations::create(tx, &author(), "Acme").await)
        .await;
    let org = made.unwrap().id;
    let ada = domain::person::NewMember {
        name: "Ada".into(),
        email: "ada@example.org".into(),
        job_title: None,
        roles: Role::Viewer.into(),
    };
    let added: store::Result<_> =
        db.write_instance(async move |tx: &mut Tx| store::people::add(tx, org, &author(), &ada).await).await;
    let person = added.unwrap().person.id;
    let filled: store::Result<_> = db
        .write_alone(OrgId::INSTANCE, async move |tx: &mut Tx| {
            let sql = "INSERT INTO refused_sign_in (hour, person, refused_count) VALUES ($1, $2, $3)";
            for count in 1..=HOURS {
                let hour = tx.at() + jiff::SignedDuration::from_hours(count);
                tx.send(sql, &[&hour, &person.uuid(), &count]).await?;
            }
            Ok(())
        })
        .await;
    filled.unwrap();
    db.close().await;
    person
}

#[both_engines]
async fn every_hour_is_journaled_once_although_the_service_is_killed_in_between(place: EmptyDatabase) {
    let installation = Installation::at(&place);
    let ada = long_ago(&installation).await.to_string();
    let metrics = ["--metrics-listen", "127.0.0.1:0"];
    let service = installation.serve_with(&[], &metrics);
    until_removed(&service, "refused_sign_ins", 100.0).await;
    service.kill();
    let first = journaled(&installation);
    let done = i64::try_from(first.len()).unwrap();
    assert!((100..HOURS).contains(&done), "{done} before it was killed");
    let service = installation.serve_with(&[], &metrics);
    #[expect(clippy::cast_precision_loss, reason = "thousands")]
    until_removed(&service, "refused_sign_ins", (HOURS - done) as f64).await;
    service.kill();
    let entries = journaled(&installation);
    assert_eq!(entries.iter().map(|(.., count)| *count).collect::<Vec<_>>(), (1..=HOURS).collect::<Vec<_>>());
    assert!(entries.iter().all(|(person, ..)| *person == ada));
}
