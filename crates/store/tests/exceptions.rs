//! Exceptions to a document in random histories of publications, removed items, archiving, decisions, withdrawals and revocations,
//! also at the same time, compared with a model that knows what each version printed; and each moment as it is shown later.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a panic is a test's answer")]

mod acts;
mod model;

use std::collections::BTreeMap;

use domain::OrgId;
use domain::decision::{DecisionState, Verdict};
use domain::document::Day;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use store::View;
use store::exceptions::{ExceptionDetails, ExceptionFilter};
use testkit::{TestDb, both_engines};

use self::acts::{Act, People, act, begin, run};
use self::model::{Model, Printed};

/// Every exception, by number.
async fn all(db: &TestDb, org: OrgId) -> BTreeMap<i64, ExceptionDetails> {
    by_number(listed(db, org, View::now(), &ExceptionFilter::default()).await)
}

fn by_number(rows: Vec<ExceptionDetails>) -> BTreeMap<i64, ExceptionDetails> {
    rows.into_iter().map(|it| (it.exception.number, it)).collect()
}

async fn listed(db: &TestDb, org: OrgId, view: View, filter: &ExceptionFilter) -> Vec<ExceptionDetails> {
    let mut tx = db.read().await.unwrap();
    let rows = store::exceptions::list(&mut tx, org, view, filter, None, 1_000).await.unwrap().rows;
    let total = store::exceptions::count(&mut tx, org, view, filter).await.unwrap();
    assert_eq!(usize::try_from(total), Ok(rows.len()), "{view:?} {filter:?}");
    rows
}

/// Every exception at a moment, and a view that shows the moment later.
type Moment = (View, BTreeMap<i64, ExceptionDetails>);

async fn moment(db: &TestDb, org: OrgId) -> Moment {
    let seq = store::journal::head(&mut db.read().await.unwrap(), org).await.unwrap().seq;
    (View::as_of(seq).at(db.clock.now()), all(db, org).await)
}

/// Each moment is shown as it was: in lists, and one by one.
async fn check_past(db: &TestDb, org: OrgId, moments: &[Moment]) {
    for (view, found) in moments {
        let shown = listed(db, org, *view, &ExceptionFilter::default()).await;
        assert_eq!(&by_number(shown), found, "{view:?}");
        for state in [DecisionState::Accepted, DecisionState::Stale, DecisionState::Expired] {
            let filter = ExceptionFilter { state: vec![state], ..ExceptionFilter::default() };
            let numbers: Vec<_> = by_number(listed(db, org, *view, &filter).await).into_keys().collect();
            let expected = found.iter().filter(|(_, it)| it.state == state).map(|(number, _)| *number);
            assert_eq!(numbers, expected.collect::<Vec<_>>(), "{state:?} {view:?}");
        }
        let mut tx = db.read().await.unwrap();
        let next = i64::try_from(found.len()).unwrap() + 1;
        for number in [next - 1, next] {
            let one = store::exceptions::get(&mut tx, org, *view, acts::SLUG, number).await.ok();
            assert_eq!(one.as_ref(), found.get(&number), "{number} {view:?}");
        }
    }
}

async fn faults(db: &TestDb, org: OrgId) -> Vec<String> {
    let report = store::verify::verify(&mut db.read().await.unwrap(), org, None).await.unwrap();
    report.faults.into_iter().map(|fault| fault.detail).collect()
}

/// The register and its lists say of each exception what the model says.
async fn compare(db: &TestDb, org: OrgId, model: &Model) {
    let (found, today) = (all(db, org).await, Day::of(db.clock.now()));
    assert_eq!(found.len(), model.exceptions.len());
    for ((number, it), known) in found.iter().zip(&model.exceptions) {
        let state = model.state(known, &today);
        assert_eq!(it.state, state, "{number} of {model:?}");
        if state.is_live() {
            assert_eq!(it.exception.stale_by, model.stale_by(known), "{number} of {model:?}");
            assert_eq!(Some(it.exception.document_version), known.accepted, "{number} of {model:?}");
        }
    }
    let states: Vec<_> = model.exceptions.iter().map(|it| (model.state(it, &today), &it.until)).collect();
    for state in DecisionState::ALL {
        let filter = ExceptionFilter { state: vec![*state], ..ExceptionFilter::default() };
        let expected = states.iter().filter(|(it, _)| it == state).count();
        assert_eq!(listed(db, org, View::now(), &filter).await.len(), expected, "{state:?} of {model:?}");
    }
    let (soon, filter) =
        (today.later(30), ExceptionFilter { expiring: Some(30), ..ExceptionFilter::default() });
    let expiring = states.iter().filter(|(it, until)| it.is_live() && Some(*until) <= soon.as_ref()).count();
    assert_eq!(listed(db, org, View::now(), &filter).await.len(), expiring, "{model:?}");
}

/// Whatever became of the document, somebody can end each exception and each request.
async fn end_all(db: &TestDb, org: OrgId, people: People) {
    for (number, it) in all(db, org).await {
        let (verdict, is_asker, is_latest, is_recorded) = (Verdict::Refused, false, false, false);
        let refuse = Act::Decide { number, verdict, is_asker, is_latest, is_recorded };
        let end = match it.state {
            DecisionState::Requested if number % 2 == 0 => refuse,
            DecisionState::Requested => Act::Withdraw { number },
            state if state.is_live() => Act::Revoke { number },
            _ => continue,
        };
        run(db, org, people, &end).await.unwrap();
    }
    assert!(all(db, org).await.values().all(|it| !DecisionState::OPEN.contains(&it.state)));
    assert_eq!(faults(db, org).await, [""; 0]);
}

#[both_engines]
async fn exceptions_follow_random_histories(db: TestDb) {
    let mut runner = TestRunner::deterministic();
    let histories = proptest::collection::vec(act(), 20..50);
    let mut met = BTreeMap::new();
    for case in 0..20 {
        let acts = histories.new_tree(&mut runner).unwrap().current();
        let (org, people) = begin(&db, case).await;
        let (mut model, mut moments) = (Model::default(), Vec::new());
        for act in acts {
            let (act, today) = (act.of(model.exceptions.len()), Day::of(db.clock.now()));
            let done = run(&db, org, people, &act).await;
            model.check(&act, &done, &today);
            if let Ok(version) = done {
                model.apply(&act, version, &today);
            }
            compare(&db, org, &model).await;
            moments.push(moment(&db, org).await);
        }
        let today = Day::of(db.clock.now());
        model.exceptions.iter().for_each(|it| *met.entry(model.state(it, &today).as_str()).or_insert(0) += 1);
        end_all(&db, org, people).await;
        check_past(&db, org, &moments).await;
    }
    // The histories are worth something.
    assert!(DecisionState::ALL.iter().all(|state| met.contains_key(state.as_str())), "{met:?}");
}

#[both_engines]
async fn acts_at_the_same_time_leave_no_exception_in_force_that_is_about_something_else(db: TestDb) {
    let mut runner = TestRunner::deterministic();
    let several = proptest::collection::vec(act(), 6);
    for case in 0..8 {
        let (org, people) = begin(&db, case).await;
        let mut versions = Model::default().versions;
        for _ in 0..5 {
            let count = all(&db, org).await.len();
            let acts = several.new_tree(&mut runner).unwrap().current();
            let acts: Vec<Act> = acts.into_iter().map(|act| act.of(count)).collect();
            let done: [_; 6] = tokio::join!(
                run(&db, org, people, &acts[0]),
                run(&db, org, people, &acts[1]),
                run(&db, org, people, &acts[2]),
                run(&db, org, people, &acts[3]),
                run(&db, org, people, &acts[4]),
                run(&db, org, people, &acts[5]),
            )
            .into();
            let published = acts.iter().zip(done).filter_map(|(act, done)| match act {
                Act::Publish(printed) => Some((done.ok()??, *printed)),
                _ => None,
            });
            versions.extend(published);
            check(&db, org, &versions).await;
        }
        end_all(&db, org, people).await;
    }
}

/// The states that there are follow from what the versions print, and nothing is in force beside what took its place.
async fn check(db: &TestDb, org: OrgId, versions: &BTreeMap<i64, Printed>) {
    let mut tx = db.read().await.unwrap();
    let document = store::documents::get(&mut tx, org, acts::SLUG).await.unwrap().document;
    drop(tx);
    assert_eq!(versions.keys().copied().max(), document.published_version);
    let found = all(db, org).await;
    let model = Model::of(versions.clone(), document.status, found.values());
    compare(db, org, &model).await;
    for it in found.values().filter(|it| it.exception.decision.decided_date.is_some()) {
        let is_accepted = it.exception.decision.state != DecisionState::Refused;
        let replaced = it.exception.replaces.filter(|_| is_accepted).map(|number| &found[&number]);
        assert!(replaced.is_none_or(|it| !it.state.is_live()), "{found:?}");
    }
}
