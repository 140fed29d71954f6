//! The pieces of text that show why something was found.

use domain::search::SearchQuery;
use store::Page;
use store::hits::Hit;

use super::error::{Error, Result};

/// Cuts the pieces of the hits of a page, on a thread for long work: the texts may be long, and this one has others to serve.
pub async fn with_snippets(page: Page<Hit>, query: SearchQuery) -> Result<Page<Hit>> {
    let cutting = tokio::task::spawn_blocking(move || store::hits::with_snippets(page, &query));
    cutting.await.map_err(|_| Error::internal("the cutting of snippets ended early"))
}
