//! Faults of an input: each names its place, and all of them are told at once.

use serde::Serialize;

/// One fault of a request's body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// JSON Pointer as a URI fragment (RFC 6901, section 6), such as `#/items/3/label`.
    pub pointer: String,
    /// Stable machine code.
    pub code: FaultCode,
    /// A sentence for a person. It may change; `code` does not.
    pub detail: String,
    /// The fields that contradict each other, when the fault is between two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<[&'static str; 2]>,
}

impl Fault {
    /// A fault at one place.
    pub fn new(pointer: impl Into<String>, code: FaultCode, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, detail: detail.into(), fields: None }
    }
}

/// The kinds of faults; the wire form is the snake_case name (docs/errors.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation; docs/errors.md explains each")]
pub enum FaultCode {
    Required,
    Type,
    UnknownField,
    ReadOnly,
    DuplicateKey,
    Blank,
    TooLong,
    TooShort,
    TooMany,
    TooManyTags,
    ProposalTooLarge,
    TooFew,
    Range,
    Enum,
    Format,
    Guessable,
    Nul,
    Duplicate,
    UnknownUser,
    UnknownItem,
    UnknownOption,
    KindMismatch,
    UnknownEvaluation,
    DateInFuture,
    DateOrder,
}

impl FaultCode {
    /// All of them, in the order of the documentation. A code that is missing here fails the first test that meets it.
    pub const ALL: [Self; 25] = [
        Self::Required,
        Self::Type,
        Self::UnknownField,
        Self::ReadOnly,
        Self::DuplicateKey,
        Self::Blank,
        Self::TooLong,
        Self::TooShort,
        Self::TooMany,
        Self::TooManyTags,
        Self::ProposalTooLarge,
        Self::TooFew,
        Self::Range,
        Self::Enum,
        Self::Format,
        Self::Guessable,
        Self::Nul,
        Self::Duplicate,
        Self::UnknownUser,
        Self::UnknownItem,
        Self::UnknownOption,
        Self::KindMismatch,
        Self::UnknownEvaluation,
        Self::DateInFuture,
        Self::DateOrder,
    ];

    /// The wire form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Type => "type",
            Self::UnknownField => "unknown_field",
            Self::ReadOnly => "read_only",
            Self::DuplicateKey => "duplicate_key",
            Self::Blank => "blank",
            Self::TooLong => "too_long",
            Self::TooShort => "too_short",
            Self::TooMany => "too_many",
            Self::TooManyTags => "too_many_tags",
            Self::ProposalTooLarge => "proposal_too_large",
            Self::TooFew => "too_few",
            Self::Range => "range",
            Self::Enum => "enum",
            Self::Format => "format",
            Self::Guessable => "guessable",
            Self::Nul => "nul",
            Self::Duplicate => "duplicate",
            Self::UnknownUser => "unknown_user",
            Self::UnknownItem => "unknown_item",
            Self::UnknownOption => "unknown_option",
            Self::KindMismatch => "kind_mismatch",
            Self::UnknownEvaluation => "unknown_evaluation",
            Self::DateInFuture => "date_in_future",
            Self::DateOrder => "date_order",
        }
    }
}

/// Faults as they are collected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// No fault yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a fault.
    pub fn add(&mut self, pointer: impl Into<String>, code: FaultCode, detail: impl Into<String>) {
        self.0.push(Fault::new(pointer, code, detail));
    }

    /// Notes a fault that was made elsewhere.
    pub fn push(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Notes all faults of a part.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Fault>) {
        self.0.extend(faults);
    }

    /// Whether nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was noted so far.
    pub fn as_slice(&self) -> &[Fault] {
        &self.0
    }

    /// The bare list.
    pub fn into_vec(self) -> Vec<Fault> {
        self.0
    }

    /// `value` if nothing was wrong, else every fault.
    pub fn or<T>(self, value: T) -> crate::Result<T> {
        if self.0.is_empty() { Ok(value) } else { Err(self.into()) }
    }
}

/// Escapes one key for use in a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6).
pub fn pointer_segment(key: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(key.len());
    for byte in key.bytes() {
        match byte {
            b'~' => out.push_str("~0"),
            b'/' => out.push_str("~1"),
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
            | b':'
            | b'@'
            | b'?' => out.push(char::from(byte)),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{FaultCode, pointer_segment};

    #[test]
    fn a_code_is_written_as_it_is_called() {
        for code in FaultCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }

    #[test]
    fn a_pointer_segment_is_escaped_twice() {
        assert_eq!(pointer_segment("a/b~c d%"), "a~1b~0c%20d%25");
        assert_eq!(pointer_segment("größe"), "gr%C3%B6%C3%9Fe");
    }
}
