//! Faults of an input: each names its place, and the first hundred are reported at once.

mod code;
mod pointer;

use std::fmt::Display;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

pub use code::FaultCode;
pub use pointer::write_segment;
use pointer::{joined, limited};

/// The most bytes of a pointer; a longer one is cut.
const POINTER_BYTES: usize = 256;

/// The most bytes of a detail; a longer one is cut.
const DETAIL_BYTES: usize = 1024;

/// One fault of a request's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON Pointer as a URI fragment (RFC 6901, section 6), such as `#/items/3/label`; cut after 256 bytes.
    pub pointer: String,
    /// Stable machine code.
    pub code: FaultCode,
    /// What is wrong with it: a sentence, or what follows the name of the place in one (`is required`). It may change;
    /// `code` does not.
    pub detail: String,
    /// The fields that contradict each other, when the fault is between two.
    pub fields: Option<[&'static str; 2]>,
}

impl Fault {
    /// A fault at one place.
    pub fn new(pointer: impl Display, code: FaultCode, detail: impl Display) -> Self {
        let (pointer, detail) = (limited(pointer, POINTER_BYTES), limited(detail, DETAIL_BYTES));
        Self { pointer, code, detail, fields: None }
    }

    /// The fault as a sentence for a person, such as `Title is required.`
    pub fn sentence(&self) -> String {
        self.sentence_about(&self.subject())
    }

    /// The same where the place has this name.
    pub fn sentence_about(&self, subject: &str) -> String {
        let detail = &self.detail;
        if detail.starts_with(|first: char| !first.is_lowercase()) {
            return detail.clone();
        }
        let end = if detail.ends_with(['.', '?']) { "" } else { "." };
        format!("{subject} {detail}{end}")
    }

    /// The name of the place as a sentence begins with it.
    fn subject(&self) -> String {
        let name = self.pointer.rsplit('/').next().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if self.pointer == "#" {
            return "The body".to_owned();
        } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return format!("Element {name}");
        } else if self.code == FaultCode::UnknownField || !name.bytes().all(is_plain) {
            return "This member".to_owned();
        }
        let words = name.replace('_', " ");
        let mut letters = words.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }
}

/// The form used in a problem document.
impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Fault", 3 + usize::from(self.fields.is_some()))?;
        members.serialize_field("pointer", &self.pointer)?;
        members.serialize_field("code", &self.code)?;
        members.serialize_field("detail", &self.sentence())?;
        match &self.fields {
            Some(fields) => members.serialize_field("fields", fields)?,
            None => members.skip_field("fields")?,
        }
        members.end()
    }
}

/// The most faults of one body that are named.
pub const MOST_FAULTS: usize = 100;

/// The most bytes of all pointers and details together, so that no body makes a long answer.
const MOST_BYTES: usize = 40 * 1024;

/// Faults as they are collected: the first [`MOST_FAULTS`], and whether there are more. Beyond those nothing is
/// written out, so a body full of faults costs no more than one with a hundred.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    found: Vec<Fault>,
    bytes: usize,
    has_more: bool,
}

impl Faults {
    /// No fault yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes a fault. `detail` may be `format_args!(…)`: it is written out only if there is room for the fault.
    pub fn add(&mut self, pointer: impl Display, code: FaultCode, detail: impl Display) {
        if self.found.len() < MOST_FAULTS {
            self.push(Fault::new(pointer, code, detail));
        } else {
            self.has_more = true;
        }
    }

    /// The same faults where the body that they are about is the member at `prefix`, such as `#/operation`, of another one.
    #[must_use]
    pub fn within(&self, prefix: &str) -> Self {
        let mut faults = Self { has_more: self.has_more, ..Self::default() };
        for fault in &self.found {
            let pointer = joined(prefix, fault.pointer.trim_start_matches('#'), POINTER_BYTES);
            faults.push(Fault { pointer, ..fault.clone() });
        }
        faults
    }

    /// Notes a fault that was made elsewhere.
    pub fn push(&mut self, fault: Fault) {
        let bytes = self.bytes + escaped_bytes(&fault.pointer) + escaped_bytes(&fault.detail);
        if self.found.len() < MOST_FAULTS && bytes <= MOST_BYTES {
            self.found.push(fault);
            self.bytes = bytes;
        } else {
            self.has_more = true;
        }
    }

    /// Notes all faults of a part.
    pub fn extend(&mut self, part: Self) {
        self.has_more |= part.has_more;
        part.found.into_iter().for_each(|fault| self.push(fault));
    }

    /// Notes all faults of a part that stands at `pointer` and was checked without knowing it.
    pub fn extend_at(&mut self, pointer: impl Display, part: Self) {
        if part.is_empty() {
            return;
        }
        let pointer = limited(pointer, POINTER_BYTES);
        self.has_more |= part.has_more;
        part.found.into_iter().for_each(|fault| self.push(Fault { pointer: pointer.clone(), ..fault }));
    }

    /// Whether nothing was wrong so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether there are more faults than are named: looking for others is of no use then.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// What was noted so far.
    pub fn as_slice(&self) -> &[Fault] {
        &self.found
    }

    /// The bare list.
    pub fn into_vec(self) -> Vec<Fault> {
        self.found
    }
}

impl std::ops::Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.found
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}

/// How long a text is in JSON.
fn escaped_bytes(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Pointer;

    #[test]
    fn a_code_is_written_as_it_is_called() {
        for code in FaultCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }

    #[test]
    fn a_fault_is_described_in_a_sentence() {
        let said = |pointer, code, detail| Fault::new(pointer, code, detail).sentence();
        for (pointer, detail, expected) in [
            ("#/title", "is required", "Title is required."),
            ("#/items/2/max_length", "must be from 1 to 9", "Max length must be from 1 to 9."),
            ("#/ids/17", "must be an integer", "Element 17 must be an integer."),
            ("#", "must be an object, not an array", "The body must be an object, not an array."),
            ("#/a%20b", "must not be given twice", "This member must not be given twice."),
            ("#/target", "A closed risk needs a reason.", "A closed risk needs a reason."),
        ] {
            assert_eq!(said(pointer, FaultCode::Type, detail), expected);
        }
        let typo = said("#/titel", FaultCode::UnknownField, "is not known; did you mean `title`?");
        assert_eq!(typo, "This member is not known; did you mean `title`?");
    }

    #[test]
    fn at_most_a_hundred_faults_are_kept_and_no_other_is_written_out() {
        struct Counted<'c>(&'c std::cell::Cell<usize>);
        impl Display for Counted<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.set(self.0.get() + 1);
                f.write_str("x")
            }
        }
        let written = std::cell::Cell::new(0);
        let mut faults = Faults::new();
        for _ in 0..100 {
            faults.add(Counted(&written), FaultCode::Blank, Counted(&written));
        }
        assert!(!faults.has_more());
        for _ in 0..1000 {
            faults.add(Counted(&written), FaultCode::Blank, Counted(&written));
        }
        assert_eq!((faults.len(), faults.has_more(), written.get()), (100, true, 200));
    }

    #[test]
    fn long_faults_are_cut_and_their_sum_is_limited() {
        let mut faults = Faults::new();
        for _ in 0..100 {
            faults.add("p".repeat(300), FaultCode::Enum, "\"".repeat(2000));
        }
        assert_eq!((faults[0].pointer.len(), faults[0].detail.len()), (256, 1024));
        assert!(faults.has_more());
        assert!(serde_json::to_vec(faults.as_slice()).unwrap().len() < 48 * 1024);
    }

    #[test]
    fn a_pointer_within_another_is_cut_too() {
        let mut part = Faults::new();
        part.add(Pointer::ROOT.key(&"é".repeat(50)), FaultCode::UnknownField, "is not known");
        part.add("#/type", FaultCode::Required, "is required");
        let whole = part.within("#/operation");
        assert_eq!([&*whole[0].pointer, &*whole[1].pointer], ["#/operation/", "#/operation/type"]);
    }

    #[test]
    fn a_part_with_more_faults_makes_a_whole_with_more() {
        let (mut whole, mut part) = (Faults::new(), Faults::new());
        for _ in 0..101 {
            part.add("#", FaultCode::Blank, "");
        }
        whole.extend(part);
        assert_eq!((whole.len(), whole.has_more()), (100, true));
    }
}
