//! Answers by Bailiwick's own rules.

use domain::severity::bailiwick::{Answers, Area, Impact, Impacts, Urgency};
use domain::{FaultCode, Faults};
use http::json::{Fields, FromJson as _, Json, Pointer};
use http::word::OneOf;
use utoipa::ToSchema;

use super::known_word;

/// The members of these answers, without `ruleset`.
pub(super) const MEMBERS: &[&str] =
    &["impact", "urgency", "personal_data_people", "administrator_credentials"];

/// Answers by Bailiwick's own rules: docs/severity.md.
#[derive(ToSchema)]
#[schema(as = BailiwickAnswers)]
#[expect(dead_code, reason = "describes the body, which `read` reads")]
pub struct OwnAnswersInput {
    /// The rule set; by default this one.
    #[schema(pattern = "^bailiwick-1$", max_length = 50, examples("bailiwick-1"))]
    ruleset: Option<String>,
    /// The impact on each area; it may be empty.
    impact: ImpactsInput,
    /// Whether the incident is still doing harm.
    urgency: Option<UrgencyInput>,
    /// The number of people whose personal data is affected.
    #[schema(minimum = 0, examples(20))]
    personal_data_people: Option<i64>,
    /// Whether administrator credentials were compromised.
    administrator_credentials: Option<bool>,
}

type UrgencyInput = OneOf<Urgency>;

/// The impact of an incident on each area, from 0, none, to 4. docs/severity.md says what each number means.
#[derive(ToSchema)]
#[schema(as = SeverityImpacts)]
#[expect(dead_code, reason = "describes the body, which `read_impact` reads")]
pub(crate) struct ImpactsInput {
    /// Services that customers or staff use.
    #[schema(minimum = 0, maximum = 4, examples(3))]
    service: Option<i64>,
    /// Data: its confidentiality, its integrity and its availability.
    #[schema(minimum = 0, maximum = 4, examples(1))]
    data: Option<i64>,
    /// The safety of persons.
    #[schema(minimum = 0, maximum = 4, examples(0))]
    people: Option<i64>,
    /// The financial loss.
    #[schema(minimum = 0, maximum = 4)]
    money: Option<i64>,
    /// Contracts, laws and licences.
    #[schema(minimum = 0, maximum = 4)]
    legal: Option<i64>,
    /// The trust of customers, partners and the public.
    #[schema(minimum = 0, maximum = 4)]
    reputation: Option<i64>,
}

/// Reads the members of these answers.
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Option<Answers> {
    let impact = fields.required_with("impact", read_impact);
    let facts = read_facts(fields);
    Some(Answers { impact: impact?, ..facts })
}

/// Reads the members besides `impact`.
pub(super) fn read_facts(fields: &mut Fields<'_, '_>) -> Answers {
    Answers {
        impact: Impacts::default(),
        urgency: fields.optional_with("urgency", known_word),
        personal_data_people: fields.optional_with("personal_data_people", |value, at, faults| {
            let people = i64::from_json(value, at, faults)?;
            let people = u64::try_from(people);
            if people.is_err() {
                faults.add(at, FaultCode::Range, "must be 0 or more, or left out if it is not known");
            }
            people.ok()
        }),
        administrator_credentials: fields.optional("administrator_credentials"),
    }
}

/// Reads the impact on each area.
pub(super) fn read_impact(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Impacts> {
    let mut fields = Fields::of(value, at, faults)?;
    let mut impacts = Impacts::default();
    for area in Area::ALL {
        let impact = fields.optional(area.as_str());
        fields.check_with(area.as_str(), |pointer, faults| {
            *impacts.get_mut(*area) = impact.and_then(|it| Impact::check(it, pointer, faults));
        });
    }
    fields.finish();
    Some(impacts)
}
