//! What no body may contain, whatever it is read as.

use std::borrow::Cow;
use std::collections::HashSet;

use domain::{FaultCode, Faults};

use super::{Json, Pointer};

/// Up to so many members, comparing all pairs is faster than hashing.
const FEW_MEMBERS: usize = 16;

/// Notes duplicate keys at any depth (two readers could take different ones) and U+0000 in texts
/// (PostgreSQL cannot store it).
pub(super) fn note(value: &Json<'_>, faults: &mut Faults) {
    note_at(value, Pointer::ROOT, faults);
}

fn note_at(value: &Json<'_>, at: &Pointer<'_>, faults: &mut Faults) {
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
            for key in duplicates(members) {
                faults.add(&at.key(key), FaultCode::DuplicateKey, "must not be given twice");
            }
            for (key, item) in members {
                let at = at.key(key);
                if key.contains('\0') {
                    faults.add(&at, FaultCode::Nul, "a key must not contain U+0000");
                }
                note_at(item, &at, faults);
            }
        }
        _ => {}
    }
}

/// The keys that are there more than once, each once.
fn duplicates<'m>(members: &'m [(Cow<'_, str>, Json<'_>)]) -> Vec<&'m str> {
    let mut found: Vec<&str> = Vec::new();
    if members.len() <= FEW_MEMBERS {
        for (index, (key, _)) in members.iter().enumerate() {
            let is_repeated = members.iter().take(index).any(|(earlier, _)| earlier == key);
            if is_repeated && !found.contains(&key.as_ref()) {
                found.push(key);
            }
        }
        return found;
    }
    let mut seen = HashSet::with_capacity(members.len());
    let mut told = HashSet::new();
    for (key, _) in members {
        if !seen.insert(key.as_ref()) && told.insert(key.as_ref()) {
            found.push(key);
        }
    }
    found
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
