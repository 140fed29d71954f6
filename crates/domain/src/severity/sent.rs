//! What is sent about a severity: answers by a rule set, or a level that a person decided on.

use macros::Body;

use super::answers::Answers;
use super::level::Severity;
use super::record::StatedSeverity;
use super::{bailiwick, cisa};
use crate::fault::Faults;
use crate::json::{Fields, FromJson, Json, Pointer};
use crate::schema::{Described, OneOf, Schema};
use crate::text::Prose;

/// Answers to the questions of a rule set. What is not known is left out or null.
#[derive(Body)]
#[body(tag = "ruleset", name = "SeverityAnswers", default = "bailiwick-1")]
enum SentAnswers {
    /// Answers by Bailiwick's own rules: docs/severity.md.
    #[body(name = "BailiwickAnswers", tag = "bailiwick-1")]
    Bailiwick1 {
        #[body(flat)]
        answers: bailiwick::Answers,
    },
    /// Answers by CISA's scoring system: docs/severity.md.
    #[body(name = "CisaAnswers", tag = "cisa-ncisss-1")]
    CisaNcisss1 {
        /// The value of each factor; it may be empty.
        factors: cisa::Answers,
    },
}

impl From<SentAnswers> for Answers {
    fn from(sent: SentAnswers) -> Self {
        match sent {
            SentAnswers::Bailiwick1 { answers } => Self::Bailiwick(&bailiwick::BAILIWICK_1, answers),
            SentAnswers::CisaNcisss1 { factors } => Self::Cisa(&cisa::CISA_NCISSS_1, factors),
        }
    }
}

impl FromJson for Answers {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        SentAnswers::from_json(value, at, faults).map(Self::from)
    }
}

impl Described for Answers {
    const SCHEMA: Schema = SentAnswers::SCHEMA;
}

crate::in_the_api!(Answers, "SeverityAnswers");

/// A severity that a person decided on.
#[derive(Body)]
struct ManualSeverity {
    /// The level.
    severity: Severity,
    /// Why, at most 64 KiB: it becomes the `severity_reasoning`.
    #[body(example = "The board decided so, because the press knows of it.")]
    reason: Prose,
}

/// With `severity` or `reason` it is a severity that a person decided on.
impl FromJson for StatedSeverity {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let mut fields = Fields::of(value, at, faults)?;
        let stated = if fields.has("severity") || fields.has("reason") {
            let manual = ManualSeverity::members(&mut fields);
            let detail =
                "does not go with `severity` and `reason`: send answers, or a severity with its reason";
            fields.misplaced(&SentAnswers::TAGGED.members(), detail);
            manual.map(|ManualSeverity { severity, reason }| Self::manual(severity, reason))
        } else {
            let answers = fields.tagged(&SentAnswers::TAGGED, SentAnswers::variant);
            answers.map(|answers| Self::computed(&answers.into()))
        };
        fields.finish();
        stated
    }
}

impl Described for StatedSeverity {
    const SCHEMA: Schema = Schema::OneOf(&OneOf {
        name: "SeverityInput",
        about: "The severity of an incident: answers from which it is computed, or a level that a person chose.",
        choices: &[
            ("Answers from which the rules compute it.", SentAnswers::SCHEMA),
            ("By a person.", ManualSeverity::SCHEMA),
        ],
    });
}

crate::in_the_api!(StatedSeverity, "SeverityInput");
