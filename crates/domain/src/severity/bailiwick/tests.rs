use proptest::prelude::*;

use super::*;
use crate::json::{FromJson as _, Json, Pointer};
use crate::severity::Severity::{self, Critical, High, Low, Medium, Undetermined};
use crate::severity::{Assessment, FactorValue, Range};

fn impact(value: i64) -> Option<Impact> {
    Some(Impact::new(value).unwrap())
}

fn with(area: Area, value: i64) -> Answers {
    let mut answers = Answers::default();
    *answers.impact.get_mut(area) = impact(value);
    answers
}

fn assess(answers: Answers) -> Assessment {
    BAILIWICK_1.assess(&answers)
}

fn level(answers: Answers) -> Severity {
    assess(answers).severity
}

/// Answers that are all known.
fn harmless() -> Answers {
    Answers {
        impact: Impacts {
            service: impact(0),
            data: impact(0),
            people: impact(0),
            money: impact(0),
            legal: impact(0),
            reputation: impact(0),
        },
        urgency: Some(Urgency::Over),
        personal_data_people: Some(0),
        administrator_credentials: Some(false),
    }
}

#[test]
fn the_highest_impact_and_the_urgency_give_the_level() {
    let table = [
        (4, [Critical, Critical, High]),
        (3, [High, High, Medium]),
        (2, [High, Medium, Low]),
        (1, [Medium, Low, Low]),
        (0, [Low, Low, Low]),
    ];
    for (highest, levels) in table {
        for (urgency, expected) in Urgency::ALL.iter().zip(levels) {
            for area in Area::ALL.iter().filter(|area| **area != Area::People) {
                let mut answers = Answers { urgency: Some(*urgency), ..with(*area, highest) };
                assert_eq!(level(answers), expected, "{area} {highest} {urgency}");
                // The mean of this and no other impact would be far lower.
                answers.impact.people.get_or_insert(Impact::NONE);
                assert_eq!(level(answers), expected, "{area} {highest} {urgency} and nobody in danger");
            }
        }
    }
}

#[test]
fn the_floors_hold_whatever_the_rest_is() {
    for urgency in [None, Some(Urgency::Over)] {
        for (value, expected) in [(2, [High, Low]), (3, [Critical; 2]), (4, [Critical; 2])] {
            let answers = Answers { urgency, ..with(Area::People, value) };
            assert_eq!(level(answers), expected[usize::from(urgency.is_some())], "people {value}");
        }
        for (people, expected) in [(0, Low), (499, Low), (500, High), (u64::MAX, High)] {
            let answers = Answers { personal_data_people: Some(people), ..harmless() };
            assert_eq!(level(answers), expected, "{people}");
        }
        let lost = Answers { administrator_credentials: Some(true), urgency, ..Answers::default() };
        assert_eq!(level(lost), High);
        assert_eq!(level(Answers { administrator_credentials: Some(true), ..harmless() }), High);
    }
    let both = Answers { administrator_credentials: Some(true), ..with(Area::Service, 4) };
    assert_eq!(level(both), Critical, "a floor does not lower");
}

#[test]
fn an_unknown_urgency_counts_as_spreading() {
    for area in Area::ALL {
        for value in Impact::all() {
            let unknown = with(*area, value.get().into());
            let spreading = Answers { urgency: Some(Urgency::Spreading), ..unknown };
            assert_eq!(level(unknown), level(spreading), "{area} {value:?}");
        }
    }
}

#[test]
fn without_a_known_impact_and_a_floor_it_is_undetermined() {
    let nothing = assess(Answers::default());
    assert_eq!((nothing.severity, nothing.factors.as_slice()), (Undetermined, &[][..]));
    assert_eq!(nothing.range, Range { best: Low, worst: Critical });
    for urgency in Urgency::ALL {
        let answers = Answers { impact: Impacts::default(), urgency: Some(*urgency), ..harmless() };
        let found = assess(answers);
        assert_eq!(found.severity, Undetermined, "{urgency}");
        assert_eq!(found.missing, ["service", "data", "people", "money", "legal", "reputation"]);
    }
}

#[test]
fn an_assessment_lists_what_is_known_and_what_is_missing() {
    let answers = Answers {
        urgency: Some(Urgency::Contained),
        personal_data_people: Some(12_000),
        administrator_credentials: Some(false),
        ..with(Area::Service, 3)
    };
    let found = assess(answers);
    let factors: Vec<_> =
        found.factors.iter().map(|it| (it.name, it.value, it.sentence.as_str(), it.decides)).collect();
    assert_eq!(
        factors,
        [
            ("service", FactorValue::Number(3), "An important service failed.", true),
            ("urgency", FactorValue::Word("contained"), "The incident is contained.", true),
            (
                "personal_data_people",
                FactorValue::Number(12_000),
                "The personal data of 12,000 people was affected.",
                true
            ),
            (
                "administrator_credentials",
                FactorValue::Flag(false),
                "No administrator credentials were compromised.",
                false
            ),
        ]
    );
    assert_eq!(found.missing, ["data", "people", "money", "legal", "reputation"]);
    assert_eq!((found.ruleset.as_str(), found.severity), ("bailiwick-1", High));
    assert_eq!(found.range, Range { best: High, worst: Critical });
    assert_eq!(found.score, None);
}

#[test]
fn each_impact_on_each_area_has_a_sentence_of_its_own() {
    let mut sentences = std::collections::HashSet::new();
    for row in BAILIWICK_1.areas {
        for value in Impact::all() {
            let meaning = row.meaning(value);
            assert!(!meaning.is_empty() && sentences.insert(meaning), "{:?} {value:?}", row.area);
        }
    }
    let areas: Vec<_> = BAILIWICK_1.areas.iter().map(|row| row.area).collect();
    assert_eq!(areas, Area::ALL);
    assert_eq!(sentences.len(), 30);
}

#[test]
fn only_0_to_4_is_an_impact() {
    let mut faults = crate::Faults::new();
    for value in [-1, 5, i64::MAX, i64::MIN, 256] {
        assert_eq!(
            Impact::from_json(Json::Integer(value), &Pointer::ROOT.key("data"), &mut faults),
            None,
            "{value}"
        );
    }
    let expected = "Data must be from 0 to 4, or left out if it is not known.";
    assert!(faults.len() == 5 && faults.iter().all(|fault| fault.sentence() == expected), "{faults:?}");
    assert_eq!(Impact::all().map(Impact::get).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}

#[test]
fn the_reasoning_reads_as_a_person_would_write_it() {
    let spreading = Some(Urgency::Spreading);
    let over = Answers { urgency: Some(Urgency::Over), ..with(Area::Service, 2) };
    let mut known = harmless();
    known.impact.data = impact(3);
    known.urgency = spreading;
    let mut hurt = harmless();
    hurt.impact.people = impact(3);
    for (answers, expected) in [
        (
            Answers::default(),
            "Undetermined, because no question has been answered yet; the level could be anything from low to \
             critical.",
        ),
        (
            with(Area::Legal, 3),
            "High, because the incident must be reported to an authority. The other effects are not known yet, nor \
             whether personal data or administrator credentials were affected; that could raise the level to \
             critical. It is also not known whether the incident is still spreading, so it counts as spreading; if \
             it is over, the level falls to medium.",
        ),
        (
            over,
            "Low: part of a service failed, but the incident is over. The other effects are not known yet, nor \
             whether personal data or administrator credentials were affected; that could raise the level to \
             critical.",
        ),
        (
            known,
            "High, because confidential data was disclosed, altered or lost, and the incident is still spreading. \
             Every question is answered.",
        ),
        (
            hurt,
            "Critical, because somebody was hurt, even though the incident is over. Every question is answered.",
        ),
        (
            Answers { personal_data_people: None, ..harmless() },
            "Low, because the incident did no harm and is over. It is not known yet how many people's personal data \
             was affected; that could raise the level to high.",
        ),
    ] {
        assert_eq!(assess(answers).reasoning, expected);
    }
}

prop_compose! {
    fn some_impacts()(values in prop::array::uniform6(prop::option::weighted(0.7, 0_i64..=4))) -> Impacts {
        let mut impacts = Impacts::default();
        for (area, value) in Area::ALL.iter().zip(values) {
            *impacts.get_mut(*area) = value.and_then(Impact::new);
        }
        impacts
    }
}

prop_compose! {
    pub(in crate::severity) fn some_answers()(
        impact in some_impacts(),
        urgency in prop::option::of(prop::sample::select(Urgency::ALL)),
        personal_data_people in prop::option::of(prop::sample::select(&[0, 1, 20, 499, 500, 12_000][..])),
        administrator_credentials in prop::option::of(any::<bool>()),
    ) -> Answers {
        Answers { impact, urgency, personal_data_people, administrator_credentials }
    }
}

/// All answers that differ from these in one unknown that became known.
fn one_more(answers: Answers) -> Vec<Answers> {
    if let Some(area) = Area::ALL.iter().find(|area| answers.impact.get(**area).is_none()) {
        let resolved = |impact| {
            let mut resolved = answers;
            *resolved.impact.get_mut(*area) = Some(impact);
            resolved
        };
        return Impact::all().map(resolved).collect();
    }
    if answers.urgency.is_none() {
        return Urgency::ALL.iter().map(|it| Answers { urgency: Some(*it), ..answers }).collect();
    }
    if answers.personal_data_people.is_none() {
        let people = [0, 499, 500, 10_000_000];
        return people.map(|it| Answers { personal_data_people: Some(it), ..answers }).to_vec();
    }
    if answers.administrator_credentials.is_none() {
        return [false, true].map(|it| Answers { administrator_credentials: Some(it), ..answers }).to_vec();
    }
    Vec::new()
}

/// The lowest and the highest level of all completions: every combination of answers to what is unknown.
fn completions(answers: Answers) -> Range {
    let more = one_more(answers);
    if more.is_empty() {
        let found = BAILIWICK_1.severity(&answers);
        return Range { best: found, worst: found };
    }
    let ranges: Vec<_> = more.into_iter().map(completions).collect();
    let best = ranges.iter().map(|range| range.best).min().unwrap();
    Range { best, worst: ranges.iter().map(|range| range.worst).max().unwrap() }
}

/// All answers that are worse than these in one known answer.
fn one_worse(answers: Answers) -> Vec<Answers> {
    let mut worse = Vec::new();
    for area in Area::ALL {
        if let Some(impact) = answers.impact.get(*area).and_then(|it| Impact::new(i64::from(it.get()) + 1)) {
            let mut next = answers;
            *next.impact.get_mut(*area) = Some(impact);
            worse.push(next);
        }
    }
    let urgency = match answers.urgency {
        Some(Urgency::Over) => Some(Urgency::Contained),
        Some(Urgency::Contained) => Some(Urgency::Spreading),
        _ => None,
    };
    worse.extend(urgency.map(|it| Answers { urgency: Some(it), ..answers }));
    let people = answers.personal_data_people.map(|people| people + 1);
    worse.extend(people.map(|it| Answers { personal_data_people: Some(it), ..answers }));
    if answers.administrator_credentials == Some(false) {
        worse.push(Answers { administrator_credentials: Some(true), ..answers });
    }
    worse
}

proptest! {
    #[test]
    fn the_range_is_that_of_every_completion(answers in some_answers()) {
        let found = assess(answers);
        prop_assert_eq!(found.range, completions(answers));
        let is_within = (found.range.best..=found.range.worst).contains(&found.severity);
        prop_assert!(is_within || found.severity == Undetermined);
        prop_assert_eq!(found.missing.is_empty(), one_more(answers).is_empty());
        if found.missing.is_empty() {
            prop_assert_eq!(found.range, Range { best: found.severity, worst: found.severity });
        }
    }

    #[test]
    fn a_worse_answer_never_gives_a_lower_level(answers in some_answers()) {
        let before = assess(answers);
        for worse in one_worse(answers) {
            let after = assess(worse);
            prop_assert!(after.severity >= before.severity, "{answers:?} {worse:?}");
            prop_assert!(after.range.best >= before.range.best, "{answers:?} {worse:?}");
            prop_assert!(after.range.worst >= before.range.worst, "{answers:?} {worse:?}");
        }
    }

    #[test]
    fn the_reasoning_names_level_decision_and_unknowns(answers in some_answers()) {
        let missing = explained(&answers);
        prop_assert!(missing.is_none(), "{}: {}", missing.unwrap(), assess(answers).reasoning);
    }
}

/// What the reasoning fails to explain.
pub(in crate::severity) fn explained(answers: &Answers) -> Option<String> {
    let found = BAILIWICK_1.assess(answers);
    let text = found.reasoning.as_str();
    let level = found.severity.as_str();
    let has_level = text.get(1..level.len()) == Some(&level[1..]) && text.starts_with(char::is_uppercase);
    if !has_level || !text.ends_with('.') || ["  ", " ,", ",,", "..", " ."].iter().any(|it| text.contains(it))
    {
        return Some("the form".to_owned());
    }
    let lower = text.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(&part.to_lowercase()));
    let effect = |name: &str| BAILIWICK_1.areas.iter().find(|row| row.area.as_str() == name);
    for factor in found.factors.iter().filter(|factor| factor.decides) {
        let clause = crate::severity::phrase::lowered(&factor.sentence);
        let is_named = match factor.name {
            "urgency" => has(&[
                &clause,
                "it is still spreading",
                "it is contained",
                "it is over",
                "and is contained",
                "and is over",
            ]),
            "personal_data_people" => has(&[clause.trim_end_matches(" was affected")]),
            "administrator_credentials" => has(&["administrator credentials"]),
            "people" if has(&["the harm to people alone"]) => true,
            name => {
                has(&[&clause, "did no harm", "none of the known effects is harmful"])
                    || effect(name).is_some_and(|row| has(&[row.effect_on]))
            }
        };
        if !is_named {
            return Some(format!("the deciding {}", factor.name));
        }
    }
    for name in &found.missing {
        let is_named = match *name {
            "urgency" => has(&["whether the incident is still spreading", "no question"]),
            "personal_data_people" => has(&["personal data", "no question"]),
            "administrator_credentials" => has(&["administrator credentials", "no question"]),
            name => effect(name).is_some_and(|row| {
                let all =
                    ["other effects", "None of the effects", "none of the effects", "none of its effects"];
                let is_only =
                    has(&["Only the effect"]) && !text.contains(&format!("effects on {}", row.effect_on));
                is_only || has(&all) || has(&[row.question, row.effect_on, "no question"])
            }),
        };
        if !is_named {
            return Some(format!("the unknown {name}"));
        }
    }
    let is_complete = found.missing.is_empty();
    if is_complete != has(&["Every question is answered."]) {
        return Some("that every question is answered".to_owned());
    }
    (found.range.worst > found.severity && !has(&[found.range.worst.as_str()]))
        .then(|| "the worst case".to_owned())
}
