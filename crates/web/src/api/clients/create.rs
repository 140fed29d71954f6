//! `POST /v1/clients`

use domain::Faults;
use domain::client::{self, NewClient};
use utoipa::ToSchema;

use super::{ClientView, NewClientView};
use crate::http::answer::Answer;
use crate::http::api_request::ApiRequest;
use crate::http::error::Result;
use crate::http::json::{Fields, Json, Pointer};
use crate::oauth::NewCredentials;

/// A client to create.
#[derive(ToSchema)]
#[schema(as = NewClient)]
#[expect(dead_code, reason = "describes the body, which `read_body` reads")]
struct NewClientInput {
    /// The display name.
    #[schema(min_length = 1, max_length = 200, examples("SIEM"))]
    name: String,
    /// The client's scopes, space-delimited; the caller must have every one of them.
    #[schema(min_length = 1, max_length = 1024, examples("incidents:read incidents:write"))]
    scopes: String,
}

/// Create a client
///
/// The response contains the client's secret, which is shown only once. The caller cannot grant scopes that it does
/// not have.
#[utoipa::path(
    post,
    path = "/v1/clients",
    operation_id = "create_client",
    tag = "Clients",
    request_body = NewClientInput,
    responses((status = 201, description = "Client created", body = NewClientView))
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let new = request.json(read_body).await?;
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

fn read_body(body: Json<'_>, faults: &mut Faults) -> Option<NewClient> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let name = fields.required_text("name", client::name);
    let scopes = fields.required_with("scopes", super::scopes);
    fields.read_only(super::update::READ_ONLY);
    fields.finish();
    Some(NewClient { name: name?, scopes: scopes? })
}
