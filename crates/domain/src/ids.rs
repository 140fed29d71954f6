//! Typed ids: passing a risk's number where an incident's is expected does not compile.

use std::fmt;
use std::hash::Hash;

use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::fault::{FaultCode, Faults};
use crate::json::{self, FromJson, Json, Pointer};
use crate::schema::{Described, Schema, TextSchema, openapi};

/// Declares id types that are UUIDs on the outside and cannot be mixed up inside.
macro_rules! uuid_ids {
    ($($(#[$doc:meta])* $name:ident $(= $example:literal)?;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Parses the hyphenated form, in either case; no other form is accepted.
            pub fn parse(text: &str) -> Option<Self> {
                (text.len() == 36).then(|| Uuid::try_parse(text).ok().map(Self)).flatten()
            }

            /// The bare UUID, as the database knows it.
            pub fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl FromJson for $name {
            fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
                json::parsed(value, at, faults, FaultCode::Format, "must be a UUID", Self::parse)
            }
        }

        impl Described for $name {
            const SCHEMA: Schema = Schema::Text(TextSchema::with_format(36, "uuid")$(.such_as($example))?);
        }

        crate::in_the_api!($name, stringify!($name));

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

uuid_ids! {
    /// An organization: an isolated tenant.
    OrgId = "01901637-5a1e-7c2d-9d0f-3f8a4b6c7d8e";
    /// A person, the same in every organization that has a membership for them.
    UserId = "0190163d-8694-739b-aea5-966c26f8ad91";
    /// A tag of an organization.
    TagId = "01901642-0f3b-7e11-8a52-6d1c9be07f42";
    /// A group of members.
    GroupId = "01901643-7c5d-7a20-9b1e-40c2f7d95a13";
    /// A family of refresh tokens: all tokens that descend from one token request.
    FamilyId;
    /// A person's session: from signing in to signing out.
    SessionId;
    /// An invitation to an organization.
    InvitationId;
    /// A reset link of a member.
    ResetLinkId;
    /// A saved view of a list.
    SavedViewId;
    /// A request to acknowledge a document.
    AcknowledgementRequestId = "01901644-51f8-7d3e-a6b0-2c94e7158f3d";
    /// An import of a spreadsheet.
    ImportId = "01901646-2b7e-7c19-8e04-93d5a1f6c082";
    /// An acknowledgement of a document.
    AcknowledgementId = "01901645-93ac-7b62-8d41-5f0ab7c29e16";
}

impl UserId {
    /// The id of a new person: random (UUIDv4), because an id that contains a time would reveal to an organization when
    /// another one added the person.
    pub fn random(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }
}

impl OrgId {
    /// The instance itself: its chain holds organizations, people and signing keys.
    pub const INSTANCE: Self = Self(Uuid::nil());
}

/// Declares ids that are a prefix and a number counted per organization from 1.
macro_rules! numbered_ids {
    ($(
        $(#[$doc:meta])*
        $name:ident, $prefix:literal, $width:literal, $noun:literal, $example:literal, $most:literal,
        $pattern:literal, $written:literal;
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub i64);

        impl $name {
            /// The prefix before the number.
            pub const PREFIX: &'static str = $prefix;

            /// The number alone, as the database knows it.
            pub fn number(self) -> i64 {
                self.0
            }

            /// Reads an id where it addresses a record: the prefix in either case and digits of any padding, or the digits
            /// alone.
            pub fn parse(text: &str) -> Option<Self> {
                Self::parse_any(text).filter(|Self(number)| *number >= 1)
            }

            /// Reads the same in a list of ids, where 0 is the number of a record that is not found.
            pub fn parse_any(text: &str) -> Option<Self> {
                let number = match text.get(..$prefix.len()) {
                    Some(prefix) if prefix.eq_ignore_ascii_case($prefix) => text.get($prefix.len()..)?,
                    _ => text,
                };
                digits(number).map(Self)
            }
        }

        impl RecordNumber for $name {
            const PREFIX: &'static str = $prefix;

            fn of(number: i64) -> Self {
                Self(number)
            }

            fn number(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{:0", $width, "}"), self.0)
            }
        }

        impl FromJson for $name {
            fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
                let expected = concat!("must be the id of ", $noun, ", such as ", $example);
                json::parsed(value, at, faults, FaultCode::Format, expected, Self::parse)
            }
        }

        impl Described for $name {
            const SCHEMA: Schema = Schema::text(0, $most, $pattern);
        }

        impl PartialSchema for $name {
            /// The form in which it is written; more forms are read.
            fn schema() -> RefOr<utoipa::openapi::Schema> {
                openapi(&Schema::Text(TextSchema::of(0, $prefix.len() + 19, $written).such_as($example)))
            }
        }

        impl ToSchema for $name {}

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

numbered_ids! {
    /// `INC-0042`: the number is padded to at least four digits.
    IncidentNumber, "INC-", "4", "an incident", "INC-0001", 23,
        "^([Ii][Nn][Cc]-)?0{0,4}[1-9][0-9]{0,13}$", "^INC-[0-9]{4,19}$";
    /// `RSK-42`: the number without padding.
    RiskNumber, "RSK-", "1", "a risk", "RSK-1", 23,
        "^([Rr][Ss][Kk]-)?0{0,4}[1-9][0-9]{0,13}$", "^RSK-[1-9][0-9]{0,18}$";
}

/// An id that is a prefix and a number counted per organization.
pub trait RecordNumber: Copy + Eq + Hash + fmt::Display + Send + Sync + 'static {
    /// The prefix before the number.
    const PREFIX: &'static str;

    /// The id with this number.
    fn of(number: i64) -> Self;

    /// The number alone.
    fn number(self) -> i64;
}

/// The digits of a number: one to nineteen of them, no sign, within `i64`.
fn digits(text: &str) -> Option<i64> {
    (!text.is_empty() && text.len() <= 19 && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

impl IncidentNumber {
    /// Reads the written form, which the list of a deletion and the journal have: `INC-` and digits of any padding. `INC-42` is
    /// 42, `INC-0` is 0.
    pub fn parse_listed(text: &str) -> Option<Self> {
        text.strip_prefix(Self::PREFIX).and_then(digits).map(Self)
    }
}

impl RiskNumber {
    /// Reads the written form, `RSK-` and the number without padding: the only one that the path for adding a tag takes.
    pub fn parse_written(text: &str) -> Option<Self> {
        Self::parse(text).filter(|number| number.to_string() == text)
    }
}

/// The public name of an OAuth client, made only of `[A-Za-z0-9_]` so that strict and lax encoders
/// of HTTP Basic credentials arrive at the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ClientId(pub String);

impl ClientId {
    /// The text, as the database knows it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incident_number_is_padded_to_four_digits_and_grows() {
        assert_eq!(IncidentNumber(42).to_string(), "INC-0042");
        assert_eq!(IncidentNumber(123_456).to_string(), "INC-123456");
        assert_eq!(RiskNumber(42).to_string(), "RSK-42");
    }

    #[test]
    fn a_record_is_addressed_in_four_ways() {
        for text in ["INC-0042", "INC-42", "inc-42", "42"] {
            assert_eq!(IncidentNumber::parse(text), Some(IncidentNumber(42)), "{text}");
            assert_eq!(
                RiskNumber::parse(&text.replace("INC", "RSK").replace("inc", "rsk")),
                Some(RiskNumber(42))
            );
        }
        for text in
            ["", "INC-", "INC-0", "0", "-1", "+1", "INC-4 2", "RSK-42", "INC-99999999999999999999", "é42x"]
        {
            assert_eq!(IncidentNumber::parse(text), None, "{text}");
        }
        for text in ["", "RSK-", "RSK-0", "0", "RSK--1", "INC-42"] {
            assert_eq!(RiskNumber::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_written_form_of_a_risk_is_one() {
        assert_eq!(RiskNumber::parse_written("RSK-42"), Some(RiskNumber(42)));
        for text in ["RSK-0042", "RSK-0", "rsk-42", "42", "RSK-", "RSK--1", "INC-42"] {
            assert_eq!(RiskNumber::parse_written(text), None, "{text}");
        }
    }

    #[test]
    fn a_uuid_is_hyphenated() {
        let text = "0190163d-8694-739b-aea5-966c26f8ad91";
        assert_eq!(TagId::parse(text).map(|id| id.to_string()).as_deref(), Some(text));
        assert!(TagId::parse(&text.to_uppercase()).is_some());
        assert!(TagId::parse(&text.replace('-', "")).is_none());
        assert!(TagId::parse(&format!("{{{text}}}")).is_none());
    }
}
