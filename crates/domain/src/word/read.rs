//! A word of a closed list in a body.

use super::Word;
use crate::json::{Json, Pointer, wrong_type};
use crate::{FaultCode, Faults};

/// Reads a value of a closed list.
pub fn word<W: Word>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<W> {
    W::parse(word_of(&names::<W>(), value, at, faults)?)
}

/// Reads one of these texts.
pub fn word_of(
    texts: &[&'static str],
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<&'static str> {
    let Json::String(text) = value else {
        wrong_type(&value, "a string", at, faults);
        return None;
    };
    let found = texts.iter().copied().find(|it| *it == text);
    if found.is_none() {
        faults.add(at, FaultCode::Enum, format_args!("Must be {}.", listed(texts)));
    }
    found
}

/// The values of a closed list.
pub fn names<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.as_str()).collect()
}

/// These values as a sentence lists them.
pub fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::incident::Status;
    use crate::risk::RiskStatus;

    #[test]
    fn a_word_that_is_not_in_the_list_is_told_all_that_are() {
        let mut faults = Faults::new();
        let read = |text: &'static str, faults: &mut Faults| {
            word::<RiskStatus>(Json::String(text.into()), &Pointer::ROOT.key("status"), faults)
        };
        assert_eq!(read("closed", &mut faults), Some(RiskStatus::Closed));
        assert!(faults.is_empty());
        assert_eq!(read("Closed", &mut faults), None);
        let fault = &faults.as_slice()[0];
        assert_eq!((fault.code, fault.detail.as_str()), (FaultCode::Enum, "Must be open or closed."));
        assert_eq!(
            listed(&names::<Status>()),
            "new, investigating, contained, resolved, closed or dismissed"
        );
    }
}
