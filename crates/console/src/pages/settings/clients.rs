//! `/o/{slug}/settings/clients`: the programs that use the register.

use askama::Template;
use http::page::{List, Page};
use jiff::Timestamp;
use store::clients::Details;

use super::{CLIENTS, Tab};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "settings/clients.html")]
struct ClientsPage {
    frame: Layout,
    tabs: Vec<Tab>,
    rows: Vec<Details>,
    next: Option<String>,
}

/// `GET /o/{slug}/settings/clients`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(CLIENTS)?;
    let mut query = request.query();
    let page = Page::<(Timestamp, String)>::read(&request.list_id(), &mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    let found = store::clients::list(&mut tx, request.id(), page.after.clone(), page.limit).await?;
    let frame = Layout::of(&request, &mut tx, texts::CLIENTS, Section::Settings).await?;
    let position = |it: &Details| (it.record.client.created_date, it.record.client.id.to_string());
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let tabs = super::tabs(&request);
    request.show(&ClientsPage { frame, tabs, rows: shown.data, next: shown.next_cursor })
}
