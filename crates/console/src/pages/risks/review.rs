//! `POST /o/{slug}/risks/{id}/reviews`: somebody has reviewed a risk.

use db::Tx;
use domain::json::body;
use domain::risk::NewRiskReview;
use domain::{Author, OrgId};

use super::show::show_page;
use super::{WRITE, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The member of a review; the note of an evaluation on the same page has another field.
const MEMBERS: &[(&str, As)] = &[("note", As::TextOrNull)];

pub(super) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let number = number(&request)?;
    let to = request.to(&format!("/risks/{number}"));
    let reviewed = async {
        let new = form.read_as(MEMBERS, &request.clock, body::<NewRiskReview>)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::risks::review(tx, organization, author, number, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let reviewed = reviewed.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(reviewed, (texts::RISK_REVIEWED, false), again).await
}
