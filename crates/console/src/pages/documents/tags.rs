//! `POST /o/{slug}/documents/{document}/tags`: puts a tag on a document, or takes it off.

use db::Tx;
use domain::tag::TagReference;
use domain::{Author, OrgId, json};

use super::WRITE;
use super::show::{show_page, slug};
use crate::frame::form::As;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;

/// `POST /o/{slug}/documents/{document}/tags`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    let to = request.to(&format!("/documents/{slug}"));
    let is_removed = form.has("remove");
    let changed = async {
        let TagReference { tag_id: tag } =
            form.read_as(&[("tag_id", As::Text)], &request.clock, json::body)?;
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| match is_removed {
            true => store::documents::remove_tag(tx, organization, author, &slug, tag).await,
            false => store::documents::add_tag(tx, organization, author, &slug, tag).await,
        };
        request.write(&form, change, move |()| to.clone()).await
    };
    let changed = changed.await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(changed, (texts::TAGS_UPDATED, true), again).await
}
