//! `POST /v1/imports`

use domain::import::{ImportKind, MAX_FILE_BYTES};
use domain::json;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::query::OneWord;
use lists::imports::{Around, ImportUpload, Opened};
use store::imports::NewImport;

use super::{ImportView, require};

/// The media types of files, besides JSON.
const FILES: &[&str] = &[
    "application/octet-stream",
    "text/csv",
    "text/tab-separated-values",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.oasis.opendocument.spreadsheet",
];

http::parameters! {
    /// What the file is imported as.
    pub(crate) struct ImportParams {
        /// What the file is imported as. It needs the scope that making such records needs: of risks `risks:write`.
        kind: OneWord<ImportKind> = "risks",
    }
}

/// Import a spreadsheet
///
/// Keeps a CSV, TSV, XLSX, XLSM or ODS file of up to 32 MiB for 7 days, and proposes which sheet and header it has, what each of
/// its columns is and how to read what it does not say. Nothing is imported before it is run. What was chosen and answered for
/// the latest file with the same header is taken again.
#[utoipa::path(
    post,
    path = "/v1/imports",
    operation_id = "create_import",
    tag = "Imports",
    params(ImportParams),
    request_body(content(
        (ImportUpload = "application/json"),
        (String = "application/octet-stream"),
        (String = "text/csv"),
        (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (String = "application/vnd.oasis.opendocument.spreadsheet"),
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
    let (file_name, file) = sent(&mut request).await?;
    let organization = request.organization();
    let around = Around::read(&mut request.app.db().read().await?, organization).await?;
    let name = file_name.clone();
    let read = move || Ok((Opened::read(kind, name.as_deref(), &file, None, around)?, file));
    let (mut opened, file) = request.app.convert(read).await?;
    let fingerprint = opened.fingerprint();
    let mut tx = request.app.db().read().await?;
    let mapping = store::imports::mapping(&mut tx, organization, kind, fingerprint).await?;
    drop(tx);
    if let Some(mapping) = mapping {
        opened = request.app.convert(move || Ok::<_, Error>(opened.with(&mapping))).await?;
    }
    let new = NewImport { kind, file_name, proposed: opened.proposed(), file };
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
    Ok((None, request.file(MAX_FILE_BYTES, FILES).await?.to_vec()))
}
