//! The methods of each path: for `Allow`, `OPTIONS` and preflights. They are read from the OpenAPI document, so that
//! they cannot differ from it, and for pages from their rules.

use std::collections::{HashMap, HashSet};

use hyper::Method;
use hyper::header::{ALLOW, HeaderMap, HeaderName, HeaderValue};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{OpenApi, RefOr};

use crate::route::RouteTable;

/// The header that names the media types of a patch (RFC 5789).
pub(super) const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

/// The methods of a path.
#[derive(Debug, Clone)]
pub(super) struct Methods {
    /// `GET, HEAD, PATCH, OPTIONS`.
    pub(super) allow: HeaderValue,
    /// The media types of a patch, if the path has one.
    accept_patch: Option<HeaderValue>,
}

impl Methods {
    /// Adds `Allow`, and `Accept-Patch` if the path has a patch.
    pub(super) fn say(&self, headers: &mut HeaderMap) {
        headers.insert(ALLOW, self.allow.clone());
        if let Some(types) = &self.accept_patch {
            headers.insert(ACCEPT_PATCH, types.clone());
        }
    }

    fn of(item: &PathItem) -> Self {
        let methods = [
            (item.get.is_some(), "GET, HEAD"),
            (item.post.is_some(), "POST"),
            (item.put.is_some(), "PUT"),
            (item.patch.is_some(), "PATCH"),
            (item.delete.is_some(), "DELETE"),
            (true, "OPTIONS"),
        ];
        let names: Vec<&str> = methods.iter().filter(|(there, _)| *there).map(|(_, name)| *name).collect();
        Self { allow: header(&names), accept_patch: item.patch.as_ref().and_then(patch_types) }
    }
}

fn patch_types(patch: &Operation) -> Option<HeaderValue> {
    let RefOr::T(body) = patch.request_body.as_ref()? else { return None };
    let types: Vec<&str> = body.content.keys().map(String::as_str).collect();
    Some(header(&types))
}

/// Names of methods and media types are visible ASCII.
fn header(parts: &[&str]) -> HeaderValue {
    HeaderValue::try_from(parts.join(", ")).unwrap_or(HeaderValue::from_static(""))
}

/// The methods of every path.
#[derive(Debug)]
pub(super) struct MethodTable {
    documented: HashMap<String, Methods>,
    /// The pages that take forms.
    forms: HashSet<String>,
    others: Methods,
    form: Methods,
    /// The methods of the whole service, for `OPTIONS *`.
    pub(super) everywhere: Methods,
}

impl MethodTable {
    pub(super) fn new(document: &OpenApi, rules: &RouteTable) -> Self {
        let forms = rules.iter().filter(|(_, method, _)| **method == Method::POST);
        let paths = document.paths.paths.iter();
        let only = |allow| Methods { allow: HeaderValue::from_static(allow), accept_patch: None };
        Self {
            documented: paths.map(|(path, item)| (path.clone(), Methods::of(item))).collect(),
            forms: forms.map(|(path, ..)| path.to_owned()).collect(),
            others: only("GET, HEAD, OPTIONS"),
            form: only("GET, HEAD, POST, OPTIONS"),
            everywhere: only("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
        }
    }

    /// The methods of a route, by its registered path.
    pub(super) fn of(&self, route: &str) -> &Methods {
        let page = if self.forms.contains(route) { &self.form } else { &self.others };
        self.documented.get(route).unwrap_or(page)
    }
}
