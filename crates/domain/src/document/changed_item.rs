//! The items that the approval of a proposal changes.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Item, PlacedItem, SelectOption};
use crate::ids::RiskNumber;

/// An item whose value, or the words that it prints, an approval changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedItem<'d> {
    /// As the document has it; none if it is new.
    pub before: Option<&'d Item>,
    /// The value that the document has.
    pub previous: Option<&'d str>,
    /// As it is proposed; none if it is gone.
    pub after: Option<&'d Item>,
    /// The value that the approval publishes.
    pub value: Option<&'d str>,
}

/// The items that an approval with these values changes, in the order of the proposed text; those that it removes are the last.
pub fn changed_items<'d>(
    published: &'d [PlacedItem],
    proposed: &'d [PlacedItem],
    values: &'d HashMap<String, String>,
) -> Vec<ChangedItem<'d>> {
    let known: HashMap<&str, &PlacedItem> = published.iter().map(|it| (it.item.id.as_str(), it)).collect();
    let kept: HashSet<&str> = proposed.iter().map(|it| it.item.id.as_str()).collect();
    let gone = published.iter().filter(|it| !kept.contains(it.item.id.as_str()));
    let pairs = proposed.iter().map(|it| (known.get(it.item.id.as_str()).copied(), Some(it)));
    let pairs = pairs.chain(gone.map(|it| (Some(it), None)));
    let items = pairs.map(|(before, after)| ChangedItem {
        before: before.map(|it| &it.item),
        previous: before.and_then(|it| it.value.as_deref()),
        after: after.map(|it| &it.item),
        value: after.and_then(|it| values.get(&it.item.id)).map(String::as_str),
    });
    items.filter(|it| it.previous != it.value || it.said() != it.says()).collect()
}

impl<'d> ChangedItem<'d> {
    /// Its id.
    pub fn id(&self) -> &'d str {
        self.after.or(self.before).map_or("", |item| &item.id)
    }

    /// Whether everybody acknowledges the document again unless somebody says otherwise.
    pub fn is_material(&self) -> bool {
        self.items().any(|item| item.material)
    }

    /// The risks that it concerns, or did before.
    pub fn risks(&self) -> BTreeSet<RiskNumber> {
        self.items().flat_map(|item| item.risks.iter().copied()).collect()
    }

    /// The chosen option, if it makes the policy weaker: as it is proposed, or as the document has it.
    pub fn weakening(&self) -> Option<&'d SelectOption> {
        let option = |item: Option<&'d Item>| item?.kind.option(self.value?);
        let chosen = option(self.after)?;
        (chosen.weakens || option(self.before).is_some_and(|it| it.weakens)).then_some(chosen)
    }

    fn items(&self) -> impl Iterator<Item = &'d Item> {
        self.before.into_iter().chain(self.after)
    }

    /// What it prints before.
    fn said(&self) -> Option<&'d str> {
        words(self.before, self.previous)
    }

    /// What it prints afterwards.
    fn says(&self) -> Option<&'d str> {
        words(self.after, self.value)
    }
}

/// The words that an item prints for a value.
fn words<'d>(item: Option<&'d Item>, value: Option<&'d str>) -> Option<&'d str> {
    let value = value?;
    Some(item?.kind.option(value).map_or(value, |option| option.text.as_str()))
}
