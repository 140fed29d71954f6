//! Types and readers that several resources share.

use domain::decision::Decision;
use domain::document::Day;
use domain::organization::Organization;
use domain::person::{EmailAddress, Person};
use domain::{Actor, ActorKind, Line, OrgId, UserId};
use http::word::OneOf;
use serde::Serialize;
use utoipa::ToSchema;

/// Reads a number in a path: digits only, at least 1.
pub(crate) fn number(text: &str) -> Option<i64> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_digits && *number >= 1)
}

/// A member of the organization.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Person)]
pub(crate) struct PersonView {
    /// The user's id, the same in every organization.
    id: UserId,
    /// The user's name in this organization.
    #[schema(max_length = 200, examples("Ada"))]
    name: String,
    /// The user's e-mail address.
    #[schema(value_type = EmailAddress)]
    email: String,
}

impl From<Person> for PersonView {
    fn from(person: Person) -> Self {
        Self { id: person.id, name: person.name, email: person.email }
    }
}

/// An organization's id and name.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrganizationName)]
pub(crate) struct OrganizationNameView {
    /// Its id.
    id: OrgId,
    /// Its name.
    #[schema(min_length = 1, max_length = 200, examples("Example Ltd"))]
    name: String,
}

impl From<&Organization> for OrganizationNameView {
    fn from(it: &Organization) -> Self {
        Self { id: it.id, name: it.name.clone() }
    }
}

/// The actor: an OAuth client, a user or the operator.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Actor)]
pub(crate) struct ActorView {
    /// The kind of actor.
    #[serde(rename = "type")]
    kind: ActorKindView,
    /// `client_id`, the user's UUID, or `cli` or `service` for the operator.
    #[schema(max_length = 200, examples("bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha"))]
    id: String,
    /// The actor's current name.
    #[schema(max_length = 200, examples("siem"))]
    name: String,
}

type ActorKindView = OneOf<ActorKind>;

impl From<Actor> for ActorView {
    fn from(actor: Actor) -> Self {
        Self { kind: actor.kind.into(), id: actor.id, name: actor.name }
    }
}

/// A decision of people who do not sign in.
#[derive(Serialize, ToSchema)]
#[schema(as = DecisionOfOthers)]
pub(crate) struct RecordedView {
    /// Who decided.
    #[schema(examples("The board"))]
    decided_by: Line,
    /// On which day.
    decided_date: Day,
    /// The reference of the minutes.
    #[schema(examples("Minutes 2026-03, item 4"))]
    minutes: Line,
}

/// The decision of others that was recorded, if one was.
pub(crate) fn recorded(it: &Decision) -> Option<RecordedView> {
    let (decided_by, decided_date, minutes) =
        (it.board.clone()?, it.board_date.clone()?, it.minutes.clone()?);
    Some(RecordedView { decided_by, decided_date, minutes })
}
