//! `/o/{slug}/documents/{document}/acknowledgements/paper`: recording what somebody signed on paper.

use domain::acknowledgement::NewAcknowledgement;
use domain::{Author, json};

use super::WRITE;
use super::acknowledgements::{TURN, acknowledgements_page};
use super::show::slug;
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The members of the body that the form has.
const MEMBERS: &[(&str, As)] =
    &[("sha256", As::Text), ("on_paper/user", As::Text), ("on_paper/file", As::Text)];

/// `POST /o/{slug}/documents/{document}/acknowledgements/paper`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    if form.has(TURN) {
        return request.show(&acknowledgements_page(&request, form, Problems::default()).await?);
    }
    let number: i64 = form.text("number").parse().unwrap_or_default();
    let to = request.to(&format!("/documents/{slug}/acknowledgements"));
    let given = async {
        let new = form.read_as(MEMBERS, &request.clock, json::body::<NewAcknowledgement>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &Author| {
            store::acknowledgements::give(tx, organization, author, (&slug, number), &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let given = given.await;
    let again = async |problems| acknowledgements_page(&request, form, problems).await;
    request.answer(given, (texts::RECORDED_ON_PAPER, false), again).await
}
