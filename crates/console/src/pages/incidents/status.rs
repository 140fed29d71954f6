//! `POST /o/{slug}/incidents/{id}/status`: changes the status, and takes the incident.

use domain::incident::Incident;
use domain::incident::{IncidentPatch, Transition};
use domain::json;

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The members of a transition, as the forms have them.
const MEMBERS: &[(&str, As)] = &[
    ("to", As::Text),
    ("assigned_to", As::TextOrNull),
    ("resolution_reason", As::TextOrNull),
    ("resolution_summary", As::TextOrNull),
    ("reason", As::TextOrNull),
    ("responded_date", As::Time),
    ("duplicate_of", As::TextOrNull),
];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = address(&request, number);
    let changed = async {
        let patch: IncidentPatch = form.read_as(MEMBERS, &request.clock, json::body::<Transition>)?.into();
        let (expected, version) = (form.expected(), form.version());
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::incidents::update(tx, organization, author, number, &expected, &patch).await
        };
        let next = move |it: Incident| Next::after(Some(it.version) != version, to.clone());
        request.write(&form, change, next).await
    };
    let changed = changed.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(changed, (texts::changed(number), true), again).await
}
