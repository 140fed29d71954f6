//! `/o/{slug}/views/{id}`: the name of a saved view, whether it is shared, its filters, and its deletion.

use std::borrow::Cow;

use askama::Template;
use domain::saved_view::{SavedView, ViewedList};
use domain::{ExpectedVersion, ResourceKind, SavedViewId};
use http::Error;
use http::answer::Answer;
use http::json::{self, Json};
use lists::input::saved_views::{check, read_patch};

use super::shown::Shown;
use super::{READ, address, address_of, id, reader, section};
use crate::frame::form::{As, Form};
use crate::frame::layout::Layout;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// The members of a view that people fill in, as the form has them.
const MEMBERS: &[(&str, As)] = &[("name", As::Text), ("shared", As::Flag)];

#[derive(Template)]
#[template(path = "views/edit.html")]
struct EditPage {
    frame: Layout,
    it: SavedView,
    /// The address of the list as the view shows it.
    to_list: String,
    may_share: bool,
    may_change: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/views/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = edit_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/views/{id}`: changes the name, and whether it is shared.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let id = id(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let view = &read(request, id).await?;
    let current = || async move { Ok(form_of(&read(request, id).await?)) };
    let write = |form: Form| async move {
        let (to, expected, version) = (address_of(request, view), form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::saved_views::update(tx, organization, author, id, &expected, &patch, check).await
        };
        let next = move |it: SavedView| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| edit_page(request, Some(form), problems).await;
    request.answer(changed, (texts::VIEW_UPDATED, false), again).await
}

/// `POST /o/{slug}/views/filter`: a view gets the filters and the order of a list.
pub(crate) async fn replace_filter(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let asked = form.text("query");
    if let (true, Some(list)) = (form.text("id").is_empty(), ViewedList::parse(form.text("list"))) {
        let back = Answer::see_other(address(&request, list, asked));
        return Ok(request.lead(back, texts::NOTHING_SELECTED, false));
    }
    let id = SavedViewId::parse(form.text("id")).ok_or(Error::not_found(ResourceKind::SavedView))?;
    let view = read(&request, id).await?;
    let shown = Shown::of_query(view.list, &Form::of_query(asked));
    let to = address(&request, view.list, &shown.query(view.list));
    let body = vec![
        (Cow::Borrowed("filter"), shown.filter_json(Some(&view.filter))),
        (Cow::Borrowed("sort"), shown.sort_json()),
    ];
    let patch = json::read_value(Json::Object(body), read_patch)?;
    let expected = ExpectedVersion::OneOf(vec![view.version]);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::saved_views::update(tx, organization, author, id, &expected, &patch, check).await
    };
    let next = move |it: SavedView| Next::after(it.version != view.version, to.clone());
    let answer = request.write(&form, change, next).await?;
    Ok(request.lead_on(answer, texts::view_replaced(&view.name, view.shared), false))
}

/// `POST /o/{slug}/views/{id}/delete`
pub(crate) async fn delete(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let view = read(&request, id).await?;
    let (to, expected) = (address(&request, view.list, ""), form.expected());
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::saved_views::delete(tx, organization, author, id, &expected).await
    };
    let deleted = request.write(&form, change, move |()| to.clone()).await;
    let again = async |problems| edit_page(&request, None, problems).await;
    request.answer(deleted, (texts::VIEW_DELETED, false), again).await
}

/// The form as it is shown first: every field, and what it was.
fn form_of(view: &SavedView) -> Form {
    let shared = if view.shared { "1" } else { "" };
    Form::with_originals([("name", view.name.clone()), ("shared", shared.to_owned())], view.version)
}

async fn read(request: &PageRequest, id: SavedViewId) -> Result<SavedView> {
    let mut tx = request.read().await?;
    Ok(store::saved_views::get(&mut tx, request.id(), &reader(request), id).await?)
}

async fn edit_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<EditPage> {
    request.require(READ)?;
    let mut tx = request.read().await?;
    let it = store::saved_views::get(&mut tx, request.id(), &reader(request), id(request)?).await?;
    let frame = Layout::of(request, &mut tx, it.name.clone(), section(it.list)).await?;
    let form = form.unwrap_or_else(|| form_of(&it));
    let may_share = request.may(it.list.share_scope());
    let may_change = may_share || !it.shared;
    Ok(EditPage { frame, to_list: address_of(request, &it), it, may_share, may_change, form, problems })
}

impl EditPage {
    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    /// The address of this page.
    fn here(&self) -> String {
        format!("{}/views/{}", self.frame.base, self.it.id)
    }
}
