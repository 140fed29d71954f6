//! A fixed, spread selection of answers, to read how their severities are explained.

use std::collections::HashSet;

use super::answers::Answers;
use super::bailiwick::{self, Area, BAILIWICK_1, Impact, Urgency};
use super::cisa::{self, CISA_NCISSS_1};
use crate::Word;

/// The reasoning of up to `count` different answers, each different from the others. The same count always gives the
/// same ones; there are fewer if the selection has no more.
pub fn samples(count: usize) -> Vec<String> {
    let mut told = HashSet::new();
    let all = selection().map(|answers| answers.assess().reasoning);
    all.filter(|reasoning| told.insert(reasoning.clone())).take(count).collect()
}

/// The answers: four by Bailiwick's rules, one by CISA's, and so on.
pub(super) fn selection() -> impl Iterator<Item = Answers> {
    let mut own = spread(OWN.iter().product(), 2_503).map(own_answers);
    let mut scored = spread(SCORED.iter().product(), 97).map(scored_answers);
    let (mut turn, total) = (0, OWN.iter().product::<usize>() + SCORED.iter().product::<usize>());
    (0..total).filter_map(move |_| {
        turn = (turn + 1) % 5;
        if turn == 0 { scored.next().or_else(|| own.next()) } else { own.next().or_else(|| scored.next()) }
    })
}

/// The numbers below `count`, in strides, so that neighbours differ in everything. The stride is prime and divides no
/// count that is used here, so each number comes once.
fn spread(count: usize, stride: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| index * stride % count)
}

/// Takes the next digit of a number whose digits have these many values.
fn digit(number: &mut usize, values: usize) -> usize {
    let digit = *number % values;
    *number /= values;
    digit
}

/// How many values each choice of [`own_answers`] has: the area in question, its impact or none, the urgency, the other
/// areas, the facts.
const OWN: [usize; 5] = [6, 6, 4, 7, 9];

fn own_answers(mut number: usize) -> Answers {
    let [areas, impacts, urgencies, patterns, facts] = OWN;
    let area = digit(&mut number, areas);
    let impact = Impact::new(i64::try_from(digit(&mut number, impacts)).unwrap_or_default());
    let urgency = Urgency::ALL.get(digit(&mut number, urgencies)).copied();
    let pattern = digit(&mut number, patterns);
    let (personal_data_people, administrator_credentials) = match digit(&mut number, facts) {
        0 => (None, None),
        1 => (Some(0), Some(false)),
        2 => (Some(0), None),
        3 => (None, Some(false)),
        4 => (Some(800), Some(false)),
        5 => (Some(0), Some(true)),
        6 => (Some(12_000), Some(true)),
        7 => (None, Some(true)),
        _ => (Some(20), Some(false)),
    };
    let impact_on = impact.map(|impact| others(pattern, impact));
    let mut answers = bailiwick::Answers {
        urgency,
        personal_data_people,
        administrator_credentials,
        ..bailiwick::Answers::default()
    };
    // The areas from the one in question on, round about.
    for (distance, other) in Area::ALL.iter().cycle().skip(area).take(Area::ALL.len()).enumerate() {
        *answers.impact.get_mut(*other) = match distance {
            0 => impact,
            _ => impact_on.and_then(|impacts| impacts.get(distance - 1).copied().flatten()),
        };
    }
    Answers::Bailiwick(&BAILIWICK_1, answers)
}

/// The impacts on the five other areas.
fn others(pattern: usize, impact: Impact) -> [Option<Impact>; 5] {
    let same = Some(impact);
    let none = Some(Impact::NONE);
    let less = Impact::new(i64::from(impact.get()) - 1).or(none);
    match pattern {
        0 => [None; 5],
        1 => [none; 5],
        2 => [less; 5],
        3 => [same, None, None, None, None],
        4 => [less, none, None, None, None],
        5 => [less, none, less, none, None],
        _ => [same, same, none, less, none],
    }
}

/// How many values each choice of [`scored_answers`] has: the outstanding factor, how severe the others are, and how
/// many of them are unknown.
const SCORED: [usize; 3] = [8, 5, 8];

fn scored_answers(mut number: usize) -> Answers {
    let [factors, grades, unknown] = SCORED;
    let outstanding = digit(&mut number, factors);
    let grade = digit(&mut number, grades);
    let unknown = digit(&mut number, unknown);
    let chosen = Chosen { outstanding, grade, unknown };
    let answers = cisa::Answers {
        functional_impact: chosen.word(0),
        observed_activity: chosen.word(1),
        location: chosen.word(2),
        actor: chosen.word(3),
        information_impact: chosen.word(4),
        recoverability: chosen.word(5),
        cross_sector_dependency: chosen.word(6),
        potential_impact: chosen.word(7),
    };
    Answers::Cisa(&CISA_NCISSS_1, answers)
}

struct Chosen {
    outstanding: usize,
    grade: usize,
    unknown: usize,
}

impl Chosen {
    /// The word of the factor at `index`: the last one if it stands out, none if it is unknown.
    fn word<W: Word>(&self, index: usize) -> Option<W> {
        let distance = (index + 8 - self.outstanding) % 8;
        match distance {
            0 => W::ALL.last().copied(),
            _ if distance <= self.unknown => None,
            _ => W::ALL.get((W::ALL.len() - 1) * self.grade / 4).copied(),
        }
    }
}
