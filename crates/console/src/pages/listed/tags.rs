//! `POST …/{id}/tags`: puts a tag on a record, or takes it off.

use db::Tx;
use domain::tag::TagReference;
use domain::{Author, OrgId, json};
use store::listed;

use super::{Noun, address, number};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;

pub(in crate::pages) async fn submit<N: Noun>(mut request: PageRequest) -> Result {
    request.require(N::WRITE)?;
    let number = number::<N>(&request)?;
    let form = request.form().await?;
    let to = address::<N>(&request, number);
    let is_removed = form.has("remove");
    let changed = async {
        let TagReference { tag_id: tag } =
            form.read_as(&[("tag_id", As::Text)], &request.clock, json::body)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| match is_removed {
            true => listed::remove_tag::<N>(tx, organization, author, number, tag).await,
            false => listed::add_tag::<N>(tx, organization, author, number, tag).await,
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await.map_err(gone);
    let again = async |problems| N::show(&request, form, problems).await;
    request.answer(changed, (texts::tags_updated(number), true), again).await
}
