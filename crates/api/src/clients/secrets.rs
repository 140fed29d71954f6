//! `POST /v1/clients/{id}/secrets` and `DELETE /v1/clients/{id}/secrets/{secret_id}`

use auth::clients::parse_client_id;
use auth::secret::ClientSecret;
use domain::ResourceKind;
use domain::client::NewSecret;
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use uuid::Uuid;

use super::NewSecretView;

/// Give a client another secret
///
/// The response contains the secret, which is shown only once. A client may have two secrets, so that a secret can be
/// replaced without downtime: add a second one, deploy it to the client, delete the old one. An expired secret counts
/// towards this limit for another half hour, unless it is deleted. The caller must have every scope of the client,
/// because a secret grants them.
#[utoipa::path(
    post,
    path = "/v1/clients/{id}/secrets",
    operation_id = "create_client_secret",
    tag = "Clients",
    params(crate::path::ClientId),
    request_body = NewSecret,
    responses(
        (status = 201, description = "Secret created", body = NewSecretView),
        (status = 404, description = "Client not found"),
        (status = 409, description = "The client has two secrets (`too_many_secrets`)"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Client, parse_client_id)?;
    request.no_query()?;
    let NewSecret { expires_date: expires } = request.json(json::body).await?;
    let secret = ClientSecret::generate(&**request.app.db().random());
    let (client, hash) = (id.clone(), secret.hash());
    request
        .write(
            async move |tx, organization, author| {
                store::clients::add_secret(tx, organization, author, &client, &hash, expires).await
            },
            move |made| {
                let location = format!("/v1/clients/{id}/secrets/{}", made.id);
                Answer::shown_once(location, &NewSecretView::new(&id, &made, secret.expose()))
            },
        )
        .await
}

/// Delete a secret of a client
///
/// Tokens that were issued for the secret, and those refreshed from them, are revoked. The caller must have every
/// scope of the client. A client cannot delete its own last valid secret (`own_client`).
#[utoipa::path(
    delete,
    path = "/v1/clients/{id}/secrets/{secret_id}",
    operation_id = "delete_client_secret",
    tag = "Clients",
    params(
        crate::path::ClientId,
        ("secret_id" = Uuid, Path, description = "Id of the secret"),
    ),
    responses(
        (status = 204, description = "Secret deleted"),
        (status = 404, description = "Client or secret not found"),
        (status = 409, description = "A client cannot delete its own last live secret (`own_client`)"),
    )
)]
pub(crate) async fn delete(mut request: ApiRequest) -> Result<Answer> {
    let id = request.path(0, ResourceKind::Client, parse_client_id)?;
    let secret = request.path(1, ResourceKind::Secret, |text| {
        (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten()
    })?;
    request.no_query()?;
    request.no_body()?;
    let app = request.app.clone();
    let answer = request
        .write(
            async move |tx, organization, author| {
                store::clients::delete_secret(tx, organization, author, &id, secret).await
            },
            |_revoked| Ok(Answer::no_content()),
        )
        .await?;
    app.auth().apply_revocations().await;
    Ok(answer)
}
