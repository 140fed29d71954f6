//! Checks of every body, independent of its type.

use std::borrow::Cow;
use std::collections::HashSet;

use domain::fault::MOST_FAULTS;
use domain::{FaultCode, Faults};

use super::{Json, Pointer};

/// Up to this many members, comparing all pairs is faster than hashing.
const FEW_MEMBERS: usize = 16;

/// Adds a fault for duplicate keys at any depth (two readers could use different ones) and for U+0000 in texts
/// (PostgreSQL cannot store it), until the limit of reported faults is exceeded.
pub(super) fn note(value: &Json<'_>, faults: &mut Faults) {
    note_at(value, Pointer::ROOT, faults);
}

fn note_at(value: &Json<'_>, at: &Pointer<'_>, faults: &mut Faults) {
    if faults.has_more() {
        return;
    }
    match value {
        Json::String(text) if text.contains('\0') => {
            faults.add(at, FaultCode::Nul, "must not contain U+0000");
        }
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                note_at(item, &at.index(index), faults);
            }
        }
        Json::Object(members) => {
            note_duplicates(members, at, faults);
            for (key, item) in members {
                let at = at.key(key);
                if key.contains('\0') {
                    faults.add(at, FaultCode::Nul, "a key must not contain U+0000");
                }
                note_at(item, &at, faults);
            }
        }
        _ => {}
    }
}

/// Adds a fault for each key that occurs more than once.
fn note_duplicates(members: &[(Cow<'_, str>, Json<'_>)], at: &Pointer<'_>, faults: &mut Faults) {
    let mut note = |key: &str| faults.add(at.key(key), FaultCode::DuplicateKey, "must not be given twice");
    if members.len() <= FEW_MEMBERS {
        let mut told: Vec<&str> = Vec::new();
        for (index, (key, _)) in members.iter().enumerate() {
            let is_repeated = members.iter().take(index).any(|(earlier, _)| earlier == key);
            if is_repeated && !told.contains(&key.as_ref()) {
                told.push(key);
                note(key);
            }
        }
        return;
    }
    let mut seen = HashSet::with_capacity(members.len());
    let mut told = HashSet::new();
    for (key, _) in members {
        if !seen.insert(key.as_ref()) && told.len() <= MOST_FAULTS && told.insert(key.as_ref()) {
            note(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn faults(body: &str) -> Vec<(String, FaultCode)> {
        let mut faults = Faults::new();
        note(&parse(body.as_bytes()).unwrap(), &mut faults);
        faults.into_vec().into_iter().map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn duplicate_keys_are_found_at_any_depth_once_each() {
        assert_eq!(faults(r#"{"a":1,"b":{"c":1}}"#), []);
        assert_eq!(
            faults(r#"[{"a":1,"a":2,"\u0061":3,"b":{"c":1,"c":1}}]"#),
            [("#/0/a".to_owned(), FaultCode::DuplicateKey), ("#/0/b/c".to_owned(), FaultCode::DuplicateKey)]
        );
    }

    #[test]
    fn duplicate_keys_are_found_among_many() {
        let members: Vec<String> = (0..40).map(|n| format!(r#""k{}":1"#, n % 39)).collect();
        assert_eq!(
            faults(&format!("{{{}}}", members.join(","))),
            [("#/k0".to_owned(), FaultCode::DuplicateKey)]
        );
    }

    #[test]
    fn nul_is_found_in_texts_and_keys() {
        assert_eq!(
            faults(r#"{"a":["x\u0000y"],"b\u0000":1}"#),
            [("#/a/0".to_owned(), FaultCode::Nul), ("#/b%00".to_owned(), FaultCode::Nul)]
        );
    }
}
