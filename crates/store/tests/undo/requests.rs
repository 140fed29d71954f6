//! Requests of several changes, and what comes between a request and its undo.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::incident::{IncidentPatch, NewIncident};
use domain::risk::{Rating, RiskPatch};
use domain::task::NewTask;
use domain::undo::UndoOutcome::{AlreadyUndone, ChangedSince, NotUndoable, Undone};
use domain::{Error, IncidentNumber, OrgId, ResourceKind, RiskNumber};
use testkit::{TestDb, both_engines};

use crate::undo::support::{ANY, Register, by, faults, filled, finish, outcomes, search, undo};

fn title(text: &str) -> IncidentPatch {
    IncidentPatch { title: Some(domain::Line::stored(text)), ..IncidentPatch::default() }
}

async fn retitle(db: &TestDb, org: OrgId, request_id: &str, number: i64, text: &str) {
    let (author, patch) = (by(request_id), title(text));
    let work = async move |tx: &mut Tx| {
        store::incidents::update(tx, org, &author, IncidentNumber(number), &ANY, &patch).await
    };
    db.write(org, work).await.unwrap();
}

#[both_engines]
async fn a_record_goes_back_to_before_the_first_change_of_the_request(db: TestDb) {
    let (org, [a, b]) = filled(&db, 1, 1).await;
    let work = async move |tx: &mut Tx| {
        store::listed::add_tag::<domain::risk::Risk>(tx, org, &by("other"), RiskNumber(1), a).await
    };
    db.write(org, work).await.unwrap();
    let before = Register::of(&db, org).await;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        let (author, one) = (by("r"), [IncidentNumber(1)]);
        for text in ["Second", "Third"] {
            store::incidents::update(tx, org, &author, IncidentNumber(1), &ANY, &title(text)).await?;
        }
        store::incidents::delete_many(tx, org, &author, &one).await?;
        let patch = RiskPatch { title: Some("Flood".into()), ..RiskPatch::default() };
        store::risks::update(tx, org, &author, RiskNumber(1), &ANY, &patch).await?;
        store::listed::remove_tag::<domain::risk::Risk>(tx, org, &author, RiskNumber(1), a).await?;
        store::listed::add_tag::<domain::risk::Risk>(tx, org, &author, RiskNumber(1), b).await?;
        store::risks::delete(tx, org, &author, RiskNumber(1), &ANY).await
    };
    db.write(org, work).await.unwrap();
    let after = Register::of(&db, org).await;
    let records = undo(&db, org, "r", "u").await.unwrap();
    assert_eq!(outcomes(&records), [("INC-0001", Undone), ("RSK-1", Undone)]);
    assert_eq!(Register::of(&db, org).await, before);
    assert_eq!(faults(&db, org).await, [""; 0]);
    undo(&db, org, "u", "u2").await.unwrap();
    assert_eq!(Register::of(&db, org).await, after);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn changes_that_cancel_each_other_leave_nothing_to_undo(db: TestDb) {
    let (org, _) = filled(&db, 1, 0).await;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for text in ["Second", "Untitled incident"] {
            store::incidents::update(tx, org, &by("r"), IncidentNumber(1), &ANY, &title(text)).await?;
        }
        Ok(())
    };
    db.write(org, work).await.unwrap();
    let records = undo(&db, org, "r", "u").await.unwrap();
    assert_eq!(outcomes(&records), [("INC-0001", AlreadyUndone)]);
}

#[both_engines]
async fn a_record_with_one_change_that_cannot_be_undone_stays_as_it_is(db: TestDb) {
    let (org, _) = filled(&db, 0, 2).await;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        let author = by("r");
        let incident = store::incidents::create(tx, org, &author, &NewIncident::untitled()).await?;
        store::incidents::update(tx, org, &author, incident.number, &ANY, &title("Second")).await?;
        for number in [RiskNumber(1), RiskNumber(2)] {
            let patch = RiskPatch { title: Some("Flood".into()), ..RiskPatch::default() };
            store::risks::update(tx, org, &author, number, &ANY, &patch).await?;
        }
        let rating = Rating { likelihood: 1, impact: 1 };
        let new = NewEvaluation {
            rating,
            evaluated_at: None,
            note: None,
            supersedes: None,
            inherent: None,
            target: None,
        };
        store::evaluations::record(tx, org, &author, RiskNumber(2), &new).await.map(drop)
    };
    db.write(org, work).await.unwrap();
    let records = undo(&db, org, "r", "u").await.unwrap();
    let expected = [("INC-0001", NotUndoable), ("RSK-1", Undone), ("RSK-2", NotUndoable)];
    assert_eq!(outcomes(&records), expected);
    let register = Register::of(&db, org).await;
    let titles: Vec<_> = register.risks.iter().map(|risk| risk.title.as_str()).collect();
    assert_eq!(titles, ["Flood", "Fire"]);
    assert_eq!(register.incidents[0].title, "Second");
    assert_eq!(faults(&db, org).await, [""; 0]);
}

/// A task is a part of an incident: to make one is no change of it.
#[both_engines]
async fn an_entry_about_a_part_does_not_stand_against_an_undo(db: TestDb) {
    let (org, _) = filled(&db, 1, 0).await;
    let before = Register::of(&db, org).await;
    retitle(&db, org, "r", 1, "Second").await;
    let new = NewTask {
        title: "Call the bank".into(),
        notes: None,
        owner: None,
        due: None,
        mandatory: false,
        position: None,
    };
    let work = async move |tx: &mut Tx| {
        store::tasks::create(tx, org, &by("t"), IncidentNumber(1).into(), &new).await
    };
    db.write(org, work).await.unwrap();
    let records = undo(&db, org, "t", "u").await.unwrap();
    assert_eq!(outcomes(&records), [("INC-0001", NotUndoable)]);
    let reason = records[0].result.as_ref().unwrap().reason.as_deref();
    let expected =
        "It changed a part of the record, such as a task, a note or a link. Change that back instead.";
    assert_eq!(reason, Some(expected));
    assert_eq!(outcomes(&undo(&db, org, "r", "u").await.unwrap()), [("INC-0001", Undone)]);
    assert_eq!(Register::of(&db, org).await, before);
    assert_eq!(faults(&db, org).await, [""; 0]);
    // A change of the incident itself still does.
    retitle(&db, org, "r2", 1, "Third").await;
    retitle(&db, org, "r3", 1, "Fourth").await;
    assert_eq!(outcomes(&undo(&db, org, "r2", "u").await.unwrap()), [("INC-0001", ChangedSince)]);
}

/// More than one batch, and with them their part of the figure.
#[both_engines]
async fn many_risks_of_one_request_are_undone_together(db: TestDb) {
    let count = 450;
    let (org, _) = filled(&db, 0, count).await;
    let all = move || (1..=i64::try_from(count).unwrap()).map(RiskNumber);
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for number in all().step_by(3) {
            let rating = Rating { likelihood: 1 + number.number() % 5, impact: 2 };
            let new = NewEvaluation {
                rating,
                evaluated_at: None,
                note: None,
                supersedes: None,
                inherent: None,
                target: None,
            };
            store::evaluations::record(tx, org, &by("other"), number, &new).await?;
        }
        Ok(())
    };
    db.write(org, work).await.unwrap();
    let before = Register::of(&db, org).await;
    let work = async move |tx: &mut Tx| -> store::Result<()> {
        for number in all() {
            store::risks::delete(tx, org, &by("r"), number, &ANY).await?;
        }
        Ok(())
    };
    db.write(org, work).await.unwrap();
    let search = search(&db, org, "r").await;
    assert_eq!(search.entries(), count);
    let statements = db.statements();
    let records = finish(&db, org, search, "u").await.unwrap();
    let statements = db.statements() - statements;
    assert!(statements < 50, "{statements} statements");
    assert_eq!(store::undo::undone_count(&records), count);
    assert_eq!(Register::of(&db, org).await, before);
    undo(&db, org, "u", "u2").await.unwrap();
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_request_after_the_search_is_not_undone(db: TestDb) {
    let (org, _) = filled(&db, 2, 0).await;
    let unknown = search(&db, org, "r").await;
    retitle(&db, org, "r", 1, "Second").await;
    let known = search(&db, org, "r").await;
    assert_eq!((unknown.entries(), known.entries()), (0, 1));
    retitle(&db, org, "r", 2, "Fourth").await;
    // It came after the undo had begun, whatever its id is.
    let records = finish(&db, org, known, "u").await.unwrap();
    assert_eq!(outcomes(&records), [("INC-0001", Undone)]);
    let refused = finish(&db, org, unknown, "u").await;
    assert_eq!(refused, Err(store::Error(Error::NotFound(ResourceKind::Request))));
}

/// An undone restoration leaves the incident in the trash since its deletion, so it may be purged soon after.
#[both_engines]
async fn a_purged_record_is_not_brought_back(db: TestDb) {
    let (org, _) = filled(&db, 1, 0).await;
    let one = [IncidentNumber(1)];
    let delete = async move |tx: &mut Tx| store::incidents::delete_many(tx, org, &by("d"), &one).await;
    db.write(org, delete).await.unwrap();
    db.clock.advance_days(90);
    db.clock.advance_seconds(-60);
    let restore = async move |tx: &mut Tx| store::incidents::restore_many(tx, org, &by("r"), &one).await;
    db.write(org, restore).await.unwrap();
    assert_eq!(outcomes(&undo(&db, org, "r", "u").await.unwrap()), [("INC-0001", Undone)]);
    db.clock.advance_seconds(120);
    let purge = async move |tx: &mut Tx| {
        store::housekeeping::purge(
            tx,
            org,
            &by("p"),
            store::REGISTRY.trash_named("deleted_incidents").unwrap(),
        )
        .await
    };
    assert_eq!(db.write_alone(org, purge).await.unwrap().count, 1);
    for id in ["r", "u"] {
        assert_eq!(outcomes(&undo(&db, org, id, "u2").await.unwrap()), [("INC-0001", ChangedSince)]);
    }
    assert_eq!(Register::of(&db, org).await.incidents, []);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_search_does_not_outlast_the_request(db: TestDb) {
    let (org, _) = filled(&db, 1, 0).await;
    retitle(&db, org, "r", 1, "Second").await;
    let search = search(&db, org, "r").await;
    db.clock.advance_seconds(15 * 60 + 1);
    let refused = finish(&db, org, search, "u").await;
    assert_eq!(refused, Err(store::Error(Error::NotFound(ResourceKind::Request))));
}
