//! Published versions of documents.

use db::{Tx, Value};
use domain::document::{self, DocumentVersion, PublishedText};
use domain::{Error, OrgId, ResourceKind};
use jiff::{SignedDuration, Timestamp};
use macros::boxed;
use serde_json::json;

use super::read;
use crate::ledger::error::Result;
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::page::Page;
use crate::ledger::record::{Record, Stored, record};
use crate::ledger::view::View;

record! {
    DocumentVersion in "document_version" {
        document: Plain => Key,
        number: Plain => Key,
        proposal: Plain => Fixed,
        sha256: Plain => Fixed,
        html_sha256: Plain => Fixed,
        summary: Plain => Fixed,
        is_material: Plain => Fixed,
        material_reason: Plain => Fixed,
        effective_date: Plain => Fixed,
        approved_by: AnActor => Fixed,
        approved_date: Plain => Fixed,
        note: Plain => Fixed,
    }
}

record! {
    PublishedText in "document_version" with version: DocumentVersion {
        markdown: Plain => Fixed,
    }
}

/// A published version of a document with its text.
#[boxed]
pub async fn version(tx: &mut Tx, organization: OrgId, slug: &str, number: i64) -> Result<PublishedText> {
    let found = of_document::<PublishedText>(organization, slug)
        .filter(Filter::is("number", number.into()))
        .one(tx)
        .await?;
    if let Some(Stored(version)) = found {
        return Ok(version);
    }
    read::require(tx, organization, slug).await?;
    Err(Error::NotFound(ResourceKind::DocumentVersion).into())
}

/// The latest published version of a document whose text has this SHA-256: of those until the approval of the `proposal`, if there
/// is one.
#[boxed]
pub async fn version_with_hash(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    sha256: &str,
    proposal: Option<i64>,
) -> Result<Option<PublishedText>> {
    // A document has one open proposal at a time.
    let until = Filter::Within("proposal", None, proposal.map(|number| (number + 1).into()));
    let select = of_document::<PublishedText>(organization, slug);
    let select = select.filter(Filter::is("sha256", sha256.into())).filter(until);
    let latest = select.order(&["number"], Direction::Descending, []).first(tx, 1).await?;
    Ok(latest.into_iter().next().map(|Stored::<PublishedText>(version)| version))
}

/// The version of a document that is in force: the latest whose day has come (UTC). None before the first.
#[boxed]
pub async fn in_force(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    now: Timestamp,
) -> Result<Option<PublishedText>> {
    let has_come = Filter::Within("effective_date", None, Some(read::tomorrow(now).into()));
    let select = of_document::<PublishedText>(organization, slug).filter(has_come);
    let latest = select.order(&["number"], Direction::Descending, []).first(tx, 1).await?;
    Ok(latest.into_iter().next().map(|Stored::<PublishedText>(version)| version))
}

/// The version of a document that was the newest at a moment. None before the first.
#[boxed]
pub async fn newest(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    at: Timestamp,
) -> Result<Option<PublishedText>> {
    let after = at + SignedDuration::from_micros(1);
    let was_published = Filter::Within("approved_date", None, Some(after.into()));
    let select = of_document::<PublishedText>(organization, slug).filter(was_published);
    let latest = select.order(&["number"], Direction::Descending, []).first(tx, 1).await?;
    Ok(latest.into_iter().next().map(|Stored::<PublishedText>(version)| version))
}

/// Up to `limit` published versions of a document, the latest first: those before the version `before`.
#[boxed]
pub async fn versions(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    before: Option<i64>,
    limit: i64,
) -> Result<Page<DocumentVersion>> {
    read::require(tx, organization, slug).await?;
    let select = of_document::<DocumentVersion>(organization, slug);
    let select = select.order(&["number"], Direction::Descending, before.map(Value::from));
    Ok(select.page(tx, limit).await?.map(|Stored(version): Stored<DocumentVersion>| version))
}

/// How many versions of a document were published.
#[boxed]
pub async fn count_versions(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<i64> {
    of_document::<DocumentVersion>(organization, slug).count(tx).await
}

/// Every published version of a document.
pub(crate) async fn all_versions(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<Vec<PublishedText>> {
    let rows = of_document::<PublishedText>(organization, slug)
        .order(&["number"], Direction::Ascending, [])
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(|Stored::<PublishedText>(version)| version).collect())
}

fn of_document<'q, R: Record>(organization: OrgId, slug: &'q str) -> Select<'q, R> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("document", slug.into()))
}

/// A version as the journal has it: of its text the hash, which is computed again, so that a changed text is found.
pub(super) fn journaled_version(
    PublishedText { version: it, markdown }: &PublishedText,
) -> serde_json::Value {
    let hash = document::sha256(markdown);
    json!({
        "proposal": it.proposal,
        "sha256": if hash == it.sha256 { hash.as_str() } else { "" },
        "html_sha256": it.html_sha256,
        "summary": it.summary,
        "material": it.is_material,
        "material_reason": it.material_reason,
        "effective_date": it.effective_date,
        "approved_by": {"type": it.approved_by.kind, "id": it.approved_by.id},
        "approved_date": domain::time::format(it.approved_date),
        "note": it.note,
    })
}
