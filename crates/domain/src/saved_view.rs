//! Saved views: the filter and the order of a list under a name, for oneself or for everybody in the organization.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::actor::{Actor, Author};
use crate::fault::Faults;
use crate::ids::SavedViewId;
use crate::scope::{Scope, Scopes};
use crate::text;

/// The most characters of a view's name.
pub const NAME_CHARACTERS: usize = 80;

/// The most views of one owner.
pub const MAX_PER_OWNER: i64 = 100;

crate::words! {
    "ViewedList"
    /// The lists that can have saved views.
    pub enum ViewedList {
        /// The list of incidents.
        Incidents = "incidents",
        /// The list of risks.
        Risks = "risks",
    }
}

impl ViewedList {
    /// The scopes with which a caller reads the list, each of which is enough.
    pub fn read_scopes(self) -> &'static [Scope] {
        match self {
            Self::Incidents => &[Scope::IncidentsRead, Scope::IncidentsDeclare],
            Self::Risks => &[Scope::RisksRead],
        }
    }

    /// The scope with which a caller shares views of the list, and changes shared ones.
    pub fn share_scope(self) -> Scope {
        match self {
            Self::Incidents => Scope::IncidentsWrite,
            Self::Risks => Scope::RisksWrite,
        }
    }

    /// Whether a caller with these scopes reads the list.
    pub fn is_read_with(self, scopes: Scopes) -> bool {
        self.read_scopes().iter().any(|scope| scopes.has(*scope))
    }
}

/// The parameters of a list and their values, as its address has them. The order of the values does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ViewFilter(pub BTreeMap<String, BTreeSet<String>>);

impl ViewFilter {
    /// Each parameter with each of its values.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let Self(parameters) = self;
        parameters
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (name.as_str(), value.as_str())))
    }

    /// The text that keeps it: a JSON object.
    pub fn to_stored(&self) -> String {
        // Texts only: serializing them cannot fail.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// The filter that a text keeps; none if it is no such text.
    pub fn from_stored(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for ViewFilter {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut parameters: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, value) in pairs {
            parameters.entry(name.into()).or_default().insert(value.into());
        }
        Self(parameters)
    }
}

/// A saved view of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// Its id.
    pub id: SavedViewId,
    /// The list. It stays the same.
    pub list: ViewedList,
    /// Its name, unique among the views of its owner and list in its [`text::folded`] form.
    pub name: String,
    /// Which rows. `me` stays `me`: whoever reads the list.
    pub filter: ViewFilter,
    /// In which order, as the list's parameter `sort` has it; none is the list's own.
    pub sort: Option<String>,
    /// Whether it is there for everybody in the organization who reads the list.
    pub shared: bool,
    /// Who made it.
    pub owner: Actor,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it was last changed.
    pub updated_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

impl SavedView {
    /// What a caller must have to make, change or delete it: what others see, only those change who may change the
    /// records of the list.
    pub fn required_scopes(&self) -> Scopes {
        if self.shared { self.list.share_scope().into() } else { Scopes::default() }
    }

    /// Whether this actor made it.
    pub fn is_of(&self, actor: &Actor) -> bool {
        self.owner.kind == actor.kind && self.owner.id == actor.id
    }
}

/// A view that is about to be made. Each field has passed its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSavedView {
    /// The list.
    pub list: ViewedList,
    /// See [`name`].
    pub name: String,
    /// Which rows.
    pub filter: ViewFilter,
    /// In which order.
    pub sort: Option<String>,
    /// Whether it is shared.
    pub shared: bool,
}

impl NewSavedView {
    /// The record, made at `at` by `owner`. The journal's number is still 0.
    pub fn create(&self, id: SavedViewId, owner: &Actor, at: Timestamp) -> SavedView {
        SavedView {
            id,
            list: self.list,
            name: self.name.clone(),
            filter: self.filter.clone(),
            sort: self.sort.clone(),
            shared: self.shared,
            owner: owner.clone(),
            created_date: at,
            updated_date: at,
            version: 1,
            seq_from: 0,
        }
    }
}

/// A merge patch of a view. What is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedViewPatch {
    /// See [`name`].
    pub name: Option<String>,
    /// The new values of parameters; `None` takes the parameter away.
    pub filter: BTreeMap<String, Option<BTreeSet<String>>>,
    /// The order; `Some(None)` is the list's own.
    pub sort: Option<Option<String>>,
    /// Whether it is shared.
    pub shared: Option<bool>,
}

impl SavedViewPatch {
    /// The view with the patch, changed at `at`; none if it changes nothing.
    pub fn apply(&self, before: &SavedView, at: Timestamp) -> Option<SavedView> {
        let mut after = before.clone();
        after.name = self.name.clone().unwrap_or(after.name);
        after.sort = self.sort.clone().unwrap_or(after.sort);
        after.shared = self.shared.unwrap_or(after.shared);
        for (name, values) in &self.filter {
            match values {
                Some(values) => after.filter.0.insert(name.clone(), values.clone()),
                None => after.filter.0.remove(name),
            };
        }
        (after != *before).then(|| SavedView { updated_date: at, version: before.version + 1, ..after })
    }
}

/// A caller, to whom the shared views and their own exist, of the lists that they read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewReader {
    /// The caller.
    pub actor: Actor,
    /// The lists that they read.
    pub lists: Vec<ViewedList>,
}

impl ViewReader {
    /// The caller of a request with these scopes.
    pub fn new(actor: &Actor, scopes: Scopes) -> Self {
        let lists = ViewedList::ALL.iter().copied().filter(|list| list.is_read_with(scopes));
        Self { actor: actor.clone(), lists: lists.collect() }
    }

    /// The author of a change.
    pub fn of(author: &Author) -> Self {
        Self::new(&author.actor, author.scopes())
    }

    /// Whether the view exists to them.
    pub fn sees(&self, view: &SavedView) -> bool {
        self.lists.contains(&view.list) && (view.shared || view.is_of(&self.actor))
    }
}

/// Checks a view's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_one_line(text, pointer, faults);
    text::at_most(text, NAME_CHARACTERS, pointer, faults);
}
