//! The reasoning in words: the level with the score and what it comes from, then what is unknown.

use super::findings::Findings;
use super::rules::Row;
use crate::severity::Severity;
use crate::severity::phrase::{capitalized, list, lowered};

/// The most open factors that are named one by one.
const NAMED: usize = 3;

/// The whole reasoning.
pub(super) fn reasoning(it: &Findings) -> String {
    let decided = match it.severity {
        Severity::Undetermined => undetermined(it),
        _ => scored(it),
    };
    decided + " " + &unknown(it)
}

fn undetermined(it: &Findings) -> String {
    let because = match it.known().count() {
        0 => "no factor is known yet",
        _ => "none of the three impact factors is known yet",
    };
    format!("Undetermined by CISA's scoring system, because {because}.")
}

fn scored(it: &Findings) -> String {
    let level = capitalized(it.severity.as_str());
    let score = it.score;
    let scores = format!("{level}: the incident scores {score} of 100 by CISA's scoring system");
    let main: Vec<_> = it.main.iter().filter_map(|row| row.answer).map(|answer| lowered(answer.1)).collect();
    match main.as_slice() {
        [] => format!("{scores}; every known factor has its lowest value."),
        // "For" is repeated, because a meaning may have an "or".
        [first, second] => format!("{scores}, most of all for {first} and for {second}."),
        [first, ..] => format!("{scores}, most of all for {first}."),
    }
}

/// Names the open factors, or the known ones if those are fewer, and says what the open ones can change.
fn unknown(it: &Findings) -> String {
    let nouns = |rows: Vec<&Row>| list(&rows.iter().map(|row| row.noun).collect::<Vec<_>>(), "and");
    let (open, known): (Vec<_>, Vec<_>) = (it.unknown().collect(), it.known().collect());
    let be = |rows: &[&Row]| if rows.len() == 1 { "is" } else { "are" };
    let score = consequence(it);
    match (open.len(), known.len()) {
        (0, _) => "Every factor is known.".to_owned(),
        (_, 0) => format!("The {score}."),
        (1..=NAMED, _) => {
            let be = be(&open);
            format!("{} {be} not known yet; the {score}.", capitalized(&nouns(open)))
        }
        _ => {
            let be = be(&known);
            format!("Only {} {be} known so far; the {score}.", nouns(known))
        }
    }
}

/// What the open factors can do to the score and to the level.
fn consequence(it: &Findings) -> String {
    let [least, most] = it.scores;
    let (best, worst) = (it.range.best, it.range.worst);
    if least == it.score && best == it.severity {
        return match worst == it.severity {
            true => format!("score could rise to {most}, which would not change the level"),
            false => format!("score could rise to {most} and the level to {worst}"),
        };
    }
    let so = match (best == it.severity, worst == it.severity) {
        (true, true) => "which would not change the level".to_owned(),
        (true, false) => format!("so the level could rise to {worst}"),
        (false, true) => format!("so the level could fall to {best}"),
        (false, false) => format!("so the level could be anything from {best} to {worst}"),
    };
    format!("score could be anywhere from {least} to {most}, {so}")
}
