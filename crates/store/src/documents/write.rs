//! Making documents, and changing their properties.

use std::slice;

use db::Tx;
use domain::document::{Document, DocumentWithItems, NewDocument, PlacedItem, PropertiesPatch};
use domain::{Author, Error, ErrorCode, ExpectedVersion, FaultCode, Faults, OrgId, RiskNumber};
use jiff::Timestamp;
use macros::boxed;

use super::item::ItemRow;
use super::journaled::journaled_items;
use super::tag_links::add_tags;
use super::tags::set_tags;
use super::{WithTemplate, library, read, steps, subject};
use crate::ledger::error::{Result, faults_of, if_found};
use crate::ledger::journal::{New, Payload};
use crate::ledger::view::View;
use crate::ledger::{journal, record};
use crate::{people, risks, tags};

/// The kind of entry about a document that was deleted. Its row is gone.
pub(crate) const DELETED: &str = "document.deleted";

/// Makes a document with its items. A slug or a reference that is in use is a conflict.
#[boxed]
pub async fn create(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &NewDocument,
) -> Result<DocumentWithItems> {
    let owner = people::person(tx, organization, new.owner).await?;
    let concerned: Vec<RiskNumber> = new.items.iter().flat_map(|item| item.risks.clone()).collect();
    let concerned = risks::existing(tx, organization, View::now(), &concerned).await?;
    let tags = tags::find(tx, organization, &new.tags).await?;
    let document = new.create(new.check(owner, &concerned, tags.faults(author))?, tx.at());
    steps::check_steps(tx, organization, &new.approval_steps, "#/approval_steps").await?.or(())?;
    let (template, approval_steps) = (new.template.clone(), new.approval_steps.clone());
    let stored = WithTemplate { document, template, approval_steps };
    if !record::insert_unless_taken(tx, organization, &stored).await? {
        let is_slug_taken = read::exists(tx, organization, &new.slug).await?;
        let code = if is_slug_taken { ErrorCode::SlugTaken } else { ErrorCode::ReferenceTaken };
        return Err(Error::Conflict(code).into());
    }
    let items: Vec<_> = new.items.iter().map(|item| PlacedItem { item: item.clone(), value: None }).collect();
    let rows: Vec<_> = (0..).zip(&items).map(|(place, item)| ItemRow::new(&new.slug, place, item)).collect();
    record::insert_all(tx, organization, &rows).await?;
    let mut payload = record::changes(None, &stored).set("items", journaled_items(&items));
    if let Some(text) = &new.library {
        payload = library::keep_library_text(tx, organization, &new.slug, text, payload).await?;
    }
    journal::append(tx, organization, author, "document.created", subject(&new.slug), payload).await?;
    let WithTemplate { mut document, template, approval_steps } = stored;
    if set_tags(tx, organization, author, &document, tags).await? {
        add_tags(tx, organization, slice::from_mut(&mut document)).await?;
    }
    Ok(DocumentWithItems { document, template, approval_steps, items })
}

/// Makes each of these documents unless something is wrong with it, or another one has its slug or its reference.
#[boxed]
pub async fn create_each(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    new: &[&NewDocument],
) -> Result<Vec<std::result::Result<DocumentWithItems, Faults>>> {
    let mut made = Vec::with_capacity(new.len());
    for new in new {
        let taken = |member: &str| {
            let (mut faults, at) = (Faults::new(), format!("#/{member}"));
            faults.add(at, FaultCode::Duplicate, format_args!("Another document has this {member}."));
            faults
        };
        let result = create(tx, organization, author, new).await;
        made.push(match result.map_err(|error| error.0) {
            Ok(document) => Ok(document),
            Err(Error::Invalid(found)) => Err(found),
            Err(Error::Conflict(ErrorCode::SlugTaken)) => Err(taken("slug")),
            Err(Error::Conflict(ErrorCode::ReferenceTaken)) => Err(taken("reference")),
            Err(other) => return Err(other.into()),
        });
    }
    Ok(made)
}

/// Makes documents, all or none. Each has the place that its faults are at.
#[boxed]
pub async fn import(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    placed: &[(String, NewDocument)],
) -> Result<Vec<DocumentWithItems>> {
    let (mut faults, mut made) = (Faults::new(), Vec::new());
    let new: Vec<_> = placed.iter().map(|(_, new)| new).collect();
    for ((at, _), result) in placed.iter().zip(create_each(tx, organization, author, &new).await?) {
        match result {
            Ok(document) => made.push(document),
            Err(found) => faults.extend(found.within(at)),
        }
    }
    Ok(faults.or(made)?)
}

/// Changes the properties of a document by a merge patch, if it has an `expected` version. A patch that changes nothing is
/// not journaled. Its tags are no part of the version.
#[boxed]
pub async fn update_properties(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    expected: &ExpectedVersion,
    patch: &PropertiesPatch,
) -> Result<DocumentWithItems> {
    let before = read(tx, organization, slug).await?;
    expected.check(before.document.version)?;
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    let tags = patch.tags.as_deref().unwrap_or_default();
    let tags = tags::find(tx, organization, tags).await?;
    let changed = patch.apply(&before.document, owner, tx.at(), tags.faults(author))?;
    let mut after = before;
    if let Some(document) = changed {
        let payload = record::changes(Some(&after.document), &document);
        journal::append(tx, organization, author, "document.updated", subject(slug), payload).await?;
        record::replace::<Document>(tx, organization, &document).await?;
        after.document = document;
    }
    if patch.tags.is_some() && set_tags(tx, organization, author, &after.document, tags).await? {
        add_tags(tx, organization, slice::from_mut(&mut after.document)).await?;
    }
    Ok(after)
}

/// Replaces a document, and returns what is journaled.
pub(crate) async fn replace(
    tx: &mut Tx,
    organization: OrgId,
    kind: &'static str,
    before: &Document,
    after: &Document,
) -> Result<New> {
    record::replace(tx, organization, after).await?;
    Ok(New { kind, subject: subject(&after.slug), payload: record::changes(Some(before), after) })
}

/// Replaces documents, each with the kind of its journal entry, as it was and as it becomes.
pub(crate) async fn replace_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    changed: &[(&'static str, Document, Document)],
) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let entry = |(kind, before, after): &(&'static str, Document, Document)| New {
        kind,
        subject: subject(&after.slug),
        payload: record::changes(Some(before), after),
    };
    journal::append_all(tx, organization, author, changed.iter().map(entry).collect()).await?;
    let after: Vec<&Document> = changed.iter().map(|(_, _, after)| after).collect();
    record::replace_each(tx, organization, &after).await
}

/// Deletes a document with its items and tags for good, and returns what is journaled.
pub(crate) async fn delete(tx: &mut Tx, organization: OrgId, document: &Document) -> Result<New> {
    let slug = document.slug.as_str();
    for table in ["document_item", "document_library_text", "document_tag"] {
        let sql = format!("DELETE FROM {table} WHERE organization = $1 AND document = $2");
        tx.send(&sql, &[&organization.uuid(), &slug]).await?;
    }
    record::delete::<Document>(tx, organization, &[slug.into()]).await?;
    let payload = Payload::new().gone("title", &document.title);
    Ok(New { kind: DELETED, subject: subject(slug), payload })
}

/// What is wrong with a patch beside the document as it is at `now`; nothing if there is no such document. For a patch that
/// is refused anyway, so that all faults are reported at once.
#[boxed]
pub async fn patch_faults(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    patch: &PropertiesPatch,
    now: Timestamp,
) -> Result<Faults> {
    let found = if_found(read::get(tx, organization, slug).await)?;
    let Some(before) = found else { return Ok(Faults::new()) };
    let owner = people::person(tx, organization, patch.owner.value().copied()).await?;
    Ok(faults_of(patch.apply(&before.document, owner, now, Faults::new())))
}
