//! Reading a JSON value as a typed value.

use std::ops::RangeInclusive;

use jiff::Timestamp;

use super::{Json, Pointer};
use crate::{FaultCode, Faults};

/// A type that can be read from a JSON value. If the value is wrong, a fault is added and no value is returned.
pub trait FromJson: Sized {
    /// Reads `value`, which is at `at`.
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self>;
}

/// Reads a whole body.
pub fn body<T: FromJson>(value: Json<'_>, faults: &mut Faults) -> Option<T> {
    T::from_json(value, Pointer::ROOT, faults)
}

/// Reads a member as a body of its own: what its rules say of places within it becomes what they say of places within `at`.
pub fn nested<T: FromJson>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<T> {
    nested_with(value, at, faults, body)
}

/// The same for a body whose reader needs more.
pub fn nested_with<'a, T>(
    value: Json<'a>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    read: impl FnOnce(Json<'a>, &mut Faults) -> Option<T>,
) -> Option<T> {
    let mut found = Faults::new();
    let read = read(value, &mut found);
    let is_right = found.is_empty();
    faults.extend(found.within(&at.to_string()));
    read.filter(|_| is_right)
}

/// Adds a fault: `value` has the wrong type.
pub fn wrong_type(value: &Json<'_>, expected: &'static str, at: &Pointer<'_>, faults: &mut Faults) {
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

/// Makes a text of a type that has its limits; the pointer is formatted only when there is a fault.
pub fn checked_text<T>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    make: impl FnOnce(String, &str, &mut Faults) -> Option<T>,
) -> Option<T> {
    let mut found = Faults::new();
    let made = make(String::from_json(value, at, faults)?, "", &mut found);
    faults.extend_at(at, found);
    made
}

/// Reads a text that `check` may find wrong; it is then missing.
pub fn checked(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    check: fn(&str, &str, &mut Faults),
) -> Option<String> {
    checked_text(value, at, faults, |text, pointer, faults| {
        check(&text, pointer, faults);
        faults.is_empty().then_some(text)
    })
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

/// Reads a whole number within a range; one outside of it reads as absent, so that nothing is computed from it.
pub fn within(
    range: RangeInclusive<i64>,
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<i64> {
    let number = i64::from_json(value, at, faults)?;
    if range.contains(&number) {
        return Some(number);
    }
    let (least, most) = (range.start(), range.end());
    match *most {
        i64::MAX => faults.add(at, FaultCode::Range, format_args!("must be at least {least}")),
        _ => faults.add(at, FaultCode::Range, format_args!("must be from {least} to {most}")),
    }
    None
}

impl FromJson for Timestamp {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        let expected = "must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:00:00Z";
        let expected = match &value {
            Json::String(text) => crate::time::beyond_limits(text).unwrap_or(expected),
            _ => expected,
        };
        parsed(value, at, faults, FaultCode::Format, expected, crate::time::parse)
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

/// A text that `parse` reads; what it does not read is a fault.
pub fn parsed<T>(
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
