//! `GET /v1/evaluations/export`

use axum::response::Response;
use domain::words;
use http::api_request::ApiRequest;
use http::as_of::{AsOfParams, Seen};
use http::error::Result;
use http::query::OneWord;
use lists::export::{Evaluations, Fields, FormatParam, Lines, evaluation_columns};
use store::evaluations::RegisterEvaluation;

use super::EvaluationView;

words! {
    "ShownSuperseded"
    /// Which superseded evaluations an export has.
    enum ShownSuperseded {
        /// Superseded evaluations among the others.
        With = "with",
    }
}

http::parameters! {
    /// The query parameter for superseded evaluations.
    struct SupersededParam {
        /// Returns superseded evaluations too, which do not count.
        superseded: OneWord<ShownSuperseded>,
    }
}

type FieldsParam = Fields<Evaluations, EvaluationView>;

/// Export evaluations
///
/// The evaluations of all risks that are not deleted, in the order of the risks and of their numbers, as of one journal entry: like the
/// export of incidents. Superseded ones are left out, unless `superseded=with` is sent; `superseded_by` marks them. An import of
/// evaluations takes the CSV file and the workbook, and leaves out those that are superseded.
#[utoipa::path(
    get,
    path = "/v1/evaluations/export",
    operation_id = "export_evaluations",
    tag = "Evaluations",
    params(SupersededParam, AsOfParams, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (EvaluationView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let seen = Seen::read_as_of(&mut query);
    let with_superseded = SupersededParam::read(&mut query).superseded.is_some();
    let view = |row: RegisterEvaluation, _| EvaluationView::from(row.evaluation);
    let lines = Lines::read(&request, &mut query, evaluation_columns(), view);
    query.finish()?;
    let (db, organization) = (request.app.db().clone(), request.organization());
    let mut tx = request.app.db().read().await?;
    let (_, seq) = seen.resolve_to_entry(&mut tx, organization).await?;
    Evaluations { db, organization, seq, with_superseded }.file(&mut tx, lines).await
}
