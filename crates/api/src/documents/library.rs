//! `GET /v1/library`

use domain::document::{NewDocument, library};
use domain::{Line, ProseOrEmpty};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use utoipa::ToSchema;

/// The policies that come with the program.
#[derive(Serialize, ToSchema)]
#[schema(as = Library)]
struct LibraryView {
    /// In the order in which an organization usually adopts them.
    #[schema(max_items = 50)]
    policies: Vec<PolicyView>,
}

/// A policy of the library.
#[derive(Serialize, ToSchema)]
#[schema(as = LibraryPolicy)]
struct PolicyView {
    /// The slug that its document will have.
    #[schema(examples("access-control"), max_length = 80)]
    slug: String,
    /// The title, one line.
    #[schema(examples("Access control policy"))]
    title: Line,
    /// The description, as Markdown.
    #[schema(examples("Who may sign in to what, and how."))]
    description: ProseOrEmpty,
    /// The number of its items.
    #[schema(format = Int32, examples(14))]
    items_count: usize,
}

impl From<&NewDocument> for PolicyView {
    fn from(it: &NewDocument) -> Self {
        Self {
            slug: it.slug.clone(),
            title: it.title.clone(),
            description: it.description.clone(),
            items_count: it.items.len(),
        }
    }
}

/// List the library
///
/// The policies that come with the program. `POST /v1/documents/import` with `library` makes documents of them.
#[utoipa::path(
    get,
    path = "/v1/library",
    operation_id = "list_library",
    tag = "Documents",
    responses((status = 200, description = "The library", body = LibraryView))
)]
pub(crate) async fn list(request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    Answer::record(None, &LibraryView { policies: library().iter().map(PolicyView::from).collect() })
}
