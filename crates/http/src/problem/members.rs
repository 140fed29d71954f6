//! The members that only the problems of some codes have.

use domain::duty::DutyCounts;
use domain::incident::{Requirement, Status};
use domain::organization::OrganizationName;
use domain::person::Person;
use domain::{ErrorCode, Fault, UserId};
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};

use crate::error::ParameterFaults;

/// The members of a problem that only some codes have; `violated-policies` is as in the draft of the `RateLimit` fields.
#[derive(Default, Serialize)]
pub(super) struct Members<'e> {
    /// The scopes that are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scope: Option<String>,
    #[serde(rename = "violated-policies", skip_serializing_if = "Option::is_none")]
    pub(super) violated_policies: Option<[&'static str; 1]>,
    /// The organizations of which one must be named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) organizations: Option<&'e [OrganizationName]>,
    /// The statuses that an incident can get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allowed: Option<&'e [Status]>,
    /// What is missing to close an incident.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missing: Vec<Missing>,
    /// The duties of a member who is not removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) duties: Option<DutiesLeft<'e>>,
    /// The incidents whose references are taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) taken: Vec<String>,
    /// The first of those who may approve a proposal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) who: Vec<PersonName<'e>>,
    /// The hash of the text that a proposal has, or that is published, by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sha256: Option<&'e str>,
    /// What that text changes in the one that the request names, and where the two are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) difference: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) difference_path: Option<String>,
    /// The records that a bulk operation cannot change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) failed: Vec<FailedItem<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) errors: Option<AllFaults<'e>>,
    /// Present only when true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) more_errors: bool,
}

/// A person, by id and name.
#[derive(Serialize)]
pub(super) struct PersonName<'e> {
    id: UserId,
    name: &'e str,
}

impl<'e> From<&'e Person> for PersonName<'e> {
    fn from(person: &'e Person) -> Self {
        Self { id: person.id, name: &person.name }
    }
}

/// Something that is missing to close an incident.
#[derive(Serialize)]
pub(super) struct Missing {
    code: &'static str,
    detail: &'static str,
}

impl From<&Requirement> for Missing {
    fn from(requirement: &Requirement) -> Self {
        Self { code: requirement.as_str(), detail: requirement.sentence() }
    }
}

/// How many duties of each kind a member has.
pub(super) struct DutiesLeft<'e>(pub(super) &'e DutyCounts);

impl Serialize for DutiesLeft<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.0.iter().map(|(duty, count)| (duty.as_str(), count)))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum AllFaults<'e> {
    Body(&'e [Fault]),
    Parameters(&'e ParameterFaults),
}

/// A record that a bulk operation cannot change.
#[derive(Serialize)]
pub(super) struct FailedItem<'e> {
    pub(super) id: &'e str,
    pub(super) problem: ItemProblem<'e>,
}

/// Why one record of many was not changed: the members of a problem that belong to it.
#[derive(Serialize)]
pub struct ItemProblem<'e> {
    #[serde(rename = "type")]
    pub(super) link: String,
    pub(super) title: String,
    pub(super) status: u16,
    pub(super) detail: String,
    pub(super) code: ErrorCode,
    #[serde(flatten)]
    pub(super) members: Members<'e>,
}

impl ItemProblem<'_> {
    /// Its schema, as a member of what became of a record.
    pub fn schema() -> RefOr<Schema> {
        let mut schema = Ref::from_schema_name("ItemProblem");
        "Why it failed; absent if it did not.".clone_into(&mut schema.description);
        RefOr::Ref(schema)
    }
}
