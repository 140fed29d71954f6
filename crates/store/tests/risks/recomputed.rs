//! Figures of some risks and of the past, what they are made of, and their series, against the model of a history.

use domain::performance::Exclusion;
use jiff::{SignedDuration, Timestamp};
use store::Deleted;
use store::performance::{Part, Performance, Period};
use testkit::TestDb;

use crate::risks::histories::{Dice, History};
use crate::risks::model::{Counted, Model, Only};

/// The register as it was known at a time.
fn known(history: &History, at: Timestamp) -> Model {
    let known = history.states.iter().rev().find(|(_, known, _)| *known <= at);
    known.map(|(_, _, model)| model.clone()).unwrap_or_default()
}

/// A moment that is not in the future: near a write, or near the moment at which an evaluation no longer counts.
fn moment(history: &History, dice: &mut Dice, days: i64, now: Timestamp) -> Timestamp {
    let states: Vec<Timestamp> = history.states.iter().map(|(_, at, _)| *at).collect();
    let evaluations = history.model.risks.iter().flat_map(|risk| &risk.evaluations);
    let expiries = evaluations.map(|it| it.at + SignedDuration::from_hours(24 * days));
    let expiries: Vec<Timestamp> = expiries.chain([now]).collect();
    let near = match dice.below(3) {
        0 => now,
        1 => dice.one_of(&states),
        _ => dice.one_of(&expiries),
    };
    (near + SignedDuration::from_micros(dice.below(3) - 1)).min(now)
}

fn numbers(figure: Performance) -> (i64, i64) {
    (figure.total_risks_evaluated, figure.average_performance_percentage)
}

/// A part as the model tells of it.
fn told(part: &Part) -> (i64, Result<Counted, &'static str>) {
    let told = match part.excluded {
        Some(why) => Err(Exclusion::as_str(why)),
        None => {
            let it = part.risk.current.unwrap();
            let (inherent, target) = (part.inherent_score.unwrap(), part.target_score.unwrap());
            Ok((it.evaluation, inherent, target, it.rating.score(), it.performance_basis_points.unwrap()))
        }
    };
    (part.risk.number.number(), told)
}

/// One figure in each way, at one moment.
pub(crate) async fn check(db: &TestDb, history: &History, dice: &mut Dice) {
    let (only, days) = (dice.only(history), dice.period());
    let mut tx = db.read().await.unwrap();
    let (org, filter) = (history.org, only.filter());
    let now = store::journal::resolve(&mut tx, org, None, None).await.unwrap().unwrap().at;
    let at = moment(history, dice, days, now);
    let seq = store::journal::resolve(&mut tx, org, Some(at), None).await.unwrap().unwrap().seq;
    let past = Period { days, until: at, as_of_seq: Some(seq) };
    let present = store::performance::period(&mut tx, org, days).await.unwrap();
    for (period, model) in [(past, &known(history, at)), (present, &history.model)] {
        let found = store::performance::compute(&mut tx, org, period, &filter).await.unwrap();
        let context = format!("{only:?}, {period:?}: {model:#?}");
        assert_eq!(numbers(found.figure), model.figure(period.until, days, &only), "{context}");
        let it = found.coverage;
        let coverage = (it.open, it.evaluated, it.worse_than_inherent);
        assert_eq!(coverage, model.coverage(period.until, days, &only), "{context}");
        let previous = store::performance::previous(&mut tx, org, period).await.unwrap();
        let before = store::performance::compute(&mut tx, org, previous, &filter).await.unwrap();
        let expected = known(history, previous.until).figure(previous.until, days, &only);
        assert_eq!(numbers(before.figure), expected, "before {context}");
        check_parts(&mut tx, history, (period, model), &only).await;
    }
    check_series(&mut tx, history, dice, (days, now), &only).await;
}

async fn check_parts(tx: &mut db::Tx, history: &History, (period, model): (Period, &Model), only: &Only) {
    let filter = only.filter();
    for deleted in [Deleted::With, Deleted::Without] {
        let asked = (period, deleted);
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = store::performance::parts(tx, history.org, asked, &filter, after.as_ref(), 2).await;
            let page = page.unwrap();
            found.extend(page.rows.iter().map(told));
            after = page.rows.last().map(Part::position);
            if !page.has_more {
                break;
            }
        }
        let mut expected = model.parts(period.until, period.days, only);
        expected.retain(|(_, part)| deleted == Deleted::With || *part != Err("deleted"));
        assert_eq!(found, expected, "{only:?}, {period:?}: {model:#?}");
        let total = store::performance::count_parts(tx, history.org, asked, &filter).await.unwrap();
        assert_eq!(total, i64::try_from(found.len()).unwrap());
    }
}

async fn check_series(
    tx: &mut db::Tx,
    history: &History,
    dice: &mut Dice,
    (days, now): (i64, Timestamp),
    only: &Only,
) {
    let mut moments: Vec<Timestamp> = (0..6).map(|_| moment(history, dice, days, now)).collect();
    moments.sort_unstable();
    let figure = |at: &Timestamp| (*at, known(history, *at).figure(*at, days, only));
    let expected: Vec<_> = moments.iter().map(figure).collect();
    let points = store::performance::series(tx, history.org, days, &only.filter(), moments).await.unwrap();
    let found: Vec<_> = points.iter().map(|point| (point.at, numbers(point.figure))).collect();
    assert_eq!(found, expected, "{only:?}, {days} days");
}
