//! `POST /o/{slug}/documents/{document}/proposals`: opens a proposal without changes, for the first version or to confirm the
//! latest one.

use db::Tx;
use domain::document::{Proposal, ProposalOpening};
use domain::{Author, Error as E, OrgId, ResourceKind};

use super::WRITE;
use super::show::{show_page, slug};
use crate::frame::form::Form;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    let base = request.to(&format!("/documents/{slug}/proposals"));
    let from = Some(form.text("from")).filter(|from| !from.is_empty());
    let from = from.map(|from| from.parse().map_err(|_| E::NotFound(ResourceKind::Proposal))).transpose()?;
    let opening = ProposalOpening { from, confirm: form.has("confirm") };
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::proposals::open(tx, organization, author, &slug, opening).await
    };
    let next = move |proposal: Proposal| format!("{base}/{}", proposal.number);
    let opened = request.write(&form, change, next).await;
    let again = async |problems| show_page(&request, Form::default(), problems).await;
    request.answer(opened, (texts::PROPOSAL_OPENED, false), again).await
}
