//! Requests to acknowledge a document.

use std::collections::HashSet;

use db::{Tx, Value};
use domain::acknowledgement::{AcknowledgementRequest, NewAcknowledgementRequest};
use domain::{AcknowledgementRequestId, Author, Error, FaultCode, OrgId, ResourceKind, UserId};
use macros::boxed;

use super::check_newest;
use super::pseudonyms::pseudonyms;
use crate::ledger::error::Result;
use crate::ledger::journal::{self, New, Subject};
use crate::ledger::list::{Direction, Filter, Select};
use crate::ledger::members;
use crate::ledger::page::Page;
use crate::ledger::record::{self, Stored};
use crate::ledger::view::View;
use crate::{documents, groups};

/// The kind of the entry about a new request.
const CREATED: &str = "acknowledgement_request.created";

/// The subject of a request's entries.
pub(super) fn subject(id: AcknowledgementRequestId) -> Subject {
    Subject::new("acknowledgement_request", id.to_string())
}

/// Asks people to acknowledge a document from now on. The version has to be the newest one.
#[boxed]
pub async fn request(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    (slug, number): (&str, i64),
    new: &NewAcknowledgementRequest,
) -> Result<AcknowledgementRequest> {
    check_newest(tx, organization, (slug, number), None).await?;
    check_people(tx, organization, new).await?;
    let mut request = made(tx, author, (slug, number), new);
    let (payload, kind) = (record::changes(None, &request), CREATED);
    request.seq_from = journal::append(tx, organization, author, kind, subject(request.id), payload).await?;
    record::insert(tx, organization, &request).await?;
    Ok(request)
}

/// Asks people to acknowledge these documents, of which these are the newest versions, if there are these people.
pub(crate) async fn request_all(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    documents: &[(&str, i64)],
    new: &NewAcknowledgementRequest,
) -> Result<()> {
    if documents.is_empty() {
        return Ok(());
    }
    let mut requests: Vec<_> = documents.iter().map(|of| made(tx, author, *of, new)).collect();
    let entry = |it: &AcknowledgementRequest| New {
        kind: CREATED,
        subject: subject(it.id),
        payload: record::changes(None, it),
    };
    let last = journal::append_all(tx, organization, author, requests.iter().map(entry).collect()).await?;
    for (request, seq) in requests.iter_mut().rev().zip((1..=last).rev()) {
        request.seq_from = seq;
    }
    record::insert_all(tx, organization, &requests).await
}

/// Those of these documents for which a request of the same people, with as many days, is in force.
pub(crate) async fn asked_already(
    tx: &mut Tx,
    organization: OrgId,
    slugs: &[String],
    new: &NewAcknowledgementRequest,
) -> Result<HashSet<String>> {
    let of_these = Filter::among_texts(tx.engine(), "document", slugs);
    let select = Select::<AcknowledgementRequest>::of(organization, View::with_deleted()).filter(of_these);
    let open: Vec<Stored<AcknowledgementRequest>> =
        select.filter(Filter::is("ended_date", Value::Null)).all(tx).await?;
    let people = |users: &[UserId]| users.iter().copied().collect::<HashSet<_>>();
    let wanted = people(new.users.as_deref().unwrap_or_default());
    let is_same = |it: &AcknowledgementRequest| {
        (it.who, it.role, it.group, it.due_days) == (new.who, new.role, new.group, new.due_days)
            && people(&it.users) == wanted
    };
    let same = open.into_iter().map(|Stored(request)| request).filter(is_same);
    Ok(same.map(|request| request.document).collect())
}

/// A request that is made now.
fn made(
    tx: &mut Tx,
    author: &Author,
    (slug, number): (&str, i64),
    new: &NewAcknowledgementRequest,
) -> AcknowledgementRequest {
    AcknowledgementRequest {
        id: AcknowledgementRequestId(tx.uuid()),
        document: slug.to_owned(),
        document_version: number,
        who: new.who,
        role: new.role,
        group: new.group,
        users: new.users.clone().unwrap_or_default(),
        due_days: new.due_days,
        created_by: author.actor.clone(),
        created_date: tx.at(),
        ended_date: None,
        seq_from: 0,
    }
}

/// The group and the members that it names exist.
pub(crate) async fn check_people(
    tx: &mut Tx,
    organization: OrgId,
    new: &NewAcknowledgementRequest,
) -> Result<()> {
    if let Some(group) = new.group
        && let Err(error) = groups::get(tx, organization, group).await
    {
        return match error.0 {
            Error::NotFound(_) => {
                let detail = "No group of the organization has this id.";
                Err(Error::invalid("#/group", FaultCode::UnknownGroup, detail).into())
            }
            _ => Err(error),
        };
    }
    let Some(users) = &new.users else { return Ok(()) };
    let known = members::among(tx, organization, users).await?;
    let mut faults = domain::Faults::new();
    for (place, _) in users.iter().enumerate().filter(|(_, user)| !known.contains(user)) {
        let detail = "No member of the organization has this id.";
        faults.add(format_args!("#/users/{place}"), FaultCode::UnknownUser, detail);
    }
    Ok(faults.or(())?)
}

/// Ends a request: whom no other one means is not asked any more. Acknowledgements stay.
#[boxed]
pub async fn end(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    slug: &str,
    id: AcknowledgementRequestId,
) -> Result<()> {
    let found: Option<AcknowledgementRequest> = record::find(tx, organization, &[id.uuid().into()]).await?;
    let present = found.filter(|request| request.document == slug && request.ended_date.is_none());
    let before = present.ok_or(Error::NotFound(ResourceKind::AcknowledgementRequest))?;
    end_one(tx, organization, author, &before).await
}

/// Ends every request of a document; returns how many there were.
pub(crate) async fn end_all(tx: &mut Tx, organization: OrgId, author: &Author, slug: &str) -> Result<i64> {
    let open = of_document(organization, slug).filter(Filter::is("ended_date", Value::Null));
    let open: Vec<Stored<AcknowledgementRequest>> = open.all(tx).await?;
    for Stored(request) in &open {
        end_one(tx, organization, author, request).await?;
    }
    Ok(i64::try_from(open.len()).unwrap_or(i64::MAX))
}

async fn end_one(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    before: &AcknowledgementRequest,
) -> Result<()> {
    let mut after = AcknowledgementRequest { ended_date: Some(tx.at()), ..before.clone() };
    let payload = record::changes(Some(before), &after);
    let kind = "acknowledgement_request.ended";
    after.seq_from = journal::append(tx, organization, author, kind, subject(before.id), payload).await?;
    record::replace(tx, organization, &after).await
}

/// Up to `limit` requests of a document, the oldest first: those after the request `after`. Ended ones are among them. Who left
/// long ago is named by a pseudonym.
#[boxed]
pub async fn requests(
    tx: &mut Tx,
    organization: OrgId,
    slug: &str,
    after: Option<AcknowledgementRequestId>,
    limit: i64,
) -> Result<Page<AcknowledgementRequest>> {
    documents::require(tx, organization, slug).await?;
    // Ids are made in the order of time.
    let after = after.map(|id| Value::from(id.uuid()));
    let page = of_document(organization, slug).order(&["id"], Direction::Ascending, after);
    let page: Page<Stored<AcknowledgementRequest>> = page.page(tx, limit).await?;
    let pseudonyms = pseudonyms(tx, organization).await?;
    Ok(page.map(|Stored(mut request)| {
        request.users.iter_mut().for_each(|id| *id = pseudonyms.get(id).map_or(*id, |person| person.id));
        request
    }))
}

/// How many requests of a document there are.
#[boxed]
pub async fn count_requests(tx: &mut Tx, organization: OrgId, slug: &str) -> Result<i64> {
    of_document(organization, slug).count(tx).await
}

fn of_document(organization: OrgId, slug: &str) -> Select<'_, AcknowledgementRequest> {
    Select::of(organization, View::with_deleted()).filter(Filter::is("document", slug.into()))
}
