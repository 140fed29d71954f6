//! Every route: its handler and what it requires of its caller. The handler declares the path and the method.

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
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};
use utoipa_axum::routes;

use crate::http::api_request::Needs;
use crate::http::app::App;
use crate::http::error::Error;
use crate::http::front;
use crate::http::front::Front;
use crate::http::problem;
use crate::http::route::{Admission, Caching, Content, ErrorForms, RouteTable, Rules};
use crate::{api, docs, health, invitation_page, oauth, openapi, welcome};

/// The whole service.
pub fn router(app: App) -> Router {
    let Table { documented, others, rules } = table();
    let (router, document) = documented.split_for_parts();
    let front = Front::new(app.clone(), &document, rules, oauth::discovery::complete_challenge);
    let document = Bytes::from(openapi::text(&openapi::finished(&document)));
    router
        .merge(others)
        .route("/openapi.json", get(move || openapi::answer(document.clone())))
        .fallback(no_such_path)
        .layer(axum::middleware::from_fn_with_state(front, front::front))
        .with_state(app)
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

/// The declared headers of every route.
pub fn declared_headers() -> Vec<DeclaredHeaders> {
    let declared = |(path, method, rules): (&str, &Method, Rules)| DeclaredHeaders {
        path: path.to_owned(),
        method: method.clone(),
        cache_control: rules.caching.value(),
        content_security_policy: rules.content.policy(),
    };
    table().rules.iter().map(declared).collect()
}

/// Data of an organization; also what is declared about paths that do not exist.
const DATA: Rules = Rules {
    caching: Caching::Private,
    content: Content::Json,
    errors: PROBLEMS,
    admission: Admission::Usual,
};

/// Data with a secret that is shown once.
const SECRET: Rules = Rules { caching: Caching::NoStore, ..DATA };

/// A person signs in or out.
const SESSION: Rules = Rules { admission: Admission::SignIn, ..SECRET };

/// A client gets tokens, or asks about them.
const OAUTH: Rules = Rules { errors: OAUTH_ERRORS, ..SESSION };

/// The same for every caller, and possibly another after an upgrade.
const OPEN: Rules = Rules { caching: Caching::Public("no-cache"), ..DATA };

/// Discovery: a key is published long before it signs.
const PUBLISHED: Rules = Rules { caching: Caching::Public("public, max-age=300"), ..DATA };

const PROBE: Rules = Rules { admission: Admission::Probe, ..OPEN };

const PAGE: Rules = Rules { content: Content::Page, ..PUBLISHED };

const REFERENCE: Rules = Rules { content: Content::Reference, ..PUBLISHED };

/// The parts of the reference change only with the program.
const ASSET: Rules = Rules { caching: Caching::Public("public, max-age=3600"), ..DATA };

/// An invitation's page and its parts: those of another release might not match the API.
const INVITATION: Rules = Rules { content: Content::Script, ..OPEN };

const PROBLEMS: ErrorForms = ErrorForms { program: problem::FORM, browser: docs::error_page::FORM };

/// OAuth clients get the error format of OAuth, whatever they accept.
const OAUTH_ERRORS: ErrorForms = ErrorForms { program: oauth::ERROR_FORM, browser: oauth::ERROR_FORM };

fn table() -> Table {
    Table::new()
        .page("/", Rules { content: Content::Page, ..OPEN }, get(welcome::page))
        .page("/healthz", PROBE, get(health::healthz))
        .page("/readyz", PROBE, get(health::readyz))
        .page("/docs", REFERENCE, get(docs::reference::page))
        .page("/docs/assets/{name}", ASSET, get(docs::reference::asset))
        .page("/docs/errors", PAGE, get(docs::errors::page))
        .page(invitation_page::PATH, INVITATION, get(invitation_page::page))
        .page(invitation_page::SCRIPT_PATH, INVITATION, get(invitation_page::script))
        .page(invitation_page::STYLE_PATH, INVITATION, get(invitation_page::style))
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
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::create::create)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::list::list)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::read::read)))
        .needs(&UsersAdmin, (SECRET, routes!(api::invitations::delete::delete)))
        .open((SECRET, routes!(api::invitations::accept::accept)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::create::create)))
        .needs(&ClientsAdmin, routes!(api::clients::list::list))
        .needs(&ClientsAdmin, routes!(api::clients::read::read))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::update::update)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::secrets::create)))
        .needs(&ClientsAdmin, (SECRET, routes!(api::clients::secrets::delete)))
        .needs(&ClientsAdmin, routes!(api::clients::refusals::list))
        .needs(&JournalRead, routes!(api::journal::list::list))
        .needs(&JournalRead, routes!(api::journal::head::head))
}

/// The routes, and what is declared about each.
struct Table {
    /// The operations of the OpenAPI document.
    documented: OpenApiRouter<App>,
    /// Pages and probes.
    others: Router<App>,
    rules: RouteTable,
}

/// The rules of an operation and its handler; without rules it is [`DATA`].
struct Operation(Rules, UtoipaMethodRouter<App>);

impl From<UtoipaMethodRouter<App>> for Operation {
    fn from(routes: UtoipaMethodRouter<App>) -> Self {
        Self(DATA, routes)
    }
}

impl From<(Rules, UtoipaMethodRouter<App>)> for Operation {
    fn from((rules, routes): (Rules, UtoipaMethodRouter<App>)) -> Self {
        Self(rules, routes)
    }
}

impl Table {
    fn new() -> Self {
        let mut rules = RouteTable::new(DATA);
        rules.declare("/openapi.json", Method::GET, OPEN);
        let documented = OpenApiRouter::with_openapi(openapi::base());
        Self { documented, others: Router::new(), rules }
    }

    /// Adds a page or a probe, which is not in the OpenAPI document.
    fn page(mut self, path: &str, rules: Rules, handler: MethodRouter<App>) -> Self {
        self.rules.declare(path, Method::GET, rules);
        Self { others: self.others.route(path, handler), ..self }
    }

    /// Requires a token with this scope.
    fn needs(self, scope: &'static Scope, operation: impl Into<Operation>) -> Self {
        self.needs_any(std::slice::from_ref(scope), operation)
    }

    /// Requires a token with one of these scopes, the usual one first.
    fn needs_any(self, scopes: &'static [Scope], operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::AnyScope(scopes)), operation)
    }

    /// Requires a token of any kind.
    fn any_token(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Token), operation)
    }

    /// Requires the token of a person's session.
    fn session(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Session), operation)
    }

    /// Requires no token: the operation is public, or its body carries a password or the token of a link.
    fn open(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Nothing), operation)
    }

    /// Requires credentials that the handler checks and describes itself.
    fn authenticates_itself(self, operation: impl Into<Operation>) -> Self {
        self.with(None, operation)
    }

    /// Adds an operation: it checks its requirements, and its description states them.
    fn with(mut self, needs: Option<Needs>, operation: impl Into<Operation>) -> Self {
        let Operation(rules, (schemas, mut paths, mut methods)) = operation.into();
        for (path, item) in &paths.paths {
            openapi::methods(item).for_each(|method| self.rules.declare(path, method, rules));
        }
        openapi::describe_caching(&mut paths, rules.caching);
        if let Some(needs) = needs {
            openapi::describe(&mut paths, needs);
            methods = methods.layer(axum::Extension(needs));
        }
        Self { documented: self.documented.routes((schemas, paths, methods)), ..self }
    }
}

async fn no_such_path(_: Request) -> Response {
    Error::not_found(ResourceKind::Path).into_response()
}
