//! The filters of the list of incidents, as the OpenAPI document has them.

use domain::incident::Incident;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use uuid::Uuid;

use super::metrics::FigureView;
use super::view::{CategoryView, KindView, SeverityView, StatusView};
use crate::api::tags::TagModeView;
use crate::http::query::{PersonParam, TextParam};
use crate::http::timestamp::Timestamp;

/// The filters, for the OpenAPI document.
pub(crate) struct IncidentFilterParams;

impl IntoParams for IncidentFilterParams {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let texts = Incident::filtered().map(|field| {
            let described =
                format!("Incidents with one of these values of `{}`, compared exactly.", field.name);
            Parameter::builder()
                .name(field.name)
                .parameter_in(ParameterIn::Query)
                .description(Some(described))
                .schema(Some(utoipa::schema!(#[inline] Vec<TextParam>)))
                .build()
        });
        OtherParams::into_params(place).into_iter().chain(texts).collect()
    }
}

/// The filters but for those of texts.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `input::incident_filter` reads")]
struct OtherParams {
    /// Incidents with one of these statuses.
    #[param(inline)]
    status: Option<Vec<StatusView>>,
    /// Incidents with a status of this category.
    #[param(inline)]
    category: Option<Vec<CategoryView>>,
    /// Incidents of one of these severities.
    #[param(inline)]
    severity: Option<Vec<SeverityView>>,
    /// Incidents of one of these kinds.
    #[param(inline)]
    kind: Option<Vec<KindView>>,
    /// Incidents assigned to one of these users; `none` is an incident without an assignee.
    #[param(inline)]
    assigned_to: Option<Vec<PersonParam>>,
    /// Incidents with these tags.
    tag: Option<Vec<Uuid>>,
    /// How many of these tags an incident must have; `any` unless it is sent.
    #[param(inline)]
    tag_mode: Option<TagModeView>,
    /// Incidents detected from this time on.
    #[param(inline)]
    detected_from: Option<Timestamp>,
    /// Incidents detected before this time.
    #[param(inline)]
    detected_to: Option<Timestamp>,
    /// Incidents changed from this time on.
    #[param(inline)]
    updated_since: Option<Timestamp>,
    /// Incidents that figures count and one of these figures measures: both dates are there, the second not before the first.
    #[param(inline)]
    measured: Option<Vec<FigureView>>,
    /// Incidents that figures count and that lack a date of one of these figures.
    #[param(inline)]
    missing: Option<Vec<FigureView>>,
    /// Incidents that figures count and whose dates are reversed for one of these figures.
    #[param(inline)]
    invalid: Option<Vec<FigureView>>,
    /// Incidents that figures count and whose second date of one of these figures is still to come.
    #[param(inline)]
    open: Option<Vec<FigureView>>,
}
