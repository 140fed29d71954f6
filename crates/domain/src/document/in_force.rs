//! Which edit of each item counts in a proposal, and where authors disagree.

use std::collections::HashMap;

use super::{ChangeSet, Conflict, ConflictingValue, RecordedEdit};

/// The edit of each item that counts: the one that was adopted, else the latest one, whoever made it.
pub fn in_force(edits: &[RecordedEdit]) -> HashMap<&str, &RecordedEdit> {
    let mut latest: HashMap<&str, &RecordedEdit> = HashMap::new();
    for edit in edits {
        let known = latest.entry(&edit.node_id).or_insert(edit);
        let order = |edit: &RecordedEdit| (edit.is_adopted, edit.set_date, edit.change_set);
        if order(known) < order(edit) {
            *known = edit;
        }
    }
    latest
}

/// The items that change sets set differently and of which no value was adopted, in the order in which the edits name them first.
pub fn conflicts(edits: &[RecordedEdit], change_sets: &[ChangeSet]) -> Vec<Conflict> {
    let mut by_item: Vec<(&str, Vec<&RecordedEdit>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for edit in edits {
        let place = *places.entry(&edit.node_id).or_insert(by_item.len());
        match by_item.get_mut(place) {
            Some((_, same)) => same.push(edit),
            None => by_item.push((&edit.node_id, vec![edit])),
        }
    }
    let differ = |(_, edits): &(&str, Vec<&RecordedEdit>)| {
        !edits.iter().any(|edit| edit.is_adopted)
            && edits.iter().any(|edit| edits.first().is_some_and(|first| first.value != edit.value))
    };
    let author = |edit: &RecordedEdit| change_sets.iter().find(|set| set.number == edit.change_set);
    let value = |edit: &RecordedEdit| {
        let by = author(edit)?.author.clone();
        Some(ConflictingValue { change_set: edit.change_set, value: edit.value.clone(), by })
    };
    let conflict = |(item, edits): (&str, Vec<&RecordedEdit>)| Conflict {
        node_id: item.to_owned(),
        values: edits.into_iter().filter_map(value).collect(),
    };
    by_item.into_iter().filter(differ).map(conflict).collect()
}
