//! The reasoning in words: the level with what decided it, then what is unknown. It is a function of the answers alone,
//! and varies with what decided.

use super::answers::{Impact, Urgency};
use super::clauses;
use super::findings::{Decision, Findings};
use super::rules::{AreaRules, Floor, FloorFact};
use super::unknown;
use crate::severity::phrase::{capitalized, list};

/// The subject, which a sentence names once.
const INCIDENT: &str = "the incident";

/// The most areas without harm that are named one by one.
const NAMED: usize = 3;

/// The whole reasoning.
pub(super) fn reasoning(it: &Findings<'_>) -> String {
    let decided = match &it.decision {
        Decision::Nothing => return unknown::undetermined(it),
        Decision::Floors(floors) => by_floors(it, floors),
        Decision::Table { highest, areas, floors } => {
            let decided = match *highest {
                Impact::NONE => without_harm(it, areas),
                highest => by_impact(it, highest, areas),
            };
            decided + &as_high(it, floors)
        }
    };
    let sentences: Vec<_> = [decided].into_iter().chain(unknown::sentences(it)).collect();
    sentences.join(" ")
}

fn level(it: &Findings<'_>) -> String {
    capitalized(it.severity.as_str())
}

/// One or more floors decide.
fn by_floors(it: &Findings<'_>, floors: &[&Floor]) -> String {
    let named: Vec<_> = floors.iter().map(|floor| floor.clause(it.rules, it.answers)).collect();
    let because = format!("{}, because {}", level(it), list(&named, "and"));
    let is_of_people = floors.iter().any(|floor| matches!(floor.0, FloorFact::People(_)));
    let severity = it.severity;
    match (is_of_people, it.answers.urgency, it.rules.by_table(it.answers)) {
        (true, Some(Urgency::Contained), _) => format!("{because}, even though the incident is contained."),
        (true, Some(Urgency::Over), _) => format!("{because}, even though the incident is over."),
        (true, ..) => format!("{because}; harm to people is always {severity}."),
        (false, _, Some(table)) => format!("{because}; the known effects alone would make it {table}."),
        (false, _, None) => format!("{because}."),
    }
}

/// The highest impact decides, and every known impact is none.
fn without_harm(it: &Findings<'_>, areas: &[&AreaRules]) -> String {
    let effects: Vec<_> = areas.iter().map(|row| row.effect_on).collect();
    let because = match areas {
        [only] => only.meaning(Impact::NONE).to_owned(),
        _ if areas.len() == it.rules.areas.len() => "the incident did no harm".to_owned(),
        _ if areas.len() > NAMED => "none of the known effects is harmful".to_owned(),
        _ => format!("the incident had no effect on {}", list(&effects, "or")),
    };
    let tail = match it.answers.urgency {
        None => String::new(),
        Some(Urgency::Spreading) if because.starts_with(INCIDENT) => {
            ", although it is still spreading".to_owned()
        }
        Some(Urgency::Spreading) => ", although the incident is still spreading".to_owned(),
        Some(urgency) if because.starts_with(INCIDENT) => format!(" and is {urgency}"),
        Some(urgency) => format!(" and {}", clauses::urgency(urgency)),
    };
    format!("{}, because {because}{tail}.", level(it))
}

/// The highest impact decides, together with the urgency.
fn by_impact(it: &Findings<'_>, highest: Impact, areas: &[&AreaRules]) -> String {
    let level = level(it);
    let mut causes = causes(highest, areas);
    let Some(urgency) = it.answers.urgency else {
        return format!("{level}, because {}.", list(&causes, "and"));
    };
    let is_named = causes.iter().any(|cause| cause.contains("the incident"));
    let state =
        clauses::urgency(urgency).replace("the incident", if is_named { "it" } else { "the incident" });
    let is_lowered = it.rules.level(highest, Urgency::Spreading) > it.rules.level(highest, urgency);
    if urgency == Urgency::Spreading || is_lowered && highest.get() == 1 {
        causes.push(state);
        return format!("{level}, because {}.", list(&causes, "and"));
    }
    let causes = list(&causes, "and");
    match is_lowered {
        true => format!("{level}: {causes}, but {state}."),
        false => format!("{level}, because {causes}; that {state} does not lower the level."),
    }
}

/// The areas with the highest impact: two are described, of more the others are named.
fn causes(highest: Impact, areas: &[&AreaRules]) -> Vec<String> {
    match areas {
        [first, others @ ..] if others.len() > 1 => {
            let effects: Vec<_> = others.iter().map(|row| row.effect_on).collect();
            let others = format!("the effects on {} are as serious", list(&effects, "and"));
            vec![first.meaning(highest).to_owned(), others]
        }
        few => few.iter().map(|row| row.meaning(highest).to_owned()).collect(),
    }
}

/// Floors that give the level of the table too.
fn as_high(it: &Findings<'_>, floors: &[&Floor]) -> String {
    if floors.is_empty() {
        return String::new();
    }
    let nouns: Vec<_> = floors.iter().map(|floor| floor.noun(it.answers)).collect();
    format!(" {} alone would make it {}.", capitalized(&list(&nouns, "or")), it.severity)
}
