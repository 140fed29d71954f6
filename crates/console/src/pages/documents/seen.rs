//! `POST /o/{slug}/documents/{document}/proposals/{number}/seen`: keeps the text that the person has read.

use db::Tx;
use domain::document::sha256;
use domain::{Author, OrgId};

use super::READ;
use super::proposal::{proposal_page, which};
use crate::frame::form::Form;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
    let mut tx = request.read().await?;
    let text = store::proposals::draft(&mut tx, request.id(), &slug, number, None).await?.markdown;
    drop(tx);
    let (person, is_present) = (request.member.person.id, form.is("sha256", sha256(&text)));
    let change = async move |tx: &mut Tx, organization: OrgId, _: &Author| {
        if is_present {
            store::proposals::see(tx, organization, person, number, &text).await?;
        }
        Ok(())
    };
    let next = move |()| match is_present {
        true => Next::after(true, to.clone()),
        false => Next::telling(to.clone(), texts::READ_ANOTHER_TEXT.to_owned()),
    };
    let kept = request.write(&form, change, next).await;
    let again = async |problems| proposal_page(&request, Form::default(), problems).await;
    request.answer(kept, (texts::MARKED_AS_READ, false), again).await
}
