//! Every route: its handler and the scope it needs. The path and the method are said at the handler.

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use domain::Noun;
use domain::Scope::{
    self, ClientsAdmin, DocumentsRead, DocumentsWrite, IncidentsDelete, IncidentsRead, IncidentsWrite,
    JournalRead, OrganizationsRead, RisksDelete, RisksRead, RisksWrite, TagsRead, TagsWrite, UsersAdmin,
    UsersRead,
};
use serde_json::Value;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::app::App;
use crate::call::Needs;
use crate::error::Error;
use crate::front::Front;
use crate::{api, docs, front, health, oauth, openapi, unread, welcome};

/// The whole service.
pub fn router(app: App) -> Router {
    let (router, document) = table().split_for_parts();
    let front = Front::new(app.clone(), &document);
    let document = Bytes::from(openapi::text(&openapi::finished(&document)));
    router
        .route("/", get(welcome::page))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/docs/errors", get(docs::errors::page))
        .route("/openapi.json", get(move || openapi::answer(document.clone())))
        // Behind the path of the issuer and of the API, as their RFCs ask.
        .route(
            "/.well-known/oauth-authorization-server/{*path}",
            get(oauth::discovery::authorization_server_at),
        )
        .route("/.well-known/oauth-protected-resource/{*path}", get(oauth::discovery::protected_resource_at))
        .fallback(no_such_path)
        .layer(axum::middleware::from_fn_with_state(front, front::front))
        .layer(axum::middleware::from_fn(unread::clear))
        .with_state(app)
}

/// The OpenAPI document of the routes.
pub fn document() -> Value {
    openapi::finished(&table().into_openapi())
}

fn table() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::base())
        // These authenticate the client themselves.
        .routes(routes!(oauth::token::token))
        .routes(routes!(oauth::revoke::revoke))
        .routes(routes!(oauth::introspect::introspect))
        // Everybody may read these.
        .routes(routes!(oauth::discovery::authorization_server))
        .routes(routes!(oauth::discovery::protected_resource))
        .routes(routes!(oauth::discovery::key_set))
        .needs(IncidentsWrite, routes!(api::incidents::create::create))
        .needs(IncidentsRead, routes!(api::incidents::list::list))
        .needs(IncidentsDelete, routes!(api::incidents::delete::delete))
        .needs(IncidentsDelete, routes!(api::incidents::delete::bulk_delete))
        .needs(IncidentsDelete, routes!(api::incidents::restore::restore))
        .needs(IncidentsRead, routes!(api::incidents::read::read))
        .needs(IncidentsWrite, routes!(api::incidents::update::update))
        .needs(RisksWrite, routes!(api::risks::create::create))
        .needs(RisksRead, routes!(api::risks::list::list))
        .needs(RisksRead, routes!(api::risks::read::read))
        .needs(RisksWrite, routes!(api::risks::update::update))
        .needs(RisksDelete, routes!(api::risks::delete::delete))
        .needs(RisksDelete, routes!(api::risks::restore::restore))
        .needs(RisksWrite, routes!(api::risks::tags::add))
        .needs(RisksRead, routes!(api::risks::tags::list))
        .needs(RisksWrite, routes!(api::risks::tags::remove))
        .needs(RisksWrite, routes!(api::evaluations::create::create))
        .needs(RisksRead, routes!(api::evaluations::list::list))
        .needs(RisksRead, routes!(api::evaluations::read::read))
        .needs(TagsWrite, routes!(api::tags::create::create))
        .needs(TagsRead, routes!(api::tags::list::list))
        .needs(TagsRead, routes!(api::tags::read::read))
        .needs(DocumentsWrite, routes!(api::documents::create::create))
        .needs(DocumentsRead, routes!(api::documents::list::list))
        .needs(DocumentsRead, routes!(api::documents::read::read))
        .needs(DocumentsWrite, routes!(api::documents::edit::edit))
        .needs(DocumentsRead, routes!(api::documents::proposal::read))
        .needs(OrganizationsRead, routes!(api::organizations::read::read))
        .needs(RisksRead, routes!(api::organizations::risk_performance::read))
        .needs(UsersAdmin, routes!(api::users::create::create))
        .needs(UsersRead, routes!(api::users::list::list))
        .needs(UsersRead, routes!(api::users::read::read))
        .needs(ClientsAdmin, routes!(api::clients::refusals::list))
        .needs(JournalRead, routes!(api::journal::list::list))
        .needs(JournalRead, routes!(api::journal::head::head))
}

/// A row of the table: the route asks for the scope, and its description says so.
trait Guarded {
    fn needs(self, scope: Scope, routes: UtoipaMethodRouter<App>) -> Self;
}

impl Guarded for OpenApiRouter<App> {
    fn needs(self, scope: Scope, routes: UtoipaMethodRouter<App>) -> Self {
        let (schemas, mut paths, methods) = routes;
        openapi::describe(&mut paths, scope);
        self.routes((schemas, paths, methods.layer(axum::Extension(Needs(scope)))))
    }
}

async fn no_such_path(_: Request) -> Response {
    Error::not_found(Noun::Path).into_response()
}
