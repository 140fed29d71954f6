//! The lines of an incident that forms ask for, one like the other: its record says which, with their questions.

use domain::incident::Incident;

use crate::frame::form::As;

/// The members of a form with these lines.
pub(super) fn with_asked(members: &[(&'static str, As)]) -> Vec<(&'static str, As)> {
    let asked = Incident::asked().map(|(field, _)| (field.name, As::TextOrNull));
    members.iter().copied().chain(asked).collect()
}
