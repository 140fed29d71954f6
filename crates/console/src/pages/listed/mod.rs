//! What the pages of incidents and risks have in common: the list with its filters, named lists and saved views, changes of many
//! at once, the trash, the export, and the tags and tasks of one. A [`Noun`] says what is its own.

pub(super) mod asked;
pub(super) mod bulk;
pub(super) mod change;
pub(super) mod list;
pub(super) mod tags;
pub(super) mod task;
pub(super) mod tasks;
pub(super) mod trash;

use askama::Template;
use db::Tx;
use domain::saved_view::ViewedList;
use domain::{Author, ExpectedVersion, OrgId, Scope};
use http::query::Query;
use lists::export::{Export, Exported, Spreadsheet};
use store::View;
use store::bulk::Bulk;
use store::list::Sort;

use crate::frame::facet::{Facet, Source};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// A kind of record with a list of its own, as its pages have it.
pub(crate) trait Noun: Exported {
    /// What can be done to many at once.
    type Operation: bulk::Operation<Record = Self>;
    /// The page of one.
    type Page: Template;
    /// What one is called, and several.
    const WORDS: texts::Noun;
    /// What the list is called.
    const TITLE: &'static str;
    /// The list, for saved views.
    const VIEWED: ViewedList;
    /// Where the navigation has the pages.
    const SECTION: Section;
    /// What reading them needs: one of these.
    const READ: &'static [Scope];
    /// What changing them needs.
    const WRITE: &'static [Scope];
    /// What deleting and restoring them needs.
    const DELETE: &'static [Scope];
    /// The named lists: their names and their queries.
    const NAMED: &'static [(&'static str, &'static str)];
    /// The order of the list, unless its address says another one.
    const SORT: Sort<Self::Sort>;
    /// The order of the trash.
    const LATELY_CHANGED: Self::Sort;
    /// Reads what the list is asked for: the open ones, unless its address says otherwise.
    const FILTER: fn(&mut Query<'_>, &PageRequest) -> Self::Filter;
    /// The filters of the list.
    const CONTROLS: fn(&Source<'_>) -> Vec<Facet>;
    /// The dates that the list is filtered by, each with its label.
    const DATES: &'static [(&'static str, &'static str)];
    /// Those of an address that have no control and are no texts of its fields, in words, each with its parameter.
    const OTHER_FILTERS: fn(&Form, &Layout) -> Vec<(String, &'static str)> = |_, _| Vec::new();
    /// Whether a change sets levels of the scale, which have to be those that its form showed.
    const IS_RATED: fn(&Self::Patch) -> bool = |_| false;
    /// What else is done to the chosen ones: its path under the list, and the words of its button.
    const OTHER_ACTION: Option<(&'static str, &'static str)> = None;
    /// The row of the trash.
    const DELETED: fn(Self::Row) -> trash::Deleted;

    /// The page of the record in the path, with a form that was refused.
    fn show(
        request: &PageRequest,
        form: Form,
        problems: Problems,
    ) -> impl Future<Output = Result<Self::Page>> + Send;

    /// The number of the latest one that the person sees, if the open list tells of new ones.
    fn latest(tx: &mut Tx, request: &PageRequest) -> impl Future<Output = store::Result<Option<i64>>> + Send;

    /// Moves one into the trash or out of it, if it has the expected version; whether it was elsewhere before.
    fn move_one(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        number: Self::Number,
        expected: &ExpectedVersion,
        to: trash::Move,
    ) -> impl Future<Output = store::Result<bool>> + Send;

    /// Restores those of these that are in the trash, and says how many.
    fn restore(
        tx: &mut Tx,
        organization: OrgId,
        author: &Author,
        numbers: &[Self::Number],
    ) -> impl Future<Output = store::Result<usize>> + Send;
}

/// The address of a record's page.
fn address<N: Noun>(request: &PageRequest, number: N::Number) -> String {
    request.to(&format!("/{}/{number}", N::NAME))
}

/// The address of the list.
fn to_list<N: Noun>(request: &PageRequest) -> String {
    request.to(&format!("/{}", N::NAME))
}

/// The number in the path.
fn number<N: Noun>(request: &PageRequest) -> Result<N::Number> {
    request.path(0, N::KIND, N::PARSE)
}

/// The records whose boxes are ticked, or that are named with spaces between them.
pub(super) fn chosen<N: Noun>(form: &Form) -> Vec<<N as Bulk>::Number> {
    form.all("ids").flat_map(str::split_whitespace).filter_map(N::PARSE).collect()
}

/// `GET …/export`: what the list shows, all pages of it, as CSV, or as a workbook of Excel.
pub(super) async fn export<N: Noun>(request: PageRequest) -> Result {
    request.require(N::READ)?;
    let mut query = request.query();
    let filter = N::FILTER(&mut query, &request);
    let format = |text: &str| ["csv", "xlsx"].into_iter().find(|known| *known == text);
    let is_workbook = query.parsed("format", "must be csv or xlsx", format) == Some("xlsx");
    query.finish()?;
    let mut tx = request.read().await?;
    let (db, organization, viewer) = (request.app.db().clone(), request.id(), request.viewer());
    let seq = store::journal::head(&mut tx, organization).await?.seq;
    let all = Export::<N> { db, organization, viewer, view: View::now(), seq, filter };
    let spreadsheet = Spreadsheet { is_workbook, ..request.spreadsheet() };
    all.file(&mut tx, Export::<N>::for_spreadsheet(spreadsheet)).await
}
