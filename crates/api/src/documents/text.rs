//! `GET /v1/documents/{id}/text`

use axum::body::Body;
use axum::response::Response;
use db::Tx;
use domain::document::{body_of, sha256};
use domain::{OrgId, ResourceKind};
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::error_codes::ParameterCode;
use http::query::{Number, OneWord};
use http::route::Unchanging;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue};

domain::words! {
    "TextFormat"
    /// The form of a document's text.
    pub(crate) enum Format {
        /// The text that is hashed: Markdown with its front matter.
        Markdown = "markdown",
        /// HTML of the text, without front matter, that is safe in a page.
        Html = "html",
    }
}

http::parameters! {
    /// Which text.
    struct TextParams {
        /// The form, `markdown` by default.
        format: OneWord<Format>,
        /// A published version; without it the one in force, and before the first is in force the latest.
        #[example = 2]
        version: Number<1, 2_147_483_647>,
        /// A proposal, whose text is that which an approval publishes.
        #[example = 3]
        proposal: Number<1, 2_147_483_647>,
    }
}

/// Read a document's text
///
/// The published text that is in force, that of a version, or that which the approval of a proposal publishes. As `markdown` these
/// are the bytes that are hashed, and the ETag is their SHA-256. A version never changes and may be stored for ever.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/text",
    operation_id = "read_document_text",
    tag = "Documents",
    params(crate::path::DocumentId, TextParams),
    responses(
        (status = 200, description = "The text", content((String = "text/markdown"), (String = "text/html")),
            headers(("ETag" = String, description = "The SHA-256 of the text"))),
        (status = 404, description = "Document not found, Version not found, or Proposal not found"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let asked = TextParams::read(&mut query);
    if asked.version.and(asked.proposal).is_some() {
        query.fault("version", ParameterCode::Format, "cannot be sent together with proposal");
    }
    query.finish()?;
    let now = (request.app.db().clock())();
    let mut tx = request.app.db().read().await?;
    let text = match asked.proposal {
        Some(number) => {
            store::proposals::draft(&mut tx, request.organization(), &slug, number, None).await?.markdown
        }
        None => published(&mut tx, request.organization(), &slug, asked.version, now).await?,
    };
    drop(tx);
    let mut response = response(&text, asked.format.unwrap_or(Format::Markdown));
    if asked.version.is_some() {
        response.extensions_mut().insert(Unchanging);
    }
    Ok(response)
}

/// The text of a version; without one of that which is in force, and before the first is in force of the latest.
async fn published(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    version: Option<i64>,
    now: jiff::Timestamp,
) -> Result<String> {
    let number = match version {
        Some(number) => number,
        None => {
            if let Some(version) = store::documents::in_force(tx, organization, slug, now).await? {
                return Ok(version.markdown);
            }
            let document = store::documents::get(tx, organization, slug).await?.document;
            document.published_version.ok_or(Error::not_found(ResourceKind::DocumentVersion))?
        }
    };
    Ok(store::documents::version(tx, organization, slug, number).await?.markdown)
}

fn response(text: &str, format: Format) -> Response {
    let hash = sha256(text);
    let (media_type, tag, body) = match format {
        Format::Markdown => ("text/markdown; charset=utf-8", format!("\"{hash}\""), text.to_owned()),
        Format::Html => {
            let html = render::html(body_of(text)).to_string();
            ("text/html; charset=utf-8", format!("\"{hash}-html\""), html)
        }
    };
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.extend(HeaderValue::try_from(tag).ok().map(|tag| (ETAG, tag)));
    response
}
