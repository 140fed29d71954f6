//! The hash that an approval names.

use crate::fault::{FaultCode, Faults};
use crate::schema::TextSchema;
use crate::text::texts;

/// The SHA-256 of a text in 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sha256(String);

texts! {
    () Sha256 = sha256, TextSchema::of(64, 64, "^[0-9a-f]{64}$")
        .such_as("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c");
}

fn sha256(text: &str, pointer: &str, faults: &mut Faults) {
    if text.len() != 64 || !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        faults.add(pointer, FaultCode::Format, "must be 64 hexadecimal digits");
    }
}
