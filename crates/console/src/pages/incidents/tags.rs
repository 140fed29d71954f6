//! `POST /o/{slug}/incidents/{id}/tags`: puts a tag on an incident, or takes it off.

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;
use domain::json;
use domain::tag::TagReference;

pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (to, is_removed) = (address(&request, number), form.has("remove"));
    let changed = async {
        let TagReference { tag_id: tag } =
            form.read_as(&[("tag_id", As::Text)], &request.clock, json::body)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| match is_removed {
            true => store::incidents::remove_tag(tx, organization, author, number, tag).await,
            false => store::incidents::add_tag(tx, organization, author, number, tag).await,
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(changed, (texts::tags_changed(number), true), again).await
}
