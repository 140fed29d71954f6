//! Scales: compatible and incompatible versions, and what becomes of the risks by them.

use db::Tx;
use domain::evaluation::NewEvaluation;
use domain::risk::{EvaluationDue, Rating, RatingPatch, RiskPatch};
use domain::scale::{AcceptanceBy, NewScale, Scale, ScaleContent, Scales};
use domain::{Change, ExpectedVersion, FaultCode, OrgId, Reason, ResourceKind, RiskNumber, UserId};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use store::risks::{DueFilter, RatingBasis, RiskFilter, RiskQuery, RiskSort};
use store::scale_change::{BandMove, Effects};
use store::{View, list::Direction, list::Sort};
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

pub(crate) fn scale(content: ScaleContent, meaning_changed: bool) -> NewScale {
    NewScale { reason: Reason::stored("Because"), meaning_changed, content }
}

pub(crate) async fn change(db: &TestDb, org: OrgId, new: NewScale) -> store::Result<Scale> {
    let any = ExpectedVersion::Any;
    db.write(org, async move |tx: &mut Tx| store::scale_change::change(tx, org, &by(), &any, &new).await)
        .await
}

async fn plan(db: &TestDb, org: OrgId, new: &NewScale) -> Effects {
    let mut tx = db.read().await.unwrap();
    let any = ExpectedVersion::Any;
    store::scale_change::plan(&mut tx, org, &by(), &any, new, 9).await.unwrap().1
}

/// The default scale with the first so many levels.
pub(crate) fn sized(levels: usize) -> ScaleContent {
    let mut content = ScaleContent::default();
    content.likelihood.truncate(levels);
    content.impact.truncate(levels);
    content.matrix = content.matrix[..levels].iter().map(|row| row[..levels].to_vec()).collect();
    content
}

/// The default scale with everything from a score on in the highest band.
pub(crate) fn stricter(from: i64) -> ScaleContent {
    let mut content = ScaleContent::default();
    for (likelihood, row) in (1..).zip(&mut content.matrix) {
        for (impact, band) in (1..).zip(row) {
            *band = if likelihood * impact >= from { 3 } else { *band };
        }
    }
    content
}

async fn bands(db: &TestDb, org: OrgId, view: View) -> Vec<Option<String>> {
    let mut risks = list(db, org, view).await;
    risks.sort_by_key(|risk| risk.number);
    risks.into_iter().map(|risk| risk.grades.current.map(|grade| grade.name)).collect()
}

async fn found(db: &TestDb, org: OrgId, view: View, filter: RiskFilter) -> Vec<i64> {
    let sort = Sort { by: RiskSort::CurrentScore, direction: Direction::Descending };
    let query = RiskQuery { filter, sort, ..RiskQuery::of(view) };
    let mut tx = db.read().await.unwrap();
    let count = store::risks::count(&mut tx, org, view, &query.filter).await.unwrap();
    let rows = store::risks::list(&mut tx, org, &query, 1_000).await.unwrap().rows;
    assert_eq!(i64::try_from(rows.len()), Ok(count));
    rows.iter().map(|risk| risk.number.number()).collect()
}

fn of_band(name: &str) -> RiskFilter {
    RiskFilter { band: vec![name.to_owned()], ..RiskFilter::default() }
}

/// The facet of the bands.
async fn counted(db: &TestDb, org: OrgId, filter: &RiskFilter) -> Vec<(Option<String>, i64)> {
    let mut tx = db.read().await.unwrap();
    let facets = store::risks::facets(&mut tx, org, View::now(), filter).await.unwrap().facets;
    let (_, counts) = facets.into_iter().find(|(name, _)| *name == "band").unwrap();
    counts.into_iter().map(|it| (it.value, it.count)).collect()
}

fn wanting(evaluation: EvaluationDue) -> RiskFilter {
    let due = DueFilter { evaluation: vec![evaluation], ..DueFilter::default() };
    RiskFilter { due, ..RiskFilter::default() }
}

#[both_engines]
async fn an_edit_of_the_bands_moves_them_today_and_not_in_the_past(db: TestDb) {
    let (org, other) = (db.organization("Acme").await, db.organization("Other").await);
    for (likelihood, impact) in [(3, 3), (3, 4), (1, 2)] {
        let risk = create(&db, org, titled("a")).await.number.number();
        evaluate(&db, org, risk, rated(likelihood, impact)).await.unwrap();
    }
    create(&db, org, titled("never")).await;
    create(&db, other, titled("theirs")).await;
    evaluate(&db, other, 1, rated(3, 4)).await.unwrap();
    let (seq, name) = (head(&db, org).await, |name: &str| Some(name.to_owned()));
    let before = [name("Medium"), name("High"), name("Low"), None];
    assert_eq!(bands(&db, org, View::now()).await, before);
    assert_eq!(found(&db, org, View::now(), RiskFilter::default()).await, [2, 1, 3, 4]);

    let new = scale(stricter(9), false);
    let planned = plan(&db, org, &new).await;
    let moved = |from: &str, risk| BandMove {
        from: from.to_owned(),
        to: "Critical".to_owned(),
        count: 1,
        risks: vec![RiskNumber(risk)],
    };
    assert_eq!(planned, Effects { moves: vec![moved("Medium", 1), moved("High", 2)], outdated: 0 });
    assert_eq!(head(&db, org).await, seq, "a plan changes nothing");
    let second = change(&db, org, new.clone()).await.unwrap();
    assert_eq!((second.number, second.generation), (2, 1));
    assert_eq!(plan(&db, org, &new).await.moves, [], "the run did what the plan said");
    assert_eq!(change(&db, org, new).await, Ok(second.clone()), "the same again adds nothing");
    assert_eq!(head(&db, org).await, seq + 1);

    let after = [name("Critical"), name("Critical"), name("Low"), None];
    assert_eq!(bands(&db, org, View::now()).await, after);
    assert_eq!(bands(&db, org, View::as_of(seq)).await, before);
    assert_eq!(bands(&db, other, View::now()).await, [name("High")], "their scale stayed");
    assert_eq!(found(&db, org, View::now(), of_band("critical")).await, [2, 1]);
    assert_eq!(found(&db, org, View::as_of(seq), of_band("Medium")).await, [1]);
    assert_eq!(found(&db, org, View::now(), of_band("none such")).await, [0_i64; 0]);
    assert_eq!(found(&db, org, View::now(), wanting(EvaluationDue::Never)).await, [4]);
    let counts = counted(&db, org, &of_band("Low")).await;
    assert_eq!(counts, [(name("Critical"), 2), (name("Low"), 1), (None, 1)]);
    let mut tx = db.read().await.unwrap();
    let versions = store::scales::list(&mut tx, org, None, 9).await.unwrap().rows;
    assert_eq!(versions, [second, Scale::default()]);
    let missing = store::scales::get(&mut tx, other, 2).await;
    assert_eq!(missing, not_found(ResourceKind::ScaleVersion));
    drop(tx);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_band_is_counted_once_however_the_scales_spell_it(db: TestDb) {
    let org = db.organization("Acme").await;
    let add = async |count: i64| {
        for _ in 0..count {
            let risk = create(&db, org, titled("a")).await.number.number();
            evaluate(&db, org, risk, rated(3, 4)).await.unwrap();
        }
    };
    add(3).await;
    let mut content = ScaleContent::default();
    content.bands[2].name = domain::Line::stored("HIGH");
    assert_eq!(change(&db, org, scale(content, true)).await.unwrap().generation, 2);
    let counts = async || counted(&db, org, &RiskFilter::default()).await;
    assert_eq!(counts().await, [(Some("HIGH".to_owned()), 3)]);
    add(2).await;
    assert_eq!(counts().await, [(Some("HIGH".to_owned()), 5)]);
    for name in ["High", "HIGH"] {
        assert_eq!(found(&db, org, View::now(), of_band(name)).await.len(), 5, "{name}");
    }
}

#[both_engines]
async fn five_levels_become_four_in_the_middle_of_the_year(db: TestDb) {
    let org = db.organization("Acme").await;
    for _ in 0..3 {
        let risk = create(&db, org, titled("a")).await.number.number();
        evaluate(&db, org, risk, rated(5, 4)).await.unwrap();
    }
    let seq = head(&db, org).await;
    assert_eq!(plan(&db, org, &scale(sized(4), false)).await, Effects { moves: vec![], outdated: 3 });
    assert_eq!(change(&db, org, scale(sized(4), false)).await.unwrap().generation, 2);

    // They keep what they were, and wait for an evaluation.
    let figure_before = figure(&db, org, 90).await;
    let risk = get(&db, org, 1, View::now()).await.unwrap();
    assert_eq!((risk.scale_version, risk.inherent, risk.grades.is_outdated), (1, rating(4, 5), true));
    assert_eq!(risk.grades.current.map(|grade| grade.name).as_deref(), Some("Critical"));
    assert!(!get(&db, org, 1, View::as_of(seq)).await.unwrap().grades.is_outdated);
    let outdated = || wanting(EvaluationDue::ScaleOutdated);
    assert_eq!(found(&db, org, View::now(), outdated()).await, [3, 2, 1]);
    assert_eq!(found(&db, org, View::as_of(seq), outdated()).await, [0_i64; 0]);

    // Nothing is taken over: both ratings are asked for, and every level is one of the new scale.
    let of = |pointer: &str, code| (pointer.to_owned(), code);
    let missing = [of("#/inherent", FaultCode::ScaleOutdated), of("#/target", FaultCode::ScaleOutdated)];
    assert_eq!(input_faults(evaluate(&db, org, 1, rated(2, 2)).await), missing);
    let patch = |inherent, target| RiskPatch { inherent, target, ..RiskPatch::default() };
    let half = patch(Some(RatingPatch { likelihood: Some(3), impact: None }), Change::Keep);
    assert_eq!(input_faults(update(&db, org, 1, half).await), missing);
    let wrong = NewEvaluation { inherent: Some(rating(5, 4)), target: Some(rating(1, 5)), ..rated(5, 5) };
    let range = |place| of(place, FaultCode::Range);
    let all = ["#/likelihood", "#/impact", "#/inherent/likelihood", "#/target/impact"].map(range);
    assert_eq!(input_faults(evaluate(&db, org, 1, wrong).await), all);
    let title = RiskPatch { title: Some("b".into()), ..RiskPatch::default() };
    assert_eq!(update(&db, org, 1, title).await.unwrap().scale_version, 1, "other fields can be changed");

    let new = NewEvaluation { inherent: Some(rating(4, 4)), target: Some(rating(1, 2)), ..rated(3, 3) };
    let made = evaluate(&db, org, 1, new).await.unwrap();
    assert_eq!((made.scale_version, made.inherent_score, made.target_score), (2, 16, Some(2)));
    let risk = get(&db, org, 1, View::now()).await.unwrap();
    assert_eq!((risk.scale_version, risk.inherent, risk.grades.is_outdated), (2, rating(4, 4), false));
    assert_eq!(risk.version, 3, "the title, then the ratings");
    assert_eq!(evaluate(&db, org, 1, rated(2, 2)).await.unwrap().scale_version, 2);

    // A patch may bring them too; the latest evaluation is still by the old scale then.
    let whole = |likelihood, impact| RatingPatch { likelihood: Some(likelihood), impact: Some(impact) };
    let both = patch(Some(whole(4, 4)), Change::Set(whole(2, 2)));
    let patched = update(&db, org, 2, both).await.unwrap();
    assert_eq!((patched.scale_version, patched.grades.is_outdated), (2, true));
    assert_eq!(found(&db, org, View::now(), outdated()).await, [3, 2]);
    evaluate(&db, org, 2, rated(1, 1)).await.unwrap();
    assert_eq!(found(&db, org, View::now(), outdated()).await, [3]);

    // What supersedes a judgement by the old scale is by the old scale.
    let instead = NewEvaluation { supersedes: Some(1), ..rated(5, 3) };
    let refused = NewEvaluation { inherent: Some(rating(4, 4)), ..instead.clone() };
    assert_eq!(input_faults(evaluate(&db, org, 3, refused).await), [of("#/inherent", FaultCode::Conflict)]);
    let made = evaluate(&db, org, 3, instead).await.unwrap();
    assert_eq!((made.scale_version, made.inherent_score, made.target_score), (1, 20, Some(6)));
    assert_eq!(found(&db, org, View::now(), outdated()).await, [3], "it still wants an evaluation");
    // Nor does it become the latest judgement.
    db.clock.advance_days(1);
    let (wrong, at) = (Some(made.number), db.clock.now());
    let late = NewEvaluation { supersedes: wrong, evaluated_at: Some(at), ..rated(5, 2) };
    let too_late = ("#/evaluated_at".to_owned(), FaultCode::Range);
    assert_eq!(input_faults(evaluate(&db, org, 3, late).await), [too_late]);
    let again = evaluate(&db, org, 3, NewEvaluation { supersedes: wrong, ..rated(5, 2) }).await.unwrap();
    assert_eq!(again.evaluated_at, made.evaluated_at);

    let mut tx = db.read().await.unwrap();
    let known = store::scales::known(&mut tx, org, View::now()).await.unwrap();
    let (current, all) = ((RatingBasis::Current, &known), RiskFilter::default());
    let map = store::risks::heat_map(&mut tx, org, View::now(), current, &all, 1).await.unwrap();
    assert_eq!(
        map.cells.iter().map(|it| (it.rating, it.count)).collect::<Vec<_>>(),
        [(rating(1, 1), 1), (rating(2, 2), 1)]
    );
    assert_eq!(map.not_placed, 1);
    assert_eq!(figure_before.0, 3);
    drop(tx);
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn a_scale_names_people_of_the_organization_and_is_changed_once(db: TestDb) {
    let org = db.organization("Acme").await;
    let mut content = ScaleContent::default();
    content.bands[3].acceptance.by = AcceptanceBy::People;
    content.bands[3].acceptance.users = Some(vec![UserId(uuid::Uuid::from_u128(7))]);
    let unknown = ("#/bands/3/acceptance/users/0".to_owned(), FaultCode::UnknownUser);
    assert_eq!(input_faults(change(&db, org, scale(content, false)).await), [unknown]);
    let (new, old) = (scale(stricter(9), false), ExpectedVersion::OneOf(vec![9]));
    let refused = db
        .write(org, async move |tx: &mut Tx| store::scale_change::change(tx, org, &by(), &old, &new).await)
        .await;
    let outdated = domain::Error::Outdated { current: Some(1) };
    assert_eq!(refused.unwrap_err().0, outdated);
    assert_eq!(head(&db, org).await, 0);
}

/// One step of a history: the bands get stricter from a score on, the levels become so many, or a risk is evaluated.
#[derive(Debug, Clone)]
enum Step {
    Stricter(i64),
    Sized(usize, i64),
    Evaluate(Rating),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (2..26_i64).prop_map(Step::Stricter),
        (2..6_usize, 2..26_i64).prop_map(|(levels, from)| Step::Sized(levels, from)),
        (1..6_i64, 1..6_i64).prop_map(|(likelihood, impact)| Step::Evaluate(rating(likelihood, impact))),
    ]
}

/// The names of the bands after each entry, by going back over all versions.
fn naive(versions: &[(i64, Scale)], made: &[(i64, Rating, i64)], seq: i64) -> Option<String> {
    let (_, rating, version) = made.iter().rfind(|(at, ..)| *at <= seq)?;
    let generation = versions.iter().find(|(_, it)| it.number == *version).map(|(_, it)| it.generation);
    let known = |(at, it): &&(i64, Scale)| *at <= seq && Some(it.generation) == generation;
    let (_, latest) = versions.iter().rfind(known)?;
    let row = usize::try_from(rating.likelihood - 1).unwrap();
    let band = latest.content.matrix[row][usize::try_from(rating.impact - 1).unwrap()];
    Some(latest.content.bands[usize::try_from(band).unwrap()].name.to_string())
}

async fn check(db: &TestDb, steps: &[Step]) -> Result<(), TestCaseError> {
    let org = db.organization("Random").await;
    create(db, org, titled("a")).await;
    let mut versions = vec![(0, Scale::default())];
    let (mut made, mut seen) = (Vec::new(), Vec::new());
    for step in steps {
        let present = versions.last().map(|(_, it)| it.content.clone()).unwrap();
        let size = present.likelihood.len();
        let bands_from = |levels: usize, from| {
            let (strict, mut content) = (stricter(from), sized(levels));
            content.matrix = strict.matrix[..levels].iter().map(|row| row[..levels].to_vec()).collect();
            content
        };
        match step {
            Step::Evaluate(it) => {
                let most = i64::try_from(size).unwrap();
                let it = rating(it.likelihood.min(most), it.impact.min(most));
                let highest = Some(rating(most, most));
                let new =
                    NewEvaluation { inherent: highest, target: highest, ..rated(it.likelihood, it.impact) };
                let version = evaluate(db, org, 1, new).await.unwrap().scale_version;
                made.push((head(db, org).await, it, version));
            }
            Step::Stricter(from) | Step::Sized(_, from) => {
                let levels = if let Step::Sized(levels, _) = step { *levels } else { size };
                let scale = change(db, org, scale(bands_from(levels, *from), false)).await.unwrap();
                if versions.last().is_none_or(|(_, it)| it.number < scale.number) {
                    versions.push((head(db, org).await, scale));
                }
            }
        }
        seen.push(head(db, org).await);
        db.clock.advance_seconds(1);
    }
    for seq in seen {
        let shown = bands(db, org, View::as_of(seq)).await;
        let expected = naive(&versions, &made, seq);
        prop_assert_eq!(&shown, std::slice::from_ref(&expected), "as of {}", seq);
        let name = expected.unwrap_or_default();
        let found = found(db, org, View::as_of(seq), of_band(&name)).await;
        prop_assert_eq!(found.len(), usize::from(!name.is_empty()));
    }
    prop_assert_eq!(faults(db, org).await, Vec::<String>::new());
    Ok(())
}

#[both_engines]
async fn bands_of_random_histories_are_those_of_a_model(db: TestDb) {
    assert_eq!(Scales::default().present(), &Scale::default());
    let handle = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        let config = Config { cases: 25, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&prop::collection::vec(step(), 1..9), |steps| handle.block_on(check(&db, &steps)))
            .unwrap();
    });
}
