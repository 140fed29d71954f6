//! Every route: its handler, what it requires of its caller, and what it declares about its responses. The handler
//! declares the path and the method.

mod rules;
mod table;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use bytes::Bytes;
use domain::ResourceKind;
use domain::Scope::{
    self, ClientsAdmin, DocumentsRead, DocumentsWrite, IncidentsDeclare, IncidentsDelete, IncidentsRead,
    IncidentsWrite, JournalRead, OrganizationsRead, OrganizationsWrite, RisksDelete, RisksRead, RisksWrite,
    TagsRead, TagsWrite, UsersAdmin, UsersRead,
};
use hyper::Method;
use serde_json::Value;
use utoipa::openapi::OpenApi;
use utoipa_axum::routes;

use crate::http::app::App;
use crate::http::error::Error;
use crate::http::front::{self, Front};
use crate::http::health;
use crate::http::route::{RouteTable, Rules};
use crate::{api, docs, oauth, openapi};

use rules::{ASSET, OAUTH, PAGE, PROBE, PUBLISHED, REFERENCE, SECRET, SESSION};
use table::Table;

/// A page of the console, which is not in the OpenAPI document.
pub struct Page {
    /// Its path.
    pub path: &'static str,
    /// Its methods.
    pub methods: &'static [Method],
    /// What is declared about it.
    pub rules: Rules,
    /// What answers these methods.
    pub handler: MethodRouter<App>,
}

/// The routes of the service. Clones share what is known about them, which takes longer to find out than a start should.
#[derive(Clone)]
pub struct Routes {
    /// The operations of the OpenAPI document.
    documented: Router<App>,
    document: Arc<OpenApi>,
    /// Pages and probes.
    others: Router<App>,
    rules: RouteTable,
}

impl Routes {
    /// The API, the probes and the pages of its documentation.
    pub fn of_api() -> Self {
        let Table { documented, others, rules } = table();
        let (documented, document) = documented.split_for_parts();
        Self { documented, document: Arc::new(document), others, rules }
    }

    /// Adds the pages of the console.
    pub fn with_console(mut self, pages: Vec<Page>) -> Self {
        for Page { path, methods, rules, handler } in pages {
            methods.iter().for_each(|method| self.rules.declare(path, method.clone(), rules));
            self.others = self.others.route(path, handler);
        }
        self
    }

    /// The headers that are declared for each route.
    pub fn declared_headers(&self) -> Vec<DeclaredHeaders> {
        let declared = |(path, method, rules): (&str, &Method, Rules)| DeclaredHeaders {
            path: path.to_owned(),
            method: method.clone(),
            cache_control: rules.caching.value(),
            content_security_policy: rules.content.policy(),
        };
        self.rules.iter().map(declared).collect()
    }

    /// The service that answers them.
    pub fn router(self, app: App) -> Router {
        let front = Front::new(app.clone(), &self.document, self.rules);
        // Made for its first reader: that takes longer than the rest of the start.
        let text: Arc<LazyLock<Bytes>> = Arc::new(LazyLock::new(|| openapi::text(&document()).into()));
        self.documented
            .merge(self.others)
            .route("/openapi.json", get(move || openapi::answer(Bytes::clone(&text))))
            .fallback(no_such_path)
            .layer(axum::middleware::from_fn_with_state(front, front::front))
            .with_state(app)
    }
}

/// The OpenAPI document of the routes.
pub fn document() -> Value {
    openapi::finished(&table().documented.into_openapi())
}

/// The headers that the route table declares for a route.
#[derive(Debug)]
pub struct DeclaredHeaders {
    /// The path with its parameters in braces.
    pub path: String,
    /// The method.
    pub method: Method,
    /// `Cache-Control` of every response that is not an error.
    pub cache_control: &'static str,
    /// `Content-Security-Policy` of every response that is not an error.
    pub content_security_policy: &'static str,
}

fn table() -> Table {
    operations(pages(Table::new()))
}

/// The pages and probes, which are not in the OpenAPI document.
fn pages(table: Table) -> Table {
    table
        .page("/healthz", PROBE, get(health::healthz))
        .page("/readyz", PROBE, get(health::readyz))
        .page(docs::html::ICON_PATH, ASSET, get(docs::html::icon))
        .page("/docs", REFERENCE, get(docs::reference::page))
        .page("/docs/assets/{name}", ASSET, get(docs::reference::asset))
        .page("/docs/errors", PAGE, get(docs::errors::page))
        // Also with the path of the issuer and of the API appended, as their RFCs require.
        .page(
            "/.well-known/oauth-authorization-server/{*path}",
            PUBLISHED,
            get(oauth::discovery::authorization_server_at),
        )
        .page(
            "/.well-known/oauth-protected-resource/{*path}",
            PUBLISHED,
            get(oauth::discovery::protected_resource_at),
        )
}

/// The operations of the OpenAPI document.
fn operations(table: Table) -> Table {
    views(risks(incidents(table)))
        // These authenticate the client themselves.
        .authenticates_itself((OAUTH, routes!(oauth::token::token)))
        .authenticates_itself((OAUTH, routes!(oauth::revoke::revoke)))
        .authenticates_itself((OAUTH, routes!(oauth::introspect::introspect)))
        // Public documents.
        .open((PUBLISHED, routes!(oauth::discovery::authorization_server)))
        .open((PUBLISHED, routes!(oauth::discovery::protected_resource)))
        .open((PUBLISHED, routes!(oauth::discovery::key_set)))
        .open((SESSION, routes!(api::session::create::create)))
        .session((SESSION, routes!(api::session::read::read)))
        .session((SESSION, routes!(api::session::delete::delete)))
        .any_token(routes!(api::me::read::read))
        // Each kind of record needs its own scope.
        .needs_any(&[IncidentsRead, IncidentsDeclare, RisksRead, DocumentsRead], routes!(api::search::search))
        .session(routes!(api::me::password::change))
        .needs(&TagsWrite, routes!(api::tags::create::create))
        .needs(&TagsRead, routes!(api::tags::list::list))
        .needs(&TagsRead, routes!(api::tags::export::export))
        .needs(&TagsRead, routes!(api::tags::read::read))
        .needs(&DocumentsWrite, routes!(api::documents::create::create))
        .needs(&DocumentsRead, routes!(api::documents::list::list))
        .needs(&DocumentsRead, routes!(api::documents::export::export))
        .needs(&DocumentsRead, routes!(api::documents::read::read))
        .needs(&DocumentsWrite, routes!(api::documents::edit::edit))
        .needs(&DocumentsRead, routes!(api::documents::proposal::read))
        .needs(&DocumentsRead, routes!(api::documents::edits::list))
        .needs(&DocumentsRead, routes!(api::documents::links::list))
        .needs(&OrganizationsRead, routes!(api::organizations::read::read))
        .needs(&OrganizationsWrite, routes!(api::organizations::update::update))
        .needs(&RisksRead, routes!(api::organizations::risk_performance::read))
        .needs(&UsersAdmin, routes!(api::users::create::create))
        .needs(&UsersRead, routes!(api::users::list::list))
        .needs(&UsersRead, routes!(api::users::export::export))
        .needs(&UsersRead, routes!(api::users::read::read))
        .needs(&UsersAdmin, routes!(api::users::update::update))
        .needs(&UsersAdmin, routes!(api::users::delete::delete))
        .needs(&UsersRead, routes!(api::users::duties::read))
        // The handler requires those of these scopes that the duties need.
        .needs_any(&[IncidentsWrite, RisksWrite, DocumentsWrite], routes!(api::users::handover::create))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::create::create)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::list::list)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::read::read)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::delete::delete)))
        .open((SECRET, routes!(api::invitations::accept::accept)))
        .needs(&UsersAdmin, (SECRET, routes!(api::reset_links::create::create)))
        .open((SECRET, routes!(api::reset_links::redeem::redeem)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::create::create)))
        .needs(&ClientsAdmin, routes!(api::clients::list::list))
        .needs(&ClientsAdmin, routes!(api::clients::read::read))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::update::update)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::secrets::create)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::secrets::delete)))
        .needs(&ClientsAdmin, routes!(api::clients::refusals::list))
        // The handler requires those of these scopes that the request to undo needed.
        .needs_any(
            &[IncidentsWrite, IncidentsDelete, RisksWrite, RisksDelete],
            routes!(api::undo::request::undo),
        )
        .needs(&JournalRead, routes!(api::journal::list::list))
        .needs(&JournalRead, routes!(api::journal::head::head))
}

/// The scopes with which callers read a list that can have saved views.
const VIEWS: &[Scope] = &[IncidentsRead, IncidentsDeclare, RisksRead];

/// Saved views. The store requires the scopes of the view's list.
fn views(table: Table) -> Table {
    table
        .needs_any(VIEWS, routes!(api::views::create::create))
        .needs_any(VIEWS, routes!(api::views::list::list))
        .needs_any(VIEWS, routes!(api::views::read::read))
        .needs_any(VIEWS, routes!(api::views::update::update))
        .needs_any(VIEWS, routes!(api::views::delete::delete))
}

/// The operations on risks.
fn risks(table: Table) -> Table {
    table
        .needs(&RisksWrite, routes!(api::risks::create::create))
        .needs(&RisksRead, routes!(api::risks::list::list))
        .needs(&RisksRead, routes!(api::risks::export::export))
        .needs(&RisksRead, routes!(api::risks::facets::read))
        .needs(&RisksRead, routes!(api::risks::read::read))
        .needs(&RisksWrite, routes!(api::risks::update::update))
        .needs(&RisksDelete, routes!(api::risks::delete::delete))
        // The handler requires the one that the operation needs.
        .needs_any(&[RisksWrite, RisksDelete], routes!(api::risks::bulk::change))
        .needs(&RisksDelete, routes!(api::risks::restore::restore))
        .needs(&RisksWrite, routes!(api::risks::tags::add))
        .needs(&RisksRead, routes!(api::risks::tags::list))
        .needs(&RisksWrite, routes!(api::risks::tags::put))
        .needs(&RisksWrite, routes!(api::risks::tags::remove))
        .needs(&RisksRead, routes!(api::risks::links::list))
        .needs(&RisksWrite, routes!(api::evaluations::create::create))
        .needs(&RisksRead, routes!(api::evaluations::list::list))
        .needs(&RisksRead, routes!(api::evaluations::read::read))
}

/// What people write about incidents. Comments are written with `incidents:declare` too, which the store knows.
fn notes(table: Table) -> Table {
    const WRITERS: &[Scope] = &[IncidentsWrite, IncidentsDeclare];
    table
        .needs_any(WRITERS, routes!(api::notes::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::notes::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::notes::read::read))
        .needs_any(WRITERS, routes!(api::notes::update::update))
        .needs_any(WRITERS, routes!(api::notes::delete::delete))
        .needs(&IncidentsDelete, routes!(api::notes::restore::restore))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::notes::revisions::list))
}

/// The operations on incidents.
fn incidents(table: Table) -> Table {
    notes(table)
        .needs_any(&[IncidentsWrite, IncidentsDeclare], routes!(api::incidents::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::export::export))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::facets::read))
        .needs(&IncidentsRead, routes!(api::incidents::metrics::read))
        .needs(&IncidentsDelete, routes!(api::incidents::delete::delete))
        .needs(&IncidentsDelete, routes!(api::incidents::delete::bulk_delete))
        // The handler requires the one that the operation needs.
        .needs_any(&[IncidentsWrite, IncidentsDelete], routes!(api::incidents::bulk::change))
        .needs(&IncidentsDelete, routes!(api::incidents::restore::restore))
        .needs(&IncidentsDelete, routes!(api::incidents::redact::redact))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::read::read))
        .needs(&IncidentsWrite, routes!(api::incidents::update::update))
        .needs(&IncidentsRead, routes!(api::incidents::by_reference::read))
        .needs(&IncidentsWrite, routes!(api::incidents::by_reference::report))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::transitions::list))
        .needs(&IncidentsWrite, routes!(api::incidents::transitions::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::severity::read))
        .needs(&IncidentsWrite, routes!(api::incidents::severity::set))
        .needs(&IncidentsWrite, routes!(api::tasks::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::tasks::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::tasks::list_all::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::tasks::read::read))
        .needs(&IncidentsWrite, routes!(api::tasks::update::update))
        .needs(&IncidentsWrite, routes!(api::tasks::delete::delete))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::reviews::read::read))
        .needs(&IncidentsWrite, routes!(api::reviews::update::update))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::reviews::editions::list))
        .needs(&IncidentsWrite, routes!(api::reviews::action_task::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::timeline::list))
        .needs(&IncidentsWrite, routes!(api::incidents::tags::add))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::tags::list))
        .needs(&IncidentsWrite, routes!(api::incidents::tags::put))
        .needs(&IncidentsWrite, routes!(api::incidents::tags::remove))
        .needs(&IncidentsWrite, routes!(api::incidents::links::add))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(api::incidents::links::list))
        .needs(&IncidentsWrite, routes!(api::incidents::links::remove))
        // It reads nothing of the register: everyone who declares, changes or reads incidents may call it.
        .needs_any(&[IncidentsWrite, IncidentsDeclare, IncidentsRead], routes!(api::severity::assess::assess))
}

async fn no_such_path(_: Request) -> Response {
    Error::not_found(ResourceKind::Path).into_response()
}
