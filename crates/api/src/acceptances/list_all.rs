//! `GET /v1/acceptances`

use domain::acceptance::AcceptanceDecider;
use domain::decision::DecisionState;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Number, OneWord, Words};
use store::acceptances::{AcceptanceDetails, AcceptanceFilter, AcceptancePosition};

use super::AcceptanceView;

http::parameters! {
    /// The filters.
    pub(crate) struct AcceptanceFilterParams {
        /// Acceptances in one of these states today (UTC), or on the day of `as_of`.
        state: Words<DecisionState>,
        /// Acceptances that are accepted or stale and end within so many days.
        #[example = 30]
        expiring: Number<0, 3_650>,
        /// Acceptances that are accepted or stale, and who accepted them or confirmed them last is not a member any more.
        decider: OneWord<AcceptanceDecider>,
    }
}

/// List acceptances
///
/// The acceptances of all risks that are not deleted: what ends first comes first. With `as_of` those of that time, as they were.
#[utoipa::path(
    get,
    path = "/v1/acceptances",
    operation_id = "list_acceptances",
    tag = "Acceptances",
    params(AcceptanceFilterParams, PageParams, AsOfParams),
    responses((status = 200, description = "Acceptances", body = List<AcceptanceView>))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<AcceptancePosition>(&mut query);
    let AcceptanceFilterParams { state, expiring, decider } = AcceptanceFilterParams::read(&mut query);
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let filter = AcceptanceFilter { state, expiring, decider };
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let after = page.after.as_ref();
    let rows = store::acceptances::list(&mut tx, organization, view, &filter, after, page.limit).await?;
    let total = page.total(store::acceptances::count(&mut tx, organization, view, &filter)).await?;
    let position = |row: &AcceptanceDetails| {
        let decision = &row.acceptance.decision;
        (decision.until.to_string(), decision.seq)
    };
    Answer::list(&request.list(rows, total, position, AcceptanceView::from).seen(named))
}
