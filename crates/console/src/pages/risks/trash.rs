//! Deleting risks, `/o/{slug}/risks/trash`, and bringing them back.

use askama::Template;
use domain::risk::Risk;
use store::list::{Direction, ListQuery, Position, Sort};
use store::risks::{RiskFilter, RiskSort};
use store::{Deleted, View};
use web::http::page::{List, Page};

use super::show::show_page;
use super::{DELETE, address, number};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;

#[derive(Template)]
#[template(path = "risks/trash.html")]
struct TrashPage {
    frame: Layout,
    rows: Vec<Risk>,
    next: Option<String>,
    trash_days: i64,
}

/// `GET /o/{slug}/risks/trash`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(DELETE)?;
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    let view = View { deleted: Deleted::Only, ..View::now() };
    let sort = Sort { by: RiskSort::UpdatedDate, direction: Direction::Descending };
    let asked = ListQuery { view, filter: RiskFilter::default(), sort, after: page.after.clone() };
    let found = store::risks::list(&mut tx, request.id(), &asked, page.limit).await?;
    let frame = Layout::of(&request, &mut tx, texts::TRASH, Section::Risks).await?;
    let shown = List::of(&request.list_id(), found, None, |risk: &Risk| sort.by.position(risk), |row| row);
    let trash_days = request.organization.trash_days;
    request.show(&TrashPage { frame, rows: shown.data, next: shown.next_cursor, trash_days })
}

/// `POST /o/{slug}/risks/{id}/delete`
pub(crate) async fn delete(mut request: PageRequest) -> Result {
    request.require(DELETE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (to, expected) = (request.to("/risks"), form.expected());
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::risks::delete(tx, organization, author, number, &expected).await
    };
    let deleted = request.write(&form, change, move |()| to.clone()).await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(deleted, (texts::is_in_the_trash(number), true), again).await
}

/// `POST /o/{slug}/risks/{id}/restore`
pub(crate) async fn restore(mut request: PageRequest) -> Result {
    request.require(DELETE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (to, expected) = (address(&request, number), form.expected());
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::risks::restore(tx, organization, author, number, &expected).await
    };
    let restored = request.write(&form, change, move |_| to.clone()).await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(restored, (texts::is_back(number), true), again).await
}
