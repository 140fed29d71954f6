//! Links of incidents, as they are read at incidents, risks and documents.

mod view;

pub(crate) use view::LinkView;

use domain::Scopes;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::Page;
use http::timestamp::Timestamp;
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;

/// The filters of the links at a risk or a document, for the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which the handlers read")]
pub(crate) struct DetectedParams {
    /// Incidents detected from this time on.
    #[param(inline)]
    detected_from: Option<Timestamp>,
    /// Incidents detected before this time.
    #[param(inline)]
    detected_to: Option<Timestamp>,
}

/// The page of links at a record that was found in this read.
pub(crate) async fn page(
    request: ApiRequest,
    tx: &mut db::Tx,
    end: LinkEnd,
    detected: TimeRange,
    page: Page<i64>,
) -> Result<Answer> {
    let scopes: Scopes = request.permissions().scopes();
    let (organization, reader) = (request.organization(), LinkReader::new(request.viewer(), scopes));
    let query = LinkQuery { end, detected, after: page.after };
    let rows = store::links::list(tx, organization, &reader, &query, page.limit).await?;
    let all = LinkQuery { after: None, ..query };
    let total = page.total(store::links::count(tx, organization, &reader, &all)).await?;
    Answer::list(&request.list(rows, total, |linked: &Linked| linked.link.seq_from, LinkView::from))
}
