//! Lists whose elements each have their own id.

use std::collections::HashSet;
use std::hash::Hash;

use crate::fault::{FaultCode, Faults};
use crate::json::{FromJson, Json, Pointer, array, items_of};

/// Reads a list of at least one and at most `most` elements, each with its own `key`. The faults of the elements of a longer list
/// are not listed.
pub(super) fn read_list<T: FromJson>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    key: &str,
    noun: &str,
    most: usize,
) -> Option<Vec<T>> {
    let elements = array(value, at, faults)?;
    if elements.is_empty() {
        faults.add(at, FaultCode::TooFew, format_args!("must have at least one {noun}"));
    } else if elements.len() > most {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {most} {noun}s"));
        return None;
    }
    let repeated = repeated(elements.iter().map(|element| id_of(element, key)));
    let read = items_of(elements, at, faults, T::from_json);
    for index in repeated {
        let detail = "An element before this one has the same id.";
        faults.add(at.index(index).key(key), FaultCode::Duplicate, detail);
    }
    read
}

/// The id of an element, even when other members of it are wrong.
fn id_of<'e>(element: &'e Json<'_>, key: &str) -> Option<&'e str> {
    let Json::Object(members) = element else { return None };
    members.iter().find_map(|(name, value)| match value {
        Json::String(id) if name == key => Some(id.as_ref()),
        _ => None,
    })
}

/// The places of the ids that an element before has.
pub(super) fn repeated<'i>(ids: impl Iterator<Item = Option<&'i str>>) -> Vec<usize> {
    let mut seen = HashSet::new();
    let repeated = ids.enumerate().filter(|(_, id)| id.is_some_and(|id| !seen.insert(id)));
    repeated.map(|(index, _)| index).collect()
}

/// Reads a list of at most `most` elements without repetition.
pub(crate) fn read_distinct<T: FromJson + Eq + Hash>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    most: usize,
) -> Option<Vec<T>> {
    read_distinct_by(value, at, faults, (most, "An element before this one is the same."), |it| it)
}

/// The same where only a `key` of each element is not repeated; `repeated` says what is wrong with an element that repeats it.
pub(crate) fn read_distinct_by<T: FromJson, K: Eq + Hash>(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
    (most, repeated): (usize, &'static str),
    key: impl Fn(&T) -> &K,
) -> Option<Vec<T>> {
    let elements = array(value, at, faults)?;
    if elements.len() > most {
        faults.add(at, FaultCode::TooMany, format_args!("must have at most {most} elements"));
        return None;
    }
    let read = items_of(elements, at, faults, T::from_json)?;
    let mut seen = HashSet::new();
    for (index, element) in read.iter().enumerate() {
        if !seen.insert(key(element)) {
            faults.add(at.index(index), FaultCode::Duplicate, repeated);
        }
    }
    Some(read)
}
