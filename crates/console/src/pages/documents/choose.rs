//! `POST /o/{slug}/documents/{document}/edits`: chooses what an item says, in the open proposal.

use std::borrow::Cow;

use domain::document::read_edits;
use http::json::{self, Json};

use super::WRITE;
use super::show::{show_page, slug};
use crate::frame::form::Form;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    if form.has("preview") {
        let page = show_page(&request, form, Problems::default()).await?;
        return request.show(&page);
    }
    let to = request.to(&format!("/documents/{slug}"));
    let item = form.text("item").to_owned();
    let most_bytes = request.app.settings().proposal_bytes;
    let recorded = async {
        let edits = json::read_value(edits(&form), read_edits)?;
        let expected = form.expected();
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let edited =
                store::proposals::edit(tx, organization, author, &slug, &expected, &edits, most_bytes);
            let edited = edited.await?;
            Ok(edited.updated_date.unwrap_or(edited.created) == tx.at())
        };
        let next = move |is_changed| Next::after(is_changed, format!("{to}#item-{item}"));
        request.write(&form, change, next).await
    };
    let recorded = recorded.await;
    let again = async |problems| show_page(&request, form, problems).await;
    let done = texts::CHANGE_PROPOSED;
    request.answer(recorded, (done, false), again).await
}

/// The one edit of the form.
fn edits(form: &Form) -> Json<'static> {
    let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
    Json::Array(vec![Json::Object(vec![
        ("node_id".into(), text(form.text("item"))),
        ("node_type".into(), text(form.text("kind"))),
        ("value".into(), text(form.text("value"))),
    ])])
}
