//! The whole service in the test's own process.

use axum::Router;
use axum::http::Method;
use domain::OrgId;

use crate::{Contract, Request, TestDb};

/// The service's router on a database that one test owns, with one organization in it.
pub struct TestApp {
    /// The database below it, with the clock of the test.
    pub db: TestDb,
    /// The organization that `client_with_scopes` and `user` use.
    pub organization: OrgId,
    router: Router,
    contract: Contract,
}

impl TestApp {
    /// A GET of `path`, which may carry a query.
    pub fn get(&self, path: &str) -> Request<'_> {
        self.request(Method::GET, path)
    }

    /// A POST to `path`.
    pub fn post(&self, path: &str) -> Request<'_> {
        self.request(Method::POST, path)
    }

    /// A PATCH of `path`.
    pub fn patch(&self, path: &str) -> Request<'_> {
        self.request(Method::PATCH, path)
    }

    /// A PUT to `path`.
    pub fn put(&self, path: &str) -> Request<'_> {
        self.request(Method::PUT, path)
    }

    /// A DELETE of `path`.
    pub fn delete(&self, path: &str) -> Request<'_> {
        self.request(Method::DELETE, path)
    }

    /// Any request.
    pub fn request(&self, method: Method, path: &str) -> Request<'_> {
        Request::new(self, method, path)
    }

    pub(crate) fn router(&self) -> Router {
        self.router.clone()
    }

    pub(crate) fn contract(&self) -> &Contract {
        &self.contract
    }
}
