//! What is sent about saved views.

use domain::saved_view::{NewSavedView, SavedView, SavedViewPatch, ViewFilter, ViewedList};
use domain::{Actor, ActorKind, FaultCode, Faults};
use http::json::{Json, Pointer};
use http::limits::VIEW_QUERY_BYTES;
use store::incidents::IncidentSort;
use store::risks::RiskSort;
use uuid::Uuid;

use super::{document_filter, filter_object, incident_filter, risk_filter};

/// Reads a view to save.
pub fn read_new(body: Json<'_>, faults: &mut Faults) -> Option<NewSavedView> {
    NewSavedView::read(body, check_parameters, faults)
}

/// Reads a merge patch of a view. Its parameters are those of the view's list, so [`check`] compares them with it.
pub fn read_patch(body: Json<'_>, faults: &mut Faults) -> Option<SavedViewPatch> {
    SavedViewPatch::read(body, is_filter, faults)
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
        ViewedList::Documents => drop(document_filter::read(query, &anybody)),
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
        // Their list has one order.
        ViewedList::Documents => {}
    });
    faults
}
