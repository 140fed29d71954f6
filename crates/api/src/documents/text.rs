//! `GET /v1/documents/{id}/text`

use axum::body::Body;
use axum::response::Response;
use db::Tx;
use domain::document::{PublishedText, body_of, sha256};
use domain::{OrgId, ResourceKind};
use http::App;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::error_codes::ParameterCode;
use http::made_files::KeptText;
use http::query::{Number, OneWord, Query};
use http::route::Unchanging;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue};
use lists::document_file::{self, Around};
use lists::printed_file::Form;

domain::words! {
    "TextFormat"
    /// The form of a document's text.
    pub(crate) enum Format {
        /// The text that is hashed: Markdown with its front matter.
        Markdown = "markdown",
        /// HTML of the text, without front matter, that is safe in a page.
        Html = "html",
        /// A Word file, with what is known of the text on its first page.
        Docx = "docx",
        /// A PDF file (PDF/UA-1), with the same on its first page.
        Pdf = "pdf",
    }
}

http::parameters! {
    /// In which form.
    struct FormatParam {
        /// The form, `markdown` by default.
        format: OneWord<Format>,
    }
}

http::parameters! {
    /// Which text.
    pub(super) struct WhichText {
        /// A published version; without it the one in force, and before the first is in force the latest.
        #[example = 2]
        version: Number<1, 2_147_483_647>,
        /// A proposal: the text that its approval publishes or has published.
        #[example = 3]
        proposal: Number<1, 2_147_483_647>,
    }
}

/// Read a document's text
///
/// The published text that is in force, the text of a version, or the text that the approval of a proposal publishes. As `markdown`
/// these are the bytes that are hashed, and the ETag is their SHA-256. A version never changes and may be stored for ever. A PDF cannot
/// show characters that its fonts do not have, such as Chinese ones.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/text",
    operation_id = "read_document_text",
    tag = "Documents",
    params(crate::path::DocumentId, FormatParam, WhichText),
    responses(
        (status = 200, description = "The text", content((String = "text/markdown"), (String = "text/html"),
            (String = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            (String = "application/pdf")),
            headers(("ETag" = String, description = "As `markdown` the SHA-256 of the text"))),
        (status = 404, description = "Document not found, Version not found, or Proposal not found"),
        (status = 422, description = "The fonts of PDF files do not have all characters of the text"),
    )
)]
pub(crate) async fn read(request: ApiRequest) -> Result<Response> {
    let slug = super::slug(&request)?;
    let mut query = request.query();
    let FormatParam { format } = FormatParam::read(&mut query);
    let asked = WhichText::read(&mut query);
    asked.check(&mut query);
    if format == Some(Format::Pdf) && !render::PRINTS_PDF {
        query.fault(
            "format",
            ParameterCode::Enum,
            "is markdown, html or docx: this program was built without PDF",
        );
    }
    query.finish()?;
    let format = format.unwrap_or(Format::Markdown);
    let (app, of) = (&request.app, (request.organization(), slug.as_str()));
    let mut response = match (asked.proposal, asked.version) {
        (Some(number), _) => proposed(app, of, number, format).await?,
        (None, Some(number)) if format.form().is_none() => version(app, of, number, format).await?,
        (None, number) => published_as(app, of, number, format).await?,
    };
    if asked.version.is_some() {
        response.extensions_mut().insert(Unchanging);
    }
    Ok(response)
}

/// The text that the approval of a proposal publishes or has published.
async fn proposed(
    app: &App,
    (organization, slug): (OrgId, &str),
    number: i64,
    format: Format,
) -> Result<Response> {
    let mut tx = app.db().read().await?;
    let draft = store::proposals::draft(&mut tx, organization, slug, number, None).await?;
    drop(tx);
    let (text, which) = (draft.markdown, (number, draft.proposal.status));
    match format.form() {
        Some(form) => document_file::proposed(app, form, slug, which, &text).await,
        None => Ok(respond(format, format.kept(&text, &sha256(&text))?)),
    }
}

/// The text of a published version, from memory if it was read before.
async fn version(
    app: &App,
    (organization, slug): (OrgId, &str),
    number: i64,
    format: Format,
) -> Result<Response> {
    let key = format!("{organization} {slug} {number} {format}");
    if let Some(kept) = app.texts().get(&key) {
        return Ok(respond(format, kept));
    }
    let mut tx = app.db().read().await?;
    let it = store::documents::version(&mut tx, organization, slug, number).await?;
    drop(tx);
    let kept = format.kept(&it.markdown, &it.version.sha256)?;
    app.texts().keep(key, kept.clone());
    Ok(respond(format, kept))
}

/// A published text in any form.
async fn published_as(
    app: &App,
    (organization, slug): (OrgId, &str),
    number: Option<i64>,
    format: Format,
) -> Result<Response> {
    let now = (app.db().clock())();
    let mut tx = app.db().read().await?;
    let it = published(&mut tx, organization, slug, number, now).await?;
    let Some(form) = format.form() else {
        return Ok(respond(format, format.kept(&it.markdown, &it.version.sha256)?));
    };
    let around = Around::read(&mut tx, organization, slug, &it).await?;
    drop(tx);
    document_file::published(app, form, &it, &around).await
}

/// The text of a version; without a number the version in force, and before the first is in force the latest.
pub(super) async fn published(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    version: Option<i64>,
    now: jiff::Timestamp,
) -> Result<PublishedText> {
    let number = match version {
        Some(number) => number,
        None => {
            if let Some(version) = store::documents::in_force(tx, organization, slug, now).await? {
                return Ok(version);
            }
            let document = store::documents::get(tx, organization, slug).await?.document;
            document.published_version.ok_or(Error::not_found(ResourceKind::DocumentVersion))?
        }
    };
    Ok(store::documents::version(tx, organization, slug, number).await?)
}

impl WhichText {
    /// Not both of them.
    pub(super) fn check(&self, query: &mut Query<'_>) {
        if self.version.and(self.proposal).is_some() {
            query.fault("version", ParameterCode::Format, "cannot be sent together with proposal");
        }
    }
}

impl Format {
    /// The form of the file, if it is one.
    fn form(self) -> Option<Form> {
        match self {
            Self::Docx => Some(Form::Word),
            Self::Pdf => Some(Form::Pdf),
            Self::Markdown | Self::Html => None,
        }
    }

    /// A text that is no file, with its tag: the hash of the Markdown, and the format unless that is what was hashed.
    fn kept(self, markdown: &str, hash: &str) -> Result<KeptText> {
        let (text, tag) = match self {
            Self::Html => (render::html(body_of(markdown)).to_string(), format!("\"{hash}-{self}\"")),
            _ => (markdown.to_owned(), format!("\"{hash}\"")),
        };
        let tag = HeaderValue::try_from(tag).map_err(|error| Error::internal(format!("an ETag: {error}")))?;
        Ok(KeptText { text: text.into(), tag })
    }
}

fn respond(format: Format, KeptText { text, tag }: KeptText) -> Response {
    let mut response = Response::new(Body::from(text));
    let media_type = match format {
        Format::Html => "text/html; charset=utf-8",
        _ => "text/markdown; charset=utf-8",
    };
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response.headers_mut().insert(ETAG, tag);
    response
}
