//! `/o/{slug}/incidents/trash`: deleted incidents, and bringing them back.

use askama::Template;
use domain::bulk::BulkOutcome;
use domain::incident::{Incident, Viewer};
use domain::{IncidentNumber, Scope};
use store::incidents::{IncidentFilter, IncidentSort};
use store::list::{Direction, ListQuery, Position, Sort};
use store::{Deleted, View};
use web::http::answer::Answer;
use web::http::page::{List, Page};
use web::http::write::Transaction;

use super::show::show_page;
use super::{address, number};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const DELETE: &[Scope] = &[Scope::IncidentsDelete];

#[derive(Template)]
#[template(path = "incidents/trash.html")]
struct TrashPage {
    frame: Layout,
    rows: Vec<Incident>,
    next: Option<String>,
    trash_days: i64,
    problems: Problems,
}

/// `GET /o/{slug}/incidents/trash`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = trash_page(&request, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/trash`: restores the chosen ones, all or none.
pub(crate) async fn restore(mut request: PageRequest) -> Result {
    request.require(DELETE)?;
    let form = request.form().await?;
    let (ids, to) = (chosen(&form), request.to("/incidents/trash"));
    if ids.is_empty() {
        let page = trash_page(&request, Problems::with(texts::NOTHING_WAS_CHOSEN)).await?;
        return request.show_again(&page);
    }
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::incidents::restore_many(tx, organization, author, &ids).await
    };
    // How many were in the trash still is known in the write only.
    let respond = move |outcome: BulkOutcome| {
        let body = outcome.changed_count.to_string().into();
        Ok(Answer { body, ..Answer::see_other(to.clone()) })
    };
    match request.write_with(&form, Transaction::Shared, change, respond).await {
        Ok(answer) => {
            let count = std::str::from_utf8(&answer.body).ok().and_then(|text| text.parse().ok());
            let count: usize = count.unwrap_or_default();
            let told = if count == 0 { texts::NONE_IN_THE_TRASH.to_owned() } else { texts::are_back(count) };
            Ok(request.lead(answer, told, count > 0))
        }
        Err(error) => {
            let page = trash_page(&request, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

/// `POST /o/{slug}/incidents/{id}/delete`
pub(crate) async fn delete_one(request: PageRequest) -> Result {
    move_one(request, Move::Delete).await
}

/// `POST /o/{slug}/incidents/{id}/restore`
pub(crate) async fn restore_one(request: PageRequest) -> Result {
    move_one(request, Move::Restore).await
}

/// Where an incident is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    /// Into the trash.
    Delete,
    /// Out of it.
    Restore,
}

/// Moves the incident in the path, if it has the version that the page showed.
async fn move_one(mut request: PageRequest, to: Move) -> Result {
    request.require(DELETE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let (expected, view) = (form.expected(), View { deleted: Deleted::With, ..View::now() });
    let (page, told) = match to {
        Move::Delete => (request.to("/incidents"), texts::is_in_the_trash(number)),
        Move::Restore => (address(&request, number), texts::is_back(number)),
    };
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        let viewer = Viewer::of(author);
        let before = store::incidents::get(tx, organization, &viewer, number, view).await?;
        expected.check(before.version)?;
        match to {
            Move::Delete => store::incidents::delete_many(tx, organization, author, &[number]).await,
            Move::Restore => store::incidents::restore_many(tx, organization, author, &[number]).await,
        }
    };
    let next = move |outcome: BulkOutcome| Next::after(outcome.changed_count > 0, page.clone());
    let moved = request.write(&form, change, next).await;
    let again = async |problems| show_page(&request, form, problems).await;
    request.answer(moved, (told, true), again).await
}

/// The incidents whose boxes are ticked, or that are named with spaces between them.
pub(super) fn chosen(form: &Form) -> Vec<IncidentNumber> {
    form.all("ids").flat_map(str::split_whitespace).filter_map(IncidentNumber::parse).collect()
}

async fn trash_page(request: &PageRequest, problems: Problems) -> Result<TrashPage> {
    request.require(DELETE)?;
    let mut query = request.query();
    let page = Page::<Position>::read(&request.list_id(), &mut query);
    query.finish()?;
    let mut tx = request.read().await?;
    let view = View { deleted: Deleted::Only, ..View::now() };
    let sort = Sort { by: IncidentSort::UpdatedDate, direction: Direction::Descending };
    let asked = ListQuery { view, filter: IncidentFilter::default(), sort, after: page.after.clone() };
    let found = store::incidents::list(&mut tx, request.id(), &request.viewer(), &asked, page.limit).await?;
    let frame = Layout::of(request, &mut tx, texts::TRASH, Section::Incidents).await?;
    let position = |incident: &Incident| sort.by.position(incident);
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let trash_days = request.organization.trash_days;
    Ok(TrashPage { frame, rows: shown.data, next: shown.next_cursor, trash_days, problems })
}
