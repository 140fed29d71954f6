//! `GET /v1/users/export`

use axum::response::Response;
use domain::person::Member;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::export::{Fields, FormatParam, Lines, Users, user_columns};

use super::UserView;
use super::list::{UserFilterParams, read_filter};

type FieldsParam = Fields<Users, UserView>;

/// Export users
///
/// All members that the list with these filters has, as they are now: like the export of documents.
#[utoipa::path(
    get,
    path = "/v1/users/export",
    operation_id = "export_users",
    tag = "Users",
    params(UserFilterParams, FormatParam, (
        "fields" = inline(Option<FieldsParam>), Query, style = Form, explode = false,
        description = "The columns of a CSV file or a workbook, or the members of each object of NDJSON, in this order; all of them unless it is sent.")
    ),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (UserView = "application/x-ndjson"),
            (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 409, description = "`export_too_large`"),
    )
)]
pub(crate) async fn export(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let filter = read_filter(&mut query);
    let lines = Lines::read(&request, &mut query, user_columns(), |row: Member, _| UserView::from(row));
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    Users { organization, filter }.file(&mut tx, &lines).await
}
