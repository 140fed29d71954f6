//! `POST /o/{slug}/incidents/{id}/notes`: writes a note.

use super::note::WRITE_NOTES;
use super::show::show_page;
use super::{address, mentions, number};
use crate::frame::form::As;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;
use domain::note::{NewNote, Note, mention_warning};
use store::notes::WithMentions;

/// The members of the form.
const MEMBERS: &[(&str, As)] = &[("kind", As::Text), ("text", As::Text), ("at", As::Time)];

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE_NOTES)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (now, to) = (request.clock.now(), address(&request, number));
    let written = async {
        let new = form.read_as(MEMBERS, &request.clock, |body, faults| NewNote::read(body, now, faults))?;
        let new = NewNote { mentions: mentions::of_new(&request, new.kind, &new.text).await?, ..new };
        let create = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::notes::create(tx, organization, author, number, &new).await
        };
        let next = move |it| Next::telling(format!("{to}#timeline"), told(&it));
        request.write(&form, create, next).await
    };
    let written = written.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(written, (texts::NOTE_ADDED, false), again).await
}

/// That a note was added, and who of those whom it mentions does not see it.
fn told(WithMentions { value, incident, mentions }: &WithMentions<Note>) -> String {
    let warnings = value.mentions.iter().filter_map(|id| mention_warning(incident, mentions.get(id)?));
    let warnings: Vec<String> = warnings.map(|warning| warning.message).collect();
    [&[texts::NOTE_ADDED.to_owned()], warnings.as_slice()].concat().join(" ")
}
