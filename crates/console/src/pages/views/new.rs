//! `/o/{slug}/views/new`: saves what a list shows as a view.

use std::borrow::Cow;

use askama::Template;
use domain::ResourceKind;
use domain::saved_view::ViewedList;
use http::Error;
use http::json::{self, Json};
use lists::input::saved_views::read_new;

use super::shown::Shown;
use super::{READ, address, section};
use crate::frame::form::Form;
use crate::frame::layout::Layout;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

#[derive(Template)]
#[template(path = "views/new.html")]
struct NewPage {
    frame: Layout,
    list: ViewedList,
    /// The address of the list that is saved.
    to_list: String,
    may_share: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/views/new?list=incidents&query=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = new_page(&request, request.asked(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/views/new`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let list = list(&form)?;
    let shown = Shown::of_query(list, &Form::of_query(form.text("query")));
    let to = address(&request, list, &shown.query(list));
    let saved = async {
        let new = json::read_value(body(list, &shown, &form), read_new)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::saved_views::create(tx, organization, author, &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let saved = saved.await;
    let again = async |problems| new_page(&request, form, problems).await;
    request.answer(saved, (texts::VIEW_SAVED, false), again).await
}

fn body(list: ViewedList, shown: &Shown, form: &Form) -> Json<'static> {
    let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
    let members = [
        ("list", text(list.as_str())),
        ("name", text(form.text("name"))),
        ("filter", shown.filter_json(None)),
        ("sort", shown.sort_json()),
        ("shared", Json::Bool(form.has("shared"))),
    ];
    Json::Object(members.map(|(name, value)| (Cow::Borrowed(name), value)).into())
}

/// The list that a form or an address names.
fn list(form: &Form) -> Result<ViewedList> {
    ViewedList::parse(form.text("list")).ok_or(Error::not_found(ResourceKind::Path))
}

async fn new_page(request: &PageRequest, form: Form, problems: Problems) -> Result<NewPage> {
    let list = list(&form)?;
    request.require(list.read_scopes())?;
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::SAVE_VIEW, section(list)).await?;
    let to_list = address(request, list, &Form::of_query(form.text("query")).query());
    Ok(NewPage { frame, list, to_list, may_share: request.may(list.share_scope()), form, problems })
}
