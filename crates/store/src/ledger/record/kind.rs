//! The kinds of fields: how a value is stored in one or several columns, and how it is journaled.

mod journaled;
mod values;

use db::Value;
use domain::document::{Control, Day, Language, ProposalField};
use domain::group::GroupName;
use domain::incident::Requirement;
use domain::person::Person;
use domain::tag::{Color, TagName};
use domain::text::folded;
use domain::{
    AcknowledgementId, AcknowledgementRequestId, Actor, ActorKind, ClientId, FamilyId, GroupId, ImportId,
    IncidentNumber, InvitationId, Line, LineOrEmpty, OrgId, Prose, ProseOrEmpty, Reason, ResetLinkId,
    RiskNumber, Roles, SavedViewId, Scope, Scopes, SessionId, TagId, UserId, Word,
};
use jiff::Timestamp;
use uuid::Uuid;

pub(super) use journaled::{journal, to_json};
pub(crate) use values::{
    AFaultList, AHold, AKeptList, ARating, AScaleContent, ASource, AStepList, AViewFilter, AnActionList,
    SomeChanges,
};

use super::Reader;
use super::names::{self, Joined};

/// The columns of a kind of field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// What is added to the field's name for each column.
    pub(crate) suffixes: &'static [&'static str],
    /// How many of the last ones are derived from the others. They are not journaled.
    pub(crate) derived: usize,
    /// What is read instead of the bare columns, from which other tables.
    pub(crate) joined: Option<fn(row: &str, field: &str) -> Joined>,
}

/// A kind of field, for values of the type `T`.
pub(crate) trait Kind<T> {
    /// Adds the value of each column.
    fn write<'v>(value: &'v T, out: &mut Vec<Value<'v>>);

    /// Reads the columns, with what is joined to them.
    fn read(row: &mut Reader<'_>) -> db::Result<T>;
}

const ONE_COLUMN: Shape = Shape { suffixes: &[""], derived: 0, joined: None };

/// A value that is a column by itself.
pub(crate) struct Plain;

impl Plain {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

macro_rules! plain {
    ($($type:ty: |$value:ident| $written:expr, |$read:ident: $column:ty| $made:expr;)*) => {$(
        impl Kind<$type> for Plain {
            fn write<'v>($value: &'v $type, out: &mut Vec<Value<'v>>) {
                out.push($written);
            }
            fn read(row: &mut Reader<'_>) -> db::Result<$type> {
                let $read: $column = row.next()?;
                Ok($made)
            }
        }

        impl Kind<Option<$type>> for Plain {
            fn write<'v>(value: &'v Option<$type>, out: &mut Vec<Value<'v>>) {
                match value {
                    Some(value) => Self::write(value, out),
                    None => out.push(Value::Null),
                }
            }
            fn read(row: &mut Reader<'_>) -> db::Result<Option<$type>> {
                let value: Option<$column> = row.next()?;
                Ok(value.map(|$read| $made))
            }
        }
    )*};
}

plain! {
    i64: |value| Value::Integer(*value), |value: i64| value;
    bool: |value| Value::Bool(*value), |value: bool| value;
    String: |value| Value::from(value.as_str()), |value: String| value;
    Timestamp: |value| Value::Time(*value), |value: Timestamp| value;
    Line: |value| Value::from(value.as_str()), |value: String| Line::stored(value);
    LineOrEmpty: |value| Value::from(value.as_str()), |value: String| LineOrEmpty::stored(value);
    Prose: |value| Value::from(value.as_str()), |value: String| Prose::stored(value);
    ProseOrEmpty: |value| Value::from(value.as_str()), |value: String| ProseOrEmpty::stored(value);
    Language: |value| Value::from(value.as_str()), |value: String| Language::stored(value);
    Day: |value| Value::from(value.as_str()), |value: String| Day::stored(value);
    Reason: |value| Value::from(value.as_str()), |value: String| Reason::stored(value);
    Color: |value| Value::from(value.as_str()), |value: String| Color::stored(value);
    Vec<u8>: |value| Value::from(value.as_slice()), |value: Vec<u8>| value;
    Uuid: |value| Value::Uuid(*value), |value: Uuid| value;
    OrgId: |value| Value::Uuid(value.uuid()), |value: Uuid| OrgId(value);
    UserId: |value| Value::Uuid(value.uuid()), |value: Uuid| UserId(value);
    GroupId: |value| Value::Uuid(value.uuid()), |value: Uuid| GroupId(value);
    TagId: |value| Value::Uuid(value.uuid()), |value: Uuid| TagId(value);
    FamilyId: |value| Value::Uuid(value.uuid()), |value: Uuid| FamilyId(value);
    SessionId: |value| Value::Uuid(value.uuid()), |value: Uuid| SessionId(value);
    InvitationId: |value| Value::Uuid(value.uuid()), |value: Uuid| InvitationId(value);
    ResetLinkId: |value| Value::Uuid(value.uuid()), |value: Uuid| ResetLinkId(value);
    SavedViewId: |value| Value::Uuid(value.uuid()), |value: Uuid| SavedViewId(value);
    AcknowledgementId: |value| Value::Uuid(value.uuid()), |value: Uuid| AcknowledgementId(value);
    AcknowledgementRequestId: |value| Value::Uuid(value.uuid()), |value: Uuid| AcknowledgementRequestId(value);
    ImportId: |value| Value::Uuid(value.uuid()), |value: Uuid| ImportId(value);
    ClientId: |value| Value::from(value.as_str()), |value: String| ClientId(value);
    IncidentNumber: |value| Value::Integer(value.number()), |value: i64| IncidentNumber(value);
    RiskNumber: |value| Value::Integer(value.number()), |value: i64| RiskNumber(value);
    Scopes: |value| Value::from(value.to_string()), |value: String| stored_scopes(&value);
}

/// Scopes as they were stored, by this release or a newer one: a scope that this one does not know allows nothing here.
pub(crate) fn stored_scopes(text: &str) -> Scopes {
    text.split(' ').filter_map(Scope::parse).collect()
}

/// The organization that the row is of, in a record that names it.
pub(crate) struct OwnOrganization;

impl OwnOrganization {
    pub(crate) const SHAPE: Shape = Shape { suffixes: &[], derived: 0, joined: Some(names::organization) };
}

impl Kind<OrgId> for OwnOrganization {
    fn write<'v>(_: &'v OrgId, _: &mut Vec<Value<'v>>) {}

    fn read(row: &mut Reader<'_>) -> db::Result<OrgId> {
        Ok(OrgId(row.next()?))
    }
}

/// A word of a closed list.
pub(crate) struct AWord;

impl AWord {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl<W: Word> Kind<W> for AWord {
    fn write<'v>(value: &'v W, out: &mut Vec<Value<'v>>) {
        out.push(Value::from(value.as_str()));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<W> {
        let text: String = row.next()?;
        stored_word(&text)
    }
}

/// A word as it was stored.
pub(crate) fn stored_word<W: Word>(text: &str) -> db::Result<W> {
    W::parse(text).ok_or_else(|| db::Error::Internal(format!("{text} is no {}", W::LIST)))
}

/// A word of a closed list, or none.
pub(crate) struct AWordOrNone;

impl AWordOrNone {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl<W: Word> Kind<Option<W>> for AWordOrNone {
    fn write<'v>(value: &'v Option<W>, out: &mut Vec<Value<'v>>) {
        out.push(value.map_or(Value::Null, |word| Value::from(word.as_str())));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<W>> {
        let text: Option<String> = row.next()?;
        text.as_deref().map(stored_word).transpose()
    }
}

/// A word of a closed list; the default one is NULL.
pub(crate) struct AWordOrDefault;

impl AWordOrDefault {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

impl<W: Word + Default> Kind<W> for AWordOrDefault {
    fn write<'v>(value: &'v W, out: &mut Vec<Value<'v>>) {
        out.push(if *value == W::default() { Value::Null } else { Value::from(value.as_str()) });
    }

    fn read(row: &mut Reader<'_>) -> db::Result<W> {
        let text: Option<String> = row.next()?;
        text.as_deref().map_or(Ok(W::default()), stored_word)
    }
}

/// A truth, a number or a time, of which false and 0 are NULL: most records have it, and their entries do not tell of it.
pub(crate) struct PlainOrDefault;

impl PlainOrDefault {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

macro_rules! plain_or_default {
    ($($type:ty: $value:ident;)*) => {$(
        impl Kind<$type> for PlainOrDefault {
            fn write<'v>(value: &'v $type, out: &mut Vec<Value<'v>>) {
                out.push(if *value == <$type>::default() { Value::Null } else { Value::$value(*value) });
            }

            fn read(row: &mut Reader<'_>) -> db::Result<$type> {
                let value: Option<$type> = row.next()?;
                Ok(value.unwrap_or_default())
            }
        }
    )*};
}

plain_or_default! {
    i64: Integer;
    bool: Bool;
}

/// A short list, as a text of items with a space between them; an empty one is NULL.
pub(crate) struct AList;

impl AList {
    pub(crate) const SHAPE: Shape = ONE_COLUMN;
}

macro_rules! lists {
    ($($type:ty: |$text:ident| $parsed:expr;)*) => {$(
        impl Kind<Vec<$type>> for AList {
            fn write<'v>(value: &'v Vec<$type>, out: &mut Vec<Value<'v>>) {
                let items: Vec<String> = value.iter().map(ToString::to_string).collect();
                out.push(if items.is_empty() { Value::Null } else { Value::from(items.join(" ")) });
            }

            fn read(row: &mut Reader<'_>) -> db::Result<Vec<$type>> {
                let items: Option<String> = row.next()?;
                let parse = |$text: &str| -> Option<$type> { $parsed };
                let parsed = |text| parse(text).ok_or_else(|| db::Error::Internal(format!("{text} in a list")));
                items.as_deref().unwrap_or_default().split(' ').filter(|item| !item.is_empty()).map(parsed).collect()
            }
        }
    )*};
}

lists! {
    UserId: |text| UserId::parse(text);
    String: |text| Some(text.to_owned());
    RiskNumber: |text| RiskNumber::parse(text);
    Control: |text| Some(Control::stored(text));
    Requirement: |text| Requirement::parse(text);
    i64: |text| text.parse().ok();
    ProposalField: |text| ProposalField::parse(text);
}

impl Kind<Roles> for AList {
    fn write<'v>(value: &'v Roles, out: &mut Vec<Value<'v>>) {
        out.push(Value::from(value.to_string()));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Roles> {
        let text: String = row.next()?;
        stored_roles(&text)
    }
}

/// Roles as they were stored.
pub(crate) fn stored_roles(text: &str) -> db::Result<Roles> {
    Roles::parse(text).ok_or_else(|| db::Error::Internal(format!("{text} are no roles")))
}

/// A text, and the form in which it is the same without regard to case.
pub(crate) struct Folded;

impl Folded {
    pub(crate) const SHAPE: Shape =
        Shape { suffixes: &["", "_folded"], derived: 1, joined: Some(names::text_itself) };
}

macro_rules! folded {
    ($($type:ty: $made:expr;)*) => {$(
        impl Kind<$type> for Folded {
            fn write<'v>(value: &'v $type, out: &mut Vec<Value<'v>>) {
                out.extend([Value::from(value.as_str()), Value::from(folded(value))]);
            }

            fn read(row: &mut Reader<'_>) -> db::Result<$type> {
                let text: String = row.next()?;
                Ok($made(text))
            }
        }
    )*};
}

folded! {
    String: String::from;
    TagName: TagName::stored;
    GroupName: GroupName::stored;
}

/// A member of the organization, or none: the person's id, read with the current name and e-mail address.
pub(crate) struct APerson;

impl APerson {
    pub(crate) const SHAPE: Shape = Shape { suffixes: &[""], derived: 0, joined: Some(names::person) };
}

impl Kind<Option<Person>> for APerson {
    fn write<'v>(value: &'v Option<Person>, out: &mut Vec<Value<'v>>) {
        out.push(value.as_ref().map_or(Value::Null, |person| Value::Uuid(person.id.uuid())));
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<Person>> {
        let (id, name, email): (Option<Uuid>, Option<String>, Option<String>) =
            (row.next()?, row.next()?, row.next()?);
        Ok(id.map(|id| Person {
            id: UserId(id),
            name: name.unwrap_or_default(),
            email: email.unwrap_or_default(),
        }))
    }
}

/// The e-mail address of the person whose id is in the column that the field names.
pub(crate) struct EmailOfPerson;

impl EmailOfPerson {
    pub(crate) const SHAPE: Shape = Shape { suffixes: &[], derived: 0, joined: Some(names::email) };
}

impl Kind<String> for EmailOfPerson {
    fn write<'v>(_: &'v String, _: &mut Vec<Value<'v>>) {}

    fn read(row: &mut Reader<'_>) -> db::Result<String> {
        row.next()
    }
}

/// An actor: kind and id, read with the current name.
pub(crate) struct AnActor;

impl AnActor {
    pub(crate) const SHAPE: Shape =
        Shape { suffixes: &["_kind", "_id"], derived: 0, joined: Some(names::actor) };
}

impl Kind<Actor> for AnActor {
    fn write<'v>(value: &'v Actor, out: &mut Vec<Value<'v>>) {
        out.extend([Value::from(value.kind.as_str()), Value::from(value.id.as_str())]);
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Actor> {
        let kind: ActorKind = AWord::read(row)?;
        Ok(Actor { kind, id: row.next()?, name: row.next()? })
    }
}

impl Kind<Option<Actor>> for AnActor {
    fn write<'v>(value: &'v Option<Actor>, out: &mut Vec<Value<'v>>) {
        match value {
            Some(actor) => Self::write(actor, out),
            None => out.extend([const { Value::Null }; 2]),
        }
    }

    fn read(row: &mut Reader<'_>) -> db::Result<Option<Actor>> {
        let (kind, id, name): (Option<String>, Option<String>, Option<String>) =
            (row.next()?, row.next()?, row.next()?);
        let (Some(kind), Some(id)) = (kind, id) else { return Ok(None) };
        Ok(Some(Actor { kind: stored_word(&kind)?, name: name.unwrap_or_else(|| id.clone()), id }))
    }
}
