//! The words of the register as a person reads them.

use domain::scale::ScaleColor;
use domain::severity::Severity;
use domain::{Roles, Word};

pub(crate) use domain::word::label as label_of;

/// A word as a label.
pub(crate) fn label(word: &impl Word) -> String {
    label_of(word.as_str())
}

/// Roles as labels.
pub(crate) fn roles(roles: &Roles) -> String {
    roles.iter().map(|role| label(&role)).collect::<Vec<_>>().join(", ")
}

/// The level that the stylesheet draws for a severity.
pub(crate) fn level(severity: &Severity) -> &'static str {
    match severity {
        Severity::Undetermined => "none",
        other => other.as_str(),
    }
}

/// The level that the stylesheet draws for a colour of the scale.
pub(crate) fn drawn(color: ScaleColor) -> &'static str {
    match color {
        ScaleColor::Green => "low",
        ScaleColor::Yellow => "medium",
        ScaleColor::Orange => "high",
        ScaleColor::Red => "critical",
    }
}

/// The time zones that may be chosen, by name.
pub(crate) fn zones() -> Vec<String> {
    jiff::tz::db().available().map(|name| name.to_string()).collect()
}

/// The initials of a name: at most two letters.
pub(crate) fn initials(name: &str) -> String {
    let mut words =
        name.split_whitespace().filter_map(|word| word.chars().find(|letter| letter.is_alphanumeric()));
    let first = words.next();
    let last = words.next_back();
    first.into_iter().chain(last).flat_map(char::to_uppercase).take(2).collect()
}

#[cfg(test)]
mod tests {
    use domain::incident::ResolutionReason;

    use super::*;

    #[test]
    fn initials_are_those_of_the_first_and_the_last_name() {
        for (name, expected) in [
            ("Marta Lindqvist", "ML"),
            ("Ada", "A"),
            ("Jean van der Berg", "JB"),
            ("", ""),
            ("ß", "SS"),
            ("(x) y", "XY"),
        ] {
            assert_eq!(initials(name), expected, "{name}");
        }
    }

    #[test]
    fn words_are_labels() {
        assert_eq!(label(&ResolutionReason::FalsePositive), "False positive");
        assert_eq!(
            (label(&Severity::Undetermined), label(&Severity::High)),
            ("Not assessed".into(), "High".into())
        );
    }
}
