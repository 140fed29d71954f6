//! `POST /v1/clients`

use auth::clients::NewCredentials;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;

use super::{ClientView, NewClientView};
use domain::client::NewClient;
use domain::json;

/// Create a client
///
/// The response contains the client's secret, which is shown only once. The caller cannot grant scopes that it does
/// not have.
#[utoipa::path(
    post,
    path = "/v1/clients",
    operation_id = "create_client",
    tag = "Clients",
    request_body = NewClient,
    responses((status = 201, description = "Client created", body = NewClientView))
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(json::body::<NewClient>).await?;
    let credentials = NewCredentials::draw(request.app.db());
    let secret = credentials.secret.clone();
    request
        .write(
            async move |tx, organization, author| {
                credentials.register(tx, organization, author, &new).await?;
                store::clients::get(tx, organization, &credentials.id).await
            },
            move |client| {
                let location = format!("/v1/clients/{}", client.record.client.id);
                let (version, client) = (client.record.version, ClientView::from(client));
                // The entity tag of the client as a GET returns it, so that its creator can change it with If-Match
                // at once.
                let etag = Answer::record(version, &client)?.etag;
                let view = NewClientView { client_secret: secret.expose().to_owned(), client };
                Ok(Answer { etag, ..Answer::shown_once(location, &view)? })
            },
        )
        .await
}
