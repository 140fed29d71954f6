//! The parsed value.

use std::borrow::Cow;

/// JSON as it was sent: members in order, duplicate keys kept, text borrowed where it had no escape.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A 64-bit integer; up to 2^53 also when written as `1.0` or `1e3` (integers in JSON Schema).
    Integer(i64),
    /// Any other number.
    Number(f64),
    /// A string.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> From<&'a serde_json::Value> for Json<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        use serde_json::Value as V;
        match value {
            V::Null => Self::Null,
            V::Bool(value) => Self::Bool(*value),
            V::Number(number) => {
                number.as_i64().map_or(Self::Number(number.as_f64().unwrap_or(f64::NAN)), Self::Integer)
            }
            V::String(text) => Self::String(Cow::Borrowed(text)),
            V::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            V::Object(members) => Self::Object(
                members.iter().map(|(name, value)| (Cow::Borrowed(name.as_str()), value.into())).collect(),
            ),
        }
    }
}

impl Json<'_> {
    /// The type's name for use in a sentence.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The value without whitespace and with sorted keys: the same for bodies that differ only in notation. It is only
    /// hashed, never parsed.
    pub fn canonical(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
            Self::Integer(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Self::Number(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Self::String(text) => canonical_text(text, out),
            Self::Array(items) => {
                out.push(b'[');
                for item in items {
                    item.canonical(out);
                    out.push(b',');
                }
                out.push(b']');
            }
            Self::Object(members) => {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
                out.push(b'{');
                for (key, value) in sorted {
                    canonical_text(key, out);
                    value.canonical(out);
                }
                out.push(b'}');
            }
        }
    }
}

/// Length and bytes: without escaping, neighbouring texts stay distinct.
fn canonical_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.len().to_string().as_bytes());
    out.push(b':');
    out.extend_from_slice(text.as_bytes());
}
