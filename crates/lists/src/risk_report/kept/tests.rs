//! The words of kept reports. If a test here fails because a text has changed, for example a heading, the name of a level of the default
//! scale or the form of a time: raise `WORDING` by one, and write the new text and number into `wording.md`. With the old number
//! `bailiwick document verify` would report every report that was kept before as a fault.

use domain::person::Person;
use domain::risk::{Current, NewRisk, Rating, Risk, Treatment};
use domain::risk_change::{End, RiskChangeKind, Span};
use domain::scale::{Grades, Scales};
use domain::{Actor, ActorKind, Line, RiskNumber, UserId};
use jiff::Timestamp;
use jiff::civil::date;
use store::Page;
use store::performance::Performance;
use store::risk_changes::{Cause, Placed, RiskChange};
use store::risks::{HeatMap, Rated, RatingBasis};

use super::*;

const INHERENT: Rating = Rating { likelihood: 4, impact: 5 };
const CURRENT: Rating = Rating { likelihood: 3, impact: 4 };
const TARGET: Rating = Rating { likelihood: 2, impact: 3 };

fn at() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

fn person(name: &str) -> Person {
    Person { id: UserId::random([7; 16]), name: name.to_owned(), email: "someone@example.org".to_owned() }
}

fn risks(scales: &Scales) -> Vec<Risk> {
    let fire =
        NewRisk::rated("Fire".into(), INHERENT, TARGET).open(RiskNumber(1), Some(person("Ada")), 1, at());
    let current = Current {
        rating: CURRENT,
        scale_version: 1,
        evaluation: 1,
        evaluated_at: at(),
        evaluated_day: 0,
        performance_basis_points: None,
    };
    let grade = |rating| scales.grade(rating, 1);
    let grades = Grades {
        inherent: grade(INHERENT),
        target: grade(TARGET),
        current: grade(CURRENT),
        is_outdated: false,
    };
    let flood =
        NewRisk { owner_name: Some("Head of IT".into()), ..NewRisk::rated("Flood".into(), INHERENT, None) };
    let flood = flood.open(RiskNumber(2), None, 1, at());
    let unevaluated = Grades { target: None, current: None, ..grades.clone() };
    vec![Risk { current: Some(current), grades, ..fire }, Risk { grades: unevaluated, ..flood }]
}

/// A change of a kind, with one of each form of what such a line says.
fn change(kind: RiskChangeKind, scales: &Scales) -> RiskChange {
    let placed = |rating: Rating| Some(Placed { rating: (rating, 1), grade: scales.grade(rating, 1) });
    let by = Actor { kind: ActorKind::User, id: "1".to_owned(), name: "Ada".to_owned() };
    let cause = Cause { seq: 9, at: at(), by, reason: None, board: None, on_behalf_of: None };
    let risk = Some((RiskNumber(1), "Fire".to_owned()));
    let change = RiskChange { kind, risk, before: None, after: placed(CURRENT), treatments: None, cause };
    match kind {
        RiskChangeKind::Better => RiskChange { before: placed(INHERENT), ..change },
        RiskChangeKind::TreatmentChanged => {
            RiskChange { treatments: Some((Treatment::Undecided, Treatment::Mitigate)), ..change }
        }
        RiskChangeKind::RiskAccepted => {
            let cause = Cause { board: Some(Line::stored("The board")), ..change.cause };
            RiskChange { after: None, cause, ..change }
        }
        RiskChangeKind::AcceptanceRefused => {
            let cause = Cause { on_behalf_of: Some(person("Ben")), ..change.cause };
            RiskChange { cause, ..change }
        }
        RiskChangeKind::ScaleChanged => {
            let cause = Cause { reason: Some("The board accepts less.".to_owned()), ..change.cause };
            RiskChange { risk: None, after: None, cause, ..change }
        }
        _ => change,
    }
}

/// A report without any risk and change.
fn empty() -> RiskReport {
    let end = |day, seq| End { day, at: at(), seq };
    let (from, to) = (end(date(2026, 2, 1), 3), end(date(2026, 3, 1), 12));
    let figure = Performance { total_risks_evaluated: 0, average_performance_percentage: 0 };
    RiskReport {
        span: Span { from, to, time_zone: "Europe/Berlin".to_owned() },
        scales: Scales::default(),
        maps: Vec::new(),
        worst: Page { rows: Vec::new(), has_more: false },
        figure,
        changes: Vec::new(),
    }
}

/// A report in which everything occurs that can.
fn full() -> RiskReport {
    let empty = empty();
    let map = |rating, (not_placed, not_evaluated)| HeatMap {
        cells: vec![Rated { rating, count: 1, titles: Vec::new(), numbers: Vec::new() }],
        not_placed,
        not_evaluated,
    };
    let maps = vec![
        (RatingBasis::Inherent, map(INHERENT, (2, 0))),
        (RatingBasis::Current, map(CURRENT, (1, 1))),
        (RatingBasis::Target, map(TARGET, (1, 1))),
    ];
    let changes = RiskChangeKind::ALL.iter().rev().map(|kind| change(*kind, &empty.scales)).collect();
    RiskReport {
        maps,
        worst: Page { rows: risks(&empty.scales), has_more: true },
        figure: Performance { total_risks_evaluated: 1, average_performance_percentage: 67 },
        changes,
        ..empty
    }
}

#[test]
fn other_words_are_another_wording() {
    let [full, empty] = [full(), empty()].map(|it| markdown(&it.printed_with(RiskChangeKind::ALL.len() - 1)));
    assert_eq!(format!("Wording {WORDING}\n\n{full}\n{empty}"), include_str!("wording.md"));
}
