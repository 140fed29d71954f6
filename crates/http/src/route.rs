//! What the route table declares about a route, beside the scopes that it needs: who may store its responses, which
//! headers protect them, in which form it shows errors, and how its requests are admitted.

use std::collections::HashMap;

use auth::PublicUrl;
use axum::response::Response;
use axum::routing::MethodRouter;
use hyper::Method;
use hyper::http::Extensions;

use crate::app::App;
use crate::error::Error;

/// The declarations about a route.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Who may store its responses.
    pub caching: Caching,
    /// Their kind of content.
    pub content: Content,
    /// The forms of its errors.
    pub errors: ErrorForms,
    /// How its requests are admitted.
    pub admission: Admission,
}

/// Who may store the responses of a route. Errors are never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    /// No cache: the responses have secrets. They are not compressed either, because the length of a compressed response
    /// can reveal a secret next to text that an attacker chooses.
    NoStore,
    /// No cache, because others may use the same browser later. The responses have no secret, and are compressed.
    Page,
    /// The caller, who asks each time whether a response is still valid.
    Private,
    /// The caller, for ever: the response to a request that has this response never changes.
    Forever,
    /// Any cache, since all callers get the same; the value is that of `Cache-Control`.
    Public(&'static str),
}

/// Marks a response that never changes, so that the caller may store it for ever.
#[derive(Debug, Clone, Copy)]
pub struct Unchanging;

/// The kind of content, which determines what a browser may do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// JSON: nothing.
    Json,
    /// A page without scripts, with its style inside.
    Page,
    /// A page with scripts and styles of its own, which calls the API.
    Script,
    /// A page of the console: scripts, styles, images and forms of its own.
    Console,
    /// The reference, whose scripts write `style` attributes and show icons as `data:`.
    Reference,
}

/// How the requests of a route are admitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// By HTTPS, and from scripts of the allowed origins too.
    Usual,
    /// The caller proves who it is: a POST counts for the network that it comes from, and no script of another origin
    /// may read the response.
    SignIn,
    /// Also by plain HTTP: a probe carries nothing secret.
    Probe,
}

/// The forms of a route's errors.
#[derive(Debug, Clone, Copy)]
pub struct ErrorForms {
    /// The form for programs.
    pub program: ErrorForm,
    /// The form for a browser that asks for HTML.
    pub browser: ErrorForm,
}

/// One form of errors.
#[derive(Debug, Clone, Copy)]
pub struct ErrorForm {
    /// The kind of content.
    pub content: Content,
    /// Makes the response.
    pub render: fn(&Refusal<'_>) -> Response,
}

/// A request that ended with an error.
pub struct Refusal<'r> {
    /// The error.
    pub error: Error,
    /// The requested path of the service.
    pub path: &'r str,
    /// Where the service is.
    pub public_url: &'r PublicUrl,
    /// The request's id, as in the log.
    pub request_id: &'r str,
    /// What the route has attached to its response, for its own form of errors.
    pub extensions: &'r Extensions,
}

impl Caching {
    /// The value of `Cache-Control`.
    pub fn value(self) -> &'static str {
        match self {
            Self::NoStore | Self::Page => "no-store",
            Self::Private => "private, no-cache",
            Self::Forever => "private, max-age=31536000, immutable",
            Self::Public(value) => value,
        }
    }

    /// Whether all callers get the same response.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Public(_))
    }
}

impl Content {
    /// The value of `Content-Security-Policy`. Nothing may be loaded from another origin, or framed by one.
    pub fn policy(self) -> &'static str {
        match self {
            Self::Json => "default-src 'none'; frame-ancestors 'none'",
            Self::Page => {
                "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'"
            }
            Self::Script => {
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                 form-action 'none'; frame-ancestors 'none'"
            }
            Self::Console => {
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                 form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            }
            Self::Reference => {
                "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                 connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            }
        }
    }
}

/// The declarations of all routes.
#[derive(Debug, Clone)]
pub struct RouteTable {
    routes: HashMap<String, Vec<(Method, Rules)>>,
    /// For paths that no route has.
    others: Rules,
}

impl RouteTable {
    /// An empty table.
    pub fn new(others: Rules) -> Self {
        Self { routes: HashMap::new(), others }
    }

    /// Declares the rules of a route: of a path as it is registered, and a method.
    pub fn declare(&mut self, path: &str, method: Method, rules: Rules) {
        self.routes.entry(path.to_owned()).or_default().push((method, rules));
    }

    /// The rules of a request. HEAD has those of GET. A method without a route, such as OPTIONS, has those of GET or
    /// else of the first route of its path.
    pub(crate) fn of(&self, path: Option<&str>, method: &Method) -> Rules {
        let Some(routes) = path.and_then(|path| self.routes.get(path)) else { return self.others };
        let with = |method: &Method| routes.iter().find(|(known, _)| known == method);
        let found = with(method).or_else(|| with(&Method::GET)).or(routes.first());
        found.map_or(self.others, |(_, rules)| *rules)
    }

    /// Every path and method with its rules.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Method, Rules)> {
        let routes = self.routes.iter();
        routes
            .flat_map(|(path, rows)| rows.iter().map(move |(method, rules)| (path.as_str(), method, *rules)))
    }
}

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
