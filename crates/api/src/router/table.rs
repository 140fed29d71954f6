//! The table of routes: each row checks its requirements, states them in the OpenAPI document, and declares its rules.

use axum::Router;
use axum::routing::MethodRouter;
use domain::Scope;
use http::api_request::Needs;
use http::app::App;
use http::route::{RouteTable, Rules};
use hyper::Method;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::rules::{DATA, OPEN};
use crate::openapi;

/// The routes, and what is declared about each.
pub(super) struct Table {
    /// The operations of the OpenAPI document.
    pub(super) documented: OpenApiRouter<App>,
    /// Pages and probes.
    pub(super) others: Router<App>,
    pub(super) rules: RouteTable,
}

/// The rules of an operation and its handler; without rules it is [`DATA`].
pub(super) struct Operation(Rules, UtoipaMethodRouter<App>);

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
    /// A table with the OpenAPI document itself.
    pub(super) fn new() -> Self {
        let mut rules = RouteTable::new(DATA);
        rules.declare("/openapi.json", Method::GET, OPEN);
        let documented = OpenApiRouter::with_openapi(openapi::base());
        Self { documented, others: Router::new(), rules }
    }

    /// Adds a page or a probe, which is not in the OpenAPI document.
    pub(super) fn page(mut self, path: &str, rules: Rules, handler: MethodRouter<App>) -> Self {
        self.rules.declare(path, Method::GET, rules);
        Self { others: self.others.route(path, handler), ..self }
    }

    /// Requires a token with this scope.
    pub(super) fn needs(self, scope: &'static Scope, operation: impl Into<Operation>) -> Self {
        self.needs_any(std::slice::from_ref(scope), operation)
    }

    /// Requires a token with one of these scopes, the usual one first.
    pub(super) fn needs_any(self, scopes: &'static [Scope], operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::AnyScope(scopes)), operation)
    }

    /// Requires a token of any kind.
    pub(super) fn any_token(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Token), operation)
    }

    /// Requires the token of a person's session.
    pub(super) fn session(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Session), operation)
    }

    /// Requires no token: the operation is public, or its body carries a password or the token of a link.
    pub(super) fn open(self, operation: impl Into<Operation>) -> Self {
        self.with(Some(Needs::Nothing), operation)
    }

    /// Requires credentials that the handler checks and describes itself.
    pub(super) fn authenticates_itself(self, operation: impl Into<Operation>) -> Self {
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
