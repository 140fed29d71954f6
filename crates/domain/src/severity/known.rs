//! A word that is left out where it is not known.

use crate::fault::{FaultCode, Faults};
use crate::json::{Json, Pointer};
use crate::word::{Word, word};

/// Reads a word of a closed list. Some callers send `unknown` where a question has no answer.
pub(super) fn known_word<W: Word>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<W> {
    if value == Json::String("unknown".into()) && W::parse("unknown").is_none() {
        faults.add(at, FaultCode::Enum, "must be left out if it is not known");
        return None;
    }
    word(value, at, faults)
}
