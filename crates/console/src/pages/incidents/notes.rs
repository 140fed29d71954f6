//! `POST /o/{slug}/incidents/{id}/notes`: writes a note.

use super::note::WRITE_NOTES;
use super::show::show_page;
use super::{address, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;
use domain::note::NewNote;

/// The members of the form.
const MEMBERS: &[(&str, As)] = &[("kind", As::Text), ("text", As::Text), ("at", As::Time)];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE_NOTES)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (now, to) = (request.clock.now(), address(&request, number));
    let written = async {
        let new = form.read_as(MEMBERS, &request.clock, |body, faults| NewNote::read(body, now, faults))?;
        let create = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::notes::create(tx, organization, author, number, &new).await.map(drop)
        };
        request.write(&form, create, move |()| format!("{to}#timeline")).await
    };
    match written.await {
        Ok(answer) => Ok(request.lead(answer, texts::NOTE_ADDED, false)),
        Err(error) => {
            let page = show_page(&request, form, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}
