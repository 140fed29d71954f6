//! `POST /v1/documents/import`

use domain::document::{DocumentImport, MAX_FILES};
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use serde::Serialize;
use utoipa::ToSchema;

use super::view::DocumentView;

/// The documents that were created.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedDocuments)]
struct ImportedView {
    /// In the order of the files, then of the library.
    #[schema(max_items = 100)]
    documents: Vec<DocumentView>,
}

/// Import documents
///
/// Creates a draft from each file and each policy of the library, all or none. What is wrong with a file is named with its place, such as `#/files/3/slug`.
#[utoipa::path(
    post,
    path = "/v1/documents/import",
    operation_id = "import_documents",
    tag = "Documents",
    request_body = DocumentImport,
    responses((status = 200, description = "Documents created", body = ImportedView))
)]
pub(crate) async fn import(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let import = request.json_of(MAX_FILES, json::body::<DocumentImport>).await?.placed();
    request
        .write(
            async move |tx, organization, author| {
                store::documents::import(tx, organization, author, &import).await
            },
            |made| {
                let documents = made.into_iter().map(DocumentView::from).collect();
                Answer::outcome(&ImportedView { documents })
            },
        )
        .await
}
