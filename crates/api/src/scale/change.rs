//! `PUT /v1/scale`

use domain::scale::NewScale;
use domain::{Scope, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::Flag;

use super::ScaleView;

/// So many risks of each rating that changes band are named.
const NAMED: i64 = 10;

http::parameters! {
    /// The query parameter.
    pub(crate) struct DryRunParam {
        /// Whether to say what would happen, and change nothing.
        dry_run: Flag = false,
    }
}

/// Change the scale
///
/// Adds a version. Other names, descriptions, colours and bands leave it compatible with the version before: the band of each rating is
/// read by it at once. Another number of levels, or of the same levels another meaning (`meaning_changed`), does not: ratings keep
/// their version and their band, nothing is converted, and the next evaluation of each risk brings its inherent and target rating by
/// the new scale. With `dry_run` the response has the version that would be added, with `effects`. The same scale again adds nothing.
#[utoipa::path(
    put,
    path = "/v1/scale",
    operation_id = "change_scale",
    tag = "Risks",
    params(DryRunParam),
    request_body = NewScale,
    responses((status = 200, description = "The scale", body = ScaleView))
)]
pub(crate) async fn change(mut request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let DryRunParam { dry_run } = DryRunParam::read(&mut query);
    query.finish()?;
    let new = request.json(json::body::<NewScale>).await?;
    let expected = request.expected_version();
    if dry_run == Some(true) {
        // Who does not read risks learns how many they are, and not which.
        let named = if request.permissions().scopes().has(Scope::RisksRead) { NAMED } else { 0 };
        let (organization, author) = (request.organization(), request.author());
        let mut tx = request.app.db().read().await?;
        let (scale, effects) =
            store::scale_change::plan(&mut tx, organization, &author, &expected, &new, named).await?;
        return Answer::outcome(&ScaleView::with_effects(scale, effects));
    }
    request
        .write(
            async move |tx, organization, author| {
                store::scale_change::change(tx, organization, author, &expected, &new).await
            },
            |scale| Answer::record(scale.number, &ScaleView::from(scale)),
        )
        .await
}
