//! Policy documents, their items, and the proposals that change them.

mod approval_steps;
pub(crate) mod archive;
pub(crate) mod bulk;
pub(crate) mod change;
pub(crate) mod comments;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod difference;
pub(crate) mod edit;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod facets;
pub(crate) mod file;
pub(crate) mod impact;
pub(crate) mod import;
mod kept;
pub(crate) mod library;
pub(crate) mod links;
pub(crate) mod list;
pub(crate) mod offer;
pub(crate) mod properties;
pub(crate) mod proposal;
pub(crate) mod proposals;
pub(crate) mod provenance;
pub(crate) mod read;
pub(crate) mod resolve;
pub(crate) mod reviews;
pub(crate) mod seen;
pub(crate) mod steps;
pub(crate) mod tags;
pub(crate) mod take_back;
pub(crate) mod text;
pub(crate) mod versions;
mod view;
pub(crate) mod waivers;

use domain::{ResourceKind, document};
use http::api_request::ApiRequest;
use http::error::Result;

/// The slug in the path.
pub(crate) fn slug(request: &ApiRequest) -> Result<String> {
    slug_for(request, ResourceKind::Document)
}

/// The same where something else may be missing too.
fn slug_for(request: &ApiRequest, missing: ResourceKind) -> Result<String> {
    request.path(0, missing, |text| document::is_slug(text).then(|| text.to_owned()))
}
