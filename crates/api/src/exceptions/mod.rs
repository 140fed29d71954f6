//! Exceptions to documents: asking for one, deciding about it, ending it.

pub(crate) mod ask;
pub(crate) mod decide;
pub(crate) mod end;
pub(crate) mod list;
pub(crate) mod read;
mod view;
pub(crate) mod waive;

use domain::ResourceKind;
use http::api_request::ApiRequest;
use http::error::Result;

use crate::documents::slug;
use crate::shared::number;

use view::ExceptionView;

/// The document and the number of the exception in the path.
fn exception_in_path(request: &ApiRequest) -> Result<(String, i64)> {
    Ok((slug(request)?, request.path(1, ResourceKind::Exception, number)?))
}
