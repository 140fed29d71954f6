//! What is sent about the severity of an incident: answers by a rule set, or a severity with its reason.

mod cisa;
mod own;

use domain::severity::{Answers, Rules, Ruleset, Severity, StatedSeverity};
use domain::{FaultCode, Faults, Prose, Word};
use http::json::{Fields, Json, Pointer};
use http::word::{OneOf, word};
use utoipa::ToSchema;

pub(crate) use cisa::CisaAnswersInput;
pub(crate) use own::OwnAnswersInput;

/// Answers to the questions of a rule set. What is not known is left out or null.
#[derive(ToSchema)]
#[schema(as = SeverityAnswers)]
#[serde(untagged)]
pub enum AnswersInput {
    /// By Bailiwick's own rules.
    Own(OwnAnswersInput),
    /// By CISA's scoring system.
    Cisa(CisaAnswersInput),
}

/// Reads answers.
pub fn read_answers(body: Json<'_>, faults: &mut Faults) -> Option<Answers> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let answers = answers(&mut fields);
    fields.finish();
    answers
}

/// The severity of an incident: answers, of which the rules compute it, or a level that a person decided on.
#[derive(ToSchema)]
#[schema(as = SeverityInput)]
#[serde(untagged)]
pub enum SeverityInput {
    /// By Bailiwick's own rules.
    Own(OwnAnswersInput),
    /// By CISA's scoring system.
    Cisa(CisaAnswersInput),
    /// By a person.
    Manual(ManualSeverityInput),
}

/// A severity that a person decided on.
#[derive(ToSchema)]
#[schema(as = ManualSeverity)]
#[expect(dead_code, reason = "describes the body, which `read_severity` reads")]
pub struct ManualSeverityInput {
    /// The level.
    severity: SeverityWord,
    /// Why, at most 64 KiB: it becomes the `severity_reasoning`.
    #[schema(
        min_length = 1,
        max_length = 65536,
        examples("The board decided so, because the press knows of it.")
    )]
    reason: String,
}

type SeverityWord = OneOf<Severity>;

/// Reads the severity of an incident.
pub fn read_severity(body: Json<'_>, faults: &mut Faults) -> Option<StatedSeverity> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let is_manual = MANUAL.iter().any(|name| fields.has(name));
    let stated = match is_manual {
        true => manual(&mut fields),
        false => {
            fields.read_and_forget(MANUAL);
            answers(&mut fields).map(|answers| StatedSeverity::computed(&answers))
        }
    };
    fields.finish();
    stated
}

const MANUAL: &[&str] = &["severity", "reason"];

/// Reads a severity that a person decided on.
fn manual(fields: &mut Fields<'_, '_>) -> Option<StatedSeverity> {
    let severity = fields.required_with("severity", word);
    let reason = fields.required::<Prose>("reason");
    let detail = "does not go with `severity` and `reason`: send answers, or a severity with its reason";
    for members in [&["ruleset"], own::MEMBERS, &[cisa::FACTORS]] {
        fields.misplaced(members, detail);
    }
    Some(StatedSeverity::manual(severity?, reason?))
}

/// Reads the members of answers.
fn answers(fields: &mut Fields<'_, '_>) -> Option<Answers> {
    let is_named = fields.has("ruleset");
    let named = fields.optional_with("ruleset", word);
    let ruleset = if is_named { named } else { Some(Ruleset::DEFAULT) };
    let Some(ruleset) = ruleset else {
        // The members that belong to the rules are not known, but each can be checked by itself.
        fields.optional_with("impact", own::read_impact);
        own::read_facts(fields);
        fields.optional_with("factors", cisa::read_factors);
        return None;
    };
    match ruleset.rules() {
        Rules::Bailiwick(rules) => {
            belongs_to(Ruleset::CisaNcisss1, &[cisa::FACTORS], ruleset, fields);
            Some(Answers::Bailiwick(rules, own::read(fields)?))
        }
        Rules::Cisa(rules) => {
            belongs_to(Ruleset::Bailiwick1, own::MEMBERS, ruleset, fields);
            Some(Answers::Cisa(rules, cisa::read(fields)?))
        }
    }
}

/// Refuses the members of a rule set that does not apply.
fn belongs_to(other: Ruleset, members: &[&'static str], ruleset: Ruleset, fields: &mut Fields<'_, '_>) {
    fields.misplaced(members, &format!("belongs to the rule set `{other}`, and `{ruleset}` applies"));
}

/// Reads a word of a closed list. Some callers send `unknown` where a question has no answer.
fn known_word<W: Word>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<W> {
    if value == Json::String("unknown".into()) && W::parse("unknown").is_none() {
        faults.add(at, FaultCode::Enum, "must be left out if it is not known");
        return None;
    }
    word(value, at, faults)
}

#[cfg(test)]
mod tests;
