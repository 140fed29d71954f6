//! Saved views: the filter and the order of a list under a name, for oneself or for everybody in the organization.

mod filter;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use macros::Body;

pub use self::filter::{FILTER_VALUE, FILTER_VALUES, FilterPatch, ViewFilter};
use crate::actor::{Actor, Author};
use crate::change::{Change, merge};
use crate::fault::{FaultCode, Faults};
use crate::ids::SavedViewId;
use crate::json::{Fields, Pointer, checked};
use crate::schema::Schema;
use crate::scope::{Scope, Scopes};
use crate::text::{self, Line};

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
        /// The list of documents.
        Documents = "documents",
    }
}

impl ViewedList {
    /// The scopes with which a caller reads the list, each of which is enough.
    pub fn read_scopes(self) -> &'static [Scope] {
        match self {
            Self::Incidents => &[Scope::IncidentsRead, Scope::IncidentsDeclare],
            Self::Risks => &[Scope::RisksRead],
            Self::Documents => &[Scope::DocumentsRead],
        }
    }

    /// The scope with which a caller shares views of the list, and changes shared ones.
    pub fn share_scope(self) -> Scope {
        match self {
            Self::Incidents => Scope::IncidentsWrite,
            Self::Risks => Scope::RisksWrite,
            Self::Documents => Scope::DocumentsWrite,
        }
    }

    /// Whether a caller with these scopes reads the list.
    pub fn is_read_with(self, scopes: Scopes) -> bool {
        self.read_scopes().iter().any(|scope| scopes.has(*scope))
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
    /// Which rows. `me` stays `me`: the person who reads the list.
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

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "owner", "created_date", "updated_date", "version"];

/// What is wrong with the filter and the order of a view by the rules of its list.
pub type ListRules = fn(ViewedList, &ViewFilter, Option<&str>) -> Faults;

/// A view to save.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(with(rules: ListRules), read_only = READ_ONLY, check = check_list(list, filter, sort, rules))]
pub struct NewSavedView {
    /// The list. It cannot be changed later.
    pub list: ViewedList,
    /// The name, unique among the caller's views of the list without regard to case.
    #[body(read = checked(name), schema = <Line<NAME_CHARACTERS>>::SCHEMA, example = "Waiting for me")]
    pub name: String,
    /// The filters of the list, each a value or a list of values; every row without one. `me` is the person who reads the
    /// list.
    #[body(default)]
    pub filter: ViewFilter,
    /// The order, as the list's parameter `sort` has it; null: its own.
    #[body(schema = SORT, example = "-detected_date")]
    pub sort: Option<String>,
    /// Whether everybody in the organization who reads the list sees the view.
    #[body(default = false)]
    pub shared: bool,
}

const SORT: Schema = Schema::text(0, 40, "^-?[a-z_]+$");

fn check_list(
    fields: &mut Fields<'_, '_>,
    list: Option<&ViewedList>,
    filter: Option<&ViewFilter>,
    sort: Option<&String>,
    rules: ListRules,
) {
    if let Some(list) = list {
        let all = ViewFilter::default();
        fields.faults().extend(rules(*list, filter.unwrap_or(&all), sort.map(String::as_str)));
    }
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

/// A merge patch (RFC 7396) of a view: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(
    patch,
    with(is_filter: fn(&str) -> bool),
    check = check_filters(filter, is_filter),
    read_only = &["list"],
    read_only = READ_ONLY
)]
pub struct SavedViewPatch {
    /// The name, unique among its owner's views of the list without regard to case.
    #[body(read = checked(name), schema = <Line<NAME_CHARACTERS>>::SCHEMA)]
    pub name: Option<String>,
    /// Filters with new values; null takes a filter away, and the others stay.
    #[body(default)]
    pub filter: FilterPatch,
    /// The order, as the list's parameter `sort` has it; null: its own.
    #[body(schema = SORT, example = "-updated_date")]
    pub sort: Change<String>,
    /// Whether everybody in the organization who reads the list sees the view.
    pub shared: Option<bool>,
}

/// What is taken away is a filter of a list.
fn check_filters(fields: &mut Fields<'_, '_>, filter: Option<&FilterPatch>, is_filter: fn(&str) -> bool) {
    let removed = filter.into_iter().flat_map(|FilterPatch(patch)| patch).filter(|(_, it)| it.is_none());
    for (name, _) in removed.filter(|(name, _)| !is_filter(name)) {
        let at = Pointer::ROOT.key("filter");
        fields.faults().add(at.key(name), FaultCode::UnknownField, "is no filter of a list");
    }
}

impl SavedViewPatch {
    /// The view with the patch, changed at `at`; none if it changes nothing.
    pub fn apply(&self, before: &SavedView, at: Timestamp) -> Option<SavedView> {
        let mut after = before.clone();
        merge!(self into after: name, sort, shared);
        for (name, values) in &self.filter.0 {
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
fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_one_line(text, pointer, faults);
    text::at_most(text, NAME_CHARACTERS, pointer, faults);
}
