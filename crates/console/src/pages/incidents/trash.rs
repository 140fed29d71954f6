//! `/o/{slug}/incidents/trash`: deleted incidents, and bringing them back.

use askama::Template;
use domain::incident::Incident;
use domain::{IncidentNumber, Scope};
use store::incidents::{IncidentFilter, IncidentSort};
use store::list::{Direction, ListQuery, Position, Sort};
use store::{Deleted, View};
use web::http::page::{List, Page};

use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
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
    let count = ids.len();
    let restored = request
        .write(
            &form,
            async move |tx, organization, author| {
                store::incidents::restore_many(tx, organization, author, &ids).await
            },
            move |_| to.clone(),
        )
        .await;
    match restored {
        Ok(answer) => Ok(request.lead(answer, texts::are_back(count), true)),
        Err(error) => {
            let page = trash_page(&request, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
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
