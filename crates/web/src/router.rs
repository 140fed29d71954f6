//! Every route: its handler and what it requires of its caller. The handler declares the path and the method.

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use domain::ResourceKind;
use domain::Scope::{
    self, ClientsAdmin, DocumentsRead, DocumentsWrite, IncidentsDeclare, IncidentsDelete, IncidentsRead,
    IncidentsWrite, JournalRead, OrganizationsRead, OrganizationsWrite, RisksDelete, RisksRead, RisksWrite,
    TagsRead, TagsWrite, UsersAdmin, UsersRead,
};
use serde_json::Value;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::http::api_request::Needs;
use crate::http::app::App;
use crate::http::error::Error;
use crate::http::front;
use crate::http::front::Front;
use crate::http::health;
use crate::{api, docs, invitation_page, oauth, openapi, welcome};

/// The whole service.
pub fn router(app: App) -> Router {
    let (router, document) = table().split_for_parts();
    let front = Front::new(app.clone(), &document, oauth::refuse);
    let document = Bytes::from(openapi::text(&openapi::finished(&document)));
    router
        .route("/", get(welcome::page))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/docs", get(docs::reference::page))
        .route("/docs/assets/{name}", get(docs::reference::asset))
        .route("/docs/errors", get(docs::errors::page))
        .route(invitation_page::PATH, get(invitation_page::page))
        .route(invitation_page::SCRIPT_PATH, get(invitation_page::script))
        .route(invitation_page::STYLE_PATH, get(invitation_page::style))
        .route("/openapi.json", get(move || openapi::answer(document.clone())))
        // Also with the path of the issuer and of the API appended, as their RFCs require.
        .route(
            "/.well-known/oauth-authorization-server/{*path}",
            get(oauth::discovery::authorization_server_at),
        )
        .route("/.well-known/oauth-protected-resource/{*path}", get(oauth::discovery::protected_resource_at))
        .fallback(no_such_path)
        .layer(axum::middleware::from_fn_with_state(front, front::front))
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
        // Public documents.
        .open(routes!(oauth::discovery::authorization_server))
        .open(routes!(oauth::discovery::protected_resource))
        .open(routes!(oauth::discovery::key_set))
        .open(routes!(api::session::create::create))
        .session(routes!(api::session::read::read))
        .session(routes!(api::session::delete::delete))
        .any_token(routes!(api::me::read::read))
        .session(routes!(api::me::password::change))
        .needs_any(&[IncidentsWrite, IncidentsDeclare], routes!(api::incidents::create::create))
        .needs(&IncidentsRead, routes!(api::incidents::list::list))
        .needs(&IncidentsDelete, routes!(api::incidents::delete::delete))
        .needs(&IncidentsDelete, routes!(api::incidents::delete::bulk_delete))
        .needs(&IncidentsDelete, routes!(api::incidents::restore::restore))
        .needs(&IncidentsRead, routes!(api::incidents::read::read))
        .needs(&IncidentsWrite, routes!(api::incidents::update::update))
        .needs(&RisksWrite, routes!(api::risks::create::create))
        .needs(&RisksRead, routes!(api::risks::list::list))
        .needs(&RisksRead, routes!(api::risks::read::read))
        .needs(&RisksWrite, routes!(api::risks::update::update))
        .needs(&RisksDelete, routes!(api::risks::delete::delete))
        .needs(&RisksDelete, routes!(api::risks::restore::restore))
        .needs(&RisksWrite, routes!(api::risks::tags::add))
        .needs(&RisksRead, routes!(api::risks::tags::list))
        .needs(&RisksWrite, routes!(api::risks::tags::remove))
        .needs(&RisksWrite, routes!(api::evaluations::create::create))
        .needs(&RisksRead, routes!(api::evaluations::list::list))
        .needs(&RisksRead, routes!(api::evaluations::read::read))
        .needs(&TagsWrite, routes!(api::tags::create::create))
        .needs(&TagsRead, routes!(api::tags::list::list))
        .needs(&TagsRead, routes!(api::tags::read::read))
        .needs(&DocumentsWrite, routes!(api::documents::create::create))
        .needs(&DocumentsRead, routes!(api::documents::list::list))
        .needs(&DocumentsRead, routes!(api::documents::read::read))
        .needs(&DocumentsWrite, routes!(api::documents::edit::edit))
        .needs(&DocumentsRead, routes!(api::documents::proposal::read))
        .needs(&DocumentsRead, routes!(api::documents::edits::list))
        .needs(&OrganizationsRead, routes!(api::organizations::read::read))
        .needs(&OrganizationsWrite, routes!(api::organizations::update::update))
        .needs(&RisksRead, routes!(api::organizations::risk_performance::read))
        .needs(&UsersAdmin, routes!(api::users::create::create))
        .needs(&UsersRead, routes!(api::users::list::list))
        .needs(&UsersRead, routes!(api::users::read::read))
        .needs(&UsersAdmin, routes!(api::users::update::update))
        .needs(&UsersAdmin, routes!(api::users::delete::delete))
        .needs(&UsersAdmin, routes!(api::invitations::create::create))
        .needs(&UsersAdmin, routes!(api::invitations::list::list))
        .needs(&UsersAdmin, routes!(api::invitations::read::read))
        .needs(&UsersAdmin, routes!(api::invitations::delete::delete))
        .open(routes!(api::invitations::accept::accept))
        .needs(&ClientsAdmin, routes!(api::clients::create::create))
        .needs(&ClientsAdmin, routes!(api::clients::list::list))
        .needs(&ClientsAdmin, routes!(api::clients::read::read))
        .needs(&ClientsAdmin, routes!(api::clients::update::update))
        .needs(&ClientsAdmin, routes!(api::clients::secrets::create))
        .needs(&ClientsAdmin, routes!(api::clients::secrets::delete))
        .needs(&ClientsAdmin, routes!(api::clients::refusals::list))
        // The handler requires those of these scopes that the request to undo needed.
        .needs_any(
            &[IncidentsWrite, IncidentsDelete, RisksWrite, RisksDelete],
            routes!(api::undo::request::undo),
        )
        .needs(&JournalRead, routes!(api::journal::list::list))
        .needs(&JournalRead, routes!(api::journal::head::head))
}

/// One row of the route table: the route checks its requirements, and its description states them.
trait Guarded: Sized {
    fn with(self, needs: Needs, routes: UtoipaMethodRouter<App>) -> Self;

    /// Requires a token with this scope.
    fn needs(self, scope: &'static Scope, routes: UtoipaMethodRouter<App>) -> Self {
        self.needs_any(std::slice::from_ref(scope), routes)
    }

    /// Requires a token with one of these scopes, the usual one first.
    fn needs_any(self, scopes: &'static [Scope], routes: UtoipaMethodRouter<App>) -> Self {
        self.with(Needs::AnyScope(scopes), routes)
    }

    /// Requires a token of any kind.
    fn any_token(self, routes: UtoipaMethodRouter<App>) -> Self {
        self.with(Needs::Token, routes)
    }

    /// Requires the token of a person's session.
    fn session(self, routes: UtoipaMethodRouter<App>) -> Self {
        self.with(Needs::Session, routes)
    }

    /// Requires no token: the operation is public, or its body carries a password or the token of a link.
    fn open(self, routes: UtoipaMethodRouter<App>) -> Self {
        self.with(Needs::Nothing, routes)
    }
}

impl Guarded for OpenApiRouter<App> {
    fn with(self, needs: Needs, routes: UtoipaMethodRouter<App>) -> Self {
        let (schemas, mut paths, methods) = routes;
        openapi::describe(&mut paths, needs);
        self.routes((schemas, paths, methods.layer(axum::Extension(needs))))
    }
}

async fn no_such_path(_: Request) -> Response {
    Error::not_found(ResourceKind::Path).into_response()
}
