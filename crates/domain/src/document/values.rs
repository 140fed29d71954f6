//! The values of a proposal's items, and whether they make it material.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::changed_item::{ChangedItem, changed_items};
use super::proposed::{RemovedReason, RemovedValue};
use super::{DocumentWithItems, Item, PlacedItem, RecordedEdit, in_force};
use crate::fault::Faults;
use crate::text::Prose;

/// The most values without a place that are listed.
const MOST_REMOVED: usize = 1_000;

/// The value of each item that has one, with these edits, and the values that the `proposed` items do not take, by item. An
/// item without a value takes its default.
pub fn proposed_values(
    published: &[PlacedItem],
    proposed: &[PlacedItem],
    edits: &[RecordedEdit],
) -> (HashMap<String, String>, Vec<RemovedValue>) {
    let known = published.iter().filter_map(|it| Some((it.item.id.as_str(), it.value.as_deref()?)));
    let mut all: BTreeMap<&str, &str> = known.collect();
    all.extend(in_force(edits).into_iter().map(|(id, edit)| (id, edit.value.as_str())));
    let items: HashMap<&str, &Item> = proposed.iter().map(|it| (it.item.id.as_str(), &it.item)).collect();
    let (mut values, mut removed): (HashMap<String, String>, _) = (HashMap::new(), Vec::new());
    for (id, value) in all {
        match refused(items.get(id).copied(), value) {
            None => drop(values.insert(id.to_owned(), value.to_owned())),
            Some(reason) if removed.len() < MOST_REMOVED => {
                removed.push(RemovedValue { node_id: id.to_owned(), value: value.to_owned(), reason });
            }
            Some(_) => {}
        }
    }
    // To leave empty what is empty says nothing.
    let had = published.iter().filter(|it| it.value.is_some()).map(|it| it.item.id.as_str());
    let with_default = proposed.iter().filter(|it| it.item.default_value().is_some());
    let filled: HashSet<&str> = had.chain(with_default.map(|it| it.item.id.as_str())).collect();
    values.retain(|id, value| !value.is_empty() || filled.contains(id.as_str()));
    for (id, default) in proposed.iter().filter_map(|it| Some((&it.item.id, it.item.default_value()?))) {
        values.entry(id.clone()).or_insert_with(|| default.to_owned());
    }
    (values, removed)
}

fn refused(item: Option<&Item>, value: &str) -> Option<RemovedReason> {
    let Some(item) = item else { return Some(RemovedReason::Item) };
    let mut faults = Faults::new();
    item.kind.check_value(value, "", &mut faults);
    let reason = if item.kind.option_ids().is_some() { RemovedReason::Option } else { RemovedReason::Text };
    (!faults.is_empty()).then_some(reason)
}

/// Whether a version is material unless somebody says otherwise: the first one, other words of the template, or another value of a
/// material item or other words that it prints.
pub fn is_material(
    published: &DocumentWithItems,
    proposed: &DocumentWithItems,
    values: &HashMap<String, String>,
) -> bool {
    let words = |template: &Option<Prose>| -> Vec<String> {
        template.as_deref().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    };
    published.document.published_version.is_none()
        || words(&published.template) != words(&proposed.template)
        || changed_items(&published.items, &proposed.items, values).iter().any(ChangedItem::is_material)
}
