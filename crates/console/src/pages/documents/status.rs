//! `POST /o/{slug}/documents/{document}/archive`, `…/restore`, `…/delete` and `…/reviews`: archives a document, takes it into
//! use again, deletes one that was never published, or records that it was reviewed.

use db::Tx;
use domain::document::{Archived, Archiving, NewDocumentReview};
use domain::json::body;
use domain::{Author, FaultCode, Faults, OrgId};

use super::WRITE;
use super::show::{show_page, slug};
use crate::frame::form::{As, Form};
use crate::frame::next::{Next, told};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

const ARCHIVING: &[(&str, As)] = &[("reason", As::TextOrNull)];
const REVIEW: &[(&str, As)] = &[("note", As::TextOrNull)];

/// `POST /o/{slug}/documents/{document}/archive`
pub(crate) async fn archive(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let to = request.to(&format!("/documents/{slug}"));
    let archived = async {
        let archiving = form.read_as(ARCHIVING, &request.clock, body::<Archiving>)?;
        let expected = form.expected();
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::archiving::archive(tx, organization, author, &slug, &expected, &archiving).await
        };
        let next = move |it: Archived| {
            Next::telling(to.clone(), texts::document_archived(it.withdrawn_proposal, it.ended_requests))
        };
        request.write(&form, change, next).await
    };
    let archived = archived.await;
    match archived {
        Ok(answer) => {
            let told = told(&answer).unwrap_or_default();
            Ok(request.lead(answer, told, true))
        }
        Err(error) => {
            let problems = request.problems(error)?;
            request.show_again(&show_page(&request, form, problems).await?)
        }
    }
}

/// `POST /o/{slug}/documents/{document}/restore`
pub(crate) async fn restore(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let (to, expected) = (request.to(&format!("/documents/{slug}")), form.expected());
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::archiving::restore(tx, organization, author, &slug, &expected).await
    };
    let restored = request.write(&form, change, move |_| to.clone()).await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(restored, (texts::DOCUMENT_RESTORED, false), again).await
}

/// `POST /o/{slug}/documents/{document}/delete`
pub(crate) async fn delete(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let to = request.to("/documents");
    let deleted = async {
        check_typed(&form, &slug)?;
        let expected = form.expected();
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::draft_removal::delete(tx, organization, author, &slug, &expected).await
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let deleted = deleted.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(deleted, (texts::DRAFT_DELETED, false), again).await
}

/// Refuses to delete the document unless the person has typed its slug.
fn check_typed(form: &Form, slug: &str) -> domain::Result<()> {
    if form.text("typed").trim() == slug {
        return Ok(());
    }
    let mut faults = Faults::new();
    faults.add("#/typed", FaultCode::Format, texts::type_the_address(slug));
    Err(domain::Error::Invalid(faults))
}

/// `POST /o/{slug}/documents/{document}/reviews`
pub(crate) async fn review(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let to = request.to(&format!("/documents/{slug}"));
    let reviewed = async {
        let new = form.read_as(REVIEW, &request.clock, body::<NewDocumentReview>)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::documents::review(tx, organization, author, &slug, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let reviewed = reviewed.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(reviewed, (texts::DOCUMENT_REVIEWED, false), again).await
}
