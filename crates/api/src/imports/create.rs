//! `POST /v1/imports`

use domain::import::{ImportKind, MAX_FILE_BYTES};
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::query::OneWord;
use http::upload;
use lists::imports::{ImportUpload, file_name};
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};

use super::{ImportView, require};

/// The media types of files, besides JSON.
const FILES: &[&str] = &[
    "application/octet-stream",
    "text/csv",
    "text/tab-separated-values",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
    upload::MEDIA_TYPE,
];

/// The bytes of a file, as the document describes them.
struct ImportFile;

impl utoipa::PartialSchema for ImportFile {
    fn schema() -> RefOr<Schema> {
        let binary = SchemaFormat::KnownFormat(KnownFormat::Binary);
        let text = ObjectBuilder::new().schema_type(Type::String).format(Some(binary));
        text.max_length(Some(MAX_FILE_BYTES)).into()
    }
}

impl ToSchema for ImportFile {}

/// A form with a file.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what is read without it")]
struct ImportForm {
    /// The file.
    file: ImportFile,
}

http::parameters! {
    /// What the file is imported as.
    pub(crate) struct ImportParams {
        /// What the file is imported as. It needs the scope that making such records needs: of risks and evaluations
        /// `risks:write`, of incidents `incidents:write`, and `incidents:override` if the file has statuses or dates of the past, of tags
        /// `tags:write`.
        kind: OneWord<ImportKind> = "risks",
    }
}

/// Import a spreadsheet
///
/// Keeps a CSV, TSV, XLSX, XLSM or ODS file of up to 32 MiB for 7 days, and proposes which sheet and header it has, what each of
/// its columns is and how to read what it does not say. Nothing is imported before it is run. What was chosen and answered for
/// the latest file with the same header is taken again. The body is the file, with its own media type or as
/// `application/octet-stream`; a form with it; or JSON with it in base64.
#[utoipa::path(
    post,
    path = "/v1/imports",
    operation_id = "create_import",
    tag = "Imports",
    params(ImportParams),
    request_body(content(
        (ImportUpload = "application/json"),
        (ImportForm = "multipart/form-data"),
        (ImportFile = "application/octet-stream"),
    )),
    responses(
        (status = 201, description = "Import created", body = ImportView),
        (status = 404, description = "Import not found: it was created under this `Idempotency-Key` and is absent by now"),
    )
)]
pub(crate) async fn create(mut request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let kind = ImportParams::read(&mut query).kind.unwrap_or(ImportKind::Risks);
    query.finish()?;
    require(&request, kind)?;
    let (name, file) = sent(&mut request).await?;
    let new = lists::imports::sent(&request.app, request.organization(), kind, name, file).await?;
    request
        .write(
            async move |tx, organization, author| {
                store::imports::create(tx, organization, author, &new).await
            },
            |import| {
                Answer::created(
                    format!("/v1/imports/{}", import.id),
                    import.version,
                    &ImportView::from(import),
                )
            },
        )
        .await
}

/// The name of the file, if it is sent, and its bytes.
async fn sent(request: &mut ApiRequest) -> Result<(Option<String>, Vec<u8>)> {
    if request.is_json() {
        let upload = request.json(json::body::<ImportUpload>).await?;
        return Ok((upload.name.map(String::from), upload.content));
    }
    let (name, file) = request.file(MAX_FILE_BYTES, FILES).await?;
    Ok((name.as_deref().and_then(file_name), file.into()))
}
