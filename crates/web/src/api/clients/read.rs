//! `GET /v1/clients/{id}`

use domain::Noun;

use super::ClientView;
use crate::answer::Answer;
use crate::call::Call;
use crate::error::Result;
use crate::oauth::secret::parse_client_id;

/// Read a client
///
/// A client of the organization.
#[utoipa::path(
    get,
    path = "/v1/clients/{id}",
    operation_id = "read_client",
    tag = "Clients",
    params(("id" = String, Path, description = "`client_id`")),
    responses(
        (status = 200, description = "The client", body = ClientView),
        (status = 404, description = "Client not found"),
    )
)]
pub(crate) async fn read(call: Call) -> Result<Answer> {
    let id = call.path(0, Noun::Client, parse_client_id)?;
    call.no_query()?;
    let mut tx = call.app.db().read().await?;
    let client = store::clients::get(&mut tx, call.organization(), &id).await?;
    Answer::record(client.record.version, &ClientView::from(client))
}
