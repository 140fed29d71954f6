//! Every route: its handler, what it requires of its caller, and what it declares about its responses. The handler
//! declares the path and the method.

mod rules;
mod table;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use domain::ResourceKind;
use domain::Scope::{
    self, ClientsAdmin, DocumentsAcknowledge, DocumentsApprove, DocumentsRead, DocumentsWrite,
    IncidentsDeclare, IncidentsDelete, IncidentsRead, IncidentsWrite, JournalRead, OrganizationsRead,
    OrganizationsWrite, RisksAccept, RisksDelete, RisksRead, RisksWrite, TagsRead, TagsWrite, UsersAdmin,
    UsersRead,
};
use domain::import::ImportKind;
use http::app::App;
use http::error::Error;
use http::front::{self, Front};
use http::health;
use http::route::{Page, RouteTable, Rules};
use hyper::Method;
use serde_json::Value;
use utoipa::openapi::OpenApi;
use utoipa_axum::routes;

use crate::{docs, oauth, openapi};

use rules::{ASSET, OAUTH, PAGE, PROBE, PUBLISHED, REFERENCE, SECRET, SESSION};
use table::Table;

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
        let url = app.auth().public_url.clone();
        let text: Arc<LazyLock<Bytes, _>> =
            Arc::new(LazyLock::new(move || openapi::text(&openapi::at(&url, document())).into()));
        let service = self
            .documented
            .merge(self.others)
            .route("/openapi.json", get(move || openapi::answer(Bytes::clone(&text))))
            .fallback(no_such_path)
            .layer(axum::middleware::from_fn_with_state(front, front::front))
            .with_state(app.clone());
        if app.auth().public_url.path().is_empty() {
            return service;
        }
        // Around the router, because the path decides the route.
        let within = axum::middleware::map_request_with_state(app, front::within);
        Router::new().fallback_service(service).layer(within)
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
    imports(exceptions(acknowledgements(documents(groups(views(risks(incidents(table))))))))
        // These authenticate the client themselves.
        .authenticates_itself((OAUTH, routes!(oauth::token::token)))
        .authenticates_itself((OAUTH, routes!(oauth::revoke::revoke)))
        .authenticates_itself((OAUTH, routes!(oauth::introspect::introspect)))
        // Public documents.
        .open((PUBLISHED, routes!(oauth::discovery::authorization_server)))
        .open((PUBLISHED, routes!(oauth::discovery::protected_resource)))
        .open((PUBLISHED, routes!(oauth::discovery::key_set)))
        .open((SESSION, routes!(crate::session::create::create)))
        .session((SESSION, routes!(crate::session::read::read)))
        .session((SESSION, routes!(crate::session::delete::delete)))
        .any_token(routes!(crate::me::read::read))
        // Each kind of record needs its own scope.
        .needs_any(
            &[IncidentsRead, IncidentsDeclare, RisksRead, DocumentsRead],
            routes!(crate::search::search),
        )
        .session(routes!(crate::me::password::change))
        .session(routes!(crate::me::deputy::read))
        .session(routes!(crate::me::deputy::put))
        .session(routes!(crate::me::deputy::remove))
        .needs(&TagsWrite, routes!(crate::tags::create::create))
        .needs(&TagsRead, routes!(crate::tags::list::list))
        .needs(&TagsRead, routes!(crate::tags::export::export))
        .needs(&TagsRead, routes!(crate::tags::read::read))
        .needs(&TagsWrite, routes!(crate::tags::update::update))
        .needs(&TagsWrite, routes!(crate::tags::remove::delete))
        .needs(&TagsWrite, routes!(crate::tags::remove::merge))
        .needs(&OrganizationsRead, routes!(crate::organizations::read::read))
        .needs(&OrganizationsWrite, routes!(crate::organizations::update::update))
        .needs(&RisksRead, routes!(crate::organizations::risk_performance::read::read))
        .needs(&RisksRead, routes!(crate::organizations::risk_performance::series::read))
        .needs(&UsersAdmin, routes!(crate::users::create::create))
        .needs(&UsersRead, routes!(crate::users::list::list))
        .needs(&UsersRead, routes!(crate::users::export::export))
        .needs(&UsersRead, routes!(crate::users::read::read))
        .needs(&UsersAdmin, routes!(crate::users::update::update))
        .needs(&UsersAdmin, routes!(crate::users::delete::delete))
        .needs(&UsersRead, routes!(crate::users::duties::read))
        // The handler requires those of these scopes that the duties need.
        .needs_any(&[IncidentsWrite, RisksWrite, DocumentsWrite], routes!(crate::users::handover::create))
        .needs(&UsersAdmin, (SECRET, routes!(crate::invitations::create::create)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::invitations::list::list)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::invitations::read::read)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::invitations::delete::delete)))
        .open((SECRET, routes!(crate::invitations::accept::accept)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::reset_links::create::create)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::reset_links::read::read)))
        .needs(&UsersAdmin, (SECRET, routes!(crate::reset_links::delete::delete)))
        .open((SECRET, routes!(crate::reset_links::redeem::redeem)))
        .needs(&ClientsAdmin, (SECRET, routes!(crate::clients::create::create)))
        .needs(&ClientsAdmin, routes!(crate::clients::list::list))
        .needs(&ClientsAdmin, routes!(crate::clients::read::read))
        .needs(&ClientsAdmin, (SECRET, routes!(crate::clients::update::update)))
        .needs(&ClientsAdmin, (SECRET, routes!(crate::clients::secrets::create)))
        .needs(&ClientsAdmin, (SECRET, routes!(crate::clients::secrets::delete)))
        .needs(&ClientsAdmin, routes!(crate::clients::refusals::list))
        // The handler requires those of these scopes that the request to undo needed.
        .needs_any(
            &[IncidentsWrite, IncidentsDelete, RisksWrite, RisksDelete, DocumentsWrite, TagsWrite],
            routes!(crate::undo::request::undo),
        )
        .needs(&JournalRead, routes!(crate::journal::list::list))
        .needs(&JournalRead, routes!(crate::journal::head::head))
}

/// The scopes with which callers read a list that can have saved views.
const VIEWS: &[Scope] = &[IncidentsRead, IncidentsDeclare, RisksRead, DocumentsRead];

/// Saved views. The store requires the scopes of the view's list.
fn views(table: Table) -> Table {
    table
        .needs_any(VIEWS, routes!(crate::views::create::create))
        .needs_any(VIEWS, routes!(crate::views::list::list))
        .needs_any(VIEWS, routes!(crate::views::read::read))
        .needs_any(VIEWS, routes!(crate::views::update::update))
        .needs_any(VIEWS, routes!(crate::views::delete::delete))
}

/// Documents and their proposals.
fn documents(table: Table) -> Table {
    table
        .needs(&DocumentsWrite, routes!(crate::documents::create::create))
        .needs(&DocumentsRead, routes!(crate::documents::list::list))
        .needs(&DocumentsRead, routes!(crate::documents::export::export))
        .needs(&DocumentsRead, routes!(crate::documents::facets::read))
        .needs(&DocumentsWrite, routes!(crate::documents::bulk::change))
        .needs(&DocumentsWrite, routes!(crate::documents::import::import))
        .needs(&DocumentsRead, routes!(crate::documents::library::list))
        .needs(&DocumentsRead, routes!(crate::documents::read::read))
        .needs(&DocumentsRead, routes!(crate::documents::file::read))
        .needs(&DocumentsWrite, routes!(crate::documents::edit::edit))
        .needs(&DocumentsWrite, routes!(crate::documents::delete::delete))
        .needs(&DocumentsWrite, routes!(crate::documents::properties::update))
        .needs(&DocumentsWrite, routes!(crate::documents::archive::archive))
        .needs(&DocumentsWrite, routes!(crate::documents::archive::restore))
        .needs(&DocumentsRead, routes!(crate::documents::offer::read))
        .needs(&DocumentsWrite, routes!(crate::documents::offer::accept))
        .needs(&DocumentsWrite, routes!(crate::documents::offer::decline))
        .needs(&DocumentsRead, routes!(crate::documents::reviews::list))
        .needs(&DocumentsWrite, routes!(crate::documents::reviews::record))
        .needs(&DocumentsRead, routes!(crate::documents::proposal::read))
        .needs(&DocumentsWrite, routes!(crate::documents::change::update))
        .needs(&DocumentsRead, routes!(crate::documents::edits::list))
        // Who reads a proposal may comment on it; staff do not.
        .needs(&DocumentsRead, routes!(crate::documents::comments::list))
        .needs(&DocumentsRead, routes!(crate::documents::comments::write))
        .needs(&DocumentsRead, routes!(crate::documents::comments::resolve))
        .needs(&DocumentsWrite, routes!(crate::documents::comments::adopt))
        .needs(&DocumentsRead, routes!(crate::documents::proposals::list))
        .needs(&DocumentsWrite, routes!(crate::documents::proposals::open))
        .needs(&DocumentsWrite, routes!(crate::documents::steps::submit))
        .needs_any(&[DocumentsWrite, DocumentsApprove], routes!(crate::documents::steps::give_back))
        // Only an author withdraws it with `documents:read`, which the store decides.
        .needs_any(&[DocumentsWrite, DocumentsRead], routes!(crate::documents::steps::withdraw))
        .needs(&DocumentsApprove, routes!(crate::documents::steps::reject))
        .needs(&DocumentsApprove, routes!(crate::documents::steps::approve))
        .needs(&DocumentsApprove, routes!(crate::documents::steps::record))
        .needs(&UsersAdmin, routes!(crate::documents::waivers::replace))
        .needs(&UsersAdmin, routes!(crate::documents::waivers::waive_four_eyes))
        .needs(&JournalRead, routes!(crate::documents::waivers::list))
        .needs_any(&[DocumentsWrite, DocumentsApprove], routes!(crate::documents::resolve::resolve))
        .needs(&DocumentsWrite, routes!(crate::documents::take_back::take_back))
        .needs(&DocumentsRead, routes!(crate::documents::text::read))
        .needs(&DocumentsRead, routes!(crate::documents::provenance::read))
        .needs(&DocumentsRead, routes!(crate::documents::difference::of_proposal))
        .needs(&DocumentsRead, routes!(crate::documents::impact::read))
        .needs_any(&[DocumentsRead, DocumentsAcknowledge], routes!(crate::documents::difference::of_version))
        // The handler requires `documents:read`.
        .session(routes!(crate::documents::seen::see))
        .needs(&DocumentsRead, routes!(crate::documents::versions::list))
        // Who acknowledges a document reads it.
        .needs_any(&[DocumentsRead, DocumentsAcknowledge], routes!(crate::documents::versions::read))
        .needs(&DocumentsRead, routes!(crate::documents::links::list))
        .needs(&DocumentsWrite, routes!(crate::documents::tags::add))
        .needs(&DocumentsRead, routes!(crate::documents::tags::list))
        .needs(&DocumentsWrite, routes!(crate::documents::tags::put))
        .needs(&DocumentsWrite, routes!(crate::documents::tags::remove))
}

/// Exceptions to documents. The store decides who withdraws a request.
fn exceptions(table: Table) -> Table {
    table
        .needs(&DocumentsRead, routes!(crate::exceptions::list::list))
        .needs(&DocumentsWrite, routes!(crate::exceptions::ask::ask))
        .needs(&DocumentsRead, routes!(crate::exceptions::list::list_of_document))
        .needs(&DocumentsRead, routes!(crate::exceptions::read::read))
        .needs(&DocumentsApprove, routes!(crate::exceptions::decide::decide))
        .needs(&DocumentsApprove, routes!(crate::exceptions::decide::record))
        .needs(&UsersAdmin, routes!(crate::exceptions::waive::waive_four_eyes))
        .needs(&DocumentsRead, routes!(crate::exceptions::end::withdraw))
        .needs(&DocumentsApprove, routes!(crate::exceptions::end::revoke))
}

/// Acknowledgements of documents. The store decides whom a caller sees among those who are asked.
fn acknowledgements(table: Table) -> Table {
    const READERS: &[Scope] = &[DocumentsRead, DocumentsAcknowledge, JournalRead];
    table
        .needs(&DocumentsWrite, routes!(crate::acknowledgements::request::create))
        .needs(&DocumentsRead, routes!(crate::acknowledgements::requests::list))
        .needs(&DocumentsWrite, routes!(crate::acknowledgements::end::end))
        // On paper it is recorded with `documents:write`, which the handler requires.
        .needs(&DocumentsAcknowledge, routes!(crate::acknowledgements::give::give))
        .needs_any(READERS, routes!(crate::acknowledgements::coverage::list))
        .needs_any(READERS, routes!(crate::acknowledgements::coverage::totals))
        .needs_any(READERS, routes!(crate::acknowledgements::export::export))
        .needs_any(READERS, routes!(crate::acknowledgements::file::read))
        .session(routes!(crate::acknowledgements::mine::list))
}

/// Imports of spreadsheets. The handlers require the scope that the kind of an import needs.
fn imports(table: Table) -> Table {
    table
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::create::create))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::list::list))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::read::read))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::update::update))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::cancel::cancel))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::run::run))
        .needs_any(ImportKind::SCOPES, routes!(crate::imports::rows::list))
}

/// Groups of members.
fn groups(table: Table) -> Table {
    table
        .needs(&UsersAdmin, routes!(crate::groups::create::create))
        .needs(&UsersRead, routes!(crate::groups::list::list))
        .needs(&UsersRead, routes!(crate::groups::read::read))
        .needs(&UsersAdmin, routes!(crate::groups::update::update))
        .needs(&UsersAdmin, routes!(crate::groups::delete::delete))
        .needs(&UsersAdmin, routes!(crate::groups::members::put))
        .needs(&UsersAdmin, routes!(crate::groups::members::remove))
}

/// The operations on risks.
fn risks(table: Table) -> Table {
    table
        .needs(&RisksWrite, routes!(crate::risks::create::create))
        .needs(&RisksRead, routes!(crate::risks::list::list))
        .needs(&RisksRead, routes!(crate::risks::export::export))
        .needs(&RisksRead, routes!(crate::risks::facets::read))
        .needs(&RisksRead, routes!(crate::risks::heat_map::read))
        .needs(&RisksRead, routes!(crate::risks::changes::list))
        .needs(&RisksRead, routes!(crate::risks::report::read))
        // The handler requires `risks:read` too.
        .needs(&DocumentsWrite, routes!(crate::risks::keep_report::keep))
        .needs(&RisksRead, routes!(crate::risks::read::read))
        .needs(&RisksWrite, routes!(crate::risks::update::update))
        .needs(&RisksDelete, routes!(crate::risks::delete::delete))
        // The handler requires the one that the operation needs.
        .needs_any(&[RisksWrite, RisksDelete], routes!(crate::risks::bulk::change))
        .needs(&RisksDelete, routes!(crate::risks::restore::restore))
        .needs(&RisksWrite, routes!(crate::risks::tags::add))
        .needs(&RisksRead, routes!(crate::risks::tags::list))
        .needs(&RisksWrite, routes!(crate::risks::tags::put))
        .needs(&RisksWrite, routes!(crate::risks::tags::remove))
        .needs(&RisksRead, routes!(crate::risks::links::list))
        .needs(&RisksRead, routes!(crate::risks::reviews::list))
        .needs(&RisksWrite, routes!(crate::risks::reviews::record))
        .needs(&RisksWrite, routes!(crate::tasks::of_risks::create))
        .needs(&RisksRead, routes!(crate::tasks::of_risks::list))
        .needs(&RisksRead, routes!(crate::tasks::of_risks::read))
        .needs(&RisksWrite, routes!(crate::tasks::of_risks::update))
        .needs(&RisksWrite, routes!(crate::tasks::of_risks::delete))
        .needs(&RisksWrite, routes!(crate::tasks::of_risks::restore))
        .needs(&RisksRead, routes!(crate::acceptances::list_all::list))
        .needs_any(&[RisksRead, RisksAccept], routes!(crate::acceptances::confirm::confirm))
        .needs(&RisksWrite, routes!(crate::acceptances::ask::ask))
        .needs(&RisksRead, routes!(crate::acceptances::list::list))
        .needs(&RisksRead, routes!(crate::acceptances::read::read))
        .needs_any(&[RisksRead, RisksAccept], routes!(crate::acceptances::decide::decide))
        .needs(&RisksAccept, routes!(crate::acceptances::decide::record))
        .needs(&RisksRead, routes!(crate::acceptances::withdraw::withdraw))
        .needs(&RisksAccept, routes!(crate::acceptances::revoke::revoke))
        .needs(&UsersAdmin, routes!(crate::acceptances::waive::waive_four_eyes))
        .needs(&RisksWrite, routes!(crate::evaluations::create::create))
        .needs(&RisksWrite, routes!(crate::evaluations::many::create))
        .needs(&RisksRead, routes!(crate::evaluations::export::export))
        .needs(&RisksRead, routes!(crate::scale::read::read))
        .needs(&OrganizationsWrite, routes!(crate::scale::change::change))
        .needs(&RisksRead, routes!(crate::scale::versions::list))
        .needs(&RisksRead, routes!(crate::scale::versions::read))
        .needs(&RisksRead, routes!(crate::evaluations::list::list))
        .needs(&RisksRead, routes!(crate::evaluations::read::read))
}

/// What people write about incidents. Comments are written with `incidents:declare` too, which the store knows.
fn notes(table: Table) -> Table {
    const WRITERS: &[Scope] = &[IncidentsWrite, IncidentsDeclare];
    table
        .needs_any(WRITERS, routes!(crate::notes::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::notes::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::notes::read::read))
        .needs_any(WRITERS, routes!(crate::notes::update::update))
        .needs_any(WRITERS, routes!(crate::notes::delete::delete))
        .needs(&IncidentsDelete, routes!(crate::notes::restore::restore))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::notes::revisions::list))
}

/// The operations on incidents.
fn incidents(table: Table) -> Table {
    notes(table)
        .needs_any(&[IncidentsWrite, IncidentsDeclare], routes!(crate::incidents::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::export::export))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::facets::read))
        .needs(&IncidentsRead, routes!(crate::incidents::metrics::read))
        .needs(&IncidentsDelete, routes!(crate::incidents::delete::delete))
        .needs(&IncidentsDelete, routes!(crate::incidents::delete::bulk_delete))
        // The handler requires the one that the operation needs.
        .needs_any(&[IncidentsWrite, IncidentsDelete], routes!(crate::incidents::bulk::change))
        .needs(&IncidentsDelete, routes!(crate::incidents::restore::restore))
        .needs(&IncidentsDelete, routes!(crate::incidents::redact::redact))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::read::read))
        .needs(&IncidentsWrite, routes!(crate::incidents::update::update))
        .needs(&IncidentsRead, routes!(crate::incidents::by_reference::read))
        .needs(&IncidentsWrite, routes!(crate::incidents::by_reference::report))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::transitions::list))
        .needs(&IncidentsWrite, routes!(crate::incidents::transitions::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::severity::read))
        .needs(&IncidentsWrite, routes!(crate::incidents::severity::set))
        .needs(&IncidentsWrite, routes!(crate::tasks::create::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::tasks::list::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare, RisksRead], routes!(crate::tasks::list_all::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::tasks::read::read))
        .needs(&IncidentsWrite, routes!(crate::tasks::update::update))
        .needs(&IncidentsWrite, routes!(crate::tasks::delete::delete))
        .needs(&IncidentsWrite, routes!(crate::tasks::restore::restore))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::reviews::read::read))
        .needs(&IncidentsWrite, routes!(crate::reviews::update::update))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::reviews::editions::list))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::reviews::file::read))
        .needs(&IncidentsWrite, routes!(crate::reviews::action_task::create))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::timeline::list))
        .needs(&IncidentsWrite, routes!(crate::incidents::tags::add))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::tags::list))
        .needs(&IncidentsWrite, routes!(crate::incidents::tags::put))
        .needs(&IncidentsWrite, routes!(crate::incidents::tags::remove))
        .needs(&IncidentsWrite, routes!(crate::incidents::links::add))
        .needs_any(&[IncidentsRead, IncidentsDeclare], routes!(crate::incidents::links::list))
        .needs(&IncidentsWrite, routes!(crate::incidents::links::remove))
        // It reads nothing of the register: everyone who declares, changes or reads incidents may call it.
        .needs_any(
            &[IncidentsWrite, IncidentsDeclare, IncidentsRead],
            routes!(crate::severity::assess::assess),
        )
}

async fn no_such_path(_: Request) -> Response {
    Error::not_found(ResourceKind::Path).into_response()
}
