//! What is unknown, in words, and what it could change.

use super::clauses;
use super::findings::Findings;
use super::rules::AreaRules;
use crate::severity::Severity;
use crate::severity::phrase::list;

/// Nothing decides yet.
pub(super) fn undetermined(it: &Findings<'_>) -> String {
    let open = open_facts(it);
    let nor = nor(&open);
    let because = match it.answers.urgency {
        Some(urgency) => {
            format!(": {}, but none of its effects is known yet{nor}", clauses::urgency(urgency))
        }
        None if it.answers.is_empty() => ", because no question has been answered yet".to_owned(),
        None => format!(", because none of the effects is known yet{nor}"),
    };
    let (best, worst) = (it.range.best, it.range.worst);
    format!("Undetermined{because}; the level could be anything from {best} to {worst}.")
}

/// What is unknown once a level is known.
pub(super) fn sentences(it: &Findings<'_>) -> Vec<String> {
    let areas = it.areas(false);
    let lowers = it.answers.urgency.is_none() && it.range.best < it.severity;
    let mut open = open_facts(it);
    if lowers {
        // The urgency gets a sentence of its own.
        open.retain(|question| *question != URGENCY);
    }
    let mut sentences = Vec::new();
    match (areas.as_slice(), open.as_slice()) {
        ([], []) if !lowers => sentences.push("Every question is answered.".to_owned()),
        ([], []) => {}
        ([], [URGENCY]) => {
            sentences.push(format!("It is not known {URGENCY}, but that makes no difference."));
        }
        _ => sentences.push(unknown(it, &areas, &open)),
    }
    if lowers {
        let it_is_not_known = if sentences.is_empty() { "It is not known" } else { "It is also not known" };
        let so = "so it counts as spreading; if it is over, the level falls to";
        sentences.push(format!("{it_is_not_known} {URGENCY}, {so} {}.", it.range.best));
    }
    sentences
}

const URGENCY: &str = "whether the incident is still spreading";

/// The questions about facts that have no answer, as they stand after "It is not known".
fn open_facts(it: &Findings<'_>) -> Vec<&'static str> {
    let answers = it.answers;
    let people = answers.personal_data_people.is_none();
    let credentials = answers.administrator_credentials.is_none();
    let facts = match (people, credentials) {
        (true, true) => Some("whether personal data or administrator credentials were affected"),
        (true, false) => Some("how many people's personal data was affected"),
        (false, true) => Some("whether administrator credentials were compromised"),
        (false, false) => None,
    };
    facts.into_iter().chain(answers.urgency.is_none().then_some(URGENCY)).collect()
}

/// Names the open questions, all of them if they are few, else the ones that are answered; and says what the open ones
/// could change.
fn unknown(it: &Findings<'_>, areas: &[&AreaRules], open: &[&str]) -> String {
    let effects = |rows: &[&AreaRules]| {
        let nouns: Vec<_> = rows.iter().map(|row| row.effect_on).collect();
        list(&nouns, "and")
    };
    let known = it.areas(true);
    let (named, what) = match (areas, known.as_slice()) {
        ([] | [_], _) => {
            let questions: Vec<_> =
                areas.iter().map(|row| row.question).chain(open.iter().copied()).collect();
            (format!("It is not known yet {}", list(&questions, "and")), "that")
        }
        ([_, _, _, _, ..], _) if it.names_every_effect() => {
            (format!("The other effects are not known yet{}", nor(open)), "that")
        }
        (_, []) => (format!("None of the effects is known yet{}", nor(open)), "that"),
        (_, [only]) => {
            (format!("Only the effect on {} is known so far{}", only.effect_on, not(open)), "the rest")
        }
        ([_, _] | [_, _, _], _) => {
            (format!("The effects on {} are not known yet{}", effects(areas), nor(open)), "that")
        }
        _ => (format!("Only the effects on {} are known so far{}", effects(&known), not(open)), "the rest"),
    };
    match it.range.worst {
        worst if worst > it.severity => format!("{named}; {what} could raise the level to {worst}."),
        Severity::Critical => format!("{named}."),
        _ => format!("{named}; {what} cannot raise the level."),
    }
}

fn nor(open: &[&str]) -> String {
    if open.is_empty() { String::new() } else { format!(", nor {}", list(open, "or")) }
}

fn not(open: &[&str]) -> String {
    if open.is_empty() { String::new() } else { format!(", not {}", list(open, "or")) }
}
