//! Reading a JSON value as a typed value.

use domain::{FaultCode, Faults, Line, OrgId, Prose, TagId, UserId};
use jiff::Timestamp;

use super::{Json, Pointer};

/// A type that can be read from a JSON value. If the value is wrong, a fault is added and no value is returned.
pub trait FromJson: Sized {
    /// Reads `value`, which is at `at`.
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self>;
}

/// Adds a fault: `value` has the wrong type.
pub(crate) fn wrong_type(value: &Json<'_>, expected: &'static str, at: &Pointer<'_>, faults: &mut Faults) {
    faults.add(at, FaultCode::Type, format_args!("must be {expected}, not {}", value.type_name()));
}

impl FromJson for String {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        match value {
            Json::String(text) => Some(text.into_owned()),
            other => {
                wrong_type(&other, "a string", at, faults);
                None
            }
        }
    }
}

impl FromJson for Prose {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        checked(value, at, faults, Self::new)
    }
}

impl<const N: usize> FromJson for Line<N> {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        checked(value, at, faults, Self::new)
    }
}

/// Makes a text of a type that has its limits; the pointer is formatted only when there is a fault.
fn checked<T>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    make: fn(String, &str, &mut Faults) -> Option<T>,
) -> Option<T> {
    let mut found = Faults::new();
    let made = make(String::from_json(value, at, faults)?, "", &mut found);
    faults.extend_at(at, found);
    made
}

impl FromJson for bool {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        match value {
            Json::Bool(value) => Some(value),
            other => {
                wrong_type(&other, "a boolean", at, faults);
                None
            }
        }
    }
}

impl FromJson for i64 {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        match value {
            Json::Integer(value) => Some(value),
            Json::Number(value) if value.fract() == 0.0 => {
                faults.add(
                    at,
                    FaultCode::Range,
                    "must fit in 64 bits, and beyond 2^53 be written as plain digits",
                );
                None
            }
            other => {
                wrong_type(&other, "an integer", at, faults);
                None
            }
        }
    }
}

impl FromJson for Timestamp {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let expected = "must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:00:00Z";
        let expected = match &value {
            Json::String(text) => domain::time::beyond_limits(text).unwrap_or(expected),
            _ => expected,
        };
        parsed(value, at, faults, FaultCode::Format, expected, domain::time::parse)
    }
}

impl FromJson for OrgId {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        parsed(value, at, faults, FaultCode::Format, "must be a UUID", Self::parse)
    }
}

impl FromJson for UserId {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        parsed(value, at, faults, FaultCode::Format, "must be a UUID", UserId::parse)
    }
}

impl FromJson for TagId {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        parsed(value, at, faults, FaultCode::Format, "must be a UUID", TagId::parse)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        items_of(array(value, at, faults)?, at, faults, T::from_json)
    }
}

/// Reads each item of an array; none if one has a fault.
pub fn items_of<T>(
    items: Vec<Json<'_>>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    read_one: impl Fn(Json<'_>, &Pointer<'_>, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let expected = items.len();
    let mut read = Vec::with_capacity(expected);
    for (index, item) in items.into_iter().enumerate() {
        if faults.has_more() {
            return None;
        }
        read.extend(read_one(item, &at.index(index), faults));
    }
    (read.len() == expected).then_some(read)
}

/// The items of an array; adds a fault if the value is not an array.
pub fn array<'a>(value: Json<'a>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<Json<'a>>> {
    match value {
        Json::Array(items) => Some(items),
        other => {
            wrong_type(&other, "an array", at, faults);
            None
        }
    }
}

fn parsed<T>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    code: FaultCode,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let Json::String(text) = value else {
        wrong_type(&value, "a string", at, faults);
        return None;
    };
    let read = parse(&text);
    if read.is_none() {
        faults.add(at, code, expected);
    }
    read
}
