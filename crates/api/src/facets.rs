//! Facets as responses show them.

use serde::Serialize;
use store::facets::{FacetCount, Facets};
use utoipa::ToSchema;

/// How many records have a value.
#[derive(Serialize, ToSchema)]
#[schema(as = FacetCount)]
pub(crate) struct FacetCountView {
    /// The value as the filter takes it; null: records without one, for which the filter of people takes `none`.
    #[schema(max_length = 200, examples("open"))]
    value: Option<String>,
    /// The name of the person or of the tag; absent for words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 200)]
    label: Option<String>,
    /// How many records have it.
    #[schema(minimum = 1)]
    count: i64,
}

impl From<FacetCount> for FacetCountView {
    fn from(it: FacetCount) -> Self {
        Self { value: it.value, label: it.label, count: it.count }
    }
}

/// The counts of one facet.
pub(crate) fn taken(facets: &mut Facets, name: &str) -> Vec<FacetCountView> {
    let place = facets.facets.iter().position(|(known, _)| *known == name);
    let counts = place.map(|place| facets.facets.swap_remove(place).1).unwrap_or_default();
    counts.into_iter().map(FacetCountView::from).collect()
}
