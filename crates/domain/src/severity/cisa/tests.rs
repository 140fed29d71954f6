use proptest::prelude::*;

use super::rules::Row;
use super::*;
use crate::Word;
use crate::severity::Severity::{self, Critical, High, Low, Medium, Undetermined};
use crate::severity::{Assessment, Range, Score};

fn assess(answers: Answers) -> Assessment {
    CISA_NCISSS_1.assess(&answers)
}

fn least() -> Answers {
    Answers {
        functional_impact: Some(FunctionalImpact::None),
        observed_activity: Some(ObservedActivity::None),
        location: Some(Location::BusinessDmz),
        actor: Some(Actor::Hacktivist),
        information_impact: Some(InformationImpact::None),
        recoverability: Some(Recoverability::Regular),
        cross_sector_dependency: Some(Sector::Nuclear),
        potential_impact: Some(PotentialImpact::Minimal),
    }
}

fn most() -> Answers {
    Answers {
        functional_impact: Some(FunctionalImpact::DenialCritical),
        observed_activity: Some(ObservedActivity::Effect),
        location: Some(Location::SafetySystems),
        actor: Some(Actor::AptTargeted),
        information_impact: Some(InformationImpact::DestructionCritical),
        recoverability: Some(Recoverability::NotRecoverable),
        cross_sector_dependency: Some(Sector::Energy),
        potential_impact: Some(PotentialImpact::Severe),
    }
}

#[test]
fn all_least_is_0_and_all_most_is_100() {
    for (answers, score, level) in [(least(), 0, Low), (most(), 10_000, Critical)] {
        let found = assess(answers);
        assert_eq!((found.score, found.severity), (Some(Score(score)), level));
        assert_eq!(found.range, Range { best: level, worst: level });
        assert_eq!((found.missing.len(), found.factors.len()), (0, 8));
    }
    let rows = CISA_NCISSS_1.rows(&Answers::default());
    let sum = |weighted: fn(&Row) -> u32| rows.iter().map(weighted).sum::<u32>();
    assert_eq!([sum(|row| row.least), sum(|row| row.most)], CISA_NCISSS_1.sums);
    assert_eq!(CISA_NCISSS_1.sums, [325, 3_400]);
}

#[test]
fn the_published_example_has_its_score() {
    let answers = Answers {
        functional_impact: Some(FunctionalImpact::SignificantCritical),
        observed_activity: Some(ObservedActivity::Presence),
        location: Some(Location::BusinessNetworkManagement),
        actor: Some(Actor::Criminal),
        information_impact: Some(InformationImpact::PrivacyDataLoss),
        recoverability: Some(Recoverability::Supplemented),
        cross_sector_dependency: Some(Sector::It),
        potential_impact: Some(PotentialImpact::Moderate),
    };
    let found = assess(answers);
    assert_eq!((found.score, found.severity), (Some(Score(5_317)), High));
    assert_eq!(
        found.reasoning,
        "High: the incident scores 53.17 of 100 by CISA's scoring system, most of all for a significant impact on \
         critical services and for the presence of an attacker in the network. Every factor is known."
    );
}

/// Each factor with its weight and the values of its words, in their order.
fn table() -> Vec<(&'static str, u32, Vec<u32>)> {
    fn row<W: Word>(factor: &Factor<W>) -> (&'static str, u32, Vec<u32>) {
        let words: Vec<_> = factor.values.iter().map(|value| value.0.as_str()).collect();
        let all: Vec<_> = W::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words, all, "{} has a value for each word", factor.noun);
        (factor.noun, factor.weight, factor.values.iter().map(|value| value.1).collect())
    }
    let it = &CISA_NCISSS_1;
    vec![
        row(&it.functional_impact),
        row(&it.observed_activity),
        row(&it.location),
        row(&it.actor),
        row(&it.information_impact),
        row(&it.recoverability),
        row(&it.cross_sector_dependency),
        row(&it.potential_impact),
    ]
}

#[test]
fn weights_and_values_are_those_of_the_scoring_system() {
    let sectors = vec![15, 20, 20, 25, 25, 30, 30, 35, 35, 40, 50, 60, 75, 75, 80, 100];
    assert_eq!(
        table(),
        [
            ("the functional impact", 6, vec![0, 20, 35, 40, 50, 60, 70, 100]),
            ("the observed activity", 5, vec![0, 40, 70, 80, 100]),
            ("the location", 4, vec![30, 40, 50, 60, 70, 80, 90, 100]),
            ("the actor", 4, vec![20, 30, 40, 50, 65, 80, 100]),
            ("the information impact", 2, vec![0, 10, 20, 50, 60, 70, 80, 100]),
            ("the recoverability", 4, vec![20, 40, 60, 100]),
            ("the dependency of other sectors", 3, sectors),
            ("the potential impact", 6, vec![0, 25, 50, 75, 100]),
        ]
    );
}

#[test]
fn the_levels_begin_at_35_50_and_65() {
    for (cut, below, level) in [(35, Low, Medium), (50, Medium, High), (65, High, Critical)] {
        // The least sum whose score is not below the cut.
        let sum = 325 + (cut * 3_075_u32).div_ceil(100);
        assert_eq!((CISA_NCISSS_1.level(sum), CISA_NCISSS_1.level(sum - 1)), (level, below), "{cut}");
        assert!(CISA_NCISSS_1.score(sum) >= Score(cut * 100), "{cut}");
    }
    assert_eq!(CISA_NCISSS_1.level(0), Low);
}

#[test]
fn a_score_is_rounded_half_up_and_written_without_zeros() {
    assert_eq!(CISA_NCISSS_1.score(1_960), Score(5_317));
    let written: Vec<_> =
        [5_317, 4_050, 4_005, 300, 10_000, 0].into_iter().map(|it| Score(it).to_string()).collect();
    assert_eq!(written, ["53.17", "40.5", "40.05", "3", "100", "0"]);
}

#[test]
fn the_word_unknown_is_the_same_as_no_answer() {
    let said = Answers { location: Some(Location::Unknown), actor: Some(Actor::Unknown), ..most() };
    let unsaid = Answers { location: None, actor: None, ..most() };
    assert_eq!(assess(said), assess(unsaid));
    let found = assess(said);
    assert_eq!(found.missing, ["location", "actor"]);
    // Both count with 50, as the scoring system has it: 4 x 50 less each.
    assert_eq!(found.score, Some(CISA_NCISSS_1.score(3_400 - 400)));
}

#[test]
fn without_a_known_impact_it_is_undetermined() {
    let found = assess(Answers::default());
    assert_eq!((found.severity, found.range), (Undetermined, Range { best: Low, worst: Critical }));
    let impacts_unknown =
        Answers { functional_impact: None, information_impact: None, potential_impact: None, ..most() };
    assert_eq!(assess(impacts_unknown).severity, Undetermined);
    let one = Answers { information_impact: Some(InformationImpact::None), ..Answers::default() };
    assert_eq!(assess(one).severity, Low);
}

fn word<W: Word + std::fmt::Debug>() -> impl Strategy<Value = Option<W>> {
    prop::option::weighted(0.7, prop::sample::select(W::ALL))
}

prop_compose! {
    pub(in crate::severity) fn some_answers()(
        functional_impact in word(), observed_activity in word(), location in word(), actor in word(),
        information_impact in word(), recoverability in word(), cross_sector_dependency in word(),
        potential_impact in word(),
    ) -> Answers {
        Answers {
            functional_impact, observed_activity, location, actor, information_impact, recoverability,
            cross_sector_dependency, potential_impact,
        }
    }
}

/// Every word of a factor that is unknown, else its word.
fn resolved<W: Word>(answer: Option<W>, unknown: Option<W>) -> Vec<Option<W>> {
    match answer.filter(|word| Some(*word) != unknown) {
        Some(word) => vec![Some(word)],
        None => W::ALL.iter().copied().filter(|word| Some(*word) != unknown).map(Some).collect(),
    }
}

/// The answers with a change to one factor, once for each of these words.
fn each<W: Word>(
    all: Vec<Answers>,
    place: fn(&mut Answers) -> &mut Option<W>,
    unknown: Option<W>,
) -> Vec<Answers> {
    let changed = |answers: Answers| {
        let mut it = answers;
        resolved(*place(&mut it), unknown).into_iter().map(move |word| {
            let mut it = answers;
            *place(&mut it) = word;
            it
        })
    };
    all.into_iter().flat_map(changed).collect()
}

/// Every combination of answers to what is unknown.
fn completions(answers: Answers) -> Vec<Answers> {
    let all = each(vec![answers], |it| &mut it.functional_impact, None);
    let all = each(all, |it| &mut it.observed_activity, None);
    let all = each(all, |it| &mut it.location, Some(Location::Unknown));
    let all = each(all, |it| &mut it.actor, Some(Actor::Unknown));
    let all = each(all, |it| &mut it.information_impact, None);
    let all = each(all, |it| &mut it.recoverability, None);
    let all = each(all, |it| &mut it.cross_sector_dependency, None);
    each(all, |it| &mut it.potential_impact, None)
}

/// All answers that are worse than these in one known answer.
fn one_worse(answers: Answers) -> Vec<Answers> {
    fn next<W: Word>(answers: Answers, place: fn(&mut Answers) -> &mut Option<W>) -> Option<Answers> {
        let mut it = answers;
        let word = (*place(&mut it))?;
        let index = W::ALL.iter().position(|other| *other == word)?;
        *place(&mut it) = Some(*W::ALL.get(index + 1)?);
        Some(it)
    }
    [
        next(answers, |it| &mut it.functional_impact),
        next(answers, |it| &mut it.observed_activity),
        next(answers, |it| &mut it.location),
        next(answers, |it| &mut it.actor),
        next(answers, |it| &mut it.information_impact),
        next(answers, |it| &mut it.recoverability),
        next(answers, |it| &mut it.cross_sector_dependency),
        next(answers, |it| &mut it.potential_impact),
    ]
    .into_iter()
    .flatten()
    .collect()
}

proptest! {
    #[test]
    fn the_range_is_that_of_every_completion(answers in some_answers()) {
        let found = assess(answers);
        // More than four unknown ones have millions of completions.
        if found.missing.len() <= 4 {
            let levels: Vec<Severity> = completions(answers).into_iter().map(|it| level(&it)).collect();
            let (best, worst) = (*levels.iter().min().unwrap(), *levels.iter().max().unwrap());
            prop_assert_eq!(found.range, Range { best, worst });
        }
        let is_within = (found.range.best..=found.range.worst).contains(&found.severity);
        prop_assert!(is_within || found.severity == Undetermined);
    }

    #[test]
    fn a_worse_answer_never_gives_a_lower_score(answers in some_answers()) {
        let before = assess(answers);
        for worse in one_worse(answers) {
            let after = assess(worse);
            prop_assert!(after.score >= before.score, "{answers:?} {worse:?}");
            prop_assert!(after.severity >= before.severity, "{answers:?} {worse:?}");
        }
    }

    #[test]
    fn the_reasoning_names_level_score_decision_and_unknowns(answers in some_answers()) {
        let missing = explained(&answers);
        prop_assert!(missing.is_none(), "{}: {}", missing.unwrap(), assess(answers).reasoning);
    }
}

fn level(answers: &Answers) -> Severity {
    CISA_NCISSS_1.level(CISA_NCISSS_1.rows(answers).iter().map(|row| row.counts).sum())
}

/// What the reasoning fails to explain.
pub(in crate::severity) fn explained(answers: &Answers) -> Option<String> {
    let found = assess(*answers);
    let text = found.reasoning.as_str();
    let level = found.severity.as_str();
    let has_level = text.get(1..level.len()) == Some(&level[1..]) && text.starts_with(char::is_uppercase);
    if !has_level || !text.ends_with('.') || ["  ", " ,", ",,", "..", " ."].iter().any(|it| text.contains(it))
    {
        return Some("the form".to_owned());
    }
    let is_undetermined = found.severity == Undetermined;
    if !is_undetermined && !text.contains(&format!("scores {} of 100", found.score.unwrap())) {
        return Some("the score".to_owned());
    }
    for factor in found.factors.iter().filter(|factor| factor.decides && !is_undetermined) {
        if !text.contains(&crate::severity::phrase::lowered(&factor.sentence)) {
            return Some(format!("the deciding {}", factor.name));
        }
    }
    for row in CISA_NCISSS_1.rows(answers).iter().filter(|row| row.answer.is_none()) {
        let is_named = text.to_lowercase().contains(row.noun);
        let is_other = text.contains("Only") || text.contains("no factor is known");
        // With "Only", those that are known are named, and no others.
        if is_named == is_other {
            return Some(format!("the unknown {}", row.name));
        }
    }
    let is_complete = found.missing.is_empty();
    if is_complete != text.contains("Every factor is known.") {
        return Some("that every factor is known".to_owned());
    }
    (found.range.worst > found.severity && !text.contains(found.range.worst.as_str()))
        .then(|| "the worst case".to_owned())
}
