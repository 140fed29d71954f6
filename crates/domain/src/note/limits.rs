//! How much may be written about a record.

use crate::error::{Error, Result};
use crate::fault::FaultCode;
use crate::text::Prose;

/// The most notes about a record that are not deleted.
pub const MAX_NOTES: i64 = 5_000;

/// The most bytes of their texts: 16 MiB.
pub const MAX_NOTE_BYTES: i64 = 16 * 1024 * 1024;

/// The notes about a record that are not deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoteTotal {
    /// How many there are.
    pub notes: i64,
    /// The bytes of their texts.
    pub bytes: i64,
}

impl NoteTotal {
    /// Refuses another note, which is written or restored, where there are too many or where it makes them too large.
    pub fn check_another(self, text: &Prose) -> Result<()> {
        if self.notes >= MAX_NOTES {
            let detail = format!("There are {MAX_NOTES} notes already. Delete one first.");
            return Err(Error::invalid("#", FaultCode::TooManyNotes, detail));
        }
        self.check_growth(bytes(text))
    }

    /// Refuses an edit that makes the notes too large.
    pub fn check_edit(self, before: &Prose, after: &Prose) -> Result<()> {
        self.check_growth(bytes(after) - bytes(before))
    }

    fn check_growth(self, bytes: i64) -> Result<()> {
        if bytes <= 0 || self.bytes + bytes <= MAX_NOTE_BYTES {
            return Ok(());
        }
        let left = (MAX_NOTE_BYTES - self.bytes).max(0);
        let detail = format!(
            "The notes have at most {MAX_NOTE_BYTES} bytes together, of which {left} are left. Shorten or delete some first."
        );
        Err(Error::invalid("#/text", FaultCode::NotesTooLarge, detail))
    }
}

fn bytes(text: &Prose) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<()>) -> Option<FaultCode> {
        match result {
            Ok(()) => None,
            Err(Error::Invalid(faults)) => faults.first().map(|fault| fault.code),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_record_has_5_000_notes_and_16_megabytes_of_them() {
        let text = |count: usize| Prose::stored("x".repeat(count));
        let total = |notes, bytes| NoteTotal { notes, bytes };
        assert_eq!(code(total(4_999, 0).check_another(&text(1))), None);
        assert_eq!(code(total(5_000, 0).check_another(&text(1))), Some(FaultCode::TooManyNotes));
        assert_eq!(code(total(1, MAX_NOTE_BYTES - 9).check_another(&text(9))), None);
        assert_eq!(
            code(total(1, MAX_NOTE_BYTES - 9).check_another(&text(10))),
            Some(FaultCode::NotesTooLarge)
        );
        let full = total(5_000, MAX_NOTE_BYTES);
        assert_eq!(code(full.check_edit(&text(5), &text(6))), Some(FaultCode::NotesTooLarge));
        assert_eq!(code(full.check_edit(&text(5), &text(5))), None);
        assert_eq!(code(total(9, 2 * MAX_NOTE_BYTES).check_edit(&text(5), &text(4))), None, "it shrinks");
    }
}
