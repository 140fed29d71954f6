//! `GET /v1/scale`

use http::answer::Answer;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;

use super::ScaleView;

/// Read the scale
///
/// The levels by which risks are rated, and the bands of the ratings: the present ones, or those of a past time. Every organization
/// begins with version 1, of 5 levels each.
#[utoipa::path(
    get,
    path = "/v1/scale",
    operation_id = "read_scale",
    tag = "Risks",
    params(AsOfParams),
    responses((status = 200, description = "The scale", body = ScaleView))
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let seen = Seen::read_as_of(&mut query);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, request.organization()).await?;
    let scales = store::scales::known(&mut tx, request.organization(), view).await?;
    let scale = scales.present().clone();
    Answer::record(scale.number, &ScaleView::seen(scale, named))
}
