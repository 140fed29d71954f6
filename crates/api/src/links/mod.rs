//! Links of incidents, as they are read at incidents, risks and documents.

mod view;

pub(crate) use view::LinkView;

use domain::Scopes;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::Page;
use http::query::{Query, Time};
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;

http::parameters! {
    /// The filters of the links at a risk or a document.
    pub(crate) struct DetectedParams {
        /// Incidents detected from this time on.
        detected_from: Time,
        /// Incidents detected before this time.
        detected_to: Time,
    }
}

impl DetectedParams {
    /// Reads them as one range.
    pub(crate) fn range(query: &mut Query<'_>) -> TimeRange {
        let Self { detected_from, detected_to } = Self::read(query);
        query.times(("detected_from", detected_from), ("detected_to", detected_to))
    }
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
