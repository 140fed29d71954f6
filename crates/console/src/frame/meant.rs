//! What somebody may have meant whose search found nothing.

use db::Tx;
use domain::search::SearchQuery;
use store::did_you_mean::{Within, did_you_mean};

use super::page_request::PageRequest;

/// A search that finds something, in the place of one that does not.
pub(crate) struct Meant {
    /// What is searched for.
    pub(crate) text: String,
    /// The query of the same page with it.
    pub(crate) query: String,
}

impl Meant {
    /// The search with words that are one letter away, if the one of this request found nothing there.
    pub(crate) async fn find(
        tx: &mut Tx,
        request: &PageRequest,
        within: Within<'_>,
        is_empty: bool,
    ) -> store::Result<Option<Self>> {
        let asked = request.asked();
        if !is_empty || !asked.has("q") {
            return Ok(None);
        }
        let (text, read) = (asked.text("q"), SearchQuery::typed);
        let meant = did_you_mean(tx, request.id(), &request.viewer(), within, text, read).await?;
        Ok(meant.map(|text| Self { query: asked.query_with("q", Some(&text)), text }))
    }
}
