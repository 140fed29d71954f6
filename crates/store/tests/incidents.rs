//! Incidents in the store, on both engines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use domain::bulk::BulkOutcome;
use domain::client::NewClient;
use domain::incident::{Incident, IncidentPatch, NewIncident, Viewer};
use domain::person::Person;
use domain::{
    Actor, ActorKind, Author, ClientId, Error, ExpectedVersion, FaultCode, IncidentNumber, OrgId,
    ResourceKind, Role, Scopes, UserId,
};
use jiff::SignedDuration;
use store::incidents::IncidentQuery;
use store::{Deleted, View};
use testkit::{TestDb, both_engines};

fn operator() -> Author {
    let actor = Actor { kind: ActorKind::Operator, id: "cli".into(), name: "cli".into() };
    Author::new(actor, "request-1")
}

async fn member(db: &TestDb, organization: OrgId, name: &str) -> Person {
    let email = format!("{name}@x.org");
    let id = db.user(organization, name, &email, Role::Responder).await;
    Person { id, name: name.into(), email }
}

fn titled(title: &str) -> NewIncident {
    NewIncident { title: domain::Line::stored(title), ..NewIncident::untitled() }
}

async fn create(db: &TestDb, org: OrgId, new: NewIncident) -> store::Result<Incident> {
    db.write(org, async move |tx| store::incidents::create(tx, org, &operator(), &new).await).await
}

async fn update(db: &TestDb, org: OrgId, number: i64, patch: IncidentPatch) -> store::Result<Incident> {
    db.write(org, async move |tx| {
        store::incidents::update(tx, org, &operator(), IncidentNumber(number), &ExpectedVersion::Any, &patch)
            .await
    })
    .await
}

async fn delete(db: &TestDb, org: OrgId, ids: impl IntoIterator<Item = i64>) -> BulkOutcome {
    let ids: Vec<_> = ids.into_iter().map(IncidentNumber).collect();
    let work = async move |tx: &mut db::Tx| store::incidents::delete_many(tx, org, &operator(), &ids).await;
    db.write(org, work).await.unwrap()
}

async fn restore(db: &TestDb, org: OrgId, ids: impl IntoIterator<Item = i64>) -> BulkOutcome {
    let ids: Vec<_> = ids.into_iter().map(IncidentNumber).collect();
    let work = async move |tx: &mut db::Tx| store::incidents::restore_many(tx, org, &operator(), &ids).await;
    db.write(org, work).await.unwrap()
}

async fn get(db: &TestDb, org: OrgId, number: i64, view: View) -> store::Result<Incident> {
    store::incidents::get(
        &mut db.read().await.unwrap(),
        org,
        &Viewer::service(),
        IncidentNumber(number),
        view,
    )
    .await
}

/// The numbers of all incidents that a list shows.
async fn numbers(db: &TestDb, org: OrgId, view: View) -> Vec<i64> {
    let mut tx = db.read().await.unwrap();
    let page = store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(view), 1_000)
        .await
        .unwrap();
    page.rows.iter().map(|incident| incident.number.number()).collect()
}

fn view(deleted: Deleted) -> View {
    View { deleted, ..View::now() }
}

fn not_found() -> store::Error {
    store::Error(Error::NotFound(ResourceKind::Incident))
}

/// The kinds and payloads of an organization's entries after `after`.
async fn journal(db: &TestDb, org: OrgId, after: i64) -> Vec<(String, String, String)> {
    let mut tx = db.read().await.unwrap();
    let entries = store::journal::list(&mut tx, org, after, 1_000).await.unwrap();
    entries.into_iter().map(|entry| (entry.kind, entry.subject_id, entry.payload.unwrap())).collect()
}

async fn head(db: &TestDb, org: OrgId) -> i64 {
    store::journal::head(&mut db.read().await.unwrap(), org).await.unwrap().seq
}

#[both_engines]
async fn a_declared_incident_is_read_back(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = member(&db, org, "Ada").await;
    let now = db.clock.now();
    let ago = |minutes| Some(now - SignedDuration::from_mins(minutes));
    let new = NewIncident {
        title: "Mail gateway \u{1F525} down".into(),
        description: "**All** of it.".into(),
        source: Some("pager".into()),
        assigned_to: Some(ada.id),
        occurred_date: ago(30),
        detected_date: ago(20),
        responded_date: ago(10),
        contained_date: ago(5),
        ..NewIncident::untitled()
    };
    let declared = create(&db, org, new).await.unwrap();
    assert_eq!(declared.number.to_string(), "INC-0001");
    assert_eq!(declared.assigned_to, Some(ada));
    assert_eq!(declared.opened_by, operator().actor);
    assert_eq!(get(&db, org, 1, View::now()).await, Ok(declared));

    let untitled = create(&db, org, NewIncident::untitled()).await.unwrap();
    assert_eq!(get(&db, org, 2, View::now()).await, Ok(untitled.clone()));
    assert_eq!((untitled.detected_date, untitled.assigned_to), (untitled.created_date, None));
    assert_eq!(get(&db, org, 3, View::now()).await, Err(not_found()));
}

#[both_engines]
async fn an_incident_shows_the_current_name_of_the_person_who_opened_it(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = member(&db, org, "Ada").await;
    let client = ClientId("siem_1".into());
    let id = client.clone();
    let new = NewClient { name: "SIEM".into(), scopes: Scopes::all() };
    let work =
        async move |tx: &mut db::Tx| store::clients::create(tx, org, &operator(), &id, &new, &[0; 32]).await;
    db.write(org, work).await.unwrap();
    let openers = [
        Actor { kind: ActorKind::User, id: ada.id.to_string(), name: "Ada".into() },
        Actor { kind: ActorKind::Client, id: client.to_string(), name: "SIEM".into() },
    ];
    for (number, actor) in (1..).zip(openers) {
        let author = Author { actor: Actor { name: "Yesterday".into(), ..actor.clone() }, ..operator() };
        let work = async move |tx: &mut db::Tx| {
            store::incidents::create(tx, org, &author, &titled("Phishing")).await
        };
        db.write(org, work).await.unwrap();
        assert_eq!(get(&db, org, number, View::now()).await.unwrap().opened_by, actor);
    }
}

#[both_engines]
async fn verification_finds_an_incident_that_was_changed_behind_the_journal(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Phishing")).await.unwrap();
    create(&db, org, titled("Theft")).await.unwrap();
    let tamper = async move |tx: &mut db::Tx| {
        let sql = "UPDATE incident SET title = 'Nothing' WHERE organization = $1 AND number = 2";
        tx.execute(sql, &[&org.uuid()]).await
    };
    db.write(org, tamper).await.unwrap();
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    assert_eq!(report.faults.len(), 1, "{:?}", report.faults);
    assert_eq!(report.faults[0].seq, 2);
    assert!(report.faults[0].detail.contains("title of the incident INC-0002"), "{:?}", report.faults);
}

#[both_engines]
async fn a_creation_is_journaled_and_a_refused_one_leaves_nothing(db: TestDb) {
    let org = db.organization("Acme").await;
    let outsider = UserId(uuid::Uuid::from_u128(7));
    let refused = NewIncident {
        assigned_to: Some(outsider),
        contained_date: Some(db.clock.now() + SignedDuration::from_hours(1)),
        ..titled("Refused")
    };
    let Err(store::Error(Error::Invalid(faults))) = create(&db, org, refused).await else { panic!() };
    let found: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.code)).collect();
    assert_eq!(
        found,
        [("#/assigned_to", FaultCode::UnknownUser), ("#/contained_date", FaultCode::DateInFuture)]
    );
    assert_eq!(head(&db, org).await, 0);

    let declared = create(&db, org, titled("Phishing")).await.unwrap();
    assert_eq!((declared.number.number(), declared.seq_from), (1, 1));
    let payload = concat!(
        r#"{"title":[null,"Phishing"],"description":[null,""],"status":[null,"new"],"#,
        r#""detected_date":[null,"2026-03-01T09:00:00.000000Z"]}"#
    );
    assert_eq!(journal(&db, org, 0).await, [("incident.created".into(), "INC-0001".into(), payload.into())]);
}

#[both_engines]
async fn a_change_keeps_the_state_before_it(db: TestDb) {
    let org = db.organization("Acme").await;
    let ada = member(&db, org, "Ada").await;
    let declared = create(&db, org, titled("Phishing")).await.unwrap();
    let created_seq = declared.seq_from;
    db.clock.advance_seconds(60);
    let patch = IncidentPatch {
        title: Some("Spear phishing".into()),
        source: domain::Change::Set("mail".into()),
        assigned_to: domain::Change::Set(ada.id),
        ..IncidentPatch::default()
    };
    let changed = update(&db, org, 1, patch.clone()).await.unwrap();
    assert_eq!((changed.version, changed.assigned_to.clone()), (2, Some(ada.clone())));
    assert!(changed.updated_date > declared.updated_date);
    assert_eq!(get(&db, org, 1, View::now()).await, Ok(changed.clone()));
    assert_eq!(get(&db, org, 1, View::as_of(created_seq)).await, Ok(declared));
    assert_eq!(get(&db, org, 1, View::as_of(created_seq - 1)).await, Err(not_found()));
    let payload = format!(
        r#"{{"title":["Phishing","Spear phishing"],"source":[null,"mail"],"assigned_to":[null,"{}"]}}"#,
        ada.id
    );
    assert_eq!(
        journal(&db, org, changed.seq_from - 1).await,
        [("incident.updated".into(), "INC-0001".into(), payload)]
    );

    assert_eq!(update(&db, org, 1, patch).await, Ok(changed.clone()), "nothing changes");
    assert_eq!(head(&db, org).await, changed.seq_from);
    assert_eq!(update(&db, org, 9, IncidentPatch::default()).await, Err(not_found()));
}

#[both_engines]
async fn a_patch_is_checked_against_the_stored_dates(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Phishing")).await.unwrap();
    let before_detected = Some(db.clock.now() + SignedDuration::from_mins(1));
    let patch =
        IncidentPatch { occurred_date: domain::Change::from(before_detected), ..IncidentPatch::default() };
    let Err(store::Error(Error::Invalid(faults))) = update(&db, org, 1, patch).await else { panic!() };
    assert_eq!(faults[0].fields, Some(["occurred_date", "detected_date"]));
    assert_eq!(faults[0].pointer, "#/occurred_date");
    assert_eq!(head(&db, org).await, 1);
}

#[both_engines]
async fn a_page_ends_where_the_next_begins(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b", "c", "d", "e"] {
        create(&db, org, titled(title)).await.unwrap();
    }
    let mut tx = db.read().await.unwrap();
    let (mut seen, mut query) = (Vec::new(), IncidentQuery::of(View::now()));
    loop {
        let page = store::incidents::list(&mut tx, org, &Viewer::service(), &query, 2).await.unwrap();
        query.after = page.rows.last().map(|incident| query.sort.by.position(incident));
        seen.push(page.rows.into_iter().map(|incident| String::from(incident.title)).collect::<String>());
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, ["ed", "cb", "a"]);
    let page = store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(View::now()), 5)
        .await
        .unwrap();
    assert_eq!((page.rows.len(), page.has_more), (5, false));
}

#[both_engines]
async fn a_deleted_incident_is_gone_until_it_is_restored(db: TestDb) {
    let org = db.organization("Acme").await;
    for title in ["a", "b", "c", "d"] {
        create(&db, org, titled(title)).await.unwrap();
    }
    let seen = head(&db, org).await;
    db.clock.advance_seconds(1);
    let outcome = delete(&db, org, [3, 99, 1, 3, -5, 99]).await;
    assert_eq!(
        outcome,
        BulkOutcome { changed_count: 2, not_found: vec![IncidentNumber(99), IncidentNumber(-5)] }
    );
    assert_eq!(numbers(&db, org, View::now()).await, [4, 2]);
    assert_eq!(numbers(&db, org, view(Deleted::Only)).await, [3, 1]);
    assert_eq!(numbers(&db, org, view(Deleted::With)).await, [4, 3, 2, 1]);
    assert_eq!(numbers(&db, org, View::as_of(seen)).await, [4, 3, 2, 1]);
    assert_eq!(get(&db, org, 3, View::now()).await, Err(not_found()));
    assert_eq!(update(&db, org, 3, IncidentPatch::default()).await, Err(not_found()));
    let deleted = get(&db, org, 3, view(Deleted::Only)).await.unwrap();
    assert_eq!((deleted.version, deleted.deleted_date), (2, Some(deleted.updated_date)));
    assert_eq!(deleted.seq_from, seen + 2, "entries go by number");

    assert_eq!(delete(&db, org, [1]).await.not_found, [IncidentNumber(1)], "already deleted");
    assert_eq!(
        restore(&db, org, [2, 1, 7, 1]).await,
        BulkOutcome { changed_count: 1, not_found: vec![IncidentNumber(2), IncidentNumber(7)] }
    );
    assert_eq!(numbers(&db, org, View::now()).await, [4, 2, 1]);
    let date = domain::time::format(deleted.updated_date);
    let deleted_date = format!(r#"{{"deleted_date":[null,"{date}"]}}"#);
    let restored_date = format!(r#"{{"deleted_date":["{date}",null]}}"#);
    let entry = |kind: &str, id: &str, payload: &str| (kind.to_owned(), id.to_owned(), payload.to_owned());
    assert_eq!(
        journal(&db, org, seen).await,
        [
            entry("incident.deleted", "INC-0001", &deleted_date),
            entry("incident.deleted", "INC-0003", &deleted_date),
            entry("incident.restored", "INC-0001", &restored_date),
        ]
    );
    let next = create(&db, org, titled("e")).await.unwrap();
    assert_eq!(next.number, IncidentNumber(5), "a number is never used again");
}

#[both_engines]
async fn an_empty_list_deletes_nothing(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("a")).await.unwrap();
    assert_eq!(delete(&db, org, []).await, BulkOutcome { changed_count: 0, not_found: vec![] });
    assert_eq!(head(&db, org).await, 1);
}

#[both_engines]
async fn nothing_crosses_organizations(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    create(&db, acme, titled("a")).await.unwrap();
    let eve = member(&db, other, "Eve").await;
    assert_eq!(get(&db, other, 1, View::now()).await, Err(not_found()));
    assert_eq!(numbers(&db, other, view(Deleted::With)).await, [0; 0]);
    assert_eq!(update(&db, other, 1, IncidentPatch::default()).await, Err(not_found()));
    assert_eq!(delete(&db, other, [1]).await.not_found, [IncidentNumber(1)]);
    let foreign = IncidentPatch { assigned_to: domain::Change::Set(eve.id), ..IncidentPatch::default() };
    assert!(matches!(update(&db, acme, 1, foreign).await, Err(store::Error(Error::Invalid(_)))));
    delete(&db, acme, [1]).await;
    assert_eq!(restore(&db, other, [1]).await.not_found, [IncidentNumber(1)]);
    assert_eq!(create(&db, other, titled("b")).await.unwrap().number, IncidentNumber(1));
}

#[both_engines]
async fn the_number_of_statements_does_not_depend_on_the_length(db: TestDb) {
    let org = db.organization("Acme").await;
    let fill = async move |tx: &mut db::Tx| {
        for _ in 0..1_200 {
            store::incidents::create(tx, org, &operator(), &titled("a")).await?;
        }
        Ok::<(), store::Error>(())
    };
    db.write_alone(org, fill).await.unwrap();
    let count = async |limit: i64| {
        let before = db.statements();
        let mut tx = db.read().await.unwrap();
        let page =
            store::incidents::list(&mut tx, org, &Viewer::service(), &IncidentQuery::of(View::now()), limit)
                .await
                .unwrap();
        assert_eq!(page.rows.len(), usize::try_from(limit).unwrap());
        db.statements() - before
    };
    assert_eq!(count(1).await, count(200).await);
    let before = db.statements();
    // The texts of fewer than these are not measured first.
    assert_eq!(delete(&db, org, 1..=9).await.changed_count, 9);
    let for_nine = db.statements() - before;
    let before = db.statements();
    let outcome = delete(&db, org, 1..=10_000).await;
    assert_eq!(db.statements() - before, for_nine);
    assert_eq!((outcome.changed_count, outcome.not_found.len()), (1_191, 8_809));
    assert_eq!(restore(&db, org, (1..=10_000).rev()).await.changed_count, 1_200);
}
