//! What is sent about saved views.

use std::collections::{BTreeMap, BTreeSet};

use domain::saved_view::{self, NewSavedView, SavedView, SavedViewPatch, ViewFilter, ViewedList};
use domain::{Actor, ActorKind, FaultCode, Faults};
use http::json::{Fields, Json, Pointer};
use http::limits::VIEW_QUERY_BYTES;
use http::word::{OneOf, word};
use store::incidents::IncidentSort;
use store::risks::RiskSort;
use utoipa::ToSchema;
use uuid::Uuid;

use super::filter_object::{self, FilterInput, FilterPatchInput};
use super::{incident_filter, risk_filter};

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "owner", "created_date", "updated_date", "version"];

type ViewedListInput = OneOf<ViewedList>;

/// A view to save.
#[derive(ToSchema)]
#[schema(as = NewSavedView)]
#[expect(dead_code, reason = "describes the body, which `read_new` reads")]
pub struct NewSavedViewInput {
    /// The list. It cannot be changed later.
    #[schema(value_type = ViewedListInput)]
    list: String,
    /// The name, unique among the caller's views of the list without regard to case.
    #[schema(min_length = 1, max_length = 80, examples("Waiting for me"))]
    name: String,
    /// The filters of the list, each a value or a list of values; every row without one. `me` is whoever reads the list.
    filter: Option<FilterInput>,
    /// The order, as the list's parameter `sort` has it; null: its own.
    #[schema(max_length = 40, pattern = "^-?[a-z_]+$", examples("-detected_date"))]
    sort: Option<String>,
    /// Whether everybody in the organization who reads the list sees the view.
    #[schema(default = false)]
    shared: Option<bool>,
}

/// A merge patch (RFC 7396) of a view: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = SavedViewPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub struct SavedViewPatchInput {
    /// The name, unique among its owner's views of the list without regard to case.
    #[schema(value_type = String, required = false, min_length = 1, max_length = 80)]
    name: Option<String>,
    /// Filters with new values; null takes a filter away, and the others stay.
    #[schema(value_type = FilterPatchInput, required = false)]
    filter: Option<FilterPatchInput>,
    /// The order, as the list's parameter `sort` has it; null: its own.
    #[schema(max_length = 40, pattern = "^-?[a-z_]+$", examples("-updated_date"))]
    sort: Option<String>,
    /// Whether everybody in the organization who reads the list sees the view.
    #[schema(value_type = bool, required = false)]
    shared: Option<bool>,
}

/// Reads a view to save.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewSavedView> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let list = fields.required_with("list", word::<ViewedList>);
    let name = fields.required_text("name", saved_view::name);
    let filter: ViewFilter =
        fields.optional_with("filter", filter_object::pairs).unwrap_or_default().into_iter().collect();
    let sort: Option<String> = fields.optional("sort");
    let shared = fields.optional("shared").unwrap_or_default();
    fields.read_only(READ_ONLY);
    if let Some(list) = list {
        fields.faults().extend(check_parameters(list, &filter, sort.as_deref()));
    }
    fields.finish();
    Some(NewSavedView { list: list?, name: name?, filter, sort, shared })
}

/// Reads a merge patch of a view. Its parameters are those of the view's list, so [`check`] compares them with it.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<SavedViewPatch> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let patch = SavedViewPatch {
        name: fields.patch_set_text("name", saved_view::name),
        filter: fields.patch_set_with("filter", filter_patch).unwrap_or_default(),
        sort: fields.patch("sort"),
        shared: fields.patch_set("shared"),
    };
    fields.read_only(&["list"]);
    fields.read_only(READ_ONLY);
    fields.finish();
    Some(patch)
}

fn filter_patch(
    value: Json<'_>,
    at: &Pointer<'_>,
    faults: &mut Faults,
) -> Option<BTreeMap<String, Option<BTreeSet<String>>>> {
    let mut patch = BTreeMap::new();
    for (name, value) in filter_object::members(value, at, faults)? {
        let values = match value {
            Json::Null if is_filter(&name) => None,
            Json::Null => {
                faults.add(at.key(&name), FaultCode::UnknownField, "is no filter of a list");
                continue;
            }
            value => match filter_object::values(value, &at.key(&name), faults) {
                Some(values) => Some(values.into_iter().collect()),
                None => continue,
            },
        };
        patch.insert(name.into_owned(), values);
    }
    Some(patch)
}

/// Whether a list has such a filter.
fn is_filter(name: &str) -> bool {
    let filter: ViewFilter = [(name.to_owned(), "x".to_owned())].into_iter().collect();
    let is_known = |list: &ViewedList| {
        !check_parameters(*list, &filter, None).iter().any(|fault| fault.code == FaultCode::UnknownField)
    };
    ViewedList::ALL.iter().any(is_known)
}

/// What is wrong with the parameters of a view by the rules of its list.
pub fn check(view: &SavedView) -> Faults {
    check_parameters(view.list, &view.filter, view.sort.as_deref())
}

fn check_parameters(list: ViewedList, filter: &ViewFilter, sort: Option<&str>) -> Faults {
    let mut faults = Faults::new();
    // `me` is whoever reads the list, which is decided then.
    let anybody = Actor { kind: ActorKind::User, id: Uuid::nil().to_string(), name: String::new() };
    let (pairs, at) = (filter.pairs().collect::<Vec<_>>(), Pointer::ROOT.key("filter"));
    filter_object::query(&pairs, &at, &mut faults, |query| match list {
        ViewedList::Incidents => drop(incident_filter::read(query, &anybody)),
        ViewedList::Risks => drop(risk_filter::read(query, &anybody)),
    });
    if form_urlencoded::Serializer::new(String::new()).extend_pairs(&pairs).finish().len() > VIEW_QUERY_BYTES
    {
        let detail = format_args!("must have at most {VIEW_QUERY_BYTES} bytes as the query of an address");
        faults.add(at, FaultCode::TooLong, detail);
    }
    let order: Vec<_> = sort.into_iter().map(|sort| ("sort", sort)).collect();
    filter_object::query(&order, Pointer::ROOT, &mut faults, |query| match list {
        ViewedList::Incidents => drop(query.sort::<IncidentSort>()),
        ViewedList::Risks => drop(query.sort::<RiskSort>()),
    });
    faults
}
