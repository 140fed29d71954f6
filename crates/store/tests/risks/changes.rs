//! What changed between two entries: by name, and for random histories against a comparison of the registers as they were read at
//! the time.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use domain::evaluation::NewEvaluation;
use domain::risk::{Rating, RatingPatch, Risk, RiskPatch, RiskStatus, Treatment};
use domain::risk_change::RiskChangeKind as Kind;
use domain::scale::{NewScale, Scale};
use domain::{Change, OrgId, Prose, Reason};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::risk_changes::RiskChange;
use store::{Deleted, View};
use testkit::{TestDb, both_engines};

use crate::risks::scales::{change, scale, sized, stricter};
use crate::risks::support::*;

/// The risks that a history speaks of.
const RISKS: i64 = 3;

/// Before the first evaluation of any test.
const EARLY: &str = "2026-01-01T00:00:00Z";

async fn between(db: &TestDb, org: OrgId, ends: (i64, i64)) -> Vec<RiskChange> {
    let mut tx = db.read().await.unwrap();
    let mut all = store::risk_changes::between(&mut tx, org, ends).await.unwrap();
    store::risk_changes::add_reasons(&mut tx, org, &mut all).await.unwrap();
    all
}

fn moved_to(status: RiskStatus) -> RiskPatch {
    let status_reason = Change::Set(Prose::stored(format!("It is {} now.", status.as_str())));
    RiskPatch { status: Some(status), status_reason, ..RiskPatch::default() }
}

fn treated(treatment: Treatment) -> RiskPatch {
    RiskPatch { treatment: Some(treatment), ..RiskPatch::default() }
}

fn whole(it: Rating) -> RatingPatch {
    RatingPatch { likelihood: Some(it.likelihood), impact: Some(it.impact) }
}

fn aimed(target: Option<Rating>) -> RiskPatch {
    RiskPatch { target: target.map_or(Change::Clear, |it| Change::Set(whole(it))), ..RiskPatch::default() }
}

/// The changes with their reasons: kind, risk, reason.
fn reasons(changes: &[RiskChange]) -> Vec<(Kind, i64, Option<&str>)> {
    changes.iter().map(|it| (it.kind, it.position().1, it.cause.reason.as_deref())).collect()
}

#[both_engines]
async fn each_decision_is_told_with_its_reason(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    for _ in 0..3 {
        create(&db, org, titled("a")).await;
    }
    create(&db, other, titled("theirs")).await;
    evaluate(&db, org, 1, rated(3, 3)).await.unwrap();
    let from = head(&db, org).await;
    let noted = NewEvaluation { note: Some("Worse.".into()), ..rated(4, 4) };
    evaluate(&db, org, 1, noted).await.unwrap();
    update(&db, org, 2, moved_to(RiskStatus::Closed)).await.unwrap();
    update(&db, org, 2, aimed(None)).await.unwrap();
    update(&db, org, 1, treated(Treatment::Accept)).await.unwrap();
    delete(&db, org, 3).await.unwrap();
    create(&db, org, titled("d")).await;
    change(&db, org, scale(stricter(9), false)).await.unwrap();
    let (to, all) = (head(&db, org).await, between(&db, org, (from, head(&db, org).await)).await);
    assert_eq!(
        reasons(&all),
        [
            (Kind::Worse, 1, Some("Worse.")),
            (Kind::New, 4, None),
            (Kind::Closed, 2, Some("It is closed now.")),
            (Kind::Gone, 3, None),
            (Kind::TargetMoved, 2, None),
            (Kind::TreatmentChanged, 1, None),
            (Kind::ScaleChanged, 0, Some("Because")),
        ]
    );
    let score = |it: &Option<store::risk_changes::Placed>| it.as_ref().map(|it| it.rating.0.score());
    assert_eq!((score(&all[0].before), score(&all[0].after)), (Some(9), Some(16)));
    assert_eq!((score(&all[4].before), score(&all[4].after)), (Some(6), None));
    assert_eq!(all[5].treatments, Some((Treatment::Undecided, Treatment::Accept)));
    assert_eq!(all[0].cause.by, by().actor);
    assert_eq!(between(&db, org, (to, to)).await, []);
    assert_eq!(between(&db, other, (0, head(&db, other).await)).await.len(), 1, "theirs alone");
}

#[both_engines]
async fn notes_are_read_for_the_changes_that_are_shown(db: TestDb) {
    let org = db.organization("Acme").await;
    for _ in 0..2 {
        create(&db, org, titled("a")).await;
    }
    let from = head(&db, org).await;
    for (risk, note) in [(1, "One."), (2, "Two.")] {
        let noted = NewEvaluation { note: Some(note.into()), ..rated(4, 4) };
        evaluate(&db, org, risk, noted).await.unwrap();
    }
    update(&db, org, 2, moved_to(RiskStatus::Closed)).await.unwrap();
    let ends = (from, head(&db, org).await);
    let mut tx = db.read().await.unwrap();
    let mut all = store::risk_changes::between(&mut tx, org, ends).await.unwrap();
    store::risk_changes::add_reasons(&mut tx, org, &mut all[1..]).await.unwrap();
    let (first, closed) = (Kind::FirstEvaluated, (Kind::Closed, 2, Some("It is closed now.")));
    assert_eq!(reasons(&all), [(first, 1, None), (first, 2, Some("Two.")), closed]);
}

#[both_engines]
async fn a_band_moved_by_the_edit_that_moved_it_and_not_by_a_later_one(db: TestDb) {
    let org = db.organization("Acme").await;
    let risk = create(&db, org, titled("a")).await.number.number();
    evaluate(&db, org, risk, rated(3, 3)).await.unwrap();
    let from = head(&db, org).await;
    let because = |reason: &str, new: NewScale| NewScale { reason: Reason::stored(reason), ..new };
    change(&db, org, because("The board accepts less.", scale(stricter(9), false))).await.unwrap();
    let moved = head(&db, org).await;
    let mut renamed = stricter(9);
    renamed.likelihood[0].description = "Never.".into();
    change(&db, org, because("Words.", scale(renamed, false))).await.unwrap();
    change(&db, org, because("Fewer levels.", scale(sized(4), false))).await.unwrap();
    let all = between(&db, org, (from, head(&db, org).await)).await;
    let worse = (Kind::Worse, 1, Some("The board accepts less."));
    assert_eq!((reasons(&all)[0], all[0].cause.seq, all.len()), (worse, moved, 4));
}

/// One step of a history. What the register refuses changes nothing.
#[derive(Debug, Clone)]
enum Step {
    Create,
    Patch(i64, Box<RiskPatch>),
    Evaluate { risk: i64, rating: Rating, supersedes: bool, early: bool },
    Delete(i64),
    Restore(i64),
    Stricter(i64),
    Sized(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let levels = || (1..4_i64, 1..4_i64).prop_map(|(likelihood, impact)| rating(likelihood, impact));
    let patch = prop_oneof![
        prop::option::of(levels()).prop_map(aimed),
        levels().prop_map(|it| RiskPatch { inherent: Some(whole(it)), ..RiskPatch::default() }),
        prop::sample::select(Treatment::ALL).prop_map(treated),
        prop::sample::select(RiskStatus::ALL).prop_map(moved_to),
    ];
    let evaluation = (1..=RISKS, levels(), any::<bool>(), any::<bool>())
        .prop_map(|(risk, rating, supersedes, early)| Step::Evaluate { risk, rating, supersedes, early });
    prop_oneof![
        2 => Just(Step::Create),
        5 => (1..=RISKS, patch).prop_map(|(risk, patch)| Step::Patch(risk, Box::new(patch))),
        5 => evaluation,
        1 => (1..=RISKS).prop_map(Step::Delete),
        1 => (1..=RISKS).prop_map(Step::Restore),
        2 => (2..12_i64).prop_map(Step::Stricter),
        1 => (3..6_usize).prop_map(Step::Sized),
    ]
}

/// The register after an entry.
struct Moment {
    seq: i64,
    risks: BTreeMap<i64, Risk>,
}

/// How a history went.
struct History {
    moments: Vec<Moment>,
    /// The entry of each evaluation, and the number of the one that supersedes it.
    evaluated: BTreeMap<(i64, i64), i64>,
    superseded: BTreeMap<(i64, i64), i64>,
    /// The versions of the scale.
    scales: Vec<Scale>,
}

/// A change: kind, risk, entry, and the ratings before and after.
type Told = (Kind, i64, i64, Option<Rating>, Option<Rating>);

impl History {
    fn generation(&self, version: i64) -> i64 {
        self.scales.iter().find(|it| it.number == version).unwrap().generation
    }

    /// What changed between two moments.
    fn expected(&self, from: usize, to: usize) -> Vec<Told> {
        let (then, now) = (&self.moments[from], &self.moments[to]);
        let is_between = |seq: i64| seq > then.seq && seq <= now.seq;
        let edits: Vec<i64> =
            self.scales.iter().map(|it| it.seq_from).filter(|seq| is_between(*seq)).collect();
        let mut told: Vec<Told> = edits.iter().map(|seq| (Kind::ScaleChanged, 0, *seq, None, None)).collect();
        for number in 1..=RISKS {
            let (before, after) = (then.risks.get(&number), now.risks.get(&number));
            if before.is_none() && after.is_none() {
                continue;
            }
            let steps = self.moments[from..=to].windows(2).map(|pair| (&pair[0], &pair[1]));
            let steps: Vec<_> = steps
                .map(|(one, next)| (one.risks.get(&number), next.risks.get(&number), next.seq))
                .collect();
            if let Some(kind) = became(before, after) {
                let (.., seq) =
                    steps.iter().rfind(|(one, next, _)| became(*one, *next) == Some(kind)).unwrap();
                told.push((kind, number, *seq, None, None));
            }
            for (one, next, seq) in &steps {
                let Some((one, next)) = one.zip(*next) else { continue };
                told.extend(
                    self.moved(one, next).into_iter().map(|(kind, old, new)| (kind, number, *seq, old, new)),
                );
            }
            if let Some((before, after)) = before.zip(after) {
                told.extend(self.compared(before, after, (then.seq, now.seq)));
            }
        }
        told.sort_by_key(|(kind, risk, seq, ..)| (Kind::ALL.iter().position(|it| it == kind), *risk, *seq));
        told
    }

    fn moved(&self, one: &Risk, next: &Risk) -> Vec<(Kind, Option<Rating>, Option<Rating>)> {
        let is_by_another = self.generation(one.scale_version) != self.generation(next.scale_version);
        let mut moved = Vec::new();
        if one.inherent != next.inherent || is_by_another {
            moved.push((Kind::InherentMoved, Some(one.inherent), Some(next.inherent)));
        }
        if one.target != next.target || is_by_another && one.target.is_some() {
            moved.push((Kind::TargetMoved, one.target, next.target));
        }
        if one.treatment != next.treatment {
            moved.push((Kind::TreatmentChanged, None, None));
        }
        moved
    }

    /// How the latest evaluations compare: by their bands at the time, then by their scores.
    fn compared(&self, before: &Risk, after: &Risk, (from, to): (i64, i64)) -> Option<Told> {
        let (number, new) = (after.number.number(), after.current?);
        let made = self.evaluated[&(number, new.evaluation)];
        let Some(old) = before.current else {
            return Some((Kind::FirstEvaluated, number, made, None, Some(new.rating)));
        };
        let place = |risk: &Risk| risk.grades.current.as_ref().unwrap().place;
        let standing = |risk: &Risk, rating: Rating| (place(risk), rating.score());
        let kind = match standing(after, new.rating).cmp(&standing(before, old.rating)) {
            _ if self.generation(old.scale_version) != self.generation(new.scale_version) => {
                Kind::NotComparable
            }
            Ordering::Greater => Kind::Worse,
            Ordering::Less => Kind::Better,
            Ordering::Equal => return None,
        };
        let seq = match old.evaluation == new.evaluation {
            true => self.last_move(new.rating, old.scale_version, (from, to))?,
            false if made > from => made,
            false => self.evaluated[&(number, self.superseded[&(number, old.evaluation)])],
        };
        Some((kind, number, seq, Some(old.rating), Some(new.rating)))
    }

    /// The last entry between two that moved a rating into another band of its scale.
    fn last_move(&self, rating: Rating, version: i64, (from, to): (i64, i64)) -> Option<i64> {
        let moves = self.scales.windows(2).filter(|pair| {
            let is_of_it = pair.iter().all(|it| it.generation == self.generation(version));
            is_of_it && pair[0].band_of(rating) != pair[1].band_of(rating)
        });
        moves.map(|pair| pair[1].seq_from).rfind(|seq| *seq > from && *seq <= to)
    }
}

fn became(before: Option<&Risk>, after: Option<&Risk>) -> Option<Kind> {
    match (before.map(|it| it.status), after.map(|it| it.status)) {
        (None, Some(_)) => Some(Kind::New),
        (Some(_), None) => Some(Kind::Gone),
        (Some(RiskStatus::Open), Some(RiskStatus::Closed)) => Some(Kind::Closed),
        (Some(RiskStatus::Closed), Some(RiskStatus::Open)) => Some(Kind::Reopened),
        _ => None,
    }
}

/// Takes a step, as far as the register does.
async fn take(db: &TestDb, org: OrgId, step: Step, history: &mut History) {
    let present = &history.moments.last().unwrap().risks;
    match step {
        Step::Create => {
            let made = list(db, org, View { deleted: Deleted::With, ..View::now() }).await.len();
            if i64::try_from(made).unwrap() < RISKS {
                let new = domain::risk::NewRisk { target: None, inherent: rating(3, 3), ..titled("a") };
                create(db, org, new).await;
            }
        }
        Step::Patch(risk, patch) => drop(update(db, org, risk, *patch).await),
        Step::Evaluate { risk, rating: it, supersedes, early } => {
            let found = present.get(&risk);
            let wrong = found.and_then(|it| it.current).filter(|_| supersedes).map(|it| it.evaluation);
            let brings = found.filter(|it| it.grades.is_outdated && wrong.is_none());
            let new = NewEvaluation {
                supersedes: wrong,
                evaluated_at: early.then(|| EARLY.parse().unwrap()),
                inherent: brings.map(|_| rating(3, 3)),
                target: brings.and_then(|it| it.target).map(|_| rating(1, 2)),
                ..rated(it.likelihood, it.impact)
            };
            if let Ok(made) = evaluate(db, org, risk, new).await {
                history.evaluated.insert((risk, made.number), head(db, org).await);
                history.superseded.extend(wrong.map(|wrong| ((risk, wrong), made.number)));
            }
        }
        Step::Delete(risk) => drop(delete(db, org, risk).await),
        Step::Restore(risk) => drop(restore(db, org, risk).await),
        Step::Stricter(_) | Step::Sized(_) => {
            let present =
                store::scales::known(&mut db.read().await.unwrap(), org, View::now()).await.unwrap();
            let present = present.present().content.likelihood.len();
            let (levels, from) = match step {
                Step::Sized(levels) => (levels, 26),
                Step::Stricter(from) => (present, from),
                _ => return,
            };
            let (strict, mut content) = (stricter(from), sized(levels));
            content.matrix = strict.matrix[..levels].iter().map(|row| row[..levels].to_vec()).collect();
            let made = change(db, org, scale(content, false)).await.unwrap();
            if history.scales.last().is_some_and(|it| it.number < made.number) {
                history.scales.push(made);
            }
        }
    }
}

async fn check(db: &TestDb, steps: Vec<Step>) -> Result<usize, TestCaseError> {
    let org = db.organization("Random").await;
    let first = Moment { seq: head(db, org).await, risks: BTreeMap::new() };
    let mut history = History {
        moments: vec![first],
        evaluated: BTreeMap::new(),
        superseded: BTreeMap::new(),
        scales: vec![Scale::default()],
    };
    for step in [Step::Create].into_iter().chain(steps) {
        db.clock.advance_seconds(1);
        take(db, org, step, &mut history).await;
        let risks = list(db, org, View::now()).await.into_iter().map(|risk| (risk.number.number(), risk));
        history.moments.push(Moment { seq: head(db, org).await, risks: risks.collect() });
    }
    let mut told = 0;
    for to in 1..history.moments.len() {
        for from in 0..to {
            let ends = (history.moments[from].seq, history.moments[to].seq);
            let rating = |it: &Option<store::risk_changes::Placed>| it.as_ref().map(|it| it.rating.0);
            let found = between(db, org, ends).await;
            let found: Vec<Told> = found
                .iter()
                .map(|it| (it.kind, it.position().1, it.cause.seq, rating(&it.before), rating(&it.after)))
                .collect();
            prop_assert_eq!(&found, &history.expected(from, to), "{:?}", ends);
            told += found.len();
        }
    }
    Ok(told)
}

#[both_engines]
async fn changes_of_random_histories_are_those_of_their_registers(db: TestDb) {
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 20, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec(step(), 4..16), |steps| {
                let told = handle.block_on(check(&db, steps))?;
                prop_assert!(told > 0, "the first risk is new");
                Ok(())
            })
            .unwrap();
    });
}
