//! `POST /o/{slug}/risks/{id}/status`: closes a risk, or opens it again.

use domain::json;
use domain::risk::{Risk, RiskPatch};

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The members of the change, as the forms have them.
const MEMBERS: &[(&str, As)] = &[("status", As::Text), ("status_reason", As::TextOrNull)];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = address(&request, number);
    let changed = async {
        let patch = form.read_as(MEMBERS, &request.clock, json::body::<RiskPatch>)?;
        let (expected, version) = (form.expected(), form.version());
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::risks::update(tx, organization, author, number, &expected, &patch).await
        };
        request
            .write(&form, change, move |it: Risk| Next::after(Some(it.version) != version, to.clone()))
            .await
    };
    let changed = changed.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}
