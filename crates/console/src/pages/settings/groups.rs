//! `/o/{slug}/settings/groups`: the groups of members, and a new one.

use askama::Template;
use domain::group::{Group, NewGroup};
use domain::{Scope, json};
use http::page::{List, Page};
use store::groups::GroupFilter;

use super::{GROUP_MEMBERS, MANAGE_PEOPLE, READ_PEOPLE, Tab};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

#[derive(Template)]
#[template(path = "settings/groups.html")]
struct GroupsPage {
    frame: Layout,
    tabs: Vec<Tab>,
    rows: Vec<Group>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    may_manage: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/groups`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = groups_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/groups`: adds a group, and leads to it.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let form = request.form().await?;
    let to = request.to("/settings/groups/");
    let added = async {
        let new = form.read_as(GROUP_MEMBERS, &request.clock, json::body::<NewGroup>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::groups::create(tx, organization, author, &new).await
        };
        request.write(&form, change, move |group: Group| format!("{to}{}", group.id)).await
    };
    let added = added.await;
    let again = async |problems| groups_page(&request, form, problems).await;
    request.answer(added, (texts::GROUP_ADDED, false), again).await
}

async fn groups_page(request: &PageRequest, form: Form, problems: Problems) -> Result<GroupsPage> {
    request.require(READ_PEOPLE)?;
    let mut query = request.query();
    let page = Page::<String>::read(&request.list_id(), &mut query);
    query.finish()?;
    let (is_first, all) = (page.after.is_none(), GroupFilter::default());
    let mut tx = request.read().await?;
    let found = store::groups::list(&mut tx, request.id(), &all, page.after.as_deref(), page.limit).await?;
    let total = store::groups::count(&mut tx, request.id(), &all).await?;
    let frame = Layout::of(request, &mut tx, texts::GROUPS, Section::Settings).await?;
    let position = |group: &Group| group.name.to_string();
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let (rows, next, may_manage) = (shown.data, shown.next_cursor, request.may(Scope::UsersAdmin));
    let tabs = super::tabs(request);
    Ok(GroupsPage { frame, tabs, rows, total, next, is_first, may_manage, form, problems })
}
