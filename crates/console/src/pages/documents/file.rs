//! `/o/{slug}/documents/{document}/versions/{number}/word`, `…/pdf` and the same of `…/proposals/{number}`: a text as a file.

use domain::ResourceKind;
use lists::document_file::{self, Around};
use lists::printed_file::Form;

use super::READ;
use super::proposal::which;
use super::show::slug;
use crate::frame::page_request::{PageRequest, Result};

/// `GET /o/{slug}/documents/{document}/versions/{number}/word` and `…/pdf`
pub(crate) async fn published(request: PageRequest, form: Form) -> Result {
    request.require(READ)?;
    let (slug, organization) = (slug(&request)?, request.id());
    let number = request.path(1, ResourceKind::DocumentVersion, |text| text.parse::<i64>().ok())?;
    request.query().finish()?;
    let mut tx = request.read().await?;
    let text = store::documents::version(&mut tx, organization, &slug, number).await?;
    let around = Around::read(&mut tx, organization, &slug, &text).await?;
    drop(tx);
    document_file::published(&request.app, form, &text, &around).await
}

/// `GET /o/{slug}/documents/{document}/proposals/{number}/word` and `…/pdf`
pub(crate) async fn proposed(request: PageRequest, form: Form) -> Result {
    request.require(READ)?;
    let (slug, number) = which(&request)?;
    request.query().finish()?;
    let mut tx = request.read().await?;
    let draft = store::proposals::draft(&mut tx, request.id(), &slug, number, None).await?;
    drop(tx);
    let which = (number, draft.proposal.status);
    document_file::proposed(&request.app, form, &slug, which, &draft.markdown).await
}
