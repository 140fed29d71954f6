//! `GET /v1/documents/{id}/proposals/{number}/difference`, `GET /v1/documents/{id}/versions/{number}/difference`

use db::Tx;
use domain::document::{PublishedText, body_of, sha256};
use domain::{Actor, Error as E, OrgId, ResourceKind, TextDifference, UserId};
use http::App;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::{Error, Result};
use http::query::{Number, Parameter, Query};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::shared::number;

http::parameters! {
    /// What a version is compared with.
    struct FromParams {
        /// An earlier or later version; the one before if it is not sent.
        #[example = 1]
        from: Number<1, 2_147_483_647>,
    }
}

http::parameters! {
    /// What a proposal is compared with.
    struct SinceParams {
        /// `published`, the latest version, by default; `seen`, what the caller has read (`…/seen`); or the SHA-256 of a published
        /// version or of what the caller has read.
        #[example = "seen"]
        from: Since,
    }
}

/// What a proposal is compared with.
enum Since {
    Published,
    Seen,
    /// A text with this SHA-256.
    Hash(String),
}

impl Parameter for Since {
    type Value = Option<Self>;

    fn read(query: &mut Query<'_>, name: &'static str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        query.parsed(name, "must be published, seen or a SHA-256", |text| match text {
            "published" => Some(Self::Published),
            "seen" => Some(Self::Seen),
            hash => (hash.len() == 64 && hash.bytes().all(is_digit)).then(|| Self::Hash(hash.to_owned())),
        })
    }

    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(64));
        text.pattern(Some("^(published|seen|[0-9a-f]{64})$")).into()
    }
}

/// A text that another one is compared with.
struct Before {
    /// The number of a published version.
    version: Option<i64>,
    /// What it is called.
    name: String,
    markdown: String,
}

impl From<PublishedText> for Before {
    fn from(it: PublishedText) -> Self {
        let number = it.version.number;
        Self { version: Some(number), name: format!("version {number}"), markdown: it.markdown }
    }
}

/// What differs between two texts of a document.
#[derive(Serialize, ToSchema)]
#[schema(as = TextDifference)]
struct DifferenceView {
    /// The published version that it is compared with; null if it is none.
    #[schema(minimum = 1)]
    from: Option<i64>,
    /// The SHA-256 of the text that it is compared with; null if there is none, and everything is new.
    #[schema(max_length = 64, pattern = "^[0-9a-f]{64}$")]
    from_sha256: Option<String>,
    /// The SHA-256 of the compared text.
    #[schema(
        max_length = 64,
        pattern = "^[0-9a-f]{64}$",
        examples("e7b9e35203a4b1d82384359e03969a4bec9f4abce5516e9ba7946cbb8cf84b4c")
    )]
    sha256: String,
    /// A unified diff of the two texts with their front matter; empty if they are equal.
    #[schema(max_length = 67_108_864)]
    text: String,
    /// The changed lines behind the front matter with their neighbours, as HTML that is safe in a page: words that are gone in
    /// `del`, new ones in `ins`.
    #[schema(max_length = 67_108_864)]
    html: String,
}

/// Compare a proposal
///
/// What its approval changes in the published text, or what was changed since the caller has read it.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/proposals/{number}/difference",
    operation_id = "compare_proposal",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the proposal"),
        SinceParams,
    ),
    responses(
        (status = 200, description = "The difference", body = DifferenceView),
        (status = 404, description = "Document not found, Proposal not found, or Earlier text not found"),
    )
)]
pub(crate) async fn of_proposal(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, number)?;
    let mut query = request.query();
    let from = SinceParams::read(&mut query).from.unwrap_or(Since::Published);
    query.finish()?;
    let person = UserId::parse(&request.actor().id);
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let before = match (from, draft.document.document.published_version) {
        (Since::Published, None) => None,
        (Since::Published, Some(latest)) => {
            Some(store::documents::version(&mut tx, organization, &slug, latest).await?.into())
        }
        (Since::Seen, _) => Some(seen(&mut tx, organization, person, number, None).await?),
        (Since::Hash(hash), _) => Some(known(&mut tx, (organization, &slug), (person, number), &hash).await?),
    };
    drop(tx);
    compared(before, &format!("proposal {number}"), &draft.markdown)
}

/// The text with a hash: a published version, or what the caller has read of the proposal.
async fn known(
    tx: &mut Tx,
    (organization, slug): (OrgId, &str),
    (person, number): (Option<UserId>, i64),
    hash: &str,
) -> Result<Before> {
    match store::documents::version_with_hash(tx, organization, slug, hash, None).await? {
        Some(version) => Ok(version.into()),
        None => seen(tx, organization, person, number, Some(hash)).await,
    }
}

/// What the caller has read of a proposal, if it has this hash.
async fn seen(
    tx: &mut Tx,
    organization: OrgId,
    person: Option<UserId>,
    number: i64,
    hash: Option<&str>,
) -> Result<Before> {
    let found = match person {
        Some(person) => store::proposals::seen(tx, organization, person, number).await?,
        None => None,
    };
    let found = found.filter(|seen| hash.is_none_or(|hash| hash == seen.sha256));
    let found = found.ok_or(Error::not_found(ResourceKind::EarlierText))?;
    let name = format!("proposal {number} as it was read");
    Ok(Before { version: None, name, markdown: found.markdown })
}

/// Compare two versions
///
/// What a version changes, by default in the one before.
#[utoipa::path(
    get,
    path = "/v1/documents/{id}/versions/{number}/difference",
    operation_id = "compare_document_versions",
    tag = "Documents",
    params(
        crate::path::DocumentId,
        ("number" = i64, Path, minimum = 1, description = "Number of the version"),
        FromParams,
    ),
    responses(
        (status = 200, description = "The difference", body = DifferenceView),
        (status = 404, description = "Document not found, or Version not found"),
    )
)]
pub(crate) async fn of_version(request: ApiRequest) -> Result<Answer> {
    let slug = super::slug(&request)?;
    let number = request.path(1, ResourceKind::DocumentVersion, number)?;
    let mut query: Query<'_> = request.query();
    let from = FromParams::read(&mut query).from.unwrap_or(number - 1);
    query.finish()?;
    let (organization, mut tx) = (request.organization(), request.app.db().read().await?);
    let after = store::documents::version(&mut tx, organization, &slug, number).await?;
    let before = match from {
        0 => None,
        from => Some(store::documents::version(&mut tx, organization, &slug, from).await?),
    };
    drop(tx);
    compared(before.map(Before::from), &format!("version {number}"), &after.markdown)
}

/// The longest difference, in bytes, that a refusal has.
const MOST_REFUSED: usize = 16_384;

/// The refusal of an approval of the text with the hash `named`, with what the present text changes in that one.
pub(super) async fn since_approved(
    (app, organization, actor): (&App, OrgId, &Actor),
    (slug, number): (&str, i64),
    named: &str,
    refusal: Error,
) -> Error {
    let Error::Domain(E::ProposalChanged { .. }) = refusal else { return refusal };
    let compared = async {
        let mut tx = app.db().read().await?;
        let draft = store::proposals::draft(&mut tx, organization, slug, number, None).await?;
        let person = UserId::parse(&actor.id);
        let before = known(&mut tx, (organization, slug), (person, number), named).await?;
        let path = format!("/v1/documents/{slug}/proposals/{number}/difference?from={named}");
        let difference = Some(short(path, &before, (&format!("proposal {number}"), &draft.markdown)));
        Ok::<_, Error>(E::ProposalChanged { sha256: sha256(&draft.markdown), difference })
    };
    compared.await.map_or(refusal, Error::Domain)
}

/// The refusal of an acknowledgement of the text with the hash `named`, with what the newest text changes in that one.
pub(crate) async fn since_acknowledged(
    (app, organization): (&App, OrgId),
    slug: &str,
    named: &str,
    refusal: Error,
) -> Error {
    let Error::Domain(E::VersionSuperseded { .. }) = refusal else { return refusal };
    let compared = async {
        let mut tx = app.db().read().await?;
        let newest = store::documents::get(&mut tx, organization, slug).await?.document.published_version;
        let newest =
            store::documents::version(&mut tx, organization, slug, newest.unwrap_or_default()).await?;
        let before = store::documents::version_with_hash(&mut tx, organization, slug, named, None).await?;
        let before = before.ok_or(Error::not_found(ResourceKind::EarlierText))?;
        let (from, number) = (before.version.number, newest.version.number);
        let path = format!("/v1/documents/{slug}/versions/{number}/difference?from={from}");
        let difference = Some(short(path, &before.into(), (&format!("version {number}"), &newest.markdown)));
        Ok::<_, Error>(E::VersionSuperseded { sha256: newest.version.sha256, difference })
    };
    compared.await.map_or(refusal, Error::Domain)
}

/// What differs between two texts, without the difference if it is long.
fn short(path: String, before: &Before, (name, after): (&str, &str)) -> TextDifference {
    let text = render::difference((&before.name, &before.markdown), (name, after)).unified;
    TextDifference { path, text: Some(text).filter(|text| text.len() <= MOST_REFUSED) }
}

fn compared(before: Option<Before>, name: &str, after: &str) -> Result<Answer> {
    let from_sha256 = before.as_ref().map(|it| sha256(&it.markdown));
    let nothing = || Before { version: None, name: "nothing".to_owned(), markdown: String::new() };
    let before = before.unwrap_or_else(nothing);
    let text = render::difference((&before.name, &before.markdown), (name, after)).unified;
    let html = render::difference(("", body_of(&before.markdown)), ("", body_of(after))).html.to_string();
    let from = before.version;
    Answer::record(None, &DifferenceView { from, from_sha256, sha256: sha256(after), text, html })
}
