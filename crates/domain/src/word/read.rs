//! A word of a closed list in a body.

use super::Word;
use crate::json::{Json, Pointer, array, wrong_type};
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
        faults.add(at, FaultCode::Enum, format_args!("must be {}", listed(texts)));
    }
    found
}

/// Reads a list of values of a closed list: at least one, each once.
pub fn each_once<W: Word>(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Vec<W>> {
    let items = array(value, at, faults)?;
    if items.is_empty() {
        faults.add(at, FaultCode::TooFew, "must have at least 1 element");
    }
    if items.len() > W::ALL.len() {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {} elements", W::ALL.len()));
        return None;
    }
    let mut read = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let at = at.index(index);
        match word(item, &at, faults) {
            Some(word) if read.contains(&word) => {
                faults.add(at, FaultCode::Duplicate, "must not be given twice");
            }
            word => read.extend(word),
        }
    }
    Some(read)
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
        assert_eq!((fault.code, fault.detail.as_str()), (FaultCode::Enum, "must be open or closed"));
        assert_eq!(
            listed(&names::<Status>()),
            "new, investigating, contained, resolved, closed or dismissed"
        );
    }
}
