//! Tags on incidents.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

use db::Tx;
use domain::incident::{Incident, IncidentPatch, NewIncident, Viewer};
use domain::tag::{NewTag, TagLabel};
use domain::{Error, ExpectedVersion, FaultCode, IncidentNumber, OrgId, ResourceKind, TagId};
use store::{Deleted, View};
use testkit::{TestDb, author, both_engines};

const ONE: IncidentNumber = IncidentNumber(1);

async fn declare(db: &TestDb, org: OrgId) -> Incident {
    db.write(org, async move |tx: &mut Tx| {
        store::incidents::create(tx, org, &author(), &NewIncident::untitled()).await
    })
    .await
    .unwrap()
}

async fn tag(db: &TestDb, org: OrgId, name: &str) -> TagId {
    let new = NewTag { name: domain::tag::TagName::stored(name), color: None, description: None };
    db.write(org, async move |tx: &mut Tx| store::tags::create(tx, org, &author(), &new).await)
        .await
        .unwrap()
        .id
}

async fn add(db: &TestDb, org: OrgId, number: IncidentNumber, tag: TagId) -> store::Result<()> {
    db.write(org, async move |tx: &mut Tx| {
        store::listed::add_tag::<Incident>(tx, org, &author(), number, tag).await
    })
    .await
}

async fn remove(db: &TestDb, org: OrgId, number: IncidentNumber, tag: TagId) -> store::Result<()> {
    db.write(org, async move |tx: &mut Tx| {
        store::listed::remove_tag::<Incident>(tx, org, &author(), number, tag).await
    })
    .await
}

/// The names of an incident's tags, as one view shows them.
async fn names(db: &TestDb, org: OrgId, view: View) -> Vec<String> {
    let (mut tx, viewer) = (db.read().await.unwrap(), Viewer::service());
    let incident = store::incidents::get(&mut tx, org, &viewer, ONE, view).await.unwrap();
    let details = store::incidents::details(&mut tx, org, &viewer, view, incident).await.unwrap();
    details.tags.into_iter().map(|TagLabel { name, .. }| name.into()).collect()
}

async fn head(db: &TestDb, org: OrgId) -> i64 {
    store::journal::head(&mut db.read().await.unwrap(), org).await.unwrap().seq
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

fn not_found<T>(kind: ResourceKind) -> store::Result<T> {
    Err(store::Error(Error::NotFound(kind)))
}

#[both_engines]
async fn a_tag_goes_on_an_incident_once_and_comes_off(db: TestDb) {
    let org = db.organization("Acme").await;
    let declared = declare(&db, org).await;
    let (cloud, access) = (tag(&db, org, "cloud").await, tag(&db, org, "access").await);
    let before = head(&db, org).await;
    db.clock.advance_seconds(1);
    add(&db, org, ONE, cloud).await.unwrap();
    add(&db, org, ONE, access).await.unwrap();
    let again = add(&db, org, ONE, cloud).await.unwrap_err().0;
    assert_eq!(again, Error::TagAlreadyAssociated(ResourceKind::Incident));
    assert_eq!(names(&db, org, View::now()).await, ["access", "cloud"]);
    remove(&db, org, ONE, cloud).await.unwrap();
    assert_eq!(remove(&db, org, ONE, cloud).await, not_found(ResourceKind::IncidentOrTag), "not on it");
    add(&db, org, ONE, cloud).await.unwrap();
    // The past stays as it was.
    assert_eq!(names(&db, org, View::as_of(before)).await, [""; 0]);
    assert_eq!(names(&db, org, View::as_of(before + 2)).await, ["access", "cloud"]);
    assert_eq!(names(&db, org, View::as_of(before + 3)).await, ["access"]);
    // The incident's version and dates do not change.
    let mut tx = db.read().await.unwrap();
    let now = store::incidents::get(&mut tx, org, &Viewer::service(), ONE, View::now()).await.unwrap();
    assert_eq!(
        (now.version, now.updated_date, now.seq_from),
        (declared.version, declared.updated_date, declared.seq_from)
    );
    let page =
        store::listed::list_tags::<Incident>(&mut tx, org, &Viewer::service(), ONE, None, 1).await.unwrap();
    assert_eq!((page.rows[0].id, page.has_more), (access, true));
    let entries = store::journal::list(&mut tx, org, before, 9).await.unwrap();
    let entries: Vec<_> = entries.iter().map(|it| (it.kind.as_str(), it.payload.as_deref())).collect();
    let payload = |change: &str| format!(r#"{{"tags/{cloud}":{change}}}"#);
    assert_eq!(entries.len(), 4);
    assert_eq!(entries[0], ("incident.tag_added", Some(payload("[null,true]").as_str())));
    assert_eq!(entries[2], ("incident.tag_removed", Some(payload("[true,null]").as_str())));
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn an_unknown_incident_or_tag_has_one_answer(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    for org in [acme, acme, other] {
        declare(&db, org).await;
    }
    db.write(acme, async move |tx: &mut Tx| {
        store::incidents::delete_many(tx, acme, &author(), &[IncidentNumber(2)]).await
    })
    .await
    .unwrap();
    let (ours, theirs) = (tag(&db, acme, "cloud").await, tag(&db, other, "cloud").await);
    let nobodys = TagId(uuid::Uuid::from_u128(7));
    for (number, tag) in [(1, theirs), (1, nobodys), (2, ours), (3, ours)] {
        let (number, missing) = (IncidentNumber(number), ResourceKind::IncidentOrTag);
        assert_eq!(add(&db, acme, number, tag).await, not_found(missing), "{number} {tag}");
        assert_eq!(remove(&db, acme, number, tag).await, not_found(missing), "{number} {tag}");
    }
    let (mut tx, viewer) = (db.read().await.unwrap(), Viewer::service());
    let deleted =
        store::listed::list_tags::<Incident>(&mut tx, acme, &viewer, IncidentNumber(2), None, 9).await;
    assert_eq!(deleted, not_found(ResourceKind::Incident));
}

#[both_engines]
async fn an_incident_has_at_most_50_tags(db: TestDb) {
    let org = db.organization("Acme").await;
    declare(&db, org).await;
    let mut tags = Vec::new();
    for number in 0..51 {
        tags.push(tag(&db, org, &format!("tag {number}")).await);
    }
    for tag in &tags[..50] {
        add(&db, org, ONE, *tag).await.unwrap();
    }
    let Error::Invalid(told) = add(&db, org, ONE, tags[50]).await.unwrap_err().0 else { panic!() };
    assert_eq!((told[0].pointer.as_str(), told[0].code), ("#/tag_id", FaultCode::TooManyTags));
    assert_eq!(told[0].detail, "An incident has at most 50 tags.");
    remove(&db, org, ONE, tags[7]).await.unwrap();
    add(&db, org, ONE, tags[50]).await.unwrap();
    assert_eq!(names(&db, org, View::now()).await.len(), 50);
}

#[both_engines]
async fn the_tags_of_a_deleted_incident_come_back_with_it(db: TestDb) {
    let org = db.organization("Acme").await;
    declare(&db, org).await;
    let cloud = tag(&db, org, "cloud").await;
    add(&db, org, ONE, cloud).await.unwrap();
    db.write(org, async move |tx: &mut Tx| {
        store::incidents::delete_many(tx, org, &author(), &[ONE]).await?;
        let only = View { deleted: Deleted::Only, ..View::now() };
        let deleted = store::incidents::get(tx, org, &Viewer::service(), ONE, only).await?;
        let details = store::incidents::details(tx, org, &Viewer::service(), only, deleted).await?;
        assert_eq!(details.tags.len(), 1, "the trash shows them");
        store::incidents::restore_many(tx, org, &author(), &[ONE]).await
    })
    .await
    .unwrap();
    assert_eq!(names(&db, org, View::now()).await, ["cloud"]);
    let patch = IncidentPatch { title: Some("Changed".into()), ..IncidentPatch::default() };
    db.write(org, async move |tx: &mut Tx| {
        store::incidents::update(tx, org, &author(), ONE, &ExpectedVersion::Any, &patch).await
    })
    .await
    .unwrap();
    assert_eq!(names(&db, org, View::now()).await, ["cloud"]);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

/// Makes a change in parts, each in a write of its own; how many writes it took.
async fn in_parts<T>(
    db: &TestDb,
    org: OrgId,
    count: usize,
    part: impl AsyncFn(&mut Tx, usize) -> store::Result<Vec<T>> + Clone + Send + Sync + 'static,
) -> usize
where
    T: Send + 'static,
{
    let (mut done, mut writes) = (0, 0);
    while done < count {
        let part = part.clone();
        let made = db.write_alone(org, async move |tx: &mut Tx| part(tx, done).await).await.unwrap();
        (done, writes) = (done + made.len(), writes + 1);
    }
    writes
}

#[both_engines]
async fn a_tag_of_many_records_is_merged_in_several_writes_and_that_is_undone(db: TestDb) {
    const MANY: usize = 600;
    let org = db.organization("Acme").await;
    let (old, new) = (tag(&db, org, "old").await, tag(&db, org, "new").await);
    let tagged = NewIncident { tags: vec![domain::tag::TagName::stored("old")], ..NewIncident::untitled() };
    db.write_alone(org, async move |tx: &mut Tx| {
        for _ in 0..MANY {
            store::incidents::create(tx, org, &author(), &tagged).await?;
        }
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    let mut tx = db.read().await.unwrap();
    let removal =
        store::tag_removal::begin(&mut tx, org, old, Some(new), true, ExpectedVersion::Any).await.unwrap();
    drop(tx);
    assert_eq!(removal.count(), MANY + 1);
    let by = domain::Author::new(author().actor, "merge");
    let (count, merging) = (removal.count(), by.clone());
    let merge = async move |tx: &mut Tx, done: usize| {
        store::tag_removal::remove(tx, org, &merging, &removal, done).await
    };
    assert_eq!(in_parts(&db, org, count, merge).await, 3);
    let counts = async || {
        let mut tx = db.read().await.unwrap();
        let mut found = Vec::new();
        for tag in [old, new] {
            let tags = store::list::TagFilter { tags: vec![tag], mode: None };
            let filter = store::incidents::IncidentFilter { tags, ..Default::default() };
            let (viewer, view) = (Viewer::service(), View::now());
            found.push(store::incidents::count(&mut tx, org, &viewer, view, &filter).await.unwrap());
        }
        found
    };
    assert_eq!(counts().await, [0, 600]);
    assert_eq!(faults(&db, org).await, [""; 0]);
    let mut search = store::undo::Search::new(org, &by.actor, "merge");
    let mut tx = db.read().await.unwrap();
    while search.advance(&mut tx).await.unwrap() {}
    drop(tx);
    assert_eq!(search.records(), MANY + 1, "those of all writes");
    let (count, undoing) = (search.records(), by);
    let undo =
        async move |tx: &mut Tx, done: usize| store::undo::undo(tx, org, &undoing, &search, done).await;
    in_parts(&db, org, count, undo).await;
    assert_eq!(counts().await, [600, 0]);
    assert_eq!(faults(&db, org).await, [""; 0]);
}
