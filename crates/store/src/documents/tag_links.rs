//! How tags are on documents.

use db::Tx;
use domain::document::Document;
use domain::{OrgId, ResourceKind};

use super::subject;
use crate::ledger::error::Result;
use crate::ledger::list::TagLink;
use crate::ledger::tag_links::TagLinks;

/// How tags are on documents.
pub(crate) const TAGS: TagLinks<String> = TagLinks {
    link: TagLink { table: "document_tag", record: "document", key: "slug" },
    subject: |slug| subject(slug),
    added: "document.tag_added",
    removed: "document.tag_removed",
    missing: ResourceKind::DocumentOrTag,
    record: ResourceKind::Document,
    noun: "A document",
};

/// Fills in the tags of all these documents with one statement.
pub(super) async fn add_tags(tx: &mut Tx, organization: OrgId, documents: &mut [Document]) -> Result<()> {
    let slugs = documents.iter().map(|it| it.slug.clone());
    let mut tags = TAGS.labels(tx, organization, slugs, None).await?;
    for document in documents {
        document.tags = tags.remove(&document.slug).unwrap_or_default();
    }
    Ok(())
}
