//! `POST /o/{slug}/undo`: takes back what was just done.

use store::undo::Search;

use crate::frame::entrance::destination;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let (id, back) = (form.text("request_id").to_owned(), back(&request, form.text("back")));
    let mut search = Search::new(request.id(), &request.member.actor(), &id);
    let mut tx = request.read().await?;
    while search.advance(&mut tx).await? {}
    drop(tx);
    let answer = request
        .write(
            &form,
            async move |tx, organization, author| store::undo::undo(tx, organization, author, &search).await,
            move |_| back.clone(),
        )
        .await?;
    Ok(request.lead(answer, texts::UNDONE, false))
}

/// The page to go back to: one of this organization.
fn back(request: &PageRequest, asked: &str) -> String {
    let (base, asked) = (request.to(""), destination(asked));
    let is_ours =
        asked.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    if is_ours { asked } else { base }
}
