//! `POST /o/{slug}/incidents/{id}/notes`: a comment, or an entry of the timeline.

use web::http::json;
use web::input::{comments, entries};

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The kind that stands for a comment.
const COMMENT: &str = "comment";

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (clock, now, to) = (request.clock.clone(), request.clock.now(), address(&request, number));
    let location = move |()| format!("{to}#timeline");
    let written = if form.text("kind") == COMMENT {
        match json::read_value(form.json(&[("text", As::Text)], &clock), comments::read_new) {
            Ok(new) => {
                let create = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
                    store::comments::create(tx, organization, author, number, &new).await.map(|_| ())
                };
                request.write(&form, create, location).await
            }
            Err(error) => Err(error),
        }
    } else {
        let body = form.json(&[("kind", As::Text), ("text", As::Text), ("at", As::Time)], &clock);
        match json::read_value(body, |body, faults| entries::read_new(body, now, faults)) {
            Ok(new) => {
                let create = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
                    store::entries::create(tx, organization, author, number, &new).await.map(|_| ())
                };
                request.write(&form, create, location).await
            }
            Err(error) => Err(error),
        }
    };
    match written {
        Ok(answer) => Ok(request.lead(answer, texts::NOTE_ADDED, false)),
        Err(error) => {
            let page = show_page(&request, form, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}
