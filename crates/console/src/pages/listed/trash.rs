//! `…/trash`: deleted records, and bringing them back.

use askama::Template;
use db::Tx;
use domain::severity::Severity;
use domain::{Author, OrgId};
use http::answer::Answer;
use http::page::{List, Page};
use http::write::Transaction;
use jiff::Timestamp;
use store::View;
use store::list::{Direction, ListQuery, Position, Sort};
use store::listed;

use super::{Noun, address, chosen, number, to_list};
use crate::frame::layout::Layout;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::{Problems, gone};
use crate::texts;

/// Where a record is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// Into the trash.
    Delete,
    /// Out of it.
    Restore,
}

/// A record in the trash.
pub(crate) struct Deleted {
    pub(crate) number: String,
    pub(crate) title: String,
    /// Its severity, if this kind of record has one.
    pub(crate) severity: Option<Severity>,
    pub(crate) deleted_date: Option<Timestamp>,
}

#[derive(Template)]
#[template(path = "trash.html")]
struct TrashPage {
    frame: Layout,
    /// The address of the list.
    list: String,
    list_name: &'static str,
    /// What several are called.
    several: &'static str,
    rows: Vec<Deleted>,
    next: Option<String>,
    trash_days: i64,
    problems: Problems,
}

/// `GET …/trash`
pub(in crate::pages) async fn page<N: Noun>(request: PageRequest) -> Result {
    let page = trash_page::<N>(&request, Problems::default()).await?;
    request.show(&page)
}

/// `POST …/trash`: restores the chosen ones, all or none.
pub(in crate::pages) async fn restore<N: Noun>(mut request: PageRequest) -> Result {
    request.require(N::DELETE)?;
    let form = request.form().await?;
    let (ids, to) = (chosen::<N>(&form), format!("{}/trash", to_list::<N>(&request)));
    if ids.is_empty() {
        let page = trash_page::<N>(&request, Problems::with(texts::NOTHING_SELECTED)).await?;
        return request.show_again(&page);
    }
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        N::restore(tx, organization, author, &ids).await
    };
    // How many were in the trash still is known in the write only.
    let respond =
        move |count: usize| Ok(Answer { body: count.to_string().into(), ..Answer::see_other(to.clone()) });
    match request.write_with(&form, Transaction::Shared, change, respond).await {
        Ok(answer) => {
            let count = std::str::from_utf8(&answer.body).ok().and_then(|text| text.parse().ok());
            let count: usize = count.unwrap_or_default();
            let told = match count {
                0 => texts::NONE_IN_THE_TRASH.to_owned(),
                _ => texts::restored(count, N::WORDS),
            };
            Ok(request.lead(answer, told, count > 0))
        }
        Err(error) => {
            let page = trash_page::<N>(&request, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

/// `POST …/{id}/delete`
pub(in crate::pages) async fn delete_one<N: Noun>(request: PageRequest) -> Result {
    move_one::<N>(request, Move::Delete).await
}

/// `POST …/{id}/restore`
pub(in crate::pages) async fn restore_one<N: Noun>(request: PageRequest) -> Result {
    move_one::<N>(request, Move::Restore).await
}

/// Moves the record in the path, if it has the version that the page showed.
async fn move_one<N: Noun>(mut request: PageRequest, to: Move) -> Result {
    request.require(N::DELETE)?;
    let number = number::<N>(&request)?;
    let form = request.form().await?;
    let expected = form.expected();
    let (page, told) = match to {
        Move::Delete => (to_list::<N>(&request), texts::record_deleted(number)),
        Move::Restore => (address::<N>(&request, number), texts::record_restored(number)),
    };
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        N::move_one(tx, organization, author, number, &expected, to).await
    };
    let next = move |moved| Next::after(moved, page.clone());
    let moved = request.write(&form, change, next).await.map_err(gone);
    let again = async |problems| N::show(&request, form, problems).await;
    request.answer(moved, (told, true), again).await
}

async fn trash_page<N: Noun>(request: &PageRequest, problems: Problems) -> Result<TrashPage> {
    request.require(N::DELETE)?;
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    let view = View { deleted: store::Deleted::Only, ..View::now() };
    let sort = Sort { by: N::LATELY_CHANGED, direction: Direction::Descending };
    let asked = ListQuery { view, filter: N::Filter::default(), sort, after: page.after.clone() };
    let (organization, viewer) = (request.id(), request.viewer());
    let found = listed::read::<N>(&mut tx, organization, &viewer, &asked, false, page.limit).await?;
    let frame = Layout::of(request, &mut tx, texts::TRASH, N::SECTION).await?;
    let (found, position) = found.into_parts();
    let shown = List::of(&request.list_id(), found, None, position, N::DELETED);
    Ok(TrashPage {
        frame,
        list: to_list::<N>(request),
        list_name: N::TITLE,
        several: N::NAME,
        rows: shown.data,
        next: shown.next_cursor,
        trash_days: request.organization.trash_days,
        problems,
    })
}

impl TrashPage {
    fn has_severity(&self) -> bool {
        self.rows.iter().any(|it| it.severity.is_some())
    }
}
