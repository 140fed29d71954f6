//! Answers by CISA's scoring system.

use domain::Faults;
use domain::severity::cisa::{
    Actor, Answers, FunctionalImpact, InformationImpact, Location, ObservedActivity, PotentialImpact,
    Recoverability, Sector,
};
use http::json::{Fields, Json, Pointer};
use http::word::OneOf;
use utoipa::ToSchema;

use super::known_word;

/// The member with the answers.
pub(super) const FACTORS: &str = "factors";

/// Answers by CISA's scoring system: docs/severity.md.
#[derive(ToSchema)]
#[schema(as = CisaAnswers)]
#[expect(dead_code, reason = "describes the body, which `read` reads")]
pub struct CisaAnswersInput {
    /// The rule set.
    #[schema(pattern = "^cisa-ncisss-1$", max_length = 50, examples("cisa-ncisss-1"))]
    ruleset: String,
    /// The value of each factor; it may be empty.
    factors: FactorsInput,
}

/// The eight factors of CISA's scoring system.
#[derive(ToSchema)]
#[schema(as = CisaFactors)]
#[expect(dead_code, reason = "describes the body, which `read_factors` reads")]
pub(crate) struct FactorsInput {
    /// The impact on the services of the organization.
    functional_impact: Option<FunctionalImpactInput>,
    /// What an attacker was observed to do.
    observed_activity: Option<ObservedActivityInput>,
    /// Where in the network the activity was observed.
    location: Option<LocationInput>,
    /// Who is behind the incident.
    actor: Option<ActorInput>,
    /// What happened to information.
    information_impact: Option<InformationImpactInput>,
    /// What recovery takes.
    recoverability: Option<RecoverabilityInput>,
    /// The sector of the organization, by how much other sectors depend on it.
    cross_sector_dependency: Option<SectorInput>,
    /// The impact that the incident could have on the public if nothing is done.
    potential_impact: Option<PotentialImpactInput>,
}

type FunctionalImpactInput = OneOf<FunctionalImpact>;
type ObservedActivityInput = OneOf<ObservedActivity>;
type LocationInput = OneOf<Location>;
type ActorInput = OneOf<Actor>;
type InformationImpactInput = OneOf<InformationImpact>;
type RecoverabilityInput = OneOf<Recoverability>;
type SectorInput = OneOf<Sector>;
type PotentialImpactInput = OneOf<PotentialImpact>;

/// Reads the member of these answers.
pub(super) fn read(fields: &mut Fields<'_, '_>) -> Option<Answers> {
    fields.required_with(FACTORS, read_factors)
}

/// Reads the value of each factor.
pub(super) fn read_factors(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Answers> {
    let mut fields = Fields::of(value, at, faults)?;
    let answers = Answers {
        functional_impact: fields.optional_with("functional_impact", known_word),
        observed_activity: fields.optional_with("observed_activity", known_word),
        location: fields.optional_with("location", known_word),
        actor: fields.optional_with("actor", known_word),
        information_impact: fields.optional_with("information_impact", known_word),
        recoverability: fields.optional_with("recoverability", known_word),
        cross_sector_dependency: fields.optional_with("cross_sector_dependency", known_word),
        potential_impact: fields.optional_with("potential_impact", known_word),
    };
    fields.finish();
    Some(answers)
}
