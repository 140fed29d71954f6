//! The lines of a record that forms ask for, one like the other: the record says which, with their questions.

use domain::record::Record;

use crate::frame::form::As;

/// The members of a form of the record `R` with these lines.
pub(in crate::pages) fn with_asked<R: Record>(members: &[(&'static str, As)]) -> Vec<(&'static str, As)> {
    let asked = R::asked().map(|(field, _)| (field.name, As::TextOrNull));
    members.iter().copied().chain(asked).collect()
}

/// What a record has in them.
pub(in crate::pages) fn answers<R: Record>(record: &R) -> impl Iterator<Item = (&'static str, String)> {
    R::asked().map(|(field, _)| (field.name, field.text(record).unwrap_or_default().to_owned()))
}
