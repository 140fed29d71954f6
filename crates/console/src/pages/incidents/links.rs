//! The links of an incident: adding one, and taking it away.

use std::borrow::Cow;

use domain::ResourceKind;
use domain::json::body;
use domain::link::{LinkKind, LinkedType, NewLink};
use http::json::{self, Json};

use super::show::show_page;
use super::{WRITE, address, number};
use crate::frame::form::Form;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::gone;
use crate::texts;

/// `POST /o/{slug}/incidents/{id}/links`
pub(crate) async fn add(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let to = address(&request, number);
    let added = async {
        let new = json::read_value(link(&form), body::<NewLink>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::links::add(tx, organization, author, number, &new).await
        };
        request.write(&form, change, move |_| format!("{to}#links")).await
    };
    let added = added.await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(added, (texts::LINK_ADDED, false), again).await
}

/// `POST /o/{slug}/incidents/{id}/links/{number}`: takes it away.
pub(crate) async fn remove(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let incident = number(&request)?;
    let number = request.path(1, ResourceKind::Link, |text| text.parse::<i64>().ok())?;
    let form = request.form().await?;
    let to = address(&request, incident);
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::links::remove(tx, organization, author, incident, number).await
    };
    let removed = request.write(&form, change, move |()| format!("{to}#links")).await.map_err(gone);
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(removed, (texts::LINK_REMOVED, false), again).await
}

/// The link of a form: what it leads to follows from its kind.
fn link(form: &Form) -> Json<'static> {
    let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
    let kind = LinkKind::parse(form.text("link_kind"));
    let linked = kind.and_then(|kind| LinkedType::ALL.iter().find(|it| it.kinds().contains(&kind)));
    let target = form.text("target").trim();
    let mut to: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
    if let Some(linked) = linked {
        to.push(("type".into(), text(linked.as_str())));
    }
    match linked {
        Some(LinkedType::Url) => {
            to.push(("url".into(), text(target)));
            let title = form.text("link_title").trim();
            to.extend((!title.is_empty()).then(|| ("title".into(), text(title))));
        }
        _ => to.push(("id".into(), text(target))),
    }
    Json::Object(vec![("to".into(), Json::Object(to)), ("kind".into(), text(form.text("link_kind")))])
}
