//! `POST /v1/documents/import`

use domain::document::DocumentWithItems;
use domain::{Line, json};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use lists::document_import::{DocumentImport, MAX_FILES, Uploaded};
use serde::Serialize;
use utoipa::ToSchema;

use super::view::DocumentView;

/// The documents that were created.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedDocuments)]
struct ImportedView {
    /// In the order of the files, of the uploads, then of the library.
    #[schema(max_items = 150)]
    documents: Vec<DocumentView>,
    /// What became of each upload.
    #[schema(max_items = 50)]
    uploads: Vec<UploadedView>,
}

/// What became of an upload.
#[derive(Serialize, ToSchema, Clone)]
#[schema(as = ImportedUpload)]
struct UploadedView {
    /// The name of the file.
    #[schema(examples("Visitors.html"))]
    name: Line,
    /// The slug of its document.
    #[schema(examples("visitors"), max_length = 80)]
    slug: String,
    /// What was in the file and is not in the document, each kind with its number.
    #[schema(max_items = 100, max_length = 200, examples(json!(["images: 1"])))]
    not_kept: Vec<String>,
}

impl From<&Uploaded> for UploadedView {
    fn from(it: &Uploaded) -> Self {
        let Uploaded { name, draft } = it;
        Self { name: name.clone(), slug: draft.new.slug.clone(), not_kept: draft.not_kept.clone() }
    }
}

/// Import documents
///
/// Creates a draft from each file, each upload and each policy of the library, all or none. What is wrong with a file is named
/// with its place, such as `#/files/3/slug`. The title of an upload is `title`, else the document's own, else the name of the
/// file; its slug is `slug`, else made from the title.
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
    let import = request.json_converted(MAX_FILES, json::body::<DocumentImport>).await?;
    let uploads: Vec<UploadedView> = import.uploads.iter().map(UploadedView::from).collect();
    let placed = import.placed();
    let rows = placed.iter().map(|(_, new)| new.count()).sum();
    request
        .write_rows(
            rows,
            async move |tx, organization, author| {
                store::documents::import(tx, organization, author, &placed).await
            },
            move |made: Vec<DocumentWithItems>| {
                let documents = made.into_iter().map(DocumentView::from).collect();
                Answer::outcome(&ImportedView { documents, uploads: uploads.clone() })
            },
        )
        .await
}
